#include "advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/random_walk.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/stateful.hpp>

#include "by_stages.hpp"
#include "engines.hpp"
#include "independences.hpp"
#include "limits.hpp"
#include "observers.hpp"
#include "processor_seconds.hpp"
#include "search_states.hpp"
#include "trial.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t walks = 2'000;
constexpr std::uint64_t depth_of_a_trial = 1'000;
constexpr std::uint64_t depths_to_cut_at[] = {100, 20, 10};
/// Deliveries of a trial: a share of what the exploration made, within bounds.
constexpr std::uint64_t share_of_a_trial = 40;
constexpr std::uint64_t least_tried = 10'000;
constexpr std::uint64_t most_tried = 200'000;
/// Of the processor, which does not depend on what else the machine does, and by the clock, for handlers that wait.
constexpr double seconds_for_all = 1;
constexpr double seconds_to_wait = 3;
constexpr double many_merges = 0.05;
constexpr double many_ordered = 0.05;
constexpr double many_commute = 0.5;

std::string executions(std::uint64_t n) { return fmt::format("{} execution{}", n, n == 1 ? "" : "s"); }

/// `26 executions, and 649 given up as redundant, are all there is`
std::string all_there_is(const trial& seen) {
  const auto n = seen.ended() + seen.cut();
  if (seen.blocked() > 0)
    return fmt::format("{}, and {} given up as redundant, are all there is", executions(n), seen.blocked());
  return fmt::format("{} {} all there is", executions(n), n == 1 ? "is" : "are");
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
}

/// One way of looking at the program, for so many deliveries.
class attempt {
public:
  attempt(const program& tested, options how, std::pair<double, double> left, trial::bounds most,
          bool counts_neighbours = false)
      : asked(tested),
        how_(within(std::move(how), left.first, left.second)),
        limits_(how_, 0),
        watcher(how_, limits_, most, counts_neighbours),
        system_(start_trial(tested, how_, watcher)),
        search{*system_, watcher} {}

  const program& asked;

private:
  static options within(options how, double seconds, double until) {
    how.limits.time_limit = seconds;
    how.limits.max_depth = std::min(how.limits.max_depth, depth_of_a_trial);
    how.told.on_progress = nullptr;
    how.limits.should_stop = [until, asked = how.limits.should_stop] {
      return processor_seconds() >= until || (asked && asked());
    };
    return how;
  }

  options how_;
  limits limits_;

public:
  trial watcher;

private:
  system_handle system_;

public:
  search_context search;
  [[nodiscard]] system& tested() const { return *system_; }
  [[nodiscard]] const options& how() const { return how_; }
  /// Not at the bound of deliveries, which is the same each time.
  [[nodiscard]] bool was_cut_by_time() const { return limits_.stopped(); }
  [[nodiscard]] std::uint64_t statistic_of(std::string_view name) const {
    for (const auto& s : search.statistics)
      if (s.name == name) return static_cast<std::uint64_t>(s.value);
    return 0;
  }
};

/// What a search came to that ran to its end, or how far one came that did not.
struct extent {
  std::uint64_t executions = 0;  // those given up included
  bool is_all = false;

  [[nodiscard]] bool is_more_than(std::uint64_t n) const { return is_all ? executions > n : executions >= n; }
  [[nodiscard]] std::string text() const { return fmt::format("{}{}", is_all ? "" : "more than ", executions); }
};

class adviser {
public:
  adviser(const exploration& result, const program& tested, const options& how)
      : result_(result),
        tested_(tested),
        how_(how),
        deliveries_(std::clamp(result.transitions / share_of_a_trial, least_tried, most_tried)) {}

  /// Of a search that a limit stopped.
  std::vector<advice> for_unfinished() {
    const std::string_view why = result_.stopped_by;
    if (why.starts_with(execution_without_end) || why.starts_with(executions_that_grow)) {
      suggest_depth(fmt::format("the search had {}", result_.stopped_by));
      return std::move(list_);
    }
    look_at_walks();
    if (has_stages(tested_, how_)) {
      if (list_.empty() && !ends_) say_what_is_left();
      return std::move(list_);
    }
    if (!engine_named(how_.search.engine).compares_states) look_at_states();
    look_at_reduction();
    look_at_fifo();
    for (const auto& way : independences()) look_at(way);
    if (list_.empty()) say_what_is_left();
    return std::move(list_);
  }

  /// Of one that came to its end, and gave up much as redundant since that was not known before.
  std::vector<advice> for_wasteful() {
    plain_ = {result_.executions + result_.blocked, true};
    deliveries_ = std::clamp(result_.transitions, least_tried, most_tried);
    for (const auto& way : independences()) look_at(way);
    return std::move(list_);
  }

private:
  /// By the clock; and when the processor's are used up.
  [[nodiscard]] std::pair<double, double> seconds_left() const {
    const auto passed = std::chrono::duration<double>(limits::clock::now() - started_).count();
    return {std::max(seconds_to_wait - passed, 1e-3), used_before_ + seconds_for_all};
  }
  [[nodiscard]] trial::bounds bounds() const { return {.deliveries = deliveries_}; }

  static std::string_view engine_for(const named_independence& way) {
    return way.engine.empty() ? std::string_view("optimal") : way.engine;
  }
  /// @return whether that is all.
  static bool search(attempt& by) {
    const auto& how = by.how();
    const auto engine = [&](search_context& part) {
      const auto& named = engine_named(engine_for(independence_as(how.search.independence)));
      return explore_alone(part, named.search({.tested = by.asked, .initial = by.tested(), .how = how}));
    };
    return has_stages(by.tested()) ? search_by_stages(by.search, engine) : engine(by.search);
  }
  static std::uint64_t run_by(const attempt& a) { return a.watcher.ended() + a.watcher.cut() + a.watcher.blocked(); }

  /// Bugs that random executions find.
  void look_at_walks() {
    attempt walk(tested_, how_, seconds_left(), {.executions = walks, .deliveries = deliveries_}, true);
    explore_alone(walk.search, share_random({.seed = how_.search.seed}));
    const auto& seen = walk.watcher;
    walked_ = seen.ended() + seen.cut();
    ends_ = seen.ended() >= seen.cut();
    exchangeable_ = seen.exchangeable();
    if (seen.found())
      list_.push_back(
          {"engine", "random", fmt::format("its execution {} has a finding (seed {})", walked_, how_.search.seed)});
  }

  void look_at_states() {
    stateful_options few;
    few.max_states = deliveries_;
    few.sleep_sets = may_sleep(few, how_.search.delivery);
    if (!objection(few, how_.search.delivery).empty() || how_.judging.by != nullptr) return;
    attempt states(tested_, how_, seconds_left(), {});
    few.gone_actors = are_gone_actors_seen(states.tested(), how_);
    const auto compared = share_stateful(few, made_by::one);
    const bool all = explore_alone(states.search, *compared) && states.watcher.cut() == 0;
    const auto report = compared->report();
    const auto deliveries = states.tested().watch().deliveries();
    const auto merges = percent(report.revisits, deliveries);
    const auto say = [&](const std::string& what) { list_.insert(list_.begin(), {"engine", "stateful", what}); };
    if (states.watcher.found())
      say(fmt::format("it has a finding within {} states", report.states));
    else if (all)
      say(fmt::format("{} states are all there is", report.states));
    else if (merges >= 100 * many_merges && ends_ &&
             !states.was_cut_by_time())  // what never ends may have no last state
      list_.push_back({"engine", "stateful",
                       fmt::format("of {} deliveries to the first {} states {:.0f} % led to a state reached before",
                                   deliveries, report.states, merges)});
  }

  /// How much there is, as far as that is not known from the exploration.
  void look_at_reduction() {
    plain_ = {result_.executions + result_.blocked, false};
    const auto engine = engine_for(independence_as(how_.search.independence));
    if (how_.search.engine == engine && result_.transitions >= deliveries_) return;
    attempt reduced(tested_, how_, seconds_left(), bounds());
    const bool all = search(reduced) && reduced.watcher.cut() == 0;
    if (all && how_.search.engine != engine && reduced.tested().watch().deliveries() < result_.transitions)
      list_.push_back({"engine", std::string(engine), all_there_is(reduced.watcher)});
    plain_ = {run_by(reduced), all};
  }

  /// Whether a stricter transport makes it smaller.
  void look_at_fifo() {
    const auto ordered = exchangeable_.of_one_sender;
    if (how_.search.delivery != delivery::unordered || ordered == 0) return;
    auto how = how_;
    how.search.delivery = delivery::fifo;
    attempt in_order(tested_, how, seconds_left(), bounds());
    const bool all = search(in_order);
    const auto& seen = in_order.watcher;
    constexpr auto if_it_is_so = "if your transport keeps the order of what one actor sends to another";
    if (all && seen.cut() == 0 && plain_.is_more_than(run_by(in_order)))
      list_.push_back(
          {"delivery", "fifo", fmt::format("{}, instead of {}, {}", all_there_is(seen), plain_.text(), if_it_is_so)});
    else if (!all && percent(ordered, exchangeable_.all) >= 100 * many_ordered)
      list_.push_back(
          {"delivery", "fifo",
           fmt::format(
               "of {} deliveries that could have come before the one in front of them, to the same actor, {:.0f} "
               "% had the same sender, and could not, {}",
               exchangeable_.all, percent(ordered, exchangeable_.all), if_it_is_so)});
  }

  /// Whether fewer orders matter if independence is decided in another way.
  void look_at(const named_independence& tried) {
    const bool is_shared = workers_asked_for(how_) != 1;
    if (tried.way == how_.search.independence || how_.judging.by != nullptr || (is_shared && tried.is_for_one_worker))
      return;
    auto how = how_;
    how.search.independence = tried.way;
    if (how.search.observers && !*how.search.observers) how.search.observers.reset();
    attempt other(tested_, how, seconds_left(), bounds());
    bool all = false;
    try {
      all = search(other);
    } catch (const error&) {  // it is not for such programs
      return;
    }
    const auto& seen = other.watcher;
    const auto name = std::string(tried.name);
    const auto engine = engine_for(tried);
    const auto n = run_by(other);
    if (all && seen.cut() == 0 && plain_.is_more_than(n)) {
      list_.push_back({"independence", name,
                       fmt::format("with engine {} {}, instead of {}", engine, all_there_is(seen), plain_.text())});
      plain_ = {n, true};  // the next has to be better still
      return;
    }
    const auto pairs = other.statistic_of("pairs of messages tried in both orders");
    const auto commuted = other.statistic_of("pairs of messages that commuted");
    if (!all && !result_.exhausted && pairs > 0 && percent(commuted, pairs) >= 100 * many_commute)
      list_.push_back({"independence", name,
                       fmt::format("of {} pairs of messages that engine {} tried in both orders {} commuted, so that "
                                   "one order of them is enough",
                                   pairs, engine, commuted)});
  }

  /// Nothing helped that was tried.
  void say_what_is_left() {
    if (ends_) {
      list_.push_back({"engine", "random",
                       fmt::format("nothing that was tried for a moment makes the program small; random looks "
                                   "everywhere a little (its first {} found nothing)",
                                   executions(walked_))});
      return;
    }
    suggest_depth(fmt::format("of {} random executions hardly any came to an end within {} deliveries", walked_,
                              depth_of_a_trial));
  }

  void suggest_depth(const std::string& because) {
    for (const auto depth : depths_to_cut_at) {
      auto how = how_;
      how.limits.max_depth = depth;
      how.search.independence = independence::receiver;
      if (depth >= how_.limits.max_depth) continue;
      attempt cut(tested_, how, seconds_left(), bounds());
      if (!search(cut)) continue;
      list_.push_back({"max-depth", fmt::format("{}", depth),
                       fmt::format("{}, as far as that; {}", all_there_is(cut.watcher), because)});
      return;
    }
  }

  const exploration& result_;
  const program& tested_;
  const options& how_;
  std::uint64_t deliveries_;
  limits::clock::time_point started_ = limits::clock::now();
  double used_before_ = processor_seconds();
  std::vector<advice> list_;
  std::uint64_t walked_ = 0;
  bool ends_ = true;  // as most random executions do
  trial::neighbours exchangeable_;
  extent plain_;  // what there is to be improved on
};

}  // namespace

std::vector<advice> advise(const exploration& result, const program& tested, const options& how) {
  const bool searches_all = how.limits.budget == 0 && engine_named(how.search.engine).searches_all;
  const bool is_wanted = !how.limits.should_stop || !how.limits.should_stop();  // who interrupts waits for the end
  if (!result.findings.empty() || !searches_all || !is_wanted) return {};
  adviser looking(result, tested, how);
  try {
    if (!result.exhausted) return looking.for_unfinished();
    if (result.blocked > 0 && how.search.independence != independence::receiver) return looking.for_wasteful();
  } catch (...) {  // what goes wrong here is none of the exploration's findings
  }
  return {};
}

}  // namespace harrier
