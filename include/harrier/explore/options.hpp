#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/faults.hpp>
#include <harrier/core/independence.hpp>
#include <harrier/core/memoising.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/states.hpp>
#include <harrier/engine/stateful.hpp>
#include <harrier/explore/choices.hpp>
#include <harrier/replay/ends.hpp>

namespace harrier {

/// src/explore/search_wiring.hpp: for whoever runs a search in a process of its own.
struct search_wiring;

/// How far a search has come, for those who watch.
struct progress {
  std::uint64_t executions = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t findings = 0;
  double seconds = 0;
  /// Of how many executions, if that can be said; see exploration::estimate.
  size_estimate estimate = {};
};

/// What faults::heal is where it is asked for, in one word.
constexpr std::uint64_t deliveries_to_heal = 1000;

/// What is searched, and by whom.
struct search_options {
  engine_choice engine = {};
  ordering_choice ordering = {};
  /// In which orders messages may be delivered; the set-up is run under it too.
  delivery_choice delivery = {};
  /// What may befall messages on their way, and how often (docs/faults.md); nothing, unless said. For programs of the
  /// actor kit.
  harrier::faults faults = {};
  /// Fields are for engine optimal, semantic is for engine source, both where observers are
  /// possible; see docs/algorithms/independence.md.
  harrier::independence independence = independence::receiver;
  /// Whether deliveries that leave their receiver as it is, and send nothing, commute with one another: then only what
  /// they see tells executions apart. Of engine optimal; asked for where it is not possible
  /// (docs/algorithms/optimal.md) it is an error. Nothing: yes, where it is, no property names what is received
  /// (monitor::tells_observers_apart), no execution has more than 8,192 deliveries, and some random executions, run
  /// first and always the same, have two such deliveries whose order is free; exploration::observers tells.
  std::optional<bool> observers = {};
  /// Nothing: what suits the engine (yes for stateful, no for others).
  std::optional<bool> sleep_sets = {};
  /// Of engines that draw.
  std::uint64_t seed = 0;
  /// Of engine pct: how many deliveries have to come in a certain order; 0: 1 to
  /// 5 in turn.
  std::uint64_t bug_depth = 0;
  /// Of engine delay: it ends when everything with so many deviations was run.
  std::optional<std::uint64_t> delays = {};
  /// Whether handlers are called again for what they did before (docs/memoising.md). It changes no count and no
  /// finding. Each worker remembers at most 64 MiB.
  memoising memoise = memoising::automatic;
  /// How many workers search, each in a thread and in a system of its own; 0: as
  /// many as there are cores. More than one is for engines that can (see
  /// named_engine, src/explore/engines.hpp), and for programs whose actors share
  /// nothing (docs/parallel.md).
  std::uint64_t jobs = 1;
  /// Where several workers, a checkpoint or going on from one cannot be had, do
  /// without them and say so in a note, instead of refusing to search.
  bool alone_if_need_be = false;
  /// Only say how much there is: from a second of samples, and a second of search
  /// by `engine`, `auto` being optimal, or source where semantic independence is asked for.
  bool only_estimate = false;
};

/// How engine stateful tells states apart.
struct state_options {
  search_order order = search_order::depth_first;
  /// Nothing: exact.
  std::optional<state_comparison> comparison = {};
  step_size steps = step_size::little;
  visited_states visited = visited_states::compacted;
  /// Classes whose actors are interchangeable, beside those that say so.
  std::vector<std::string> interchangeable = {};
};

/// What is looked for.
struct judging_options {
  harrier::environment environment = harrier::environment::total;
  /// Replaces `environment` if set: whether `actor` may be left as it is when
  /// nothing more can be delivered. An actor blocked in a call never may.
  std::function<bool(const system&, actor_slot actor)> may_be_left = {};
  harrier::undelivered undelivered = harrier::undelivered::warn;
  /// The three of them.
  [[nodiscard]] end_rules ends() const { return {environment, may_be_left, undelivered}; }
  /// What the states must be in which an execution ends, beside what the program
  /// itself says (program::finally); null: anything. What fails is a finding of
  /// kind assertion, of the execution as a whole.
  final_check finally = {};
  /// Judges the executions as they run; null: nobody. Not owned. A monitor for
  /// another search may not be attached at the same time. `monitors` joins
  /// several; one that relies on more than the engine keeps is refused.
  monitor* by = nullptr;
  /// Go on after the first finding; the same finding is reported once, with its
  /// shortest schedule and the number of executions in which it was seen.
  bool keep_going = false;
  /// Seconds that may be spent, once the search is over, on shorter and plainer schedules for what was found, and half
  /// as many before on the nearest states (docs/findings.md); 0: none, and the schedule is the one that was met,
  /// without what it does not depend on.
  double minimise = 2;
  repetition check_determinism = repetition::sample;
  /// Proves at each repeated delivery that going back is exact, also where there are so many actors and messages that
  /// it costs much.
  bool check_undo = false;
};

/// When a search ends that has not been everywhere; 0 means never. One that cuts it leaves exploration::exhausted
/// false.
struct limit_options {
  std::uint64_t max_executions = 0;
  std::uint64_t max_depth = 1'000'000;  ///< deliveries of an execution, which is cut there: at least 1
  double time_limit = 0;                ///< seconds
  /// Seconds to look for bugs, and instead of a time_limit: engines that sample and a
  /// systematic one share them (docs/algorithms/budget.md). 0: search_options::engine says it all.
  double budget = 0;
  /// How long it may take, in seconds; 0: as long as it takes.
  [[nodiscard]] double most_seconds() const { return budget > 0 ? budget : time_limit; }
  std::uint64_t max_memory = 0;  ///< MiB of the whole process
  /// Asked every few milliseconds: whether to end now, as at a limit; null: never.
  std::function<bool()> should_stop = {};
};

/// Who is told while it is searched. What is null is not called.
struct telling_options {
  /// Called about every `progress_interval` seconds.
  std::function<void(const progress&)> on_progress = {};
  double progress_interval = 0.2;
  /// Called when a finding is seen for the first time, its trace not made yet.
  std::function<void(const finding&)> on_finding = {};
  /// Called each time that the checkpoint was written, after so many deliveries, or
  /// could not be: then `failed` says why, and is empty else.
  std::function<void(const std::string& failed, std::uint64_t transitions)> on_checkpoint = {};
  /// Not for users: what a process that watches this one is told. Not owned.
  const search_wiring* wiring = nullptr;
};

/// What is kept of a search, to go on from there (docs/parallel.md).
struct keeping_options {
  /// A file to which the search is written every `checkpoint_interval` seconds and
  /// when it ends, however it ends; empty: none. One that cannot be written is no
  /// reason to end, and a note of the exploration if it is the last.
  std::string checkpoint = {};
  double checkpoint_interval = 30;
  /// Such a file, to go on from where that search was; empty: from the beginning.
  /// Of the same program, as `searched` names it, the same binary and the same
  /// options, but for limits, jobs and what is only shown.
  std::string resume = {};
  /// What is searched, each with its name: `program`, and its parameters.
  std::vector<std::pair<std::string, std::string>> searched = {};
};

/// How to explore. Each member here and in its parts has an initialiser, so that no compiler warns of those that
/// `options{.search = {.seed = 5}}` does not name. The defaults are those of `harrier explore`, whose options have the
/// same names.
struct options {
  search_options search = {};
  state_options states = {};
  judging_options judging = {};
  limit_options limits = {};
  telling_options told = {};
  keeping_options kept = {};
};

/// How many workers `how` asks for: at least 1.
std::uint64_t workers_asked_for(const options& how);

}  // namespace harrier
