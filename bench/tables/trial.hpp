#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <harrier/core/exploration.hpp>

#include "figures.hpp"

namespace harrier::tables {

/// How far to go for one cell.
struct limits {
  double seconds = 30;
  /// Cells with more published transitions are left out.
  std::uint64_t deliveries = 10'000'000;
};

/// Explores with engine `persistent+sleep`, say, and goes on after findings.
/// `stateful` and `stateful-big` compare states as measured.
exploration explore_fully(const std::string& program, const std::string& engine, const std::string& ordering,
                          double seconds);

/// Whether such a search came to its end.
bool ended(const exploration& result);

/// A published cell beside ours.
struct trial {
  enum class verdict {
    equal,
    different,
    cut_there,  ///< the authors' run was cut by time, ours ended
    illegible,  ///< we ran it, and have no published figure
    not_run,    ///< see why
  };
  cell published;
  verdict outcome = verdict::not_run;
  /// Ours in the table's counting, nothing if not run.
  std::optional<std::uint64_t> paths;
  std::optional<std::uint64_t> transitions;
  /// Ours too, if states were compared.
  std::optional<std::uint64_t> states;
  std::optional<std::uint64_t> depth;
  std::uint64_t blocked = 0;
  double seconds = 0;
  /// Why it differs or was not run; empty if there is nothing to say.
  std::string why;
};

std::string to_string(trial::verdict outcome);

/// Runs cells; what several cells ask for is run once.
class laboratory {
public:
  explicit laboratory(limits how_far) : limits_(how_far) {}

  trial run(const cell& published);

private:
  const exploration& explored(const cell& c);

  limits limits_;
  std::map<std::tuple<std::string, std::string, std::string>, exploration> known_;
};

/// How many cells of some trials came out how.
struct tally {
  int equal = 0;
  int different = 0;
  int cut_there = 0;
  int illegible = 0;
  int not_run = 0;

  void add(const trial& t);
};

}  // namespace harrier::tables
