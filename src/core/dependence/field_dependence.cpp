#include "field_dependence.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "../base/visible_value.hpp"
#include "pair_outcome.hpp"
#include "wrong_declaration.hpp"

namespace harrier {
namespace {

std::uint64_t bit_of_field(std::size_t i) { return std::uint64_t{1} << std::min<std::size_t>(i, 63); }

/// The first of the fields in `mask`.
std::string name_of_field(const std::vector<state_field>& fields, std::uint64_t mask) {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if ((mask & bit_of_field(i)) != 0) return fields[i].name;
  return "?";
}

}  // namespace

const field_dependence::layout& field_dependence::layout_of(const actor& a) {
  const auto [known, is_new] = layouts_.try_emplace(a.type);
  if (is_new) known->second = {a.type->layout(a.state), a.type->may_refuse()};
  return known->second;
}

touched_set field_dependence::touched_by_last_step() {
  const auto i = system_.last_step();
  if (known_.size() <= i) known_.resize(i + std::size_t{1});
  check_declared_sends(system_, i, system_.step_at(i).message);
  known_[i] = is_state_and_sends(system_) ? touched_by_handler(i) : known_step{};
  any_declared_ = any_declared_ || known_[i].is_declared;
  log_.forget();
  return known_[i].touches;
}

field_dependence::known_step field_dependence::touched_by_handler(step_index i) {
  const auto& ran = system_.step_at(i);
  const auto& receiver = system_.actor_at(ran.receiver);
  if (!ran.keeps_state && ran.state_before == nullptr) return {};
  field_set touched;
  if (ran.first_sent != system_.sent_end(i) || ran.first_created != system_.created_end(i)) {
    if (system_.model() == delivery::causal) return {};
    if (system_.model() != delivery::unordered) touched.send_in_order();
  }
  const auto& known = layout_of(receiver);
  const auto changed =
      ran.keeps_state ? std::uint64_t{0} : receiver.type->changed_fields(ran.state_before, receiver.state);
  const bool is_known = changed != ~std::uint64_t{0};  // not if its inspect shows other fields than before, say
  declared_.clear();
  const bool is_declared = system_.message_at(ran.message).type->declare_accesses(receiver.state, declared_);
  if (is_declared) check_declared(known, i, is_known ? changed : 0);
  if (!is_known) return {};
  if (known.may_refuse) {
    if (changed != 0) return {};
    touched.read_all_fields();
    return {touched.code()};
  }
  return {is_declared ? fields_declared(known, touched) : fields_seen(known, i, changed, touched), is_declared};
}

touched_set field_dependence::fields_declared(const layout& known, field_set touched) const {
  for (const auto& access : declared_) touched.add(field_at(known, access.offset), access.writes);
  return touched.code();
}

touched_set field_dependence::fields_seen(const layout& known, step_index i, std::uint64_t changed,
                                          field_set touched) const {
  const auto& fields = known.fields;
  const bool is_watched = log_.object() == system_.actor_at(system_.step_at(i).receiver).state;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const bool is_changed = (changed & bit_of_field(f)) != 0;
    if (is_changed || !fields[f].is_tracked || !is_watched) touched.add(f, is_changed);
  }
  if (!is_watched) return touched.code();
  for (const auto& access : log_.all()) {
    const auto f = field_at(known, access.offset);
    if (f == fields.size()) return everything;  // of a field that its inspect leaves out
    touched.add(f, access.writes);
  }
  return touched.code();
}

std::size_t field_dependence::field_at(const layout& known, std::size_t offset) {
  const auto& all = known.fields;
  const auto holds = [&](const state_field& f) {
    return offset != state_field::elsewhere && f.offset <= offset && offset - f.offset < f.bytes;
  };
  return static_cast<std::size_t>(std::find_if(all.begin(), all.end(), holds) - all.begin());
}

void field_dependence::check_declared(const layout& known, step_index i, std::uint64_t changed) const {
  std::uint64_t written = 0;
  std::uint64_t touched = 0;
  for (const auto& access : declared_) {
    const auto f = field_at(known, access.offset);
    if (f == known.fields.size())
      throw wrong_declaration(fmt::format("{} is declared to touch a field that the inspect of {} leaves out",
                                          text_of(i), system_.actor_at(system_.step_at(i).receiver).type->name()));
    touched |= bit_of_field(f);
    if (access.writes) written |= bit_of_field(f);
  }
  if (const auto undeclared = changed & ~written; undeclared != 0)
    throw wrong_declaration(fmt::format("{} changed `{}`, which its handler is not declared to write", text_of(i),
                                        name_of_field(known.fields, undeclared)));
  for (const auto& access : log_.all()) {
    const auto f = field_at(known, access.offset);
    const auto bit = f == known.fields.size() ? 0 : bit_of_field(f);
    if ((bit & (access.writes ? written : touched)) != 0) continue;
    throw wrong_declaration(
        fmt::format("{} {} `{}`, which its handler is not declared to {}", text_of(i), access.writes ? "wrote" : "read",
                    f == known.fields.size() ? "a field that its inspect leaves out" : known.fields[f].name,
                    access.writes ? "write" : "read"));
  }
}

std::string field_dependence::text_of(step_index i) const {
  const auto& s = system_.step_at(i);
  return fmt::format("{}.{}", system_.actor_name(s.receiver), system_.message_text(s.message));
}

bool field_dependence::check_declarations(const happens_before& order, step_index from,
                                          const std::function<bool(std::size_t)>& gives_up) {
  if (!any_declared_) return true;
  const auto end = static_cast<step_index>(system_.step_count());
  find_states();
  for (auto f = from; f < end; ++f) {
    if (touches(f) == everything) continue;
    for (auto e = system_.step_at(f).previous; touches(e) != everything; e = system_.step_at(e).previous) {
      std::size_t done = 1;
      if ((known_[e].is_declared || known_[f].is_declared) && !order.before(e, f) && is_new_pair(e, f)) {
        done += exchange(order, e, f);
        find_states();
      }
      if (gives_up(done)) return false;
    }
  }
  return true;
}

/// A step that keeps its receiver's state has no copy of it: the next one has, or nobody changed it.
void field_dependence::find_states() {
  const auto end = system_.step_count();
  states_.resize(end);
  std::vector<const void*> latest(system_.actor_count(), nullptr);
  for (auto i = end; i-- > system_.setup_steps();) {
    const auto& s = system_.step_at(i);
    auto& state = latest[s.receiver];
    if (s.state_before != nullptr)
      state = s.state_before;
    else if (state == nullptr)
      state = system_.actor_at(s.receiver).state;
    states_[i] = state;
  }
}

bool field_dependence::is_new_pair(step_index e, step_index f) {
  const auto& receiver = system_.actor_at(system_.step_at(e).receiver);
  std::vector<fingerprint> pair;
  bool is_all = true;
  const auto add = [&](const auto& type, const void* value) {
    const auto seen = visible_value::of(type, value);
    pair.push_back(seen.value);
    is_all = is_all && seen.is_all;
  };
  for (const auto i : {e, f}) {
    const auto& m = system_.message_at(system_.step_at(i).message);
    add(*m.type, m.payload);
    add(*receiver.type, states_[i]);
  }
  return !is_all || tried_.insert(hash_bytes(pair.data(), pair.size() * sizeof(fingerprint))).second;
}

std::size_t field_dependence::exchange(const happens_before& order, step_index e, step_index f) {
  const auto end = static_cast<step_index>(system_.step_count());
  std::vector<message_id> labels;
  for (auto i = e; i < end; ++i) labels.push_back(system_.step_at(i).label);
  const auto label_of = [&](step_index i) { return labels[i - e]; };
  std::vector<step_index> between;
  for (auto g = e + 1; g < f; ++g)
    if (!order.before(e, g)) between.push_back(g);
  auto* const watching = system_.watch().observe(nullptr);
  while (system_.step_count() > e) system_.undo();
  for (const auto g : between) deliver_planned(system_, label_of(g));
  deliver_planned(system_, label_of(e));
  deliver_planned(system_, label_of(f));
  check_last_two();
  while (system_.step_count() > e) system_.undo();
  for (auto i = e; i < end; ++i) system_.deliver_event(label_of(i));
  log_.forget();
  system_.watch().observe(watching);
  constexpr std::size_t of_the_pair = 6;  // as it was, the other way round, and again
  const auto made = between.size() + of_the_pair + labels.size();
  system_.watch().made_before(made);
  return made;
}

void field_dependence::check_last_two() {
  const auto f = system_.last_step();
  const auto e = system_.step_at(f).previous;
  if (system_.message_at(system_.step_at(f).message).sent_by == e) return;
  const auto first = system_.step_at(e).label;
  const auto second = system_.step_at(f).label;
  const auto as_it_was = pair_outcome(system_, e, f).values;
  const auto left = pair_outcome::describe(system_, e, f);
  const auto names = fmt::format("{} and {}", text_of(e), text_of(f));
  const auto exchange_them = [&](message_id now, message_id then) {
    system_.undo();
    system_.undo();
    deliver_planned(system_, now);
    deliver_planned(system_, then);
  };
  exchange_them(second, first);
  const auto other_way_round = pair_outcome(system_, f, e).values;
  const auto left_by_others = pair_outcome::describe(system_, f, e);
  exchange_them(first, second);
  if (as_it_was == other_way_round) return;
  throw wrong_declaration(
      fmt::format("{} commute by what their handlers are declared to touch, and do not: in this order they leave {}, "
                  "the other way round {}",
                  names, left, left_by_others));
}

void field_dependence::deliver_planned(system& s, message_id label) {
  const auto m = s.slot_of(s.names().message_of(label));
  if (m == no_message || !s.pending(m) || !s.deliverable(m)) planned_is_missing(s);
  s.deliver_event(label);
}

void field_dependence::planned_is_missing(const system& s) {
  const auto last = s.last_step();
  throw wrong_declaration(fmt::format(
      "after {}.{} a message cannot be delivered that was to come next, since what other orders of messages "
      "showed does not hold in this one: a handler touches what it is not declared to touch, or what the "
      "inspect of its class leaves out",
      s.actor_name(s.step_at(last).receiver), s.message_text(s.step_at(last).message)));
}

}  // namespace harrier
