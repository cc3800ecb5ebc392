#include "retrace.hpp"

#include <fmt/format.h>

#include <harrier/core/error.hpp>
#include <harrier/explore/trace.hpp>

#include "child.hpp"

namespace harrier {
namespace {

using teller = std::function<void(const json_value&)>;

void repeat(system& s, const schedule& planned, const teller& tell) {
  for (const auto& next : planned) {
    s.run({next});
    tell({{"step", to_json(describe_last_step(s))}});
  }
}

void repeat_up_to_the_last(system& s, const lethal_delivery& lethal, const teller& tell) {
  auto before = lethal.planned;
  before.pop_back();
  repeat(s, before, tell);
  tell({{"last", to_json(announce(s, lethal.planned.back()))}, {"actors", s.created_count()}});
  if (lethal.kind != finding_kind::crash) return;
  s.run({lethal.planned.back()});
  tell({{"survived", true}});
}

}  // namespace

trace_step announce(const system& s, const scheduled& next) {
  trace_step t;
  t.id = s.message_path(next.message);
  t.message = s.message_text(next.message);
  t.receiver = s.actor_name(s.message_at(next.message).receiver);
  return t;
}

void retrace(const program& tested, delivery model, finding& found, double handler_limit) {
  const watch noted(found.schedule.size());
  found.trace.clear();
  const auto fail = [&](const std::string& why) {
    found.details.push_back("the schedule could not be repeated: " + why);
  };
  try {
    const auto end = run_in_child(
        noted, handler_limit,
        {.run = [&](const teller& tell) { repeat(*noted.watched(tested, true).start(model), found.schedule, tell); },
         .hear = [&](const json_value& told) { found.trace.push_back(trace_step_from(told.at("step"))); },
         .quiet = true});
    if (end.way != child_end::how::finished) fail("a handler failed");
  } catch (const error& e) {
    fail(e.what());
  }
}

retraced retrace_lethal(const program& tested, delivery model, const lethal_delivery& lethal, double handler_limit) {
  finding f;
  f.kind = lethal.kind;
  f.schedule = lethal.planned;
  f.message = "a handler " + lethal.what;
  if (lethal.planned.empty()) {
    f.details.emplace_back("the schedule is longer than what was noted");
    return {f, false, 0};
  }
  bool announced = false;
  bool survived = false;
  std::uint64_t actors = 0;
  const auto hear = [&](const json_value& told) {
    if (told.contains("step")) f.trace.push_back(trace_step_from(told.at("step")));
    if (told.contains("survived")) survived = true;
    if (!told.contains("last")) return;
    announced = true;
    auto last = trace_step_from(told.at("last"));
    f.actor = last.receiver;
    actors = told.at("actors").get<std::uint64_t>();
    last.findings = {fmt::format("{}: {}", to_string(f.kind), lethal.what)};
    f.message = fmt::format("{}.{} {}", last.receiver, last.message, lethal.what);
    f.trace.push_back(std::move(last));
  };
  const watch noted(lethal.planned.size());
  bool died = false;
  try {
    const auto end = run_in_child(noted, handler_limit,
                                  {.run =
                                       [&](const teller& tell) {
                                         repeat_up_to_the_last(*noted.watched(tested, true).start(model), lethal, tell);
                                       },
                                   .hear = hear,
                                   .quiet = true});
    died = end.way == child_end::how::died;
  } catch (const error& e) {
    f.details.push_back(std::string("the schedule could not be repeated: ") + e.what());
  }
  if (!lethal.in_handler)
    f.details.emplace_back("the handler had returned: a guard, a copy or the end of a state failed after it");
  else if (survived)
    f.details.emplace_back(
        "it did not happen again when this schedule was repeated by itself: the program depends on something outside "
        "its actors, or an earlier execution damaged the memory");
  return {f, died && announced, actors};
}

}  // namespace harrier
