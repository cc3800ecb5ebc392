#include "pair_outcome.hpp"

#include <fmt/format.h>

#include "../base/visible_value.hpp"

namespace harrier {

bool is_state_and_sends(const system& s) {
  const auto i = s.last_step();
  const auto& ran = s.step_at(i);
  const auto& receiver = s.actor_at(ran.receiver);
  const bool is_whole = ran.mode_before == actor::mode::open && receiver.state_of_life == actor::mode::open &&
                        ran.activity_before == nullptr && receiver.activity == nullptr;
  const bool is_noticed = ran.flagged || ran.aborted || ran.discarded || !s.choices_of(i).empty() ||
                          (!s.notes().empty() && s.notes().back().at == i) || s.last_step_withdrew();
  // The driver's state is not always known.
  return is_whole && !is_noticed && ran.kind == step_kind::delivery && ran.receiver != 0;
}

pair_outcome::pair_outcome(const system& s, step_index first, step_index second) {
  const auto& receiver = s.actor_at(s.step_at(first).receiver);
  add_value(*receiver.type, receiver.state);
  add(receiver.state_of_life);
  for (const auto i : {first, second}) add_step(s, i);
}

template <class Type>
void pair_outcome::add_value(const Type& type, const void* value) {
  values.push_back(type.hash(value));
  if (type.hash_is_all()) return;
  const auto seen = visible_value::of(type, value);
  besides.push_back(seen.value);
  is_all = is_all && seen.is_all;
}

void pair_outcome::add_step(const system& s, step_index i) {
  const auto& ran = s.step_at(i);
  add(ran.flagged);
  add(s.created_end(i) - ran.first_created);
  for (auto a = ran.first_created; a < s.created_end(i); ++a) add_value(*s.actor_at(a).type, s.actor_at(a).state);
  add(s.sent_by(i).size());
  for (const auto m : s.sent_by(i)) {
    const auto& sent = s.message_at(m);
    add_value(*sent.type, sent.payload);
    add(s.actor_at(sent.receiver).id);
    add(sent.kind);
  }
}

std::string pair_outcome::describe(const system& s, step_index first, step_index second) {
  const auto& receiver = s.actor_at(s.step_at(first).receiver);
  auto text = s.actor_name(s.step_at(first).receiver) + receiver.type->describe(s, receiver.state);
  for (const auto i : {first, second})
    for (const auto m : s.sent_by(i))
      text += fmt::format(", {} sends {}.{}", s.message_text(s.step_at(i).message),
                          s.actor_name(s.message_at(m).receiver), s.message_text(m));
  return text;
}

}  // namespace harrier
