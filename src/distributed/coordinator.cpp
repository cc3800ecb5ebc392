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
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/states.hpp>
#include <harrier/distributed/explore_at_broker.hpp>
#include <harrier/explore/explore.hpp>

#include "../explore/advise.hpp"
#include "../explore/checkpoint.hpp"
#include "../explore/remarks.hpp"
#include "../explore/session.hpp"
#include "../explore/start.hpp"
#include "../isolation/child.hpp"
#include "../isolation/retrace.hpp"
#include "../isolation/wire.hpp"
#include "broker.hpp"
#include "bundle.hpp"
#include "ledger.hpp"
#include "run.hpp"
#include "signals.hpp"

namespace harrier::distributed {
namespace {

using clock = std::chrono::steady_clock;

constexpr auto between_announcements = std::chrono::milliseconds(250);
constexpr auto between_inspections = std::chrono::seconds(2);
constexpr auto worker_is_gone_after = std::chrono::seconds(5);
constexpr int milliseconds_of_waiting = 20;
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
        all_(how_, limits_, nullptr) {
    description_.run = names_.announced.substr(names_.announced.rfind('.') + 1);
    description_.build = build_of_this_binary();
    description_.version = version_of_harrier();
    description_.program = run.program;
    description_.parameters = run.parameters;
    description_.how = how_;
    description_.own_environment = how_.may_be_left != nullptr;
    description_.handler_limit = run.handler_limit;
    description_.worker_timeout = run.worker_timeout;
    auto json = to_json(description_);
    json.erase("worker_timeout");
    json.erase("handler_limit");
    own_ = to_text(json);
  }

  exploration run() {
    try {
      return share_out();
    } catch (...) {
      if (is_mine_) broker_.tell(names_.over, "an error");
      broker_.flush();
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
    read_results();  // of a run that is gone on with
    is_mine_ = true;
    if (ledger_.taken() > 0)
      say(fmt::format("going on with run {}: {} items have their results", description_.run, ledger_.taken()));
    hand_out();
    every announcement(between_announcements), inspection(between_inspections),
        progress_line(std::chrono::milliseconds(200));
    static_cast<void>(inspection.is_due());
    while (why_over_.empty() && !ledger_.is_complete()) {
      if (announcement.is_due()) announce();
      if (connection::next(wakes_, milliseconds_of_waiting)) {
        while (connection::next(wakes_, 0)) {}
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
    broker_.make_consumer(names_.items, consumer_of_items, run_.worker_timeout);
  }

  void announce() { broker_.tell(names_.announced, to_text(to_json(description_))); }

  // --- Results

  void read_results() {
    while (why_over_.empty()) {
      const auto began = clock::now();
      const auto next = broker_.at(names_.results, next_result_);
      if (!next) return;
      ++next_result_;
      hear_part(text_of(next.get()));
      sharing_out_ += std::chrono::duration<double>(clock::now() - began).count();
    }
  }

  void hear_part(std::string_view text) {
    const auto p = part_from(text);
    if (p.item == description_mark) return check_same_run(p.bytes);
    if (p.count == 1) return hear_result(p.bytes);
    auto& parts = parts_[{p.item, p.attempt}];
    parts.resize(p.count);
    parts[p.number] = p.bytes;
    if (std::any_of(parts.begin(), parts.end(), [](const auto& each) { return each.empty(); })) return;
    std::string whole;
    for (const auto& each : parts) whole += each;
    parts_.erase({p.item, p.attempt});
    hear_result(whole);
  }

  void hear_result(std::string_view bytes) {
    auto result = result_from(bytes);
    if (ledger_.take(result) != ledger::verdict::taken) {
      ++dropped_;
      return;
    }
    for (const auto& child : result.children) handed_.push_back(child);
    log(result, bytes.size());
    busy_ += result.seconds;
    auto why = result.ends_run.empty() ? result.seen.result.stopped_by : result.ends_run;
    if (!result.ends_run.empty())
      for (auto& f : result.seen.result.findings) lethal_.push_back(std::move(f));
    else
      all_.join(std::move(result.seen));
    if (!why.empty()) why_over_ = std::move(why);
    hand_out();
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
      // Whoever goes on with this run looks whether it is his.
      if (next_result_ == 1) keep(names_.result_subject, to_bytes({description_mark, "0", 0, 1, own_}));
    }
    for (const auto& item : handed_) keep(names_.item_subject, item);
    handed_.clear();
  }

  void keep(const std::string& subject, const std::string& bytes) {
    if (broker_.keep(subject, bytes)) return;
    // It is handed out again when nobody has it (see inspect).
    if (!complained_) say(fmt::format("the broker cannot keep an item: {}; trying again", broker_.why_not()));
    complained_ = true;
  }

  void check_same_run(std::string_view text) const {
    if (text != own_)
      throw error(
          fmt::format("run {} at the broker is one of another program, build or options; give another name "
                      "with --run, or the same command as before",
                      description_.run));
  }

  // --- Workers

  void hear_workers() {
    const auto now = clock::now();
    while (const auto m = connection::next(workers_, 0)) {
      const auto json = json_value::parse(text_of(m.get()), nullptr, false);
      if (json.is_discarded() || !json.contains("id")) continue;
      hands_[json.at("id").get<std::string>()] = now;
    }
    std::erase_if(hands_, [&](const auto& hand) { return now - hand.second > worker_is_gone_after; });
    while (const auto m = connection::next(refusals_, 0))
      say(fmt::format("a worker was refused: {}", text_of(m.get())));
  }

  void tell_hunger() {
    const bool hungry = !hands_.empty() && ledger_.outstanding().size() < items_a_hand * hands_.size();
    if (hungry) broker_.tell(names_.hunger, "hungry");
  }

  /// Whether the broker still has what it was given: a disk that was full, or
  /// files that were lost, leave items that nobody will ever take up. Handing one
  /// out twice does no harm.
  void inspect() {
    bool answered = false;
    const auto results = broker_.state_of(names_.results, answered);
    if (!answered) return;
    const auto queue = broker_.state_of_queue(names_.items, consumer_of_items);
    if (!results || !queue) {
      bool again = false;
      if (!results || !broker_.state_of(names_.items, again))
        say("the broker has lost this run's files; handing out again what is left");
      make_streams();
    }
    if (results && results->last + 1 < next_result_) next_result_ = 1;  // a new log
    if (!results) next_result_ = 1;
    read_results();
    const bool nobody_has_any = !queue || (queue->waiting == 0 && queue->in_hands == 0);
    if (nobody_has_any && empty_before_) {
      for (const auto& [name, item] : ledger_.outstanding()) keep(names_.item_subject, item);
      complained_ = false;
    }
    empty_before_ = nobody_has_any && !empty_before_;
  }

  // --- The end

  [[nodiscard]] double seconds() const { return limits_.seconds(); }

  void check_limits() {
    const auto& so_far = all_.result();
    if (how_.max_executions > 0 && so_far.executions + so_far.truncated >= how_.max_executions)
      over(fmt::format("the limit of {} executions", how_.max_executions));
    if (how_.time_limit > 0 && seconds() >= how_.time_limit)
      over(fmt::format("the time limit of {:g} s", how_.time_limit));
    if (stop_.take()) over("an interrupt");
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

  void end() {
    broker_.tell(names_.over, why_over_);
    broker_.flush();
    broker_.delete_stream(names_.items);
    broker_.delete_stream(names_.results);
  }

  /// Shorter schedules, traces, remarks: in a child process, since the program runs there.
  exploration conclude(clock::time_point begun) {
    const bool ended = why_over_.empty();
    const auto counted = all_.result();  // should the child die
    auto seen = std::move(all_).take();
    exploration_in_parts parts;
    const watch noted(how_.max_depth);
    const auto in_child = [&](const auto& tell) {
      auto how = how_;
      how.noted = noted.workers().front();
      how.max_executions = 0;
      how.time_limit = 0;
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
      for (auto& f : whole->findings) retrace(tested_, how_.delivery, f, run_.handler_limit);
      whole->engine = how_.engine;
      whole->ordering = how_.ordering;
      whole->delivery = to_string(how_.delivery);
      whole->exhausted = ended && whole->truncated == 0;
      whole->stopped_by = why_over_;
      whole->seconds = std::chrono::duration<double>(clock::now() - begun).count();
    }
    for (auto& f : lethal_) whole->findings.push_back(std::move(f));
    whole->statistics.push_back({"items", static_cast<double>(ledger_.taken())});
    whole->statistics.push_back({"items computed again", static_cast<double>(dropped_)});
    whole->statistics.push_back({"seconds of work", busy_});
    whole->statistics.push_back({"seconds of sharing out", sharing_out_});
    return std::move(*whole);
  }

  static constexpr auto description_mark = "run";

  const held_signals stop_;  // before the connection makes its threads
  const program& tested_;
  const options how_;
  const broker_run& run_;
  connection broker_;
  run_names names_;
  run_description description_;
  ledger ledger_;
  limits limits_{how_, 0};
  tally all_;
  std::string own_;  // what a run that is gone on with must say of itself
  subscription wakes_, workers_, refusals_;
  std::uint64_t next_result_ = 1;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> parts_;
  std::vector<std::string> handed_;
  std::vector<finding> lethal_;
  std::map<std::string, clock::time_point> hands_;
  std::string why_over_;
  std::uint64_t dropped_ = 0;
  double busy_ = 0, sharing_out_ = 0;
  std::ofstream item_log_;
  bool is_mine_ = false;  // not another's of the same name
  bool first_hand_out_ = true;
  bool empty_before_ = false;
  bool complained_ = false;
};

void refuse_what_cannot_be_shared(const options& how) {
  const auto refuse = [](const std::string& what) { throw error(what); };
  if (how.engine != "auto" && how.engine != "trust")
    refuse(fmt::format("engine {} cannot be shared by a broker's workers; trust can, and is the default with --broker",
                       how.engine));
  if (how.judge != nullptr)
    refuse("properties cannot be judged by a broker's workers yet; explore without --broker can");
  if (how.budget != 0) refuse("a budget is shared by engines that sample; with --broker give --time-limit");
  if (how.only_estimate) refuse("--estimate searches here and now; leave --broker out");
  if (how.jobs != 1) refuse("--jobs is for each worker to say: `harrier work --jobs N`");
  if (!how.checkpoint.empty() || !how.resume.empty())
    refuse("--checkpoint and --resume are of a search here; a run at a broker is gone on with by its name, --run");
  if (how.max_memory != 0) refuse("--max-memory is of one process; it cannot be given with --broker");
  if (how.delivery == delivery::mailbox)
    refuse("under delivery model mailbox a search cannot be shared; mailbox-interleaved can be");
}

}  // namespace
}  // namespace harrier::distributed

namespace harrier {

exploration explore_at_broker(const program& tested, const options& asked, const broker_run& run) {
  auto how = as_usual_for(tested, asked);
  distributed::refuse_what_cannot_be_shared(how);
  how.engine = "trust";
  validate(how);
  how.finally = both(tested.finally, asked.finally);
  how.on_progress = nullptr;
  how.on_finding = nullptr;
  auto result = distributed::coordinator(tested, how, run).run();
  if (asked.engine == "auto")
    result.notes.insert(result.notes.begin(), "engine trust, since its work can be shared by the workers of a broker");
  return result;
}

}  // namespace harrier
