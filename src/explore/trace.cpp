#include <fmt/format.h>

#include <algorithm>

#include <harrier/explore/trace.hpp>

namespace harrier {

std::string to_line(const record& record) {
  auto line = fmt::format("{}: {}", to_string(record.kind), record.message);
  if (!record.file.empty()) line += fmt::format(" ({}:{})", record.file, record.line);
  return line;
}

trace_step describe_last_step(const system& system) {
  const auto i = system.step_count() - 1;
  const auto& s = system.step_at(i);
  trace_step t;
  t.id = system.message_path(s.message);
  t.message = system.message_text(s.message);
  t.receiver = system.actor_name(s.receiver);
  t.state = system.state_text(s.receiver);
  for (const auto& c : system.choices_of(i)) t.choices.push_back(s.code / c.scale % c.arity);
  for (auto m = s.first_sent; m < system.sent_end(i); ++m)
    if (system.message_at(m).kind < message::role::arrival)
      t.sends.push_back({system.message_text(m), system.actor_name(system.message_at(m).receiver)});
  for (auto a = s.first_created; a < system.created_end(i); a += system.slots_an_actor())
    t.creates.push_back(system.actor_name(a));
  t.destroys = system.actor_at(s.receiver).state_of_life == actor::mode::gone && !s.aborted;
  if (s.flagged)
    for (const auto& r : system.records_of_step(i)) t.findings.push_back(to_line(r));
  return t;
}

schedule causal_slice(const system& system, harrier::system& fresh) {
  const auto base = system.setup_steps();
  const auto count = system.step_count();
  std::vector<bool> kept(count, false);
  kept[count - 1] = true;
  for (auto i = count; i-- > base;) {
    if (!kept[i]) continue;
    const auto& s = system.step_at(i);
    const auto keep = [&](step_index before) {
      if (before != no_step && before >= base) kept[before] = true;
    };
    keep(s.previous);
    keep(system.message_at(s.message).sent_by);
  }

  schedule sliced;
  std::vector<std::size_t> place(count, 0);  // of a kept step in the slice's own execution
  for (std::size_t i = 0; i < base; ++i) place[i] = i;
  for (auto i = base; i < count; ++i) {
    if (!kept[i]) continue;
    const auto& s = system.step_at(i);
    auto message = s.message;
    if (const auto by = system.message_at(s.message).sent_by; by != no_step)
      message = fresh.step_at(place[by]).first_sent + (s.message - system.step_at(by).first_sent);
    if (!fresh.pending(message) || fresh.first_deliverable() == no_message || !fresh.deliverable(message)) return {};
    place[i] = fresh.step_count();
    fresh.deliver(message, s.code);
    sliced.push_back({s.code, message});
  }
  return sliced;
}

}  // namespace harrier
