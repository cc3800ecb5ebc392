#include <fmt/format.h>

#include <string>

#include <harrier/replay/describe.hpp>

#include "../core/base/current_exception.hpp"

namespace harrier {
namespace {

/// A step was run, even if what prints it is the user's and throws.
template <class Print>
std::string printed(Print print) {
  try {
    return print();
  } catch (...) {
    return fmt::format("<cannot be printed: {}>", text_of_current_exception());
  }
}

}  // namespace

std::string to_line(const record& record) {
  auto line = fmt::format("{}: {}", to_string(record.kind), record.message);
  if (!record.file.empty()) line += fmt::format(" ({}:{})", record.file, record.line);
  return line;
}

trace_step describe_next(const system& system, const scheduled& next) {
  trace_step t;
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
  const auto name = system.names().name_of(s.label);
  t.event = fmt::format("{:016x}{:016x}", name.high, name.low);
  t.state = printed([&] { return system.state_text(s.receiver); });
  const auto fates = system.fates_of(i);
  const auto drawn = system.choices_of(i);
  for (const auto& c : drawn.first(drawn.size() - fates.size())) t.choices.push_back(s.code / c.scale % c.arity);
  for (const auto m : system.sent_by(i))
    t.sends.push_back(
        {printed([&] { return system.message_text(m); }), system.actor_name(system.message_at(m).receiver)});
  for (const auto& f : fates) {
    if (f.drawn == fate::what::arrives) continue;
    const auto message = printed([&] { return system.message_text(f.message); });
    t.faults.push_back(fmt::format("{} to {} {}", message, system.actor_name(system.message_at(f.message).receiver),
                                   fault_kinds()[static_cast<std::size_t>(f.drawn) - 1].told));
  }
  for (const auto a : system.created_by(i)) t.creates.push_back(system.actor_name(a));
  t.destroys = system.actor_at(s.receiver).state_of_life == actor::mode::gone && !s.aborted;
  t.machinery = !is_visible(s.kind);
  if (s.flagged)
    for (const auto& r : system.records_of_step(i)) t.findings.push_back(to_line(r));
  return t;
}

}  // namespace harrier
