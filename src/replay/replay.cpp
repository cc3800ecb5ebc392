#include <harrier/replay/replay.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/core/supervision.hpp>
#include <harrier/replay/describe.hpp>

#include "../core/base/current_exception.hpp"
#include "../core/dependence/field_dependence.hpp"
#include "../core/dependence/wrong_declaration.hpp"
#include "../core/examine.hpp"
#include "../core/finding_origin.hpp"

namespace harrier {
namespace {

using way = replay_end::how;

bool is_lethal(finding_kind kind) { return origin_of(kind) == finding_origin::the_process; }

bool same_delivery(const trace_step& a, const trace_step& b) {
  return a.message == b.message && a.receiver == b.receiver;
}

/// What the step did, apart from what was found in it: a check may have been
/// mended or moved to another line.
bool same_outcome(const trace_step& a, const trace_step& b) {
  return a.state == b.state && a.choices == b.choices && a.sends == b.sends && a.faults == b.faults &&
         a.creates == b.creates && a.destroys == b.destroys;
}

std::string what_is_deliverable(const system& s) {
  constexpr int most = 8;
  std::string list;
  int count = 0;
  for (auto m = s.first_deliverable(); m != no_message && count < most; m = s.next_deliverable(m), ++count)
    list += fmt::format("{}{}.{}", count == 0 ? "" : ", ", s.actor_name(s.message_at(m).receiver), s.message_text(m));
  return list.empty() ? "nothing can be delivered"
                      : "what can be delivered is " + list + (count == most ? ", ..." : "");
}

bool can_be_delivered(const system& s, message_slot m) {
  return m != no_message && s.pending(m) && s.deliverable(m) && s.first_deliverable() != no_message;
}

}  // namespace

replayer::replayer(const recorded_trace& trace, replay_listener& tell, next_stage how)
    : trace_(trace), found_(trace.finding), tell_(tell), next_stage_(how) {}

replayer::~replayer() = default;

std::size_t replayer::count() const {
  return trace_.found_by == recorded_trace::by::slots ? found_.schedule.size() : found_.trace.size();
}

void replayer::prepare(system& now) {
  if (trace_.depth_limit > 0) now.limit_depth(trace_.depth_limit);
  if (!is_compared()) return;
  now.go_on_after_abort(true);  // as the search did, if it was a reduction
  // To see whether something can be delivered may be to run it (see retrace.cpp), and that kills.
  is_apart_ = is_lethal(found_.kind) && now.in_stages() != nullptr;
  if (is_apart_) now.in_stages()->search_apart(true);
  if (found_.kind == finding_kind::nondeterminism) now.watch().check_determinism(repetition::all);
  if (found_.kind == finding_kind::declaration) declared_ = std::make_unique<field_dependence>(now);
}

std::optional<scheduled> replayer::next(system& now) {
  if (!std::exchange(is_prepared_, true)) prepare(now);
  if (over_ || at_ == count()) return std::nullopt;
  auto next = trace_.found_by == recorded_trace::by::slots      ? std::optional(found_.schedule[at_])
              : trace_.found_by == recorded_trace::by::messages ? next_by_message(now)
                                                                : next_by_id(now);
  const bool may_go_on = is_compared() || trace_.by_stages;
  if (next && (may_go_on || next->message <= now.message_count())) tell_.about_to(now, at_, *next);
  return next;
}

std::optional<scheduled> replayer::other(const system& now, const trace_difference& how) {
  over_ = way::differs;
  tell_.differs(now, at_, how);
  return std::nullopt;
}

bool replayer::goes_on(system& now, const trace_step& expected) const {
  if (next_stage_ == next_stage::called) return expected.receiver == "driver";
  return is_apart_ && now.in_stages()->current() == stages::end::at_rest;
}

std::optional<scheduled> replayer::next_by_id(system& now) {
  const auto& expected = found_.trace[at_];
  // How a body begins is its runner's to know.
  const bool is_beginning = next_stage_ == next_stage::called && expected.id == "start";
  const auto m = is_beginning ? no_message : now.message_at_path(expected.id);
  const scheduled next{at_ < found_.schedule.size() ? found_.schedule[at_].code : 0, m};
  if (m == no_message && goes_on(now, expected))
    return scheduled{next.code, static_cast<message_slot>(now.message_count() + 1)};
  const bool is_unasked = is_apart_ && at_ + 1 == count() && m != no_message && now.pending(m);
  if (!is_unasked && !can_be_delivered(now, m))
    return other(now, {trace_difference::what::not_possible, expected, nullptr,
                       fmt::format("{}; {}", m == no_message ? "the message was not sent" : "it cannot be delivered",
                                   what_is_deliverable(now))});
  if (const auto raw = describe_next(now, next); !same_delivery(raw, expected))
    if (const auto actual = trace_.as_kept == nullptr ? raw : trace_.as_kept(raw); !same_delivery(actual, expected))
      return other(now, {trace_difference::what::message, expected, &actual,
                         fmt::format("that message is {}.{}", actual.receiver, actual.message)});
  return next;
}

std::optional<scheduled> replayer::next_by_message(const system& now) {
  const auto& expected = found_.trace[at_];
  for (auto m = now.first_deliverable(); m != no_message; m = now.next_deliverable(m))
    if (now.message_text(m) == expected.message)
      return scheduled{at_ < found_.schedule.size() ? found_.schedule[at_].code : 0, m};
  return other(now, {trace_difference::what::not_possible, expected, nullptr, what_is_deliverable(now)});
}

void replayer::made(system& now) {
  if (declared_ != nullptr) check_declaration(now);
  auto step = describe_last_step(now);
  if (is_compared() && !(is_lethal(found_.kind) && at_ + 1 == count()))
    compare(now, std::move(step));
  else if (!tell_.made(now, at_, std::move(step), false))
    over_ = way::stopped;
  ++at_;
}

void replayer::check_declaration(const system& now) {
  static_cast<void>(declared_->touched_by_last_step());
  if (at_ + 1 == count() && now.step_at(now.last_step()).previous == now.last_step() - 1) declared_->check_last_two();
}

void replayer::compare(const system& now, trace_step step) {
  const auto& expected = found_.trace[at_];
  const bool is_as_recorded = step == expected;
  if (!is_as_recorded) {
    if (trace_.as_kept != nullptr) step = trace_.as_kept(step);
    const bool matters = found_.kind != finding_kind::nondeterminism && !same_outcome(step, expected);
    if (matters && !tell_.differs(now, at_, {trace_difference::what::outcome, expected, &step, {}})) {
      over_ = way::differs;
      return;
    }
  }
  if (!tell_.made(now, at_, std::move(step), is_as_recorded)) over_ = way::stopped;
}

replay_end replayer::thrown(const system* now) {
  const auto again = [&](const char* what) -> replay_end {
    if (now != nullptr) tell_.made(*now, at_, describe_last_step(*now), false);
    return {way::found_again, what};
  };
  if (!is_compared()) throw;
  const auto kept = std::move(declared_);  // `now` may be gone before this is
  try {
    throw;
  } catch (const system::nondeterminism& difference) {
    if (found_.kind == finding_kind::nondeterminism) return again(difference.what());
    throw error(next_stage_ == next_stage::called
                    ? difference.what()
                    : std::string("the program is not deterministic: ") + difference.what());
  } catch (const wrong_declaration& difference) {
    return again(difference.what());
  } catch (const failure_outside_handlers& failure) {
    if (found_.kind == finding_kind::exception && printable(failure.what()) == printable(found_.message))
      return {way::found_again};
    throw;
  }
}

replay_end replayer::conclude(system& now) {
  const auto kept = std::move(declared_);  // `now` may be gone before this is
  if (over_) return {*over_};
  if (at_ < count()) return {way::stopped};
  return is_compared() ? judge(now) : replay_end{way::followed};
}

replay_end replayer::judge(system& now) {
  switch (origin_of(found_.kind)) {
    case finding_origin::a_step: return judge_step(now);
    case finding_origin::an_end:
      return found_.kind == finding_kind::deadlock ? judge_deadlock(now) : judge_undelivered(now);
    case finding_origin::a_monitor: return judge_execution(now);
    case finding_origin::the_process:
      if (found_.actor.empty()) {
        static_cast<void>(ask_judges(now));
        if (trace_.finally != nullptr) static_cast<void>(check_end(now, trace_.finally));
      }
      return judge_outside_handlers(now, "the handler returned this time");
    case finding_origin::the_search: return {way::not_again, std::string(looked_right(found_.kind))};
  }
  throw error("a finding of a kind that does not exist");
}

/// What a step recorded, or what failed as it would have in one: a check of the final states, a monitor that threw.
replay_end replayer::judge_step(system& now) {
  constexpr auto did_not_fail = "the step that failed did not fail this time";
  const bool was_thrown = found_.kind == finding_kind::exception;
  if (!was_thrown && found_.actor.empty()) return judge_final_states(now);
  if (recorded_again(now)) return {way::found_again};
  if (!was_thrown) return {way::not_again, did_not_fail};
  if (!found_.actor.empty()) return judge_outside_handlers(now, did_not_fail);
  if (const auto thrown = ask_judges(now)) return *thrown;
  if (trace_.finally != nullptr) return judge_final_states(now);
  return judge_outside_handlers(now, "nothing threw outside the handlers");
}

bool replayer::is_it(const record& r) const {
  return r.kind == found_.kind && printable(r.message) == printable(found_.message);
}

bool replayer::recorded_again(const system& now) const {
  if (now.depth() == 0 || !now.step_at(now.last_step()).flagged) return false;
  const auto records = now.records_of_last_step();
  return std::any_of(records.begin(), records.end(), [&](const record& r) { return is_it(r); });
}

replay_end replayer::judge_records(const std::vector<record>& broken, const char* if_none,
                                   const char* if_others) const {
  if (std::any_of(broken.begin(), broken.end(), [&](const record& r) { return is_it(r); })) return {way::found_again};
  return {way::not_again, broken.empty() ? if_none : if_others + broken.front().message};
}

replay_end replayer::judge_execution(const system& now) {
  if (trace_.judge == nullptr) throw error("the trace does not say by what property the execution was judged");
  const auto broken = trace_.judge->ended(now);
  if (recorded_again(now)) return {way::found_again};
  return judge_records(broken, "nothing is violated", "something else is: ");
}

replay_end replayer::judge_final_states(const system& now) {
  if (now.first_deliverable() != no_message) return {way::not_again, what_is_deliverable(now)};
  if (trace_.finally == nullptr) throw error("the program no longer checks the states in which an execution ends");
  return judge_records(check_end(now, trace_.finally), "the check of the final states holds", "another check fails: ");
}

replay_end replayer::judge_deadlock(const system& now) {
  if (now.first_deliverable() != no_message) return {way::not_again, what_is_deliverable(now)};
  const auto stuck = look_at_end(now, trace_.ends).stuck;
  if (stuck.empty())
    return trace_.finally != nullptr ? judge_final_states(now) : replay_end{way::not_again, "nobody waits"};
  const auto there = printable(describe_deadlock(now, stuck).message);
  if (there == printable(found_.message)) return {way::found_again};
  return {way::not_again, "another deadlock: " + there};
}

replay_end replayer::judge_undelivered(const system& now) {
  const auto left = look_at_end(now, trace_.ends).undelivered;
  const bool again = std::any_of(left.begin(), left.end(), [&](message_slot m) {
    return printable(describe_undelivered(now, m).message) == printable(found_.message);
  });
  if (again) return {way::found_again};
  return {way::not_again, "that message is not left over"};
}

std::optional<replay_end> replayer::ask_judges(const system& now) const {
  try {
    if (trace_.judge != nullptr)
      static_cast<void>(now.watch().asking(flight_record::asked::monitor, [&] { return trace_.judge->ended(now); }));
    static_cast<void>(look_at_end(now, trace_.ends));
    return std::nullopt;
  } catch (const failure_outside_handlers& failure) {
    const auto there = printable(failure.what());
    if (there == printable(found_.message)) return replay_end{way::found_again};
    return replay_end{way::not_again, "something else: " + there};
  }
}

/// It may have been a guard, a copy or the like: they are called again.
replay_end replayer::judge_outside_handlers(system& now, const char* if_all_is_well) {
  std::string called;
  try {
    examine_all(now, [&](const outside_handlers& call) { called = call.what; });
  } catch (...) {
    const auto there = printable(called + " threw: " + text_of_current_exception());
    if (there == printable(found_.message)) return {way::found_again};
    return {way::not_again, "something else: " + there};
  }
  return {way::not_again, if_all_is_well};
}

replay_end replay(system& fresh, const recorded_trace& trace, replay_listener& tell) {
  const bool by_slots = trace.found_by == recorded_trace::by::slots;
  replayer along(trace, tell);
  fresh.watch().attach(trace.judge);
  try {
    while (const auto next = along.next(fresh)) {
      if (next->message > fresh.message_count() && (trace.by_stages || !by_slots))
        fresh.in_stages()->begin_next(next->code);
      else if (by_slots)
        fresh.run({*next});
      else
        fresh.deliver(next->message, next->code);
      along.made(fresh);
    }
  } catch (...) {
    return along.thrown(&fresh);
  }
  return along.conclude(fresh);
}

replay_end replay(const program& tested, const recorded_trace& trace, replay_listener& tell) {
  if (tested.seen != nullptr) tested.seen->know(trace.facts);
  auto all = trace;
  const auto as_recorded = with_faults(tested, trace.faults);
  all.finally = both(as_recorded.finally, trace.finally);
  const auto fresh = as_recorded.start(trace.delivery);
  return replay(*fresh, all, tell);
}

}  // namespace harrier
