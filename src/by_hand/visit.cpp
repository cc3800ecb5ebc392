#include "visit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/replay/describe.hpp>
#include <harrier/replay/ends.hpp>

#include "../core/base/current_exception.hpp"
#include "../core/base/printed.hpp"
#include "../isolation/child.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_pending_shown = 2000;
constexpr std::size_t most_actors_shown = 2000;
constexpr std::size_t most_outcomes = 256;
constexpr std::size_t nodes_in_a_line = 500;

struct unwanted : error {
  unwanted() : error("it is not wanted any more") {}
};

system_handle started(const explorable& of) {
  auto s = with_faults(of.made, of.how.search.faults).start(of.how.search.delivery);
  s->limit_depth(of.how.limits.max_depth);
  return s;
}

/// Why pending message `m` cannot be delivered now.
std::string why_not(const system& s, message_slot m) {
  const auto to = s.message_at(m).receiver;
  if (s.is_lost(m)) return "it is lost";
  if (s.aborted()) return "the execution ended with a failure";
  switch (s.actor_at(to).state_of_life) {
    case actor::mode::gone: return s.has_crashed(to) ? "its receiver has crashed" : "its receiver is gone";
    case actor::mode::waiting: return "its receiver waits for a reply";
    case actor::mode::receiving: return "its receiver waits for " + printed([&] { return s.what_is_received(to); });
    case actor::mode::open: break;
  }
  switch (s.message_at(m).makes) {
    case step_kind::timeout: return "the timer cannot fire: too often, or others are due before it";
    case step_kind::stage: return "the driver goes on when nothing else can be delivered";
    default: break;
  }
  if (!s.message_at(m).guarded) return "something comes before it";
  return s.model() == delivery::unordered ? "its receiver does not accept it now"
                                          : "its receiver does not accept it now, or something comes before it";
}

/// What keeps `s` from that step; empty: nothing does.
std::string objection(const system& s, message_slot m, const asked_step& step) {
  if (m == no_message) return fmt::format("message {} was not sent", step.id);
  if (!s.pending(m)) return fmt::format("message {} was delivered before", step.id);
  if (s.first_deliverable() == no_message) return "the execution has ended before it";
  return s.deliverable(m) ? std::string() : "it cannot be delivered: " + why_not(s, m);
}

const char* word_for(step_kind kind) {
  switch (kind) {
    case step_kind::delivery: return "message";
    case step_kind::machinery: return "arrival";
    case step_kind::environment: return "event";
    case step_kind::stage: return "stage";
    case step_kind::timeout: return "timer";
  }
  return "message";
}

json_value told_message(const system& s, message_slot m, bool over) {
  const auto& x = s.message_at(m);
  json_value told = {{"id", s.message_path(m)}, {"message", printed([&] { return s.message_text(m); })}};
  told["receiver"] = s.actor_name(x.receiver);
  const auto by = s.sender_of(m);
  told["sender"] = by == no_step ? "driver" : s.actor_name(s.step_at(by).receiver);
  told["kind"] = x.makes == step_kind::delivery && x.kind == message::role::reply ? "reply" : word_for(x.makes);
  const bool can = !over && s.deliverable(m);
  told["can"] = can;
  if (!can) told["why"] = why_not(s, m);
  return told;
}

json_value told_pending(const system& s) {
  auto all = json_value::array();
  const bool over = s.first_deliverable() == no_message;
  for (auto m = s.first_pending(); m != no_message && all.size() < most_pending_shown; m = s.next_pending(m)) {
    if (s.message_at(m).withdrawn || (s.is_void(m) && !s.is_lost(m))) continue;
    all.push_back(told_message(s, m, over));
  }
  return all;
}

std::string mode_in_words(const system& s, actor_slot a) {
  const auto& x = s.actor_at(a);
  switch (x.state_of_life) {
    case actor::mode::open: return {};
    case actor::mode::waiting:
      return fmt::format("waits for the reply to {}.{}", s.actor_name(s.message_at(x.awaited).receiver),
                         printed([&] { return s.message_text(x.awaited); }));
    case actor::mode::receiving: return "waits for " + printed([&] { return s.what_is_received(a); });
    case actor::mode::gone: return s.has_crashed(a) ? "has crashed" : x.failed ? "ended by a failure" : "is gone";
  }
  return {};
}

json_value told_actors(const system& s) {
  auto all = json_value::array();
  for (actor_slot a = 0; a < s.actor_count() && all.size() < most_actors_shown; ++a) {
    if (s.is_internal(a)) continue;
    json_value told = {{"name", s.actor_name(a)}};
    const bool is_gone = s.actor_at(a).state_of_life == actor::mode::gone;
    told["state"] = is_gone ? std::string() : printed([&] { return s.state_text(a); });
    told["mode"] = mode_in_words(s, a);
    all.push_back(std::move(told));
  }
  return all;
}

finding found_by(const record& r, std::string actor) {
  finding f;
  f.kind = r.kind;
  f.message = r.message;
  f.actor = std::move(actor);
  f.file = r.file;
  f.line = r.line;
  f.details = r.details;
  return f;
}

/// Of a failure outside handlers.
finding failed_outside(finding_kind kind) {
  finding f;
  f.kind = kind;
  f.message = text_of_current_exception();
  return f;
}

/// What the states must be in which an execution ends.
final_check check_of(const explorable& of) {
  return both(with_faults(of.made, of.how.search.faults).finally, of.how.judging.finally);
}

std::vector<finding> found_at_end(const explorable& of, const final_check& judged, const system& s) {
  std::vector<finding> all;
  try {
    if (judged)
      for (const auto& r : check_end(s, judged)) all.push_back(found_by(r, {}));
    if (s.is_out_of_timeouts()) return all;
    const auto end = look_at_end(s, of.how.judging.ends());
    if (!end.stuck.empty()) all.push_back(describe_deadlock(s, end.stuck));
    for (const auto m : end.undelivered) all.push_back(describe_undelivered(s, m));
  } catch (...) {
    all.push_back(failed_outside(finding_kind::exception));
  }
  return all;
}

bool is_warning(const explorable& of, const finding& f) {
  return f.kind == finding_kind::undelivered && of.how.judging.undelivered != undelivered::error;
}

/// How the execution ends here; null: it does not.
json_value end_in_words(const system& s) {
  if (s.discarded()) return "What the last step assumed does not hold: this execution does not count.";
  if (s.first_deliverable() != no_message) return nullptr;
  if (s.aborted()) return "The last step failed, which ends the execution.";
  if (s.truncated()) return "The limit of deliveries is reached (--max-depth).";
  if (s.is_out_of_timeouts())
    return "Nothing can be delivered but what timers send, and these have fired as often as they may (--timeouts).";
  return "Nothing more can be delivered: the execution has come to its end.";
}

json_value told_findings(const explorable& of, const system& s, const json_value& end) {
  std::vector<finding> all;
  if (s.depth() > 0 && s.step_at(s.last_step()).flagged)
    for (const auto& r : s.records_of_last_step())
      all.push_back(found_by(r, s.actor_name(s.step_at(s.last_step()).receiver)));
  if (!end.is_null() && !s.aborted() && !s.discarded() && !s.truncated())
    for (auto& f : found_at_end(of, check_of(of), s)) all.push_back(std::move(f));
  auto told = json_value::array();
  for (const auto& f : all) {
    auto one = to_json(f);
    for (const auto* empty : {"trace", "schedule", "length", "shortest", "occurrences"}) one.erase(empty);
    one["warning"] = is_warning(of, f);
    told.push_back(std::move(one));
  }
  return told;
}

std::string name_of(const fingerprint& f) { return fmt::format("{:016x}{:016x}", f.high, f.low); }

json_value told_state(const explorable& of, const system& s) {
  json_value told = {{"actors", told_actors(s)}};
  told["pending"] = told_pending(s);
  told["end"] = end_in_words(s);
  told["findings"] = told_findings(of, s, told["end"]);
  told["same"] = name_of(s.configuration());
  return told;
}

json_value told_step(const system& s) {
  const auto step = describe_last_step(s);
  auto told = to_json(step);
  told["code"] = s.step_at(s.last_step()).code;
  told["handler"] = step.handler;
  return told;
}

/// What other draws of the last step come to, and the one that was made.
void tell_outcomes(system& s, const child_voice& tell) {
  if (s.choices_of(s.last_step()).empty()) return;
  const auto m = s.step_at(s.last_step()).message;
  std::uint64_t code = 0;
  for (std::size_t count = 0; count < most_outcomes; ++count) {
    s.undo();
    s.deliver(m, code);
    const auto step = told_step(s);
    json_value told = {{"code", code}, {"choices", step.at("choices")}, {"state", step.at("state")}};
    if (step.contains("faults")) told["faults"] = step.at("faults");
    tell({{"outcome", told}});
    code = s.next_code();
    if (code == 0) return;
  }
  tell({{"more_outcomes", true}});
}

/// Goes along `steps` as far as that is possible. @return what kept it from going on, told; null: nothing.
json_value go_along(system& s, const std::vector<asked_step>& steps, const std::function<void(std::size_t)>& about_to,
                    const std::function<void(std::size_t)>& made) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto m = s.message_at_path(steps[i].id);
    if (const auto why = objection(s, m, steps[i]); !why.empty()) return {{"step", i}, {"why", why}};
    about_to(i);
    s.deliver(m, steps[i].code);
    if (s.step_at(s.last_step()).code != steps[i].code)
      return {{"step", i}, {"why", fmt::format("it draws nothing that is written {}", steps[i].code)}};
    made(i);
  }
  return nullptr;
}

/// How a child ended that did not come to its end, in words; empty: it did.
std::string failure_in_words(const child_end& end, const watch& noted, const explorable& of) {
  switch (end.way) {
    case child_end::how::finished: return {};
    case child_end::how::died: return "ended the process: " + reason_of(end, noted);
    case child_end::how::did_not_end: return fmt::format("did not end within {} s", of.apart.handler_limit);
    case child_end::how::too_large: return "takes more memory than there may be (--max-memory)";
    default: throw unwanted();
  }
}

child_bounds bounds_of(const explorable& of) { return {of.apart.handler_limit, 0, of.how.limits.max_memory}; }

}  // namespace

std::vector<asked_step> asked_steps_from(const json_value& json) {
  if (!json.is_array()) throw error("the schedule is no list");
  std::vector<asked_step> steps;
  for (const auto& one : json) {
    if (!one.is_object()) throw error("a step of the schedule is no object");
    steps.push_back(
        {field_as<std::string>(one, "id"), one.contains("code") ? field_as<std::uint64_t>(one, "code") : 0});
  }
  return steps;
}

json_value to_json(const std::vector<asked_step>& steps) {
  auto all = json_value::array();
  for (const auto& s : steps) all.push_back({{"id", s.id}, {"code", s.code}});
  return all;
}

program begun_after(const explorable& of, const std::vector<asked_step>& steps) {
  auto begun = with_faults(of.made, of.how.search.faults);
  begun.make = [inner = begun, steps](delivery model) {
    auto s = inner.start(model);
    const auto nothing = [](std::size_t) {};
    if (const auto failed = go_along(*s, steps, nothing, nothing); !failed.is_null())
      throw untestable_program("step " + std::to_string(failed.at("step").get<std::size_t>() + 1) +
                               " is not possible: " + failed.at("why").get<std::string>());
    s->begin_here();
    return s;
  };
  return begun;
}

json_value visit(const explorable& of, const std::vector<asked_step>& steps, std::size_t from,
                 const std::function<bool()>& is_wanted) {
  const watch noted(steps.size() + 1);
  explorable watched = of;
  watched.made = noted.watched(of.made, true);
  json_value reply = {{"steps", json_value::array()}};
  auto outcomes = json_value::array();
  json_value last = nullptr;
  const auto run = [&](const child_voice& tell) {
    const auto s = started(watched);
    const auto failed = go_along(
        *s, steps,
        [&](std::size_t i) {
          const auto next = describe_next(*s, {steps[i].code, s->message_at_path(steps[i].id)});
          tell({{"next", i}, {"last", to_json(next)}});
        },
        [&](std::size_t i) {
          if (i >= from) tell({{"step", told_step(*s)}});
        });
    if (!failed.is_null()) return tell({{"impossible", failed}});
    tell({{"state", told_state(watched, *s)}});
    if (!steps.empty()) tell_outcomes(*s, tell);
  };
  const auto hear = [&](const json_value& told) {
    if (told.contains("next")) last = told;
    if (told.contains("step")) reply["steps"].push_back(told.at("step"));
    for (const auto* name : {"state", "impossible", "more_outcomes"})
      if (told.contains(name)) reply[name] = told.at(name);
    if (told.contains("outcome")) outcomes.push_back(told.at("outcome"));
  };
  const auto tick = [&] {
    if (!is_wanted()) throw unwanted();
  };
  const auto end = run_in_child(noted, bounds_of(of), {.run = run, .hear = hear, .tick = tick, .quiet = true});
  const auto failure = failure_in_words(end, noted, of);
  if (!failure.empty() && noted.before_first_message())
    throw untestable_program("it fails before its first message: the driver " + failure);
  if (!outcomes.empty()) reply["outcomes"] = outcomes;
  if (failure.empty()) return reply;
  if (reply.contains("state")) {
    reply["outcomes_failed"] = failure;
    return reply;
  }
  reply["crashed"] = {
      {"step", last.is_null() ? 0 : last.at("next").get<std::size_t>()},
      {"what", failure},
      {"kind", to_string(end.way == child_end::how::did_not_end ? finding_kind::nontermination : finding_kind::crash)},
      {"in_handler", noted.in_handler()},
      {"last", last.is_null() ? json_value() : last.at("last")}};
  return reply;
}

namespace {

/// All that can come after where a system is.
class all_orders {
public:
  all_orders(const explorable& of, system& s, std::size_t depth, std::size_t most, const child_voice& tell)
      : of_(of), judged_(check_of(of)), s_(s), depth_(depth), most_(most), tell_(tell) {}

  void run() {
    seen_.insert(name_of(s_.configuration()));
    go_on(0, 0);
    flush();
    tell_({{"visited", visited_}, {"complete", complete_}});
  }

private:
  void go_on(std::size_t from, std::size_t depth) {
    for (auto m = s_.first_deliverable(); m != no_message && !is_full(); m = s_.next_deliverable(m)) {
      if (depth == depth_) {
        complete_ = false;
        return;
      }
      std::uint64_t code = 0;
      do {
        visit(from, m, code, depth);
        code = s_.next_code();
        s_.undo();
      } while (code != 0 && !is_full());
    }
  }

  void visit(std::size_t from, message_slot m, std::uint64_t code, std::size_t depth) {
    s_.deliver(m, code);
    const auto number = ++visited_;
    const auto& step = s_.step_at(s_.last_step());
    auto same = name_of(s_.configuration());
    json_value node = {{"parent", from}, {"id", s_.message_path(m)}};
    if (step.code != 0) node["code"] = step.code;
    if (!s_.choices_of(s_.last_step()).empty()) {
      const auto told = describe_last_step(s_);
      if (!told.choices.empty()) node["choices"] = told.choices;
      if (!told.faults.empty()) node["faults"] = told.faults;
    }
    node["receiver"] = s_.actor_name(step.receiver);
    node["message"] = printed([&] { return s_.message_text(m); });
    node["same"] = same;
    find(node);
    nodes_.push_back(std::move(node));
    if (nodes_.size() >= nodes_in_a_line) flush();
    if (seen_.insert(std::move(same)).second) go_on(number, depth + 1);
  }

  bool is_full() {
    if (visited_ < most_) return false;
    complete_ = false;
    return true;
  }

  void flush() {
    if (!nodes_.empty()) tell_({{"nodes", std::exchange(nodes_, json_value::array())}});
  }

  /// In a step, or at the end of an execution.
  void find(json_value& node) const {
    const auto& step = s_.step_at(s_.last_step());
    if (step.flagged)
      for (const auto& r : s_.records_of_last_step()) node["found"].push_back(to_line(r));
    if (s_.first_deliverable() != no_message || step.aborted || s_.discarded() || s_.truncated()) return;
    for (const auto& f : found_at_end(of_, judged_, s_))
      if (!is_warning(of_, f)) node["found"].push_back(fmt::format("{}: {}", to_string(f.kind), f.message));
  }

  const explorable& of_;
  const final_check judged_;
  system& s_;
  std::size_t depth_, most_;
  const child_voice& tell_;
  json_value nodes_ = json_value::array();
  std::unordered_set<std::string> seen_;
  std::size_t visited_ = 0;
  bool complete_ = true;
};

}  // namespace

void visit_all(const explorable& of, const std::vector<asked_step>& steps, std::size_t depth, std::size_t most,
               const std::function<void(const json_value&)>& tell, const std::function<bool()>& is_wanted) {
  const watch noted(steps.size() + depth + 1);
  explorable watched = of;
  watched.made = noted.watched(of.made, true);
  const auto run = [&](const child_voice& say) {
    const auto s = started(watched);
    const auto nothing = [](std::size_t) {};
    const auto failed = go_along(*s, steps, nothing, nothing);
    if (!failed.is_null()) return say({{"impossible", failed}});
    all_orders(watched, *s, depth, most, say).run();
  };
  const auto tick = [&] {
    if (!is_wanted()) throw unwanted();
  };
  const auto end = run_in_child(noted, bounds_of(of), {.run = run, .hear = tell, .tick = tick, .quiet = true});
  if (const auto failure = failure_in_words(end, noted, of); !failure.empty())
    tell({{"crashed",
           {{"what", failure}, {"in_handler", noted.in_handler()}, {"after", noted.schedule_so_far().size()}}}});
}

}  // namespace harrier
