// How a budget is spent. Measured: bench/README.md, "How soon a bug is found".
#include "portfolio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/engine/delay.hpp>
#include <harrier/engine/pct.hpp>

#include "../engine/search_by_one.hpp"
#include "by_stages.hpp"
#include "engines.hpp"
#include "observers.hpp"
#include "search_plan.hpp"

namespace harrier {
namespace {

using clock = std::chrono::steady_clock;

/// Of the budget: the trial at most, and until when there are samples.
constexpr double trial_part = 0.05;
constexpr double sampling_until = 0.5;
constexpr std::uint64_t trial_executions = 5'000;
constexpr std::uint64_t trial_deliveries = 500'000;
/// The first round is that part of the budget, and each is twice as long as the one before: an engine that finds
/// nothing keeps the others waiting for no longer than they had.
constexpr double first_round = 0.005;
/// Where no execution came to its end in the trial, samples are cut there.
constexpr std::uint64_t depth_where_none_ends = 1'000;

std::string deviations(std::uint64_t n) { return fmt::format("{} deviation{}", n, n == 1 ? "" : "s"); }

/// What one of the engines did, in all of its turns.
struct part {
  std::string name;
  const named_engine* engine;
  double weight = 0;       // of the time for samples
  std::uint64_t next = 0;  // the execution it goes on with; of delay, the round
  std::uint64_t executions = 0;
  double seconds = 0;
};

struct bounds {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t executions = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t deliveries = std::numeric_limits<std::uint64_t>::max();
};

/// Lets an engine have a turn: tells the observer of the whole all it is told,
/// and stops it when its time, or what else it may take, is used up.
class turn final : public observer {
public:
  /// Where the engine is when it finds something in its n-th execution of the turn, in words.
  using place = std::function<std::string(std::uint64_t n)>;

  turn(search_context& whole, exploration& result, part& whose, bounds most, place where)
      : whole_(whole),
        result_(result),
        part_(whose),
        most_(most),
        where_(std::move(where)),
        deliveries_before_(whole.tested.watch().deliveries()) {
    whole_.tested.watch().observe(this);
    stopping_ = whole_.watcher.stopping();
  }
  ~turn() override {
    part_.executions += executions_;
    part_.seconds += seconds();
    whole_.tested.watch().observe(&whole_.watcher);
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

  void step_flagged(system& s) override {
    whole_.watcher.step_flagged(s);
    note_findings(executions_ + 1);
    follow(s);
  }
  void poll(system& s) override {
    whole_.watcher.poll(s);
    follow(s);
  }
  void execution_ended(system& s) override {
    ++executions_;
    whole_.watcher.execution_ended(s);
    note_findings(executions_);
    follow(s);
  }
  void execution_blocked(system& s) override {
    whole_.watcher.execution_blocked(s);
    follow(s);
  }
  [[nodiscard]] std::uint64_t executions() const { return executions_; }

private:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(clock::now() - started_).count(); }

  void follow(const system& s) {
    stopping_ = whole_.watcher.stopping() || executions_ >= most_.executions ||
                s.watch().deliveries() - deliveries_before_ >= most_.deliveries || seconds() >= most_.seconds;
  }

  void note_findings(std::uint64_t execution) {
    for (; known_ < result_.findings.size(); ++known_) {
      const auto& f = result_.findings[known_];
      result_.notes.push_back(
          fmt::format("engine {} found {} '{}' {}", part_.name, to_string(f.kind), f.message, where_(execution)));
    }
  }

  search_context& whole_;
  exploration& result_;
  part& part_;
  bounds most_;
  place where_;
  std::uint64_t deliveries_before_;
  std::uint64_t executions_ = 0;
  std::size_t known_ = result_.findings.size();
  clock::time_point started_ = clock::now();
};

class portfolio {
public:
  portfolio(search_context& s, const options& how, const program& tested, exploration& result)
      : s_(s), how_(how), tested_(tested), result_(result) {}

  bool run() {
    const bool all = try_systematically() || sample() || search_systematically();
    search_->conclude(result_);
    say_who_did_what();
    return all;
  }

private:
  /// A small program is explored in a moment: nothing has to be sampled there.
  bool try_systematically() {
    return run_systematic({.seconds = how_.limits.budget * trial_part,
                           .executions = trial_executions,
                           .deliveries = trial_deliveries}) &&
           result_.truncated == 0;
  }

  /// Turns of all that sample, until there is as much time left as systematic
  /// search is to have.
  /// @return whether delay ran everything there is.
  bool sample() {
    const bool none_ended = result_.executions + result_.assumed_away == 0;
    sampled_depth_ = none_ended ? std::min(how_.limits.max_depth, depth_where_none_ends) : how_.limits.max_depth;
    s_.tested.limit_depth(sampled_depth_);
    const auto truncated_before = result_.truncated;
    bool all = false;
    for (auto round = how_.limits.budget * first_round; !all && !s_.watcher.stopping(); round *= 2) {
      const auto left = how_.limits.budget * sampling_until - seconds();
      if (left <= 0) break;
      for (auto& p : samplers_) {
        all = take_turn(p, std::min(round, left) * p.weight) && result_.truncated == truncated_before;
        go_back();
        if (all || s_.watcher.stopping()) break;
      }
    }
    s_.tested.limit_depth(how_.limits.max_depth);
    return all;
  }

  bool take_turn(part& p, double seconds) {
    delay_report report{.within = p.next};
    const auto place = [&, first = p.next](std::uint64_t n) {
      if (p.engine->takes_delays) return "with " + deviations(report.within);
      const auto cut =
          sampled_depth_ == how_.limits.max_depth ? "" : fmt::format(", which were cut at depth {}", sampled_depth_);
      return fmt::format("in execution {} of those of seed {}{}", first + n, how_.search.seed, cut);
    };
    turn watcher(s_, result_, p, {.seconds = seconds}, place);
    search_context context{s_.tested, watcher};
    if (p.engine->takes_delays) {
      delay_options rounds{.first = p.next};
      if (how_.search.delays) rounds.most = *how_.search.delays;
      const bool all = p.next <= rounds.most && explore_alone(context, share_delay(rounds, report));
      p.next = report.within;
      return all;
    }
    explore_alone(context, p.engine->search({.tested = tested_, .initial = s_.tested, .how = how_, .first = p.next}));
    p.next += watcher.executions();
    if (p.engine->takes_bug_depth) p.next -= p.next % executions_in_a_block;
    return false;
  }

  /// The rest of the time.
  bool search_systematically() {
    if (s_.watcher.stopping()) return false;
    const auto truncated_before = result_.truncated;
    const bool all = run_systematic({});
    if (all && result_.truncated == truncated_before && result_.truncated > 0) {
      const bool is_one = result_.truncated == 1;
      result_.notes.push_back(fmt::format("{} of the samples {} cut short; systematic search covered {}",
                                          is_one ? "1 execution" : fmt::format("{} executions", result_.truncated),
                                          is_one ? "was" : "were", is_one ? "it" : "them"));
      result_.truncated = 0;
    }
    return all;
  }

  bool run_systematic(bounds most) {
    turn watcher(s_, result_, systematic_, most, [](std::uint64_t n) { return fmt::format("in its execution {}", n); });
    search_context context{s_.tested, watcher};
    const bool all = run_as_asked(context);
    go_back();
    s_.statistics = std::move(context.statistics);
    return all;
  }

  bool run_as_asked(search_context& context) {
    try {
      return run_engine(context, how_);
    } catch (const too_long_for_observers&) {
      go_back();
      result_.notes.push_back(why_without_observers(how_));
      plain_ = without_observers(how_);
      return run_engine(context, *plain_);
    }
  }
  bool run_engine(search_context& context, const options& how) {
    search_ = search_by(engine_named(how.search.engine), {.tested = tested_, .initial = s_.tested, .how = how});
    say(require_independence(how.search.engine, s_.tested, how), result_);
    return explore_alone(context, search_);
  }

  void say_who_did_what() {
    auto all = samplers_;
    all.insert(all.begin(), systematic_);
    std::string text;
    for (const auto& p : all) {
      if (p.seconds == 0) continue;
      s_.statistics.push_back({p.name + " executions", static_cast<double>(p.executions)});
      s_.statistics.push_back({p.name + " seconds", p.seconds});
      text += fmt::format("{}{} {} in {:.2f} s", text.empty() ? "" : ", ", p.name, p.executions, p.seconds);
    }
    result_.notes.push_back("executions by engine: " + text);
    const auto& delay = samplers_.front();
    if (delay.next > 0)
      result_.notes.push_back(
          fmt::format("all executions with at most {} from the order in which messages are sent were run{}",
                      deviations(delay.next - 1), result_.truncated > 0 ? ", as far as they were not cut" : ""));
  }

  static part sampler(const char* name, double weight) {
    return {.name = name, .engine = &engine_named(name), .weight = weight};
  }
  void go_back() {
    while (s_.tested.depth() > 0) s_.tested.undo();
  }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(clock::now() - started_).count(); }

  search_context& s_;
  const options& how_;
  const program& tested_;
  exploration& result_;
  clock::time_point started_ = clock::now();
  std::uint64_t sampled_depth_ = 0;
  std::optional<options> plain_;           // how search_ is to search, if not as how_ says
  std::unique_ptr<shared_search> search_;  // by the systematic engine, when it had its last turn
  part systematic_{.name = std::string(how_.search.engine.name()), .engine = &engine_named(how_.search.engine)};
  std::vector<part> samplers_ = {sampler("delay", 0.2), sampler("pos", 0.4), sampler("pct", 0.2),
                                 sampler("random", 0.2)};
};

}  // namespace

std::unique_ptr<shared_search> search_by_portfolio(const search_request& asked, exploration& counted) {
  auto explore = [&tested = asked.tested, &how = asked.how, &counted](search_context& s) {
    return portfolio(s, how, tested, counted).run();
  };
  return std::make_unique<search_by_one<decltype(explore)>>(std::move(explore));
}

}  // namespace harrier
