#include "script.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/script.hpp>

namespace harrier {
namespace {

constexpr std::string_view between = " after ";
constexpr std::string_view crash = "crash";

[[noreturn]] void no_event(std::string_view text) {
  throw error("'" + std::string(text) +
              "' is no event of a script: ACTOR.MESSAGE is expected, as a trace has them, or ACTOR.MESSAGE#N for the Nth "
              "of these, such as counter_0.add#2");
}

/// Takes `#2` away from the end of `text`.
std::uint32_t take_number(std::string_view& text, std::string_view whole) {
  const auto mark = text.rfind('#');
  if (mark == std::string_view::npos) return 1;
  const auto digits = text.substr(mark + 1);
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || end != digits.data() + digits.size()) return 1;  // it is part of the message's text
  if (problem != std::errc() || number == 0) no_event(whole);
  text = text.substr(0, mark);
  return number;
}

scripted_event event_in(std::string_view text) {
  auto rest = text;
  scripted_event event;
  event.number = take_number(rest, text);
  const auto dot = rest.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == rest.size()) no_event(text);
  event.actor = rest.substr(0, dot);
  event.message = rest.substr(dot + 1);
  return event;
}

specification said_by(script_line line) {
  specification said;
  said.name = line.after ? line.text : "until " + line.text;
  said.is_of_one_actor = true;
  said.found = std::move(line);
  return said;
}

/// Of those that are there.
actor_slot slot_called(const system& initial, const std::string& name, const std::string& line) {
  std::string all;
  for (actor_slot a = 1; a < initial.actor_count(); ++a) {
    if (initial.is_internal(a)) continue;
    if (initial.actor_name(a) == name) return a;
    all += (all.empty() ? "" : ", ") + initial.actor_name(a);
  }
  throw error("script '" + line + "': there is no actor " + name + " before the first delivery" +
              (all.empty() ? "" : "; there are " + all) +
              ". (What is created later has other names in other orders.)");
}

bool is_crash(const system& s, const scripted_event& event) {
  return event.message == crash && s.allowed_faults().crash != 0;
}

bool crashes_in(const fate& f, actor_slot a) { return f.drawn == fate::what::crashes && f.who == a; }

std::string point_of(const script_line& line) {
  return line.after ? "what is pinned: " + line.text : line.text + ", until which executions are followed";
}

}  // namespace

specification pin(std::string_view line) {
  const auto middle = line.find(between);
  if (middle == std::string_view::npos)
    throw error("'" + std::string(line) +
                "' is no line of a script: EVENT after EVENT is expected, such as counter_0.add#2 after client_1.stop");
  return said_by({.text = std::string(line),
                  .event = event_in(line.substr(0, middle)),
                  .after = event_in(line.substr(middle + between.size()))});
}

specification follow_until(std::string_view event) {
  return said_by({.text = std::string(event), .event = event_in(event), .after = std::nullopt});
}

/// A message that comes too early: everything about it stays, but its handler is not called.
class script::withheld final : public message_type {
public:
  explicit withheld(const message_type& of) : of_(of) {}
  [[nodiscard]] const message_type* of() const { return &of_; }

  void deliver(system& /*system*/, step& /*step*/) const override {}
  void undo(system& /*system*/, step& /*step*/) const override {}
  void destroy(void* payload) const override { of_.destroy(payload); }
  [[nodiscard]] payload_shape shape() const override { return of_.shape(); }
  void copy(void* target, const void* payload) const override { of_.copy(target, payload); }
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override {
    return of_.describe(system, payload);
  }
  [[nodiscard]] std::string name() const override { return of_.name(); }
  [[nodiscard]] fingerprint hash(const void* payload) const override { return of_.hash(payload); }
  [[nodiscard]] bool hash_is_all() const override { return of_.hash_is_all(); }
  void write(const void* payload, value_bytes& out) const override { of_.write(payload, out); }
  [[nodiscard]] const actor_type* receiver_class() const override { return of_.receiver_class(); }

private:
  const message_type& of_;
};

script::script() = default;
script::~script() = default;

void script::add(system& initial, const script_line& line) {
  first_ = static_cast<step_index>(initial.step_count());
  const auto of = slot_called(initial, line.event.actor, line.text);
  const auto after = line.after ? slot_called(initial, line.after->actor, line.text) : of;
  // Each pin has a name of its own, as far as there are so many; the driver's stands for other things.
  const auto touched = static_cast<actor_slot>(lines_.size() % (initial.actor_count() - 1) + 1);
  lines_.push_back({line, of, after, touched});
  initial.know_point(point_of(line));
}

bool script::has_pins() const {
  return std::any_of(lines_.begin(), lines_.end(), [](const known_line& known) { return known.line.after.has_value(); });
}

bool script::is_message(const system& s, message_slot m, const scripted_event& event) const {
  const auto* type = s.message_at(m).type;
  auto& name = names_[type];
  if (name.empty()) name = type->name();
  return name == event.message || s.message_text(m) == event.message;
}

/// Whether step `i` is one of these, the first or another.
bool script::is_of(const system& s, step_index i, actor_slot a, const scripted_event& event) const {
  if (is_crash(s, event)) {
    const auto& all = s.mishaps();
    return std::any_of(all.begin(), all.end(), [&](const fate& f) { return f.at == i && crashes_in(f, a); });
  }
  return is_of_execution(i) && s.step_at(i).receiver == a && is_message(s, s.step_at(i).message, event);
}

/// How many of these there are so far.
std::uint32_t script::times(const system& s, actor_slot a, const scripted_event& event) const {
  std::uint32_t count = 0;
  if (is_crash(s, event)) {
    for (const auto& f : s.mishaps()) count += crashes_in(f, a) ? 1 : 0;
    return count;
  }
  for (auto i = s.actor_at(a).last_step; is_of_execution(i); i = s.step_at(i).previous)
    count += is_message(s, s.step_at(i).message, event) ? 1 : 0;
  return count;
}

const message_type* script::withholds(const system& s, message_slot m) {
  const auto receiver = s.message_at(m).receiver;
  const bool is_early = std::any_of(lines_.begin(), lines_.end(), [&](const known_line& known) {
    const auto& event = known.line.event;
    const auto& after = known.line.after;
    return after && known.of == receiver && is_message(s, m, event) && times(s, receiver, event) + 1 == event.number &&
           times(s, known.after, *after) < after->number;
  });
  if (!is_early) return nullptr;
  const auto* type = s.message_at(m).type;
  auto& made = withheld_[type];
  if (made == nullptr) made = std::make_unique<withheld>(*type);
  return made.get();
}

const message_type* script::withheld_by(const message_type* type) const {
  const auto* made = dynamic_cast<const withheld*>(type);
  return made == nullptr ? nullptr : made->of();
}

std::vector<actor_slot> script::touched_by_last_step(const system& s) const {
  std::vector<actor_slot> all;
  for (const auto& known : lines_) {
    const auto& after = known.line.after;
    if (after && known.of != known.after &&
        (is_of(s, s.last_step(), known.of, known.line.event) || is_of(s, s.last_step(), known.after, *after)))
      all.push_back(known.touched);
  }
  return all;
}

/// Whether the last step is the event of that line.
bool script::is_nth(const system& s, const known_line& known) const {
  return is_of(s, s.last_step(), known.of, known.line.event) && times(s, known.of, known.line.event) == known.line.event.number;
}

void script::reach_points(system& s) const {
  for (const auto& known : lines_) {
    if (!is_nth(s, known)) continue;
    if (known.line.after && is_crash(s, known.line.event))
      throw error("script '" + known.line.text +
                  "': a crash stands for one at any moment before its actor's next delivery, so it cannot be said to "
                  "come after something; let that delivery come after it, or something else after the crash");
    s.reach_point(point_of(known.line));
  }
}

bool script::ends_with_last_step(const system& s) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const known_line& known) { return !known.line.after && is_nth(s, known); });
}

bool script::has_ended(const system& s, actor_slot a) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const known_line& known) {
    return !known.line.after && known.of == a && times(s, a, known.line.event) >= known.line.event.number;
  });
}

}  // namespace harrier
