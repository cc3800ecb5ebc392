// The one process of a run that knows which items there are. The results at the
// broker are a log, and what it knows is a fold over it (ledger): it reads them
// by number, and forgets nothing if it is started again.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/states.hpp>
#include <harrier/distributed/explore_at_broker.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "../explore/advise.hpp"
#include "../explore/checkpoint.hpp"
#include "../explore/limits.hpp"
#include "../explore/remarks.hpp"
#include "../explore/search_plan.hpp"
#include "../explore/search_wiring.hpp"
#include "../explore/session.hpp"
#include "../explore/start.hpp"
#include "../isolation/child.hpp"
#include "../isolation/retrace.hpp"
#include "../isolation/wire.hpp"
#include "broker.hpp"
#include "bundle.hpp"
#include "ignored.hpp"
#include "ledger.hpp"
#include "run.hpp"
#include "signals.hpp"
#include "unfinished.hpp"

namespace harrier::distributed {
namespace {

using clock = std::chrono::steady_clock;

constexpr auto between_announcements = std::chrono::milliseconds(250);
constexpr auto between_inspections = std::chrono::seconds(2);
constexpr auto worker_is_gone_after = std::chrono::seconds(5);
/// So long it is not said that no worker is there: they may be being started.
constexpr auto before_workers_are_missed = std::chrono::seconds(10);
constexpr auto at_once = std::chrono::milliseconds(0);
constexpr auto time_to_wait = std::chrono::milliseconds(20);
/// There is more to do than to read results.
constexpr auto time_to_read = std::chrono::milliseconds(200);
/// How often an item is tried of which the process that explores it is killed.
constexpr std::size_t most_kills = 5;
/// Beyond --worker-timeout: when workers have nothing to do, and items have no result.
constexpr auto workers_are_idle_for_too_long_after = std::chrono::seconds(10);
constexpr std::size_t most_hands = 100'000;
constexpr std::size_t most_complaints = 20;
/// So many items for each hand are enough: less is hunger.
constexpr std::size_t items_a_hand = 2;

/// Of something that is to be done now and then.
class every {
public:
  explicit every(clock::duration interval) : interval_(interval) {}
  bool is_due() {
    if (clock::now() < next_) return false;
    next_ = clock::now() + interval_;
    return true;
  }

private:
  clock::duration interval_;
  clock::time_point next_{};
};

class coordinator {
public:
  coordinator(const program& tested, options how, const broker_run& run)
      : tested_(tested),
        how_(std::move(how)),
        run_(run),
        broker_(run.at),
        names_(run.name.empty() ? unique_word() : run.name),
        ledger_(bytes_of(to_json(bundle(1)))),
        ignored_([this](const std::string& line) { say(line); }),
        all_(how_, limits_, nullptr) {
    description_.run = names_.announced.substr(names_.announced.rfind('.') + 1);
    description_.build = build_of_this_binary();
    description_.version = version_of_harrier();
    description_.program = run.program;
    description_.parameters = run.parameters;
    description_.how = how_;
    description_.judged_by = run.judged_by;
    description_.own_environment = how_.judging.may_be_left != nullptr;
    description_.handler_limit = run.handler_limit;
    description_.worker_timeout = run.worker_timeout;
    identity_ = identity_of(description_);
  }

  exploration run() {
    try {
      return share_out();
    } catch (...) {
      if (is_mine_) tell_over("an error");
      throw;
    }
  }

private:
  exploration share_out() {
    const auto begun = clock::now();
    if (!run_.item_log.empty()) {
      item_log_.open(run_.item_log);
      if (!item_log_) throw error(fmt::format("cannot write {}", run_.item_log));
    }
    wakes_ = broker_.listen(names_.result_subject);
    workers_ = broker_.listen(names_.workers);
    refusals_ = broker_.listen(names_.refusals);
    make_streams();
    catch_up();  // of a run that is resumed
    is_mine_ = true;
    if (ledger_.taken() > 0)
      say(fmt::format("resuming run {}: {} items have their results", description_.run, ledger_.taken()));
    hand_out();
    every announcement(between_announcements), inspection(between_inspections),
        progress_line(std::chrono::milliseconds(200));
    static_cast<void>(inspection.is_due());
    while (why_over_.empty() && !ledger_.is_complete()) {
      if (announcement.is_due()) announce();
      if (connection::next(wakes_, more_to_read_ ? at_once : time_to_wait) || more_to_read_) {
        while (connection::next(wakes_, at_once)) {}
        read_results();
      }
      hear_workers();
      tell_hunger();
      if (inspection.is_due()) inspect();
      if (progress_line.is_due()) show_progress();
      check_limits();
    }
    end();
    return conclude(begun);
  }

  void say(const std::string& line) const {
    if (run_.say) run_.say(line);
  }

  void make_streams() {
    broker_.make_stream(names_.results, names_.result_subject, false);
    broker_.make_stream(names_.items, names_.item_subject, true);
    broker_.make_consumer(names_.items, consumer_of_items, std::chrono::duration<double>(run_.worker_timeout));
  }

  void announce() { broker_.tell(names_.announced, to_text(to_json(description_))); }

  // --- Results

  void read_results() {
    const auto until = clock::now() + time_to_read;
    more_to_read_ = false;
    while (why_over_.empty()) {
      const auto began = clock::now();
      if (began > until) {
        more_to_read_ = true;
        return;
      }
      const auto next = broker_.at(names_.results, next_result_, is_answered_);
      if (!next) return;
      ++next_result_;
      hear_kept(text_of(next.get()));
      sharing_out_ += std::chrono::duration<double>(clock::now() - began).count();
    }
  }

  /// Reads all that there is, over holes: messages that were deleted, or cannot be read any more.
  void catch_up() {
    bool answered = false;
    const auto log = broker_.state_of(names_.results, answered);
    if (!log) return;
    std::uint64_t lost = 0;
    while (why_over_.empty() && !is_interrupted()) {
      read_results();
      if (more_to_read_) continue;
      if (!is_answered_ || next_result_ > log->last) break;
      const auto after = std::max(next_result_ + 1, log->first);
      lost += after - next_result_;
      next_result_ = after;
    }
    if (lost == 0) return;
    say(
        fmt::format("the log of results has a hole: {} of its messages were deleted or damaged; items that no longer "
                    "have a result are explored again",
                    lost));
    if (is_mine_) remake_log_that_gives_nothing();
  }

  /// After wrong bytes in its file NATS (2.9) keeps what comes next, and does not find it again.
  void remake_log_that_gives_nothing() {
    if (!describe()) return;
    bool answered = false;
    const auto log = broker_.state_of(names_.results, answered);
    if (!log || broker_.at(names_.results, log->last, answered) || !answered) return;
    say("the log of results does not return what is written to it; starting a new one");
    broker_.delete_stream(names_.results);
    make_streams();
    describe();
    next_result_ = 1;
  }

  void hear_kept(std::string_view text) {
    std::optional<item_result> result;
    part from;
    try {
      from = part_from(text);
      if (from.run == identity_) result = result_in(from);
    } catch (const error& e) {
      return ignored_.add(names_.result_subject, e.what());
    }
    if (from.run != identity_) return hear_of_another_run(from);
    if (!result) return;
    if (result->fate == item_fate::explored)
      hear_result(std::move(*result), text.size());
    else
      hear_trouble(*result, from.attempt);
  }

  /// Nothing: there is more to come, or it is no result.
  std::optional<item_result> result_in(const part& from) {
    if (from.item == description_mark) return {};
    const auto whole = unfinished_.add(from);
    if (!whole) return {};
    auto result = result_from(*whole);
    if (result.item != from.item) throw error("it is the result of another item than it says");
    return result;
  }

  void hear_of_another_run(const part& from) {
    if (from.item == description_mark && !is_mine_)
      throw error(
          fmt::format("run {} at the broker is one of another program, build or options; give another name "
                      "with --run, or the same command as before",
                      description_.run));
    ignored_.add(names_.result_subject, "it is of another run");
  }

  void hear_result(item_result result, std::size_t bytes) {
    if (ledger_.take(result) != ledger::verdict::taken) {
      ++dropped_;
      return;
    }
    for (const auto& child : result.children) handed_.push_back(child);
    log(result, bytes);
    busy_ += result.seconds;
    kills_.erase(result.item);
    refused_since_.reset();
    auto why = result.ends_run.empty() ? result.seen.result.stopped_by : result.ends_run;
    join_what_was_judged(result.judged);
    if (!result.ends_run.empty())
      for (auto& f : result.seen.result.findings) lethal_.push_back(std::move(f));
    else
      all_.join(std::move(result.seen));
    if (!why.empty()) why_over_ = std::move(why);
    hand_out();
  }

  void join_what_was_judged(const std::string& bytes) {
    if (how_.judging.by == nullptr || bytes.empty()) return;
    std::istringstream from(bytes);
    archive_reader reader(from);
    const auto there = how_.judging.by->another();
    there->load(reader);
    how_.judging.by->join(*there);
  }

  /// An item was tried, and has no result.
  void hear_trouble(const item_result& tried, const std::string& attempt) {
    if (!ledger_.outstanding().contains(tried.item)) {
      ++dropped_;
      return;
    }
    const auto why = beginning_of(tried.why);
    if (tried.fate != item_fate::killed) {
      end();
      if (tried.fate == item_fate::untestable) throw untestable_program(why);
      throw error(fmt::format("an item cannot be explored: {}", why));
    }
    auto& kills = kills_[tried.item];
    if (!kills.insert(attempt).second) return;
    if (kills.size() >= most_kills)
      return over(fmt::format("{}, {} times of {} that an item was tried", why, kills.size(), most_kills));
    say(fmt::format("an item has no result ({}); it is tried again: {} of {} times", why, kills.size() + 1,
                    most_kills));
  }

  void log(const item_result& result, std::size_t bytes) {
    if (!item_log_.is_open()) return;
    json_value line{{"item", result.item}, {"seconds", result.seconds},
                    {"at", seconds()},     {"executions", result.seen.result.executions},
                    {"bytes", bytes},      {"children", json_value::array()}};
    for (const auto& child : result.children) line["children"].push_back({name_of(child), child.size()});
    item_log_ << to_text(line) << std::endl;
  }

  /// To the workers, what has just become outstanding.
  void hand_out() {
    if (first_hand_out_) {
      first_hand_out_ = false;
      handed_.clear();
      for (const auto& [name, item] : ledger_.outstanding()) handed_.push_back(item);
      if (next_result_ == 1) describe();
    }
    for (const auto& item : handed_)
      if (!keep_item(item)) break;  // they are handed out again when nobody has them (see inspect)
    handed_.clear();
  }

  void hand_out_all() {
    for (const auto& [name, item] : ledger_.outstanding())
      if (!keep_item(item)) return;
    complained_ = false;
  }

  /// Whoever resumes this run checks that it is his.
  bool describe() {
    return keep(names_.result_subject,
                {.run = identity_, .item = description_mark, .bytes = to_text(to_json(description_))});
  }

  bool keep_item(const std::string& item) {
    all_idle_since_.reset();
    return keep(names_.item_subject, {.run = identity_, .item = name_of(item), .bytes = item});
  }

  bool keep(const std::string& subject, const part& kept) {
    const auto bytes = to_bytes(kept);
    if (bytes.size() > broker_.largest_message()) {
      over(fmt::format("an item of {} bytes, which is larger than the broker allows ({}): give it a larger max_payload",
                       bytes.size(), broker_.largest_message()));
      return false;
    }
    if (broker_.keep(subject, bytes)) return true;
    if (!complained_) say(fmt::format("the broker cannot keep an item: {}; trying again", broker_.why_not()));
    complained_ = true;
    return false;
  }

  // --- Workers

  /// What a process of a worker said last.
  struct hand {
    clock::time_point heard;
    bool is_busy = false;
    std::uint64_t ignored = 0;
  };

  void hear_workers() {
    const auto now = clock::now();
    while (const auto m = connection::next(workers_, at_once)) hear_sign(m.get(), now);
    std::erase_if(hands_, [&](const auto& each) {
      const bool is_gone = now - each.second.heard > worker_is_gone_after;
      if (is_gone) ignored_by_the_gone_ += each.second.ignored;
      return is_gone;
    });
    while (const auto m = connection::next(refusals_, at_once)) hear_refusal(m.get());
    note_idleness(now);
    note_whether_any_works(now);
  }

  /// A run that waits for workers looks as one that hangs, to whoever has not started any, or whose workers gave up.
  void note_whether_any_works(clock::time_point now) {
    if (is_silent_ || !hands_.empty()) {
      some_worked_ = now;
      if (!hands_.empty() && std::exchange(none_works_, false)) say("there are workers now");
    } else if (!none_works_ && now - some_worked_ >= before_workers_are_missed) {
      none_works_ = true;
      say(fmt::format("no worker has been heard of at run {} for {} s; it waits for one: `harrier work --broker URL`",
                      description_.run, before_workers_are_missed.count()));
    }
  }

  void hear_sign(const natsMsg* m, clock::time_point now) {
    try {
      const auto sign = heard(text_of(m), identity_);
      const auto id = sign.at("id").get<std::string>();
      const hand said{now, sign.at("busy").get<bool>(), sign.at("ignored").get<std::uint64_t>()};
      const auto trouble = beginning_of(sign.at("trouble").get<std::string>());
      if (id.size() > unique_word_digits || hands_.size() >= most_hands) throw error("it is of no worker");
      hands_[id] = said;
      if (!trouble.empty()) hear_complaint(trouble, now);
    } catch (const json_value::exception& e) {
      ignored_.add(names_.workers, e.what());
    } catch (const error& e) {
      ignored_.add(names_.workers, e.what());
    }
  }

  /// A worker has a result that the broker does not keep.
  void hear_complaint(const std::string& trouble, clock::time_point now) {
    if (complaints_.size() < most_complaints && complaints_.insert(trouble).second)
      say(fmt::format("a worker has a result that the broker does not keep: {}", trouble));
    if (!refused_since_) refused_since_ = now;
    if (now - *refused_since_ > patience()) give_up(fmt::format("results are refused: {}", trouble));
  }

  void hear_refusal(const natsMsg* m) {
    try {
      const auto why = beginning_of(heard(text_of(m), identity_).at("why").get<std::string>());
      if (complaints_.size() < most_complaints && complaints_.insert(why).second)
        say(fmt::format("a worker was refused: {}", why));
    } catch (const json_value::exception& e) {
      ignored_.add(names_.refusals, e.what());
    } catch (const error& e) {
      ignored_.add(names_.refusals, e.what());
    }
  }

  void note_idleness(clock::time_point now) {
    const bool all_idle = !hands_.empty() && std::none_of(hands_.begin(), hands_.end(),
                                                          [](const auto& each) { return each.second.is_busy; });
    if (!all_idle)
      all_idle_since_.reset();
    else if (!all_idle_since_)
      all_idle_since_ = now;
  }

  void tell_hunger() {
    const bool hungry = !hands_.empty() && ledger_.outstanding().size() < items_a_hand * hands_.size();
    if (hungry) broker_.tell(names_.hunger, told(identity_, {{"hungry", true}}));
  }

  /// Whether the broker still has what it was given: a disk that was full, files
  /// that were lost, a message that was deleted leave items that nobody will ever
  /// take up. Handing one out twice does no harm.
  void inspect() {
    bool answered = false;
    const auto results = broker_.state_of(names_.results, answered);
    if (!note_answer(answered)) return;
    const auto queue = broker_.state_of_queue(names_.items, consumer_of_items);
    if (!results || !queue) {
      bool again = false;
      if (!results || !broker_.state_of(names_.items, again))
        say("the broker has lost this run's files; handing out again what is left");
      make_streams();
      if (!results) describe();
    }
    if (results && results->last + 1 < next_result_) {
      say("the log of results has lost its end; items that no longer have a result are explored again");
      next_result_ = 1;
    }
    if (!results) next_result_ = 1;
    catch_up();
    const bool nobody_has_any = !queue || (queue->waiting == 0 && queue->in_hands == 0);
    if (nobody_has_any && empty_before_) hand_out_all();
    empty_before_ = nobody_has_any && !empty_before_;
    remake_queue_that_gives_nothing();
  }

  /// There are items, and workers that could have them, and none of these gets one.
  void remake_queue_that_gives_nothing() {
    const auto too_long = std::chrono::duration<double>(run_.worker_timeout) + workers_are_idle_for_too_long_after;
    if (!all_idle_since_ || clock::now() - *all_idle_since_ < too_long || ledger_.is_complete()) return;
    say("the workers get none of the items that are left; they are put into a new queue");
    broker_.delete_stream(names_.items);
    make_streams();
    hand_out_all();
  }

  [[nodiscard]] clock::duration patience() const {
    return std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(run_.broker_patience));
  }

  bool note_answer(bool answered) {
    const auto now = clock::now();
    if (answered) {
      if (std::exchange(is_silent_, false)) say("the broker answers again");
      answered_ = now;
    } else if (now - answered_ > patience()) {
      give_up(broker_.why_silent());
    } else if (!std::exchange(is_silent_, true)) {
      say(fmt::format("no answer: {} (waiting up to {:g} s)", broker_.why_silent(), run_.broker_patience));
    }
    return answered;
  }

  /// The log stays at the broker, if it has one.
  void give_up(const std::string& why) {
    keeps_log_ = true;
    over(fmt::format("the broker, for {:g} s: {}; the same command with --run {} resumes this run once that is mended",
                     run_.broker_patience, why, description_.run));
  }

  // --- The end

  [[nodiscard]] double seconds() const { return limits_.seconds(); }

  void check_limits() {
    const auto& so_far = all_.result();
    if (how_.limits.max_executions > 0 && so_far.executions + so_far.truncated >= how_.limits.max_executions)
      over(limit_of_executions(how_.limits.max_executions));
    if (how_.limits.time_limit > 0 && seconds() >= how_.limits.time_limit)
      over(fmt::format("the time limit of {:g} s", how_.limits.time_limit));
    if (how_.limits.max_memory > 0 && resident_mib(getpid()) >= static_cast<double>(how_.limits.max_memory))
      over(memory_limit(how_.limits.max_memory));
    if (is_interrupted()) over("an interrupt");
  }
  bool is_interrupted() {
    if (stop_.take()) was_interrupted_ = true;
    return was_interrupted_;
  }
  void over(std::string why) {
    if (why_over_.empty()) why_over_ = std::move(why);
  }

  void show_progress() {
    if (!run_.on_progress) return;
    const auto& so_far = all_.result();
    run_.on_progress({.executions = so_far.executions,
                      .transitions = so_far.transitions,
                      .depth = so_far.max_depth,
                      .findings = so_far.findings.size() + lethal_.size(),
                      .seconds = seconds()},
                     hands_.size());
  }

  void tell_over(const std::string& why) {
    broker_.tell(names_.over, told(identity_, {{"why", why}}));
    broker_.flush();
  }

  void end() {
    tell_over(why_over_);
    if (keeps_log_ || is_silent_) return;
    broker_.delete_stream(names_.items);
    broker_.delete_stream(names_.results);
  }

  /// Shorter schedules, traces, remarks: in a child process, since the program runs there.
  exploration conclude(clock::time_point begun) {
    const bool ended = why_over_.empty();
    const auto counted = all_.result();  // should the child die
    auto seen = std::move(all_).take();
    exploration_in_parts parts;
    const watch noted(how_.limits.max_depth);
    const auto in_child = [&](const auto& tell) {
      auto how = how_;
      const search_wiring wiring = {.workers = noted.workers()};
      how.told.wiring = &wiring;
      how.limits.max_executions = 0;
      how.limits.time_limit = 0;
      how.limits.max_memory = 0;
      const auto watched = noted.watched(tested_, false);
      session one(watched, how);
      one.hire();
      one.join(std::move(seen));
      if (!ended) one.stop(why_over_);
      auto result = one.conclude(ended);
      result.seconds = std::chrono::duration<double>(clock::now() - begun).count();
      refuse_if_nothing_was_judged(result, watched, how);
      for (auto& remark : remarks_on(result, watched, how)) result.notes.push_back(std::move(remark));
      tell_in_parts(std::move(result), tell);
    };
    run_in_child(noted, run_.handler_limit,
                 {.run = in_child, .hear = [&](const json_value& told) { parts.hear(told); }});
    auto& whole = parts.whole();
    if (!whole) {
      whole = counted;
      for (auto& f : whole->findings) retrace(tested_, how_.search.delivery, f, run_.handler_limit);
      whole->engine = how_.search.engine.name();
      whole->ordering = ordering_used(how_);
      whole->delivery = to_string(how_.search.delivery);
      whole->exhausted = ended && whole->truncated == 0;
      whole->stopped_by = why_over_;
      whole->seconds = std::chrono::duration<double>(clock::now() - begun).count();
    }
    for (auto& f : lethal_) whole->findings.push_back(std::move(f));
    note_ignored(whole->notes);
    whole->statistics.push_back({"items", static_cast<double>(ledger_.taken())});
    whole->statistics.push_back({"items computed again", static_cast<double>(dropped_)});
    whole->statistics.push_back({"seconds of work", busy_});
    whole->statistics.push_back({"seconds of sharing out", sharing_out_});
    return std::move(*whole);
  }

  void note_ignored(std::vector<std::string>& notes) const {
    auto by_workers = ignored_by_the_gone_;
    for (const auto& [id, each] : hands_) by_workers += each.ignored;
    if (ignored_.count() + by_workers == 0) return;
    notes.push_back(
        fmt::format("{} messages at the broker were ignored here, and {} by workers: they were none of this run's",
                    ignored_.count(), by_workers));
  }

  const held_signals stop_;  // before the connection makes its threads
  const program& tested_;
  const options how_;
  const broker_run& run_;
  connection broker_;
  run_names names_;
  run_description description_;
  ledger ledger_;
  ignored_messages ignored_;
  unfinished_messages unfinished_;
  limits limits_{how_, 0};
  tally all_;
  std::string identity_;
  subscription wakes_, workers_, refusals_;
  std::uint64_t next_result_ = 1;
  std::vector<std::string> handed_;
  std::vector<finding> lethal_;
  std::map<std::string, hand> hands_;
  std::map<std::string, std::set<std::string>> kills_;  // of an item: the attempts
  std::set<std::string> complaints_;                    // of workers, that were said
  std::uint64_t ignored_by_the_gone_ = 0;
  std::optional<clock::time_point> all_idle_since_, refused_since_;
  clock::time_point answered_ = clock::now();
  clock::time_point some_worked_ = clock::now();
  std::string why_over_;
  std::uint64_t dropped_ = 0;
  double busy_ = 0, sharing_out_ = 0;
  std::ofstream item_log_;
  bool is_mine_ = false;  // not another's of the same name
  bool first_hand_out_ = true;
  bool empty_before_ = false;
  bool complained_ = false;
  bool more_to_read_ = false;
  bool is_answered_ = false;  // the last question for a result
  bool is_silent_ = false;    // the broker
  bool none_works_ = false;   // which was said
  bool keeps_log_ = false;
  bool was_interrupted_ = false;
};

}  // namespace
}  // namespace harrier::distributed

namespace harrier {

namespace {

/// It samples for two seconds, and what a search by the workers runs is what one search runs.
exploration estimate_here(const program& given, const options& how, const broker_run& run) {
  auto result = explore_isolated(given, how, {.handler_limit = run.handler_limit});
  result.notes.insert(result.notes.begin(),
                      "estimated here, by one process: the broker was not asked, and its workers share what the search "
                      "is estimated to take");
  return result;
}

}  // namespace

exploration explore_at_broker(const program& given, const options& asked, const broker_run& run) {
  const auto tested = with_faults(given, asked.search.faults);
  auto how = as_usual_for(tested, asked);
  // Nothing is known of the program before a child has started it, which sees whether its stages stand against it.
  const auto plan = require_plan({}, how, searched_by::a_broker);
  if (asked.search.only_estimate) return estimate_here(given, asked, run);
  if (how.judging.by != nullptr && run.judged_by.empty())
    throw error("executions are judged, and workers are not told by what; say it in broker_run::judged_by");
  how.search.engine = plan.engine->name;
  how.judging.finally = both(tested.finally, asked.judging.finally);
  how.told.on_progress = nullptr;
  how.told.on_finding = nullptr;
  auto result = distributed::coordinator(tested, how, run).run();
  if (!plan.because.empty()) result.notes.insert(result.notes.begin(), plan.because);
  return result;
}

}  // namespace harrier
