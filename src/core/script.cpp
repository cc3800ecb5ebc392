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
  throw error(
      "'" + std::string(text) +
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

specification said_by(std::string name, script_line line) {
  specification said;
  said.name = std::move(name);
  said.is_of_one_actor = !line.after || line.after->actor == line.event->actor;
  said.found = std::move(line);
  return said;
}

/// Of those that are there; the driver's, if there is none.
actor_slot slot_called(const system& initial, const std::string& name) {
  for (actor_slot a = 1; a < initial.actor_count(); ++a)
    if (!initial.is_internal(a) && initial.actor_name(a) == name) return a;
  return 0;
}

actor_slot require_actor(const system& initial, const std::string& name, const std::string& line) {
  if (const auto a = slot_called(initial, name); a != 0) return a;
  std::string all;
  for (actor_slot a = 1; a < initial.actor_count(); ++a)
    if (!initial.is_internal(a)) all += (all.empty() ? "; there are " : ", ") + initial.actor_name(a);
  throw error("script '" + line + "': there is no actor " + name + " before the first delivery" + all +
              " (what is created later has other names in other orders)");
}

bool is_crash(const system& s, const scripted_event& event) {
  return event.message == crash && s.allowed_faults().crash != 0;
}

bool crashes_in(const fate& f, actor_slot a) { return f.drawn == fate::what::crashes && f.who == a; }

constexpr std::string_view passage_of = "an execution comes through ";

/// Whether it is about a point that the program names.
bool is_named_point(const script_line& line) { return !line.event && line.reached.is_there == nullptr; }

std::string point_of(const script_line& line) {
  switch (line.says) {
    case script_line::kind::pin: return "what is pinned: " + line.text;
    case script_line::kind::until: return line.text + ", until which executions are followed";
    case script_line::kind::through: break;
  }
  return std::string(passage_of) + line.text;
}

}  // namespace

specification pin(std::string_view line) {
  const auto middle = line.find(between);
  if (middle == std::string_view::npos)
    throw error("'" + std::string(line) +
                "' is no line of a script: EVENT after EVENT is expected, such as counter_0.add#2 after client_1.stop");
  return said_by(std::string(line), {.says = script_line::kind::pin,
                                     .text = std::string(line),
                                     .event = event_in(line.substr(0, middle)),
                                     .after = event_in(line.substr(middle + between.size()))});
}

specification follow_until(std::string_view event) {
  return said_by("until " + std::string(event),
                 {.says = script_line::kind::until, .text = std::string(event), .event = event_in(event)});
}

specification follow_until(std::string what, followed_until when) {
  auto said = said_by("until " + what, {.says = script_line::kind::until, .text = what, .event = std::nullopt});
  said.found.target<script_line>()->reached = std::move(when);
  return said;
}

specification keep_through(std::string_view event_or_point) {
  const std::string text(event_or_point);
  if (text.empty()) throw error("what executions are to come through is an event or a point, not nothing");
  return said_by("through " + text, {.says = script_line::kind::through, .text = text, .event = std::nullopt});
}

namespace {

/// The first of the points that executions are to come through, or what comes after them all.
auto first_passage(const std::map<std::string, bool>& points) {
  static const std::string first(passage_of);  // asked at each end of an execution
  return points.empty() ? points.end() : points.lower_bound(first);
}

}  // namespace

bool waits_for_ends(const system& s) {
  const auto first = first_passage(s.points());
  return first != s.points().end() && first->first.starts_with(passage_of);
}

bool comes_through(const system& ended) {
  const auto& points = ended.points();
  for (auto p = first_passage(points); p != points.end() && p->first.starts_with(passage_of); ++p)
    if (!p->second) return false;
  return true;
}

/// A message that comes too early: everything about it stays, but its handler is not called.
class scripted_decisions::withheld final : public message_type {
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

scripted_decisions::scripted_decisions() = default;
scripted_decisions::~scripted_decisions() = default;

void scripted_decisions::add(system& initial, const specification& said, const script_line& line) {
  first_ = static_cast<step_index>(initial.step_count());
  // Each pin has a name of its own, as far as there are so many; the driver's stands for other things.
  const auto own = static_cast<actor_slot>(lines_.size() % std::max<std::size_t>(initial.actor_count() - 1, 1) + 1);
  known_line known{.line = line, .of = 0, .after = 0, .touched = said.is_of_one_actor ? 0 : own};
  if (line.event) known.of = require_actor(initial, line.event->actor, line.text);
  if (line.after) known.after = require_actor(initial, line.after->actor, line.text);
  if (const auto dot = line.text.find('.'); line.says == script_line::kind::through && dot != std::string::npos) {
    known.of = slot_called(initial, line.text.substr(0, dot));
    if (known.of != 0) known.line.event = event_in(line.text);
  }
  if (line.reached.check) line.reached.check(initial);
  if (is_named_point(known.line)) initial.know_point(line.text);
  initial.know_point(point_of(line));
  lines_.push_back(std::move(known));
}

bool scripted_decisions::widens() const {
  return std::any_of(lines_.begin(), lines_.end(), [](const known_line& known) { return known.touched != 0; });
}

bool scripted_decisions::is_message(const system& s, message_slot m, const scripted_event& event) const {
  const auto* type = s.message_at(m).type;
  auto& name = names_[type];
  if (name.empty()) name = type->name();
  return name == event.message || s.message_text(m) == event.message;
}

/// Whether step `i` is one of these, the first or another.
bool scripted_decisions::is_of(const system& s, step_index i, actor_slot a, const scripted_event& event) const {
  if (is_crash(s, event)) {
    const auto& all = s.mishaps();
    return std::any_of(all.begin(), all.end(), [&](const fate& f) { return f.at == i && crashes_in(f, a); });
  }
  return is_of_execution(i) && s.step_at(i).receiver == a && is_message(s, s.step_at(i).message, event);
}

/// How many of these there are so far. What is withheld has not happened.
std::uint32_t scripted_decisions::times(const system& s, actor_slot a, const scripted_event& event) const {
  std::uint32_t count = 0;
  if (is_crash(s, event)) {
    for (const auto& f : s.mishaps()) count += crashes_in(f, a) ? 1 : 0;
    return count;
  }
  for (auto i = s.actor_at(a).last_step; is_of_execution(i); i = s.step_at(i).previous)
    if (const auto m = s.step_at(i).message; is_message(s, m, event) && withheld_by(s.message_at(m).type) == nullptr)
      ++count;
  return count;
}

const message_type* scripted_decisions::before_delivery(const system& s, message_slot m, points& reached) {
  while (!passed_.empty() && passed_.back().at >= s.step_count()) passed_.pop_back();
  show_passages(reached);
  const auto receiver = s.message_at(m).receiver;
  const bool is_early = std::any_of(lines_.begin(), lines_.end(), [&](const known_line& known) {
    const auto& event = known.line.event;
    const auto& after = known.line.after;
    return after && known.of == receiver && is_message(s, m, *event) &&
           times(s, receiver, *event) + 1 == event->number && times(s, known.after, *after) < after->number;
  });
  if (!is_early) return nullptr;
  const auto* type = s.message_at(m).type;
  auto& made = withheld_[type];
  if (made == nullptr) made = std::make_unique<withheld>(*type);
  return made.get();
}

const message_type* scripted_decisions::withheld_by(const message_type* type) const {
  const auto* made = dynamic_cast<const withheld*>(type);
  return made == nullptr ? nullptr : made->of();
}

std::vector<actor_slot> scripted_decisions::touched_by_last_step(const system& s) const {
  std::vector<actor_slot> all;
  for (const auto& known : lines_) {
    const auto& after = known.line.after;
    if (known.touched != 0 &&
        (is_of(s, s.last_step(), known.of, *known.line.event) || is_of(s, s.last_step(), known.after, *after)))
      all.push_back(known.touched);
  }
  return all;
}

bool scripted_decisions::has_reached(const system& s, actor_slot a, const known_line& known) const {
  return is_of_execution(s.actor_at(a).last_step) && known.line.reached.is_there(s, a);
}

/// Whether the last step is the event of that line.
bool scripted_decisions::is_nth(const system& s, const known_line& known) const {
  const auto& event = known.line.event;
  if (known.line.reached.is_there) return has_reached(s, s.step_at(s.last_step()).receiver, known);
  return event && is_of(s, s.last_step(), known.of, *event) && times(s, known.of, *event) == event->number;
}

void scripted_decisions::note_last_step(const system& s, points& reached) {
  for (std::size_t n = 0; n < lines_.size(); ++n) {
    const auto& known = lines_[n];
    const bool is_there = is_named_point(known.line) ? reached[known.line.text] : is_nth(s, known);
    if (!is_there) continue;
    if (known.line.after && is_crash(s, *known.line.event))
      throw error("script '" + known.line.text +
                  "': a crash stands for one at any moment before its actor's next delivery, so it cannot be said to "
                  "come after something; let that delivery come after it, or something else after the crash");
    if (known.line.says == script_line::kind::through)
      passed_.push_back({s.last_step(), n});
    else
      reached[point_of(known.line)] = true;
  }
  show_passages(reached);
}

/// Other points stay reached when the search goes back; these are of the current execution.
void scripted_decisions::show_passages(points& reached) const {
  for (std::size_t n = 0; n < lines_.size(); ++n) {
    const auto& line = lines_[n].line;
    if (line.says != script_line::kind::through) continue;
    const bool is_passed = std::any_of(passed_.begin(), passed_.end(), [n](const passage& p) { return p.line == n; });
    reached[point_of(line)] = is_passed;
    if (is_named_point(line)) reached[line.text] = is_passed;
  }
}

bool scripted_decisions::ends_with_last_step(const system& s) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const known_line& known) {
    return known.line.says == script_line::kind::until && is_nth(s, known);
  });
}

bool scripted_decisions::has_ended(const system& s, actor_slot a) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const known_line& known) {
    if (known.line.says != script_line::kind::until) return false;
    if (known.line.reached.is_there) return has_reached(s, a, known);
    return known.of == a && times(s, a, *known.line.event) >= known.line.event->number;
  });
}

}  // namespace harrier
