#include "who_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace harrier {
namespace {

constexpr std::size_t most_told = 6;

/// What an actor waits for, as far as messages tell.
struct waiting {
  actor_slot who = 0;
  /// Since it sent a message to `at`; or took its last one, if that is not known.
  step_index since = no_step;
  actor_slot at = 0;
  /// Who would have to do something first; nobody: that is not known.
  std::optional<actor_slot> whom = std::nullopt;
};

std::optional<actor_slot> last_sender_to(const system& s, actor_slot a) {
  auto last = s.actor_at(a).last_step;
  while (last != no_step && !is_visible(s.step_at(last).kind)) last = s.step_at(last).previous;
  if (last == no_step) return std::nullopt;
  const auto by = s.sender_of(s.step_at(last).message);
  return by == no_step ? std::nullopt : std::optional(s.step_at(by).receiver);
}

/// Whoever keeps the receiver of pending message `m` from taking it.
std::optional<actor_slot> who_is_in_the_way(const system& s, message_slot m) {
  const auto to = s.message_at(m).receiver;
  if (s.is_lost(m) || s.is_internal(to)) return std::nullopt;
  switch (s.actor_at(to).state_of_life) {
    case actor::mode::gone: return std::nullopt;
    case actor::mode::waiting:
    case actor::mode::receiving: return to;
    case actor::mode::open: return last_sender_to(s, to);
  }
  return std::nullopt;
}

/// The message for whose reply or acceptance `a` waits; no_message: there is none.
message_slot awaited_by(const system& s, actor_slot a) {
  if (s.actor_at(a).state_of_life == actor::mode::waiting) return s.actor_at(a).awaited;
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m))
    if (const auto by = s.sender_of(m); by != no_step && s.step_at(by).receiver == a) return m;
  return no_message;
}

waiting look_at(const system& s, actor_slot a) {
  waiting w{.who = a, .since = s.actor_at(a).last_step};
  const auto m = awaited_by(s, a);
  if (m == no_message) return w;
  w.since = s.sender_of(m);
  w.at = s.message_at(m).receiver;
  if (!s.is_taken(m))
    w.whom = who_is_in_the_way(s, m);
  else if (const auto mode = s.actor_at(w.at).state_of_life; actor::is_suspended(mode))
    w.whom = w.at;  // it took the request, and waits itself
  if (w.whom == a) w.whom.reset();
  return w;
}

/// ` since delivery 7`; empty: since before the first one.
std::string since(const system& s, const waiting& w) {
  if (!s.is_explored(w.since)) return {};
  std::size_t number = 0;
  for (auto i = s.setup_steps(); i <= w.since; ++i)
    if (is_visible(s.step_at(i).kind)) ++number;
  return fmt::format(" since delivery {}", number);
}

/// Those of `all` that wait for one another in a circle; none: there is no circle.
std::vector<waiting> circle_among(const std::vector<waiting>& all) {
  const auto of = [&](actor_slot a) {
    return std::find_if(all.begin(), all.end(), [a](const waiting& w) { return w.who == a; });
  };
  for (const auto& first : all) {
    std::vector<waiting> way;
    for (auto w = of(first.who); w != all.end() && way.size() < all.size(); w = of(*w->whom)) {
      if (!w->whom) break;
      way.push_back(*w);
      if (*w->whom == first.who) return way;
    }
  }
  return {};
}

}  // namespace

std::string who_waits(const system& ended, const std::vector<actor_slot>& stuck) {
  std::vector<waiting> all;
  for (const auto a : stuck) all.push_back(look_at(ended, a));
  const auto circle = circle_among(all);
  const auto& told = circle.empty() ? all : circle;
  std::string list;
  for (std::size_t i = 0; i < std::min(told.size(), most_told); ++i) {
    const auto& w = told[i];
    const auto name = ended.actor_name(w.who);
    list += list.empty() ? "" : ", ";
    if (circle.empty())
      list += fmt::format("{}{}", name, since(ended, w));
    else if (*w.whom == w.at)
      list += fmt::format("{} for {}{}", name, ended.actor_name(*w.whom), since(ended, w));
    else
      list +=
          fmt::format("{} for {} at {}{}", name, ended.actor_name(*w.whom), ended.actor_name(w.at), since(ended, w));
  }
  if (list.empty()) return {};
  if (told.size() > most_told) list += fmt::format(" and {} more", told.size() - most_told);
  return circle.empty() ? fmt::format("Waiting: {}.", list) : fmt::format("They wait in a circle: {}.", list);
}

}  // namespace harrier
