#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harrier::tables {

/// A row of table 1 of E. Albert, P. Arenas, M. Gómez-Zamalloa: Actor- and
/// task-selection strategies, FORTE 2014, that is about the selection of tasks,
/// and a program of ours of the same kind: theirs are not printed. So the factors
/// are set beside each other, and nothing is expected to be equal.
struct task_row {
  struct figures {
    std::uint64_t executions = 0;
    std::uint64_t states = 0;  ///< the nodes of the search tree: ours are the deliveries and one
    double seconds = 0;
    std::uint64_t blocked = 0;  ///< executions given up, not counted above
    bool ended = true;          ///< in the time given; else what there was by then
  };
  std::string test;  ///< DHT(a); empty: a program that only we have, of the kind of the row above
  std::string program;
  figures published_without = {};
  figures published_with = {};
  figures plain = {};      ///< engine optimal, observers off
  figures observing = {};  ///< as it is by default
  figures fields = {};     ///< independence fields
  figures semantic = {};   ///< engine source, independence semantic
  std::uint64_t ends = 0;  ///< distinct states in which an execution ends; 0: not counted in the time given
};

/// Each search for at most `seconds`.
std::vector<task_row> run_task_selection(double seconds);

std::string to_text(const std::vector<task_row>& rows);
nlohmann::ordered_json to_json(const std::vector<task_row>& rows);

}  // namespace harrier::tables
