#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/faults.hpp>
#include <harrier/core/finding.hpp>

namespace harrier {

/// A number that an engine has to say of its search.
struct statistic {
  std::string name;  ///< in words, as in the JSON: `steps planned at most`
  double value = 0;
};

/// What may help an exploration that a limit stopped, from what was seen of the
/// program.
struct advice {
  std::string option;   ///< of options, and of the command line: `engine`
  std::string value;    ///< `stateful`
  std::string because;  ///< with figures
};

/// How many executions a search will come to, guessed from what it has explored
/// of its tree. Never less than what was seen; every number is finite.
struct size_estimate {
  /// 0: nothing can be said.
  double executions = 0;
  /// The share of them that was run, more than 0 and at most 1.
  double explored = 0;
  /// At the rate so far.
  double seconds_to_go = 0;
  /// Leaves / explored mass (Kilby et al.), which `executions` follows, and as a
  /// second opinion children x mean size of the visited ones (Eta). They count
  /// leaves of the tree: executions given up as redundant, too.
  double by_explored_mass = 0;
  double by_subtree_sizes = 0;
};

/// How many orders of deliveries there are, guessed from samples.
struct order_count {
  double executions = 0;  ///< at most 1e300
  std::uint64_t samples = 0;
};

inline constexpr auto not_covered = "not covered: ";

/// What an exploration gives: how far it came, and what it found.
struct exploration {
  std::string program;
  std::map<std::string, std::string> parameters;
  std::string engine;
  bool sleep_sets = false;
  std::string ordering;
  /// Whether observers commute: see search_options::observers.
  bool observers = false;
  /// When two messages of one actor commute: see search_options::independence.
  std::string independence = "receiver";
  std::string delivery = "unordered";
  std::uint64_t seed = 0;
  /// The engine drew executions, by `seed`, and did not enumerate them.
  bool draws_executions = false;
  /// How many workers searched.
  std::uint64_t jobs = 1;

  /// Everything that can matter was explored: no limit cut the search, and it
  /// did not stop at a finding. Only then "no finding" is a proof, for the
  /// delivery model named here.
  bool exhausted = false;
  /// Why it is not exhausted, in words; empty if it is. If it begins with `not_covered`, the search came to its end,
  /// and what follows is what it leaves out of what the program can do.
  std::string stopped_by;
  /// Executions that came to their end (nothing left to deliver).
  std::uint64_t executions = 0;
  /// Executions that do not count, since what a handler assumed did not hold
  /// (self::assume); not counted above.
  std::uint64_t assumed_away = 0;
  /// What could befall messages on their way (search_options::faults), and in how many executions, of all those that
  /// came to an end, something did.
  harrier::faults faults = {};
  std::uint64_t with_faults = 0;
  /// How many of the executions counted above ended because some actor's timers had fired as often as they may
  /// (faults::timeouts). Their ends are not judged: the program itself would have gone on.
  std::uint64_t out_of_timeouts = 0;
  /// What was to be reached at some time, in any execution, and whether it was: system::points().
  std::map<std::string, bool> points;
  /// In how many of the executions counted above each word was left (self::note).
  std::map<std::string, std::uint64_t> outcomes;
  /// Executions cut by the depth limit, not counted above.
  std::uint64_t truncated = 0;
  /// Executions given up because everything deliverable slept: wasted work.
  std::uint64_t blocked = 0;
  /// Deliveries run, a shared prefix once.
  std::uint64_t transitions = 0;
  /// What an engine says that looks at states.
  struct state_counts {
    std::string comparison;
    /// Distinct states reached, the initial one included.
    std::uint64_t states = 0;
    /// Those of them in which nothing can be delivered.
    std::uint64_t final_states = 0;
    /// Deliveries that led to a state reached before.
    std::uint64_t revisits = 0;
    /// Steps of the longest path: deliveries, or big steps.
    std::uint64_t depth = 0;
    /// Memory for each state remembered.
    double bytes_per_state = 0;
    /// How many states are expected to have been missed, since what is
    /// remembered of a state is less than the state.
    double expected_misses = 0;
  };
  std::optional<state_counts> states;
  /// What else the engine counted, each under its own name.
  std::vector<statistic> statistics;
  /// Deliveries of the longest execution.
  std::uint64_t max_depth = 0;
  /// Most actors of one execution, the driver not counted.
  std::uint64_t actors = 0;
  double seconds = 0;
  double peak_rss_mib = 0;
  /// Of an engine that enumerates executions, unless the depth limit cut some:
  /// how many there are beyond it is not known. Exact if the search came to its end.
  std::optional<size_estimate> estimate;
  /// Of one that was to estimate only (search_options::only_estimate); nothing if no
  /// sample came to the end of an execution.
  std::optional<order_count> orders;

  std::vector<finding> findings;
  /// What was found but counts as no error (undelivered messages by default).
  std::vector<finding> warnings;
  /// What to try where a limit stopped it, the most promising first.
  std::vector<harrier::advice> advice;
  /// What the user should know about this exploration itself, a sentence each.
  std::vector<std::string> notes;
};

}  // namespace harrier
