#include "session.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/explore/trace.hpp>

#include "by_stages.hpp"
#include "failure.hpp"
#include "shorten.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t executions_without_limit = 10'000;  // of an engine that never ends by itself

std::uint64_t most_executions(const options& how, const named_engine& engine) {
  const bool is_unlimited = how.max_executions == 0 && how.most_seconds() == 0;
  return engine.endless && is_unlimited ? executions_without_limit : how.max_executions;
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

session::session(const program& tested, const options& how, limits::clock::time_point started)
    : program_(tested),
      how_(how),
      engine_(how.budget > 0 ? portfolio_engine : engine_named(how.engine)),
      limits_(how, most_executions(how, engine_), started) {}

session::worker& session::hire() {
  std::unique_ptr<monitor> own;
  if (how_.judge != nullptr && !workers_.empty()) {
    own = how_.judge->another();
    if (own == nullptr) throw error("what judges the executions can do so in one search only: use one worker");
  }
  auto* const judge = own != nullptr ? own.get() : how_.judge;
  auto tested = start_as_asked(program_, how_, workers_.empty());
  refuse_unsound(*tested);
  auto& hired = workers_.emplace_back(worker{std::move(own), judge, tally(how_, limits_, judge), std::move(tested)});
  hired.tested->watch().observe(&hired.watcher);
  hired.tested->watch().attach(judge);
  hired.watcher.result().actors = hired.tested->created_count();
  return hired;
}

bool session::search_guarded(worker& by, const std::function<bool()>& search) {
  try {
    return search();
  } catch (const system::nondeterminism& difference) {
    by.watcher.nondeterminism_found(*by.tested, difference.what());
  } catch (const listener_threw& told) {
    std::rethrow_exception(told.what);
  } catch (...) {
    by.watcher.failure_found(*by.tested, failure_in_search(program_, how_, by.tested->current_schedule()));
  }
  return false;
}

tally::sight session::run_items(std::vector<trust_item>& todo, const trust_sharing& sharing) {
  auto& by = hire();
  if (how_.delivery == delivery::mailbox)
    throw error("under delivery model mailbox a search cannot be shared; mailbox-interleaved can be");
  if (has_stages(*by.tested)) throw error("a program in stages is searched stage by stage, which cannot be shared");
  search_context search{*by.tested, by.watcher};
  search_guarded(by, [&] { return explore_trust(search, todo, sharing); });
  by.watcher.result().transitions = by.tested->watch().deliveries();
  by.watcher.result().stopped_by = limits_.why();
  auto seen = std::move(by.watcher).take();
  workers_.clear();
  return seen;
}

exploration session::run() {
  auto& all = hire();
  search_context search{*all.tested, all.watcher};
  all.watcher.estimate_size_of(search);
  const bool ended =
      search_guarded(all, [&] { return search_by(engine_, search, how_, program_, all.watcher.result()); });
  all.watcher.result().statistics = std::move(search.statistics);
  return conclude(ended);
}

exploration session::conclude(bool ended) {
  if (how_.noted != nullptr) how_.noted->search_is_over = true;
  auto& first = workers_.front();
  for (auto& w : workers_) {
    w.watcher.result().transitions += w.tested->watch().deliveries();
    if (&w == &first) continue;
    first.watcher.join(std::move(w.watcher).take());
    if (w.judge != nullptr) first.judge->join(*w.judge);
  }
  const auto seconds = limits_.seconds();
  const auto estimate = first.watcher.estimate(ended);
  for (auto* among : {&first.watcher.result().findings, &first.watcher.result().warnings})
    for (auto& f : *among) slice(f);
  shorten(program_, how_, first.watcher);
  if (how_.noted != nullptr) how_.noted->search_is_over = true;
  auto result = std::move(first.watcher.result());
  result.estimate = estimate;
  workers_.clear();

  result.engine = how_.engine;
  result.sleep_sets = result.sleep_sets || how_.sleep_sets.value_or(false);
  result.ordering = how_.ordering;
  result.delivery = to_string(how_.delivery);
  result.seed = how_.seed;
  result.exhausted = ended && result.truncated == 0 && engine_.warning.empty();
  const auto said_by_engine = std::move(result.stopped_by);
  result.stopped_by = limits_.why();
  const auto because = [&](const std::string& why) {
    if (result.stopped_by.empty()) result.stopped_by = why;
  };
  if (result.truncated > 0) because(fmt::format("the depth limit of {} deliveries", how_.max_depth));
  if (!engine_.warning.empty()) {
    result.notes.emplace_back(engine_.warning);
    because("an engine that can lose executions");
  }
  if (!said_by_engine.empty()) because(said_by_engine);
  if (!result.exhausted)
    because(engine_.endless ? "an engine that samples executions" : "an engine that runs one execution");
  result.seconds = seconds;
  result.peak_rss_mib = peak_memory_mib();
  if (how_.judge != nullptr) judge(result, engine_.judges == judged::one_order);
  for (auto& f : result.findings) complete(f);
  for (auto& f : result.warnings) complete(f);
  return result;
}

void session::refuse_unsound(const system& initial) const {
  if (how_.judge == nullptr || engine_.judges != judged::one_order) return;
  if (const auto why = how_.judge->order_dependence(initial); !why.empty())
    throw error(
        fmt::format("engine {} runs one order of independent deliveries only, and {}; engine exhaustive runs all",
                    how_.engine, why));
}

/// What the monitor says of the search as a whole.
void session::judge(exploration& result, bool judges_one_order) {
  auto sentences = how_.judge->conclusions(result);
  if (!sentences.empty() && result.exhausted && judges_one_order)
    sentences.emplace_back(
        "one execution of each class was judged; the others differ in nothing that the properties depend on");
  for (auto& sentence : sentences) result.notes.push_back(std::move(sentence));
}

/// Leaves out of the schedule what does not lead to the finding.
void session::slice(finding& f) const {
  const auto same = [&](const system& s) {
    const auto records = s.step_at(s.step_count() - 1).flagged ? s.records_of_last_step() : std::span<const record>();
    return std::any_of(records.begin(), records.end(),
                       [&](const record& r) { return r.kind == f.kind && r.message == f.message && r.line == f.line; });
  };
  const bool in_last_step =
      !f.actor.empty() && (f.kind == finding_kind::assertion || f.kind == finding_kind::exception);
  if (!in_last_step || f.schedule.empty()) return;
  try {
    const auto whole = program_.start(how_.delivery);
    whole->limit_depth(how_.max_depth);
    whole->run(f.schedule);
    for (std::size_t i = whole->setup_steps(); i < whole->step_count(); ++i)
      if (whole->step_at(i).kind == step_kind::stage) return;  // it comes when all before it has been delivered
    const auto fresh = program_.start(how_.delivery);
    if (auto sliced = causal_slice(*whole, *fresh); !sliced.empty() && same(*fresh)) {
      f.schedule = std::move(sliced);
      f.actor = fresh->actor_name(fresh->step_at(fresh->step_count() - 1).receiver);
    }
  } catch (...) {  // `complete` will say how far it can be repeated
    return;
  }
}

/// Makes the schedule readable.
void session::complete(finding& f) const {
  try {
    const auto whole = program_.start(how_.delivery);
    whole->limit_depth(how_.max_depth);
    for (const auto& next : f.schedule) {  // what can be repeated stays, if not all can
      whole->run({next});
      f.trace.push_back(describe_last_step(*whole));
    }
    const bool by_a_monitor =
        f.kind == finding_kind::invariant || f.kind == finding_kind::ltl || f.kind == finding_kind::conformance;
    if (by_a_monitor && !f.actor.empty() && !f.trace.empty())  // what a monitor said is not in the program
      f.trace.back().findings.push_back(
          to_line({.kind = f.kind, .message = f.message, .file = f.file, .line = f.line}));
  } catch (...) {
    // A program that is not deterministic may not follow its own schedule.
    f.details.push_back(fmt::format("the schedule could not be repeated beyond delivery {}: {}", f.trace.size(),
                                    text_of_current_exception()));
  }
}

}  // namespace harrier
