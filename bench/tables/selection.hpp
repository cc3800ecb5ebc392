#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harrier::tables {

/// A row of table 1 of E. Albert, P. Arenas, M. Gómez-Zamalloa: Actor- and
/// task-selection strategies, FORTE 2014, and ours, as far as it is about the
/// selection of actors (ordering stability). Rows that only the selection of tasks
/// sets apart are in task_selection.hpp.
struct selection_row {
  std::string test;     ///< Fib(5)
  std::string program;  ///< as on the command line
  struct figures {
    std::uint64_t executions = 0;
    std::uint64_t states = 0;   ///< the nodes of the search tree
    std::uint64_t without = 0;  ///< column H: those in which no stable actor was known
    double seconds = 0;
  };
  figures published;
  figures ours;             ///< engine dcute with ordering stability
  figures with_fifo = {};   ///< engine dcute with ordering fifo
  bool fifo_ended = false;  ///< in the time given
};

/// The rows with ours run, each search for at most `seconds`.
std::vector<selection_row> run_selection(double seconds);
/// One row alone. @throws error if there is no such test.
selection_row run_selection(const std::string& test, double seconds);

/// Whether ours has as many executions as published in each row.
bool all_as_published(const std::vector<selection_row>& rows);

std::string to_text(const std::vector<selection_row>& rows);
nlohmann::ordered_json to_json(const std::vector<selection_row>& rows);

}  // namespace harrier::tables
