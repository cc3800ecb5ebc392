#include "growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace harrier {
namespace {

constexpr std::uint64_t sampled_until_rarer = 512;
constexpr std::uint64_t most_looked_at_per_state = 64;  // actors and messages: of 10^5 each sample takes long
constexpr std::size_t most_reported = 3;

}  // namespace

void growth::sample(const system& s) {
  if (++sampled_ % sampled_until_rarer == 0) every_ *= 8;
  while (s.actor_count() + s.message_count() - s.step_count() > most_looked_at_per_state * every_) every_ *= 2;
  for (actor_slot a = 0; a < s.actor_count(); ++a) {
    const auto& x = s.actor_at(a);
    if (x.state_of_life == actor::mode::gone) continue;
    std::size_t place = 0;
    for (const auto& [name, value] : x.type->fields(x.state)) taken_by(*x.type, place++, name).insert(value.low);
  }
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) ++kind_of(s, m).pending;
  for (auto& [name, k] : kinds_by_name_)
    if (k.pending != 0) k.counts->insert(std::exchange(k.pending, 0));
}

/// By the field in that place of what the class told, which need not be the same each time.
growth::values& growth::taken_by(const actor_type& type, std::size_t place, const std::string& name) {
  auto& known = fields_[&type];
  if (place < known.size() && known[place].name == name) return *known[place].taken;
  auto& taken = values_[fmt::format("{}.{}", type.name(), name)];
  if (place == known.size()) known.push_back({name, &taken});
  return taken;
}

/// By what stands before the arguments, which is what the type is called if that has a name.
growth::kind& growth::kind_of(const system& s, message_slot m) {
  const auto* const type = s.message_at(m).type;
  if (const auto known = kinds_.find(type); known != kinds_.end()) return *known->second;
  const auto text = s.message_text(m);
  const auto name = text.substr(0, text.find('('));
  auto& k = kinds_by_name_[name];
  if (k.counts == nullptr) k.counts = &values_["pending messages " + name];
  if (type->name() == name) kinds_.emplace(type, &k);
  return k;
}

void growth::join(const growth& other) {
  sampled_ += other.sampled_;
  for (const auto& [name, taken] : other.values_) values_[name].insert(taken.begin(), taken.end());
}

void growth::report(stateful_report& into) const {
  into.sampled_states = sampled_;
  for (const auto& [name, taken] : values_)
    if (taken.size() > 1) into.growing.push_back({name, taken.size()});
  std::stable_sort(into.growing.begin(), into.growing.end(),
                   [](const auto& a, const auto& b) { return a.different_values > b.different_values; });
  if (into.growing.size() > most_reported) into.growing.resize(most_reported);
}

}  // namespace harrier
