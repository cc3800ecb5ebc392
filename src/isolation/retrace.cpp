#include "retrace.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <optional>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/replay/describe.hpp>
#include <harrier/replay/replay.hpp>

#include "../replay/examine_along.hpp"
#include "child.hpp"
#include "wire.hpp"

namespace harrier {
namespace {

using teller = std::function<void(const json_value&)>;

/// Tells of each delivery before and after it.
class narrator final : public replay_listener {
public:
  explicit narrator(const teller& tell) : tell_(tell) {}
  void about_to(const system& now, std::size_t, const scheduled& next) override {
    if (next.message <= now.message_count()) tell_({{"next", to_wire(describe_next(now, next))}});
  }
  bool made(const system&, std::size_t, trace_step step, bool) override {
    tell_({{"step", to_wire(step)}});
    return true;
  }

private:
  const teller& tell_;
};

/// The child's side of retrace_lethal.
class again {
public:
  again(const watch& noted, const lethal_call& lethal, const teller& tell)
      : noted_(noted), lethal_(lethal), tell_(tell) {}

  /// @param by_stages  the system does not look by itself whether it has come to the end of a stage. To look, it may
  /// run
  ///        what kills it.
  void run(system& s, bool by_stages) {
    if (by_stages) s.in_stages()->search_apart(true);
    s.go_on_after_abort(true);
    if (lethal_.in_handler) {
      repeat_handler(s, by_stages);
    } else {
      tell_({{"actors", s.created_count()}, {"can_be", s.can_be()}});
      examine_along(s, lethal_.planned, about_to_);
    }
    noted_.about_to(nullptr);
    tell_({{"survived", true}});
  }

private:
  void repeat_handler(system& s, bool by_stages) {
    const auto last = lethal_.planned.back();
    finding before;
    before.schedule.assign(lethal_.planned.begin(), lethal_.planned.end() - 1);
    narrator each(tell_);
    replay(s, {.finding = before, .found_by = recorded_trace::by::slots, .by_stages = by_stages}, each);
    tell_({{"last", to_wire(describe_next(s, last))}, {"actors", s.created_count()}});
    tell_({{"can_be", s.can_be_with(last.message)}});
    examine_copy_before(s, last.message, about_to_);
    noted_.about_to(nullptr);
    if (lethal_.kind == finding_kind::crash) s.run({last});
  }

  const watch& noted_;
  const lethal_call& lethal_;
  const teller& tell_;
  about_to_call about_to_ = [this](const outside_handlers& call) { noted_.about_to(&call); };
};

/// The parent's side: the finding, from what the child told.
class lethal_finding {
public:
  explicit lethal_finding(const lethal_call& of) : lethal_(of) {
    found_.kind = of.kind;
    found_.schedule = of.planned;
  }

  void hear(const json_value& told) {
    if (told.contains("survived")) survived_ = true;
    if (told.contains("actors")) actors_ = told.at("actors").get<std::uint64_t>();
    if (told.contains("can_be")) can_be_ = told.at("can_be").get<bool>();
    if (told.contains("last")) last_ = step_from_wire(told.at("last"));
    if (told.contains("step")) found_.trace.push_back(step_from_wire(told.at("step")));
  }

  /// It was told up to the delivery that kills.
  [[nodiscard]] bool is_told() const { return last_.has_value(); }
  void not_repeated(const std::string& why) { found_.details.push_back("the schedule could not be repeated: " + why); }

  /// @param failed  the child came to no good end.
  retraced conclude(bool failed, const std::optional<outside_handlers>& call) {
    if (failed && call)
      blame(*call);
    else if (lethal().judge != flight_record::asked::nobody)
      found_.message = fmt::format("{} {}", to_string(lethal().judge), lethal().what);
    else if (lethal().in_handler)
      blame_handler();
    else
      blame_nobody();
    return {std::move(found_), failed && (call || last_), actors_, can_be_};
  }

private:
  void blame(const outside_handlers& call) {
    found_.message = fmt::format("{} {}", call.what, lethal().what);
    found_.actor = call.actor;
    found_.schedule.resize(std::min(call.depth, found_.schedule.size()));
    found_.trace.resize(std::min(call.depth, found_.trace.size()));
  }

  void blame_handler() {
    found_.message = "a handler " + lethal().what;
    if (!last_) return;
    found_.actor = last_->receiver;
    last_->findings = {fmt::format("{}: {}", to_string(found_.kind), lethal().what)};
    found_.message = fmt::format("{}.{} {}", last_->receiver, last_->message, lethal().what);
    found_.trace.push_back(*last_);
    if (survived_ && found_.kind == finding_kind::crash) say_that_it_survived();
  }

  void blame_nobody() {
    found_.message = "a guard, a copy or the end of a state " + lethal().what;
    say_that_it_survived();
  }

  void say_that_it_survived() {
    found_.details.emplace_back(
        "it did not happen again when this schedule was repeated by itself: the program depends on something outside "
        "its actors, or an earlier execution damaged the memory");
  }

  [[nodiscard]] const lethal_call& lethal() const { return lethal_; }

  std::reference_wrapper<const lethal_call> lethal_;
  finding found_;
  std::optional<trace_step> last_;
  std::uint64_t actors_ = 0;
  bool survived_ = false;
  bool can_be_ = true;
};

}  // namespace

void retrace(const program& tested, delivery model, finding& found, const child_bounds& bounds) {
  const watch noted(found.schedule.size());
  found.trace.clear();
  std::optional<trace_step> next;
  std::string why = "a handler, or the printing of a state, failed";
  try {
    const auto end =
        run_in_child(noted, bounds,
                     {.run =
                          [&](const teller& tell) {
                            narrator each(tell);
                            replay(noted.watched(tested, true),
                                   {.finding = found, .found_by = recorded_trace::by::slots, .delivery = model}, each);
                          },
                      .hear =
                          [&](const json_value& told) {
                            if (told.contains("step")) found.trace.push_back(step_from_wire(told.at("step")));
                            if (told.contains("next")) next = step_from_wire(told.at("next"));
                          },
                      .quiet = true});
    if (end.way == child_end::how::late || end.way == child_end::how::interrupted) why = "the time was over";
    if (end.way == child_end::how::too_large) why = "it takes more memory than there may be";
  } catch (const error& e) {
    why = e.what();
  }
  const auto shown = found.trace.size();
  if (shown == found.schedule.size()) return;
  found.details.push_back(fmt::format("the schedule could not be repeated beyond delivery {}: {}", shown, why));
  if (next) found.trace.push_back(*next);  // its message, without its outcome
}

retraced retrace_lethal(const program& tested, delivery model, const lethal_call& lethal, const child_bounds& bounds,
                        const std::function<void()>& tick) {
  lethal_finding about(lethal);
  if (lethal.judge != flight_record::asked::nobody) {
    auto judged = about.conclude(false, std::nullopt);
    retrace(tested, model, judged.found, bounds);
    return judged;
  }
  if (lethal.planned.empty() && lethal.in_handler) {
    about.not_repeated("it is longer than what was noted");
    return about.conclude(false, std::nullopt);
  }
  const watch noted(lethal.planned.size());
  bool failed = false;
  const auto attempt = [&](bool by_stages) {
    about = lethal_finding(lethal);
    const auto end = run_in_child(noted, bounds,
                                  {.run =
                                       [&](const teller& tell) {
                                         const auto s = noted.watched(tested, true).start(model);
                                         if (s->in_stages() != nullptr || !by_stages)
                                           again(noted, lethal, tell).run(*s, by_stages);
                                       },
                                   .hear = [&](const json_value& told) { about.hear(told); },
                                   .tick = tick,
                                   .quiet = true});
    return end.way == child_end::how::died || end.way == child_end::how::did_not_end;
  };
  try {
    failed = attempt(false);
    if (failed && lethal.in_handler && !about.is_told()) failed = attempt(true);
  } catch (const error& e) {
    about.not_repeated(e.what());
  }
  auto result = about.conclude(failed, noted.call_under_way());
  const bool is_mere_silence = lethal.kind == finding_kind::nontermination && !result.again;
  if (!lethal.in_handler && !is_mere_silence) retrace(tested, model, result.found, bounds);
  return result;
}

lethal_call lethal_at(const watch& noted, finding_kind kind, std::string what, std::size_t worker) {
  return {.kind = kind,
          .what = std::move(what),
          .planned = noted.schedule_so_far(worker),
          .in_handler = worker == 0 ? noted.in_handler() : noted.is_in_handler(worker),
          .judge = noted.workers()[worker].record->judge};
}

std::string what_happened(const child_end& end, const watch& noted, double handler_limit) {
  if (end.way == child_end::how::did_not_end) return fmt::format("did not end within {} s", handler_limit);
  return "ended the process: " + reason_of(end, noted);
}

bool was_killed(const child_end& end) {
  return end.way != child_end::how::did_not_end && WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
}

std::optional<retraced> retrace_silent(const program& tested, delivery model, const watch& noted,
                                       const child_bounds& bounds, const std::function<bool()>& alive) {
  struct lives {};
  const auto lethal = lethal_at(noted, finding_kind::nontermination,
                                what_happened({child_end::how::did_not_end}, noted, bounds.handler_limit));
  try {
    auto again = retrace_lethal(tested, model, lethal, bounds, [&] {
      if (alive()) throw lives{};
    });
    if (again.again || lethal.judge != flight_record::asked::nobody) return again;
  } catch (const lives&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace harrier
