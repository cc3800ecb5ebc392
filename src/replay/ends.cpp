#include <fmt/format.h>

#include <algorithm>

#include <harrier/replay/ends.hpp>

#include "../core/outside.hpp"

namespace harrier {
namespace {

bool may_stay(const system& s, actor_slot a, const end_rules& rules) {
  const auto& x = s.actor_at(a);
  if (x.state_of_life == actor::mode::gone) return true;
  if (x.state_of_life == actor::mode::waiting || !x.type->at_rest(x.state)) return false;
  if (x.state_of_life == actor::mode::receiving && x.type->must_end()) return false;
  if (a == 0 || s.is_internal(a)) return true;  // the driver has done its work
  if (rules.may_be_left)
    return s.watch().asking(flight_record::asked::may_be_left, [&] { return rules.may_be_left(s, a); });
  return rules.environment == environment::total;
}

/// ` in state {eaten=1}`; nothing where there is none to be seen.
std::string state_of(const system& s, actor_slot a) {
  const auto state = s.state_text(a);
  return state.empty() ? std::string() : " in state " + state;
}

/// Who last changed `a`: `fork_1 took take() from philosopher_4`.
std::string last_taken_by(const system& s, actor_slot a) {
  auto last = s.actor_at(a).last_step;
  while (last != no_step && !is_visible(s.step_at(last).kind)) last = s.step_at(last).previous;
  if (last == no_step) return {};
  const auto m = s.step_at(last).message;
  const auto by = s.sender_of(m);
  const auto from =
      by == no_step || is_from_outside(s, m) ? std::string() : " from " + s.actor_name(s.step_at(by).receiver);
  return "; the last message it took was " + s.message_text(m) + from;
}

/// What `a` sent last, and so perhaps waits for an answer to.
std::string last_sent_by(const system& s, actor_slot a) {
  for (auto i = s.actor_at(a).last_step; i != no_step; i = s.step_at(i).previous)
    if (const auto sent = s.sent_by(i); !sent.empty())
      return fmt::format("; the last message it sent was {} to {}, which took it", s.message_text(sent.last - 1),
                         s.actor_name(s.message_at(sent.last - 1).receiver));
  return {};
}

/// Why pending message `m` is not delivered.
std::string why_not(const system& s, message_slot m) {
  if (s.is_lost(m)) return "it was lost";
  const auto to = s.message_at(m).receiver;
  switch (s.actor_at(to).state_of_life) {
    case actor::mode::gone:
      return fmt::format("{} {}", s.actor_name(to), s.has_crashed(to) ? "has crashed" : "is gone");
    case actor::mode::waiting: return fmt::format("{} itself waits for a reply", s.actor_name(to));
    case actor::mode::receiving: return fmt::format("{} waits for {}", s.actor_name(to), s.what_is_received(to));
    case actor::mode::open: break;
  }
  return fmt::format("{} does not accept {}{}{}", s.actor_name(to), s.message_text(m), state_of(s, to),
                     last_taken_by(s, to));
}

/// What became of `request`, which nobody replied to.
std::string why_no_reply(const system& s, message_slot request) {
  if (!s.is_taken(request)) return why_not(s, request);
  const auto callee = s.actor_name(s.message_at(request).receiver);
  if (s.has_crashed(s.message_at(request).receiver)) return callee + " took it, and has crashed";
  const bool is_lost = std::any_of(s.fates().begin(), s.fates().end(), [&](const fate& f) {
    if (f.message == no_message) return false;
    const auto& reply = s.message_at(f.message);
    return loses(f.drawn) && reply.kind == message::role::reply && reply.answers == request;
  });
  return is_lost ? callee + " took it, and its reply was lost" : callee + " took it and has not replied";
}

/// What of the messages to `a`, which receives, does not match.
std::string what_there_is(const system& s, actor_slot a) {
  constexpr std::size_t most_told = 5;
  std::string there;
  std::size_t count = 0;
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m))
    if (s.message_at(m).receiver == a && !s.is_void(m) && ++count <= most_told)
      there += (there.empty() ? "" : ", ") + s.message_text(m);
  if (count == 0) return "nobody sends that";
  if (count > most_told) there += fmt::format(" and {} more", count - most_told);
  return fmt::format("was sent only {}", there);
}

/// Lines that say what `a` waits for.
void explain(const system& s, actor_slot a, std::vector<std::string>& lines) {
  const auto& x = s.actor_at(a);
  const auto name = s.actor_name(a);
  if (x.state_of_life == actor::mode::waiting) {
    const auto to = s.message_at(x.awaited).receiver;
    lines.push_back(fmt::format("{} waits for the reply to {}.{}: {}", name, s.actor_name(to),
                                s.message_text(x.awaited), why_no_reply(s, x.awaited)));
    return;
  }
  if (x.state_of_life == actor::mode::receiving) {
    lines.push_back(fmt::format("{} waits for {}, and {}", name, s.what_is_received(a), what_there_is(s, a)));
    return;
  }
  const auto before = lines.size();
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) {
    const auto& p = s.message_at(m);
    const auto by = s.sender_of(m);
    if (by != no_step && s.step_at(by).receiver == a)
      lines.push_back(fmt::format("{} waits for {}: {}", name, s.actor_name(p.receiver), why_not(s, m)));
  }
  if (lines.size() == before)
    lines.push_back(
        fmt::format("{}{} waits for a message that nobody sends{}", name, state_of(s, a), last_sent_by(s, a)));
}

constexpr std::string_view own_rules = "program";

}  // namespace

std::string_view word_for_environment(const end_rules& rules) {
  if (rules.may_be_left) return own_rules;
  return rules.environment == environment::empty ? "empty" : "total";
}

end_rules rules_for_environment(std::string_view word,
                                const std::function<bool(const system&, actor_slot)>& may_be_left) {
  end_rules rules;
  if (word == "empty") rules.environment = environment::empty;
  if (word == own_rules) rules.may_be_left = may_be_left;
  return rules;
}

end_of_execution look_at_end(const system& system, const end_rules& rules) {
  end_of_execution end;
  const bool rest_matters = system.rest_matters() || rules.may_be_left || rules.environment == environment::empty;
  if (system.waiting_count() > 0 || rest_matters)
    for (actor_slot a = 0; a < system.actor_count(); ++a)
      if (!may_stay(system, a, rules)) end.stuck.push_back(a);
  if (rules.undelivered != undelivered::ignore)
    for (auto m = system.first_pending(); m != no_message; m = system.next_pending(m))
      if (const auto& x = system.message_at(m); !x.may_be_left &&
                                                system.actor_at(x.receiver).state_of_life == actor::mode::gone &&
                                                !system.has_crashed(x.receiver))
        end.undelivered.push_back(m);
  return end;
}

finding describe_deadlock(const system& system, const std::vector<actor_slot>& stuck) {
  finding f;
  f.kind = finding_kind::deadlock;
  constexpr std::size_t most_told = 100;
  std::string names;
  for (std::size_t i = 0; i < std::min(stuck.size(), most_told); ++i) {
    names += (names.empty() ? "" : ", ") + system.actor_name(stuck[i]);
    explain(system, stuck[i], f.details);
  }
  if (stuck.size() > most_told) names += fmt::format(" and {} more", stuck.size() - most_told);
  f.actor = system.actor_name(stuck.front());
  f.message = fmt::format("nothing can be delivered, and {} {}", names, stuck.size() == 1 ? "waits" : "wait");
  return f;
}

finding describe_undelivered(const system& system, message_slot message) {
  finding f;
  f.kind = finding_kind::undelivered;
  f.actor = system.actor_name(system.message_at(message).receiver);
  f.message = fmt::format("{}.{} was never delivered: {} is gone", f.actor, system.message_text(message), f.actor);
  return f;
}

}  // namespace harrier
