#include "session.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>

#include "../core/dependence/wrong_declaration.hpp"
#include "by_stages.hpp"
#include "checkpoint_subject.hpp"
#include "crew.hpp"
#include "failure.hpp"
#include "minimise.hpp"
#include "observers.hpp"
#include "portfolio.hpp"
#include "search_plan.hpp"
#include "search_states.hpp"
#include "shorten.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t executions_without_limit = 10'000;  // of an engine that never ends by itself

std::uint64_t most_executions(const options& how, const named_engine& engine) {
  const bool is_unlimited = how.limits.max_executions == 0 && how.limits.most_seconds() == 0;
  return engine.endless && is_unlimited ? executions_without_limit : how.limits.max_executions;
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// What came of remembering steps.
void tell(const std::optional<memoised_steps>& memoised, bool is_asked_for, exploration& result) {
  if (memoised) {
    const auto add = [&](const char* name, std::uint64_t count) {
      result.statistics.push_back({name, static_cast<double>(count)});
    };
    add("steps recalled", memoised->recalled);
    add("distinct steps remembered", memoised->distinct);
    add("steps that could not be remembered", memoised->unfit);
    if (memoised->forgotten > 0) add("times that the memory of steps was full", memoised->forgotten);
  }
  if (is_asked_for && (!memoised || memoised->recalled == 0))
    result.notes.emplace_back(
        "no step was done from memory: none came again, or none could be remembered (docs/memoising.md)");
}

/// What the engine took to be different since it could not know.
void tell_unknown(const std::set<std::string>& unknown, exploration& result) {
  const bool compares = result.observers || result.states || result.independence != "receiver";
  if (unknown.empty() || !compares) return;
  result.notes.push_back(
      fmt::format("not all of {} is shown to harrier: it is the same only if the same was done to it, which can cost "
                  "executions and states (docs/model.md#what-may-be-state)",
                  fmt::join(unknown, ", ")));
}

/// What workers have to say of the search that they share.
std::vector<statistic> said_together(const std::list<search_context>& searches) {
  std::vector<statistic> all;
  for (const auto& s : searches)
    for (const auto& x : s.statistics) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const auto& y) { return y.name == x.name; });
      if (known != all.end())
        known->value += x.value;
      else
        all.push_back(x);
    }
  return all;
}

/// A program of another library is run again and again, and costs more a delivery the longer an execution is; and who
/// has it explored as it is may not know that it never ends.
constexpr limits::endless of_foreign = {.deepest = 20'000, .deep = 1'000, .longer = 300, .seconds = 10};

}  // namespace

session::session(const program& tested, const options& how, limits::clock::time_point started)
    : program_(tested),
      how_(how),
      engine_(how.limits.budget > 0 ? portfolio_engine : engine_named(how.search.engine)),
      limits_(how, most_executions(how, engine_), started) {}

session::worker& session::hire() {
  std::unique_ptr<monitor> own;
  if (how_.judging.by != nullptr && !workers_.empty()) {
    own = how_.judging.by->another();
    if (own == nullptr)
      throw error("what judges the executions can do so in one search only, not for several jobs; --jobs 1 is one");
  }
  auto* const judge = own != nullptr ? own.get() : how_.judging.by;
  const auto noted = how_.told.wiring != nullptr ? how_.told.wiring->of_worker(workers_.size()) : noted_deliveries{};
  auto tested = start_as_asked(program_, how_, noted);
  const bool is_foreign = program_.seen != nullptr && !tested->shows_changes();
  if (is_foreign && workers_.empty() && how_.limits.max_depth == limit_options{}.max_depth)
    limits_.give_up_at(of_foreign);
  auto& hired = workers_.emplace_back(worker{std::move(own), judge, tally(how_, limits_, judge), std::move(tested)});
  hired.tested->watch().observe(&hired.watcher);
  hired.tested->watch().attach(judge);
  hired.watcher.result().actors = hired.tested->created_count();
  return hired;
}

exploration session::run() {
  try {
    return run_as_asked();
  } catch (const too_long_for_observers&) {
    workers_.clear();
    const auto plain = without_observers(how_);
    auto result = session(program_, plain, limits_.started()).run();
    result.notes.push_back(why_without_observers(how_));
    return result;
  }
}

exploration session::run_as_asked() {
  const bool is_alone = !is_shared(how_);
  const bool is_written_down = !how_.kept.checkpoint.empty() || !how_.kept.resume.empty();
  if (!how_.kept.checkpoint.empty()) require_place_for_file(how_.kept.checkpoint);
  if (how_.judging.by != nullptr && is_written_down) judged_by_ = how_.judging.by->criterion();
  auto& first = hire();
  auto how = how_;
  // A search that began anew without them goes on without them.
  if (!how.search.observers && !how.kept.resume.empty() &&
      said_by_checkpoint(how.kept.resume, observers_of_subject) == "off")
    how = without_observers(how);
  if (how.limits.budget == 0) plan_ = require_independence(how.search.engine, *first.tested, how);
  const search_request asked{.tested = program_,
                             .initial = *first.tested,
                             .how = how,
                             .most = most_executions(how, engine_),
                             .who = is_alone ? made_by::one : made_by::several};
  const auto all =
      how.limits.budget > 0 ? search_by_portfolio(asked, first.watcher.result()) : search_by(engine_, asked);
  crew threads(workers_asked_for(how_), how_.told.wiring != nullptr ? how_.told.wiring->begin_thread : nullptr);
  std::vector<worker*> workers(threads.size(), &first);  // by thread
  std::mutex one_at_a_time;
  threads.run([&](std::size_t i) {
    const std::lock_guard lock(one_at_a_time);
    if (i > 0) workers[i] = &hire();
  });
  std::list<search_context> searches;
  for (auto* const w : workers) searches.push_back({.tested = *w->tested, .watcher = w->watcher});
  if (is_alone) first.watcher.estimate_size_of(searches.front());
  if (!how_.kept.resume.empty()) resume(*all);
  rest();  // which executions they may end is asked anew
  bool some_are_left = false;
  do {
    limits_.pause_in(how_.kept.checkpoint.empty() ? std::numeric_limits<double>::infinity()
                                                  : how_.kept.checkpoint_interval);
    for (auto& w : workers_) w.watcher.go_on();
    work_on(*all, workers, searches, threads);
    some_are_left = rest();
    if (!how_.kept.checkpoint.empty()) save(*all);
  } while (!limits_.stopped() && !all->is_explored() && (limits_.are_to_return() || some_are_left));
  if (!is_alone || !has_failed_) all->conclude(first.watcher.result());  // what one worker had counted is gone
  return conclude(!has_failed_ && all->is_explored());
}

void session::work_on(shared_search& all, const std::vector<worker*>& workers, std::list<search_context>& searches,
                      crew& threads) {
  std::vector<search_context*> of_thread;
  for (auto& s : searches) of_thread.push_back(&s);
  std::vector<std::exception_ptr> failures(workers.size());
  threads.run([&](std::size_t i) {
    try {
      auto& search = *of_thread[i];
      search.statistics.clear();
      search.goes_on_later = !how_.kept.checkpoint.empty();
      all.work(search);
    } catch (...) {
      failures[i] = std::current_exception();
      limits_.stop({});
    }
  });
  workers.front()->watcher.result().statistics = said_together(searches);
  for (std::size_t i = 0; i < failures.size(); ++i)
    if (failures[i] != nullptr) return end_for(*workers[i], failures[i]);
}

bool session::rest() {
  bool some_are_left = false;
  for (auto& w : workers_)
    if (w.watcher.rest()) some_are_left = true;
  return some_are_left;
}

void session::end_for(worker& w, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const system::nondeterminism& difference) {
    w.watcher.untestable_found(*w.tested, finding_kind::nondeterminism, difference.what());
  } catch (const wrong_declaration& difference) {
    w.watcher.untestable_found(*w.tested, finding_kind::declaration, difference.what());
  } catch (const too_long_for_observers&) {
    throw;
  } catch (const listener_threw& told) {
    std::rethrow_exception(told.what);
  } catch (...) {
    w.watcher.failure_found(*w.tested, failure_in_search(program_, how_, w.tested->current_schedule()));
  }
  has_failed_ = true;
}

std::vector<std::string> session::left_out() const {
  return program_.seen != nullptr ? program_.seen->left_out() : std::vector<std::string>();
}

/// What a search did not cover before, it does not cover when it is resumed.
void session::leave_out(const std::string& what) {
  if (program_.seen != nullptr) program_.seen->leave_out(what);
}

void session::resume(shared_search& all) {
  auto& first = workers_.front().watcher;
  read_checkpoint(how_.kept.resume, subject_of(plan_, how_, judged_by_), [&](archive_reader& from) {
    first.load(from);
    before_.seconds = static_cast<double>(from.number()) / 1e6;
    if (how_.judging.by != nullptr) how_.judging.by->load(from);
    from.list([&] { leave_out(from.text()); });
    all.load(from);
  });
  const auto& r = first.result();
  before_.transitions = r.transitions;
  limits_.go_on_from(r.executions + r.truncated + r.assumed_away,
                     {.executions = r.executions, .transitions = r.transitions, .findings = r.findings.size()});
}

void session::save(shared_search& all) {
  if (has_failed_) return;  // what was written last is still true
  auto& first = workers_.front();
  auto transitions = before_.transitions;
  if (!how_.judging.keep_going) keep_the_first_finding();
  for (auto& w : workers_) {
    transitions += w.tested->watch().deliveries();
    if (&w != &first) first.watcher.join(std::move(w.watcher));
  }
  first.watcher.result().transitions = transitions;
  const auto tell = [&](bool begins) {
    if (how_.told.wiring != nullptr && how_.told.wiring->on_writing) how_.told.wiring->on_writing(begins);
  };
  tell(true);
  unwritten_ = written_down(all);
  tell(false);
  if (how_.told.on_checkpoint) how_.told.on_checkpoint(unwritten_, transitions);
}

std::string session::written_down(shared_search& all) {
  try {
    write_checkpoint(how_.kept.checkpoint, subject_of(plan_, how_, judged_by_), [&](archive_writer& to) {
      workers_.front().watcher.save(to);
      to.number(static_cast<std::uint64_t>((before_.seconds + limits_.seconds()) * 1e6));
      if (how_.judging.by != nullptr) seen_by_judges()->save(to);
      to.list(left_out(), [&](const std::string& what) { to.text(what); });
      all.save(to);
    });
    return {};
  } catch (const error& e) {  // it can be tried again, and what was found so far is no less found
    return e.what();
  }
}

std::unique_ptr<monitor> session::seen_by_judges() const {
  auto all = how_.judging.by->another();
  for (const auto& w : workers_) all->join(*w.judge);
  return all;
}

tally::collected session::run_items(std::vector<trust_item>& todo, const trust_sharing& sharing) {
  auto& by = hire();
  static_cast<void>(require_plan(facts_of(*by.tested, how_), how_, searched_by::a_broker));
  try {
    search_context search{*by.tested, by.watcher};
    explore_trust(search, todo, sharing);
  } catch (...) {
    end_for(by, std::current_exception());
  }
  by.watcher.result().transitions = by.tested->watch().deliveries();
  by.watcher.result().stopped_by = limits_.why();
  by.watcher.result().faults = how_.search.faults;
  auto seen = by.watcher.take();
  workers_.clear();
  return seen;
}

void session::join(tally::collected&& elsewhere) {
  before_.transitions += elsewhere.result.transitions;
  workers_.front().watcher.join(std::move(elsewhere));
}

/// Several workers may each have found something before they knew of each other.
void session::keep_the_first_finding() {
  const tally* found = nullptr;
  for (const auto& w : workers_)
    if (found == nullptr || w.watcher.found_before(*found)) found = &w.watcher;
  for (auto& w : workers_)
    if (&w.watcher != found) w.watcher.forget_findings();
}

exploration session::conclude(bool ended) {
  search_is_over(how_);
  auto& first = workers_.front();
  const auto workers = workers_.size();
  ended = ended && !limits_.stopped();  // there may be nothing left because somebody failed
  if (!how_.judging.keep_going) keep_the_first_finding();
  auto transitions = before_.transitions;
  std::optional<memoised_steps> memoised;
  for (auto& w : workers_) {
    transitions += w.tested->watch().deliveries();
    if (const auto mine = w.tested->memoised()) memoised = memoised.value_or(memoised_steps{}) += *mine;
    if (&w == &first) continue;
    first.watcher.join(std::move(w.watcher));
    if (w.judge != nullptr) first.judge->join(*w.judge);
  }
  first.watcher.result().transitions = transitions;
  const auto seconds = before_.seconds + limits_.seconds();
  const auto estimate = first.watcher.estimate(ended);
  for (auto* among : {&first.watcher.result().findings, &first.watcher.result().warnings})
    for (auto& f : *among) slice(f, program_, as_searched());
  if (how_.judging.minimise > 0 && !is_unwanted()) shorten(program_, how_, first.watcher);
  search_is_over(how_);
  if (how_.judging.minimise > 0) minimise_all(first.watcher.result().findings);
  auto result = std::move(first.watcher.result());
  const auto unknown = first.watcher.unknown();
  result.estimate = estimate;
  result.faults = first.tested->allowed_faults();  // the program itself may have said some
  workers_.clear();

  tell(memoised, how_.search.memoise == memoising::on && transitions > before_.transitions, result);
  result.engine = how_.search.engine.name();
  if (how_.limits.budget == 0) say(plan_, result);
  tell_unknown(unknown, result);
  result.sleep_sets = result.sleep_sets || how_.search.sleep_sets.value_or(false);
  result.ordering = ordering_used(how_);
  result.delivery = to_string(how_.search.delivery);
  result.seed = how_.search.seed;
  result.draws_executions = engine_.draws();
  result.jobs = workers;
  result.exhausted = ended && result.truncated == 0 && engine_.warning.empty();
  const auto said_by_engine = std::move(result.stopped_by);
  if (!result.exhausted || !limits_.stopped_at_limit()) result.stopped_by = limits_.why();
  if (result.stopped_by.starts_with(executions_that_grow)) result.estimate.reset();  // there is no end to them
  if (!unwritten_.empty()) result.notes.push_back(unwritten_);
  const auto because = [&](const std::string& why) {
    if (result.stopped_by.empty()) result.stopped_by = why;
  };
  if (result.truncated > 0) because(fmt::format("the depth limit of {} deliveries", how_.limits.max_depth));
  if (!engine_.warning.empty()) {
    result.notes.emplace_back(engine_.warning);
    because("an engine that can lose executions");
  }
  if (!said_by_engine.empty()) because(said_by_engine);
  if (how_.search.observers.value_or(false) && !result.observers)
    result.notes.push_back(fmt::format("observers were not told apart: engine {} has no use for that", result.engine));
  if (!result.exhausted)
    because(engine_.endless ? "an engine that samples executions" : "an engine that runs one execution");
  result.seconds = seconds;
  result.peak_rss_mib = peak_memory_mib();
  if (how_.judging.by != nullptr) judge(result, engine_.judges == judged::one_order);
  for (auto* among : {&result.findings, &result.warnings})
    for (auto& f : *among) complete(f, program_, as_searched());
  return result;
}

void session::minimise_all(std::vector<finding>& all) const {
  for (auto& f : all) {
    auto with = patience_of(how_, all.size());
    with.is_over = [this] { return is_unwanted(); };
    minimise(f, program_, how_, with);
  }
}

/// What the monitor says of the search as a whole.
void session::judge(exploration& result, bool judges_one_order) {
  auto sentences = how_.judging.by->conclusions(result);
  if (!sentences.empty() && result.exhausted && judges_one_order)
    sentences.emplace_back(
        "one execution of each class was judged; the others differ in nothing that the properties depend on");
  for (auto& sentence : sentences) result.notes.push_back(std::move(sentence));
}

/// Whether what makes findings more readable would take much longer than the time that was given.
bool session::is_late() const {
  const auto given = how_.limits.most_seconds();
  return given > 0 && limits_.seconds() > given + seconds_to_conclude(given);
}

/// Whether nobody waits for that any more.
bool session::is_unwanted() const { return is_late() || (how_.limits.should_stop && how_.limits.should_stop()); }

explaining session::as_searched() const {
  return {.delivery = how_.search.delivery,
          .depth_limit = how_.limits.max_depth,
          .is_late = [this] { return is_late(); },
          .is_unwanted = [this] { return is_unwanted(); }};
}

}  // namespace harrier
