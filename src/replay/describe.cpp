#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include <harrier/replay/describe.hpp>

#include "../core/base/printed.hpp"
#include "code_place.hpp"

namespace harrier {
namespace {

/// `write(5) to replica_1 is lost`; empty if nothing befell anybody.
std::string told_of(const system& system, const fate& f) {
  const auto border = [&](const char* both_ways, const char* one_way) {
    const auto& p = system.partitions()[f.between - 1];
    return p.how == cuts::both_ways ? fmt::format("{} and {} {}", p.from, p.to, both_ways)
                                    : fmt::format("{} {} {}", p.from, one_way, p.to);
  };
  const auto message = [&] {
    return printed([&] { return system.message_text(f.message); }) + " to " +
           system.actor_name(system.message_at(f.message).receiver);
  };
  switch (f.drawn) {
    case fate::what::arrives:
    case fate::what::goes_on: return {};
    case fate::what::is_lost: return message() + " is lost";
    case fate::what::comes_twice: return message() + " arrives twice";
    case fate::what::is_cut_off:
      return message() + " is lost: " +
             (f.between == 0 ? "the channel is cut" : border("are cut off from each other", "no longer reaches"));
    case fate::what::stays_cut:
      return message() + " is lost: " +
             (f.between == 0 ? "the channel is still cut"
                             : border("are still cut off from each other", "still does not reach"));
    case fate::what::is_whole:
      return message() + " arrives: " + border("are connected again", "reaches") +
             (system.partitions()[f.between - 1].how == cuts::one_way ? " again" : "");
    case fate::what::crashes: break;
  }
  const auto who = system.actor_name(f.who);
  const auto then = system.has_crashed(f.who) ? " and stays away" : " and restarts";
  if (f.who != system.step_at(f.at).receiver) return who + " crashes before its first message" + then;
  if (f.sent == fate::whole) return who + " crashes after this step" + then;
  return fmt::format("{} crashes in this step, after {} of its messages{}", who, f.sent, then);
}

/// Of what a reply resumes: of the handler that has asked.
std::string place_of_handler(const system& system, message_slot m) {
  const auto* taken = &system.message_at(m);
  while (taken->kind == message::role::reply) {
    const auto asked_in = system.message_at(taken->answers).sent_by;
    if (asked_in == no_step) return {};
    taken = &system.message_at(system.step_at(asked_in).message);
  }
  return place_of_code(taken->type->handler_code());
}

}  // namespace

std::string to_line(const record& record) {
  auto line = fmt::format("{}: {}", to_string(record.kind), record.message);
  if (!record.file.empty()) line += fmt::format(" ({}:{})", record.file, record.line);
  return line;
}

trace_step describe_next(const system& system, const scheduled& next) {
  trace_step t;
  t.handler = place_of_handler(system, next.message);
  t.id = system.message_path(next.message);
  t.message = system.message_text(next.message);
  t.receiver = system.actor_name(system.message_at(next.message).receiver);
  return t;
}

trace_step describe_last_step(const system& system) {
  const auto i = system.step_count() - 1;
  const auto& s = system.step_at(i);
  trace_step t;
  t.id = system.message_path(s.message);
  t.message = printed([&] { return system.message_text(s.message); });
  t.receiver = system.actor_name(s.receiver);
  t.handler = place_of_handler(system, s.message);
  const auto name = system.names().name_of(s.label);
  t.event = fmt::format("{:016x}{:016x}", name.high, name.low);
  t.state = printed([&] { return system.state_text(s.receiver); });
  const auto fates = system.fates_of(i);
  const auto drawn = system.choices_of(i);
  for (std::uint32_t c = 0; c < drawn.size(); ++c)
    if (std::none_of(fates.begin(), fates.end(), [c](const fate& f) { return f.draw == c; }))
      t.choices.push_back(s.code / drawn[c].scale % drawn[c].arity);
  for (const auto m : system.sent_by(i)) {
    const auto by_timer = system.message_at(m).makes == step_kind::timeout ? " by a timer" : "";
    t.sends.push_back(
        {printed([&] { return system.message_text(m) + by_timer; }), system.actor_name(system.message_at(m).receiver)});
  }
  for (const auto& f : fates)
    if (auto told = told_of(system, f); !told.empty()) t.faults.push_back(std::move(told));
  for (const auto a : system.created_by(i)) t.creates.push_back(system.actor_name(a));
  t.destroys = system.actor_at(s.receiver).state_of_life == actor::mode::gone && !s.aborted;
  t.machinery = !is_visible(s.kind);
  if (s.flagged)
    for (const auto& r : system.records_of_step(i)) t.findings.push_back(to_line(r));
  return t;
}

}  // namespace harrier
