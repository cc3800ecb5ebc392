#include "growth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harrier {
namespace {

constexpr std::uint64_t sampled_until_rarer = 512;
constexpr std::size_t most_reported = 3;

}  // namespace

void growth::sample(const system& s) {
  if (++sampled_ % sampled_until_rarer == 0) every_ *= 8;
  std::map<std::string, std::uint64_t> pending;
  for (actor_slot a = 0; a < s.actor_count(); ++a) {
    const auto& x = s.actor_at(a);
    if (x.state_of_life == actor::mode::gone) continue;
    for (const auto& [field, value] : x.type->fields(x.state))
      values_[fmt::format("{}.{}", x.type->name(), field)].insert(value.low);
  }
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) {
    const auto text = s.message_text(m);
    ++pending[text.substr(0, text.find('('))];
  }
  for (const auto& [kind, count] : pending) values_["pending messages " + kind].insert(count);
}

void growth::report(stateful_report& into) const {
  into.sampled_states = sampled_;
  for (const auto& [name, values] : values_)
    if (values.size() > 1) into.growing.push_back({name, values.size()});
  std::stable_sort(into.growing.begin(), into.growing.end(),
                   [](const auto& a, const auto& b) { return a.different_values > b.different_values; });
  if (into.growing.size() > most_reported) into.growing.resize(most_reported);
}

}  // namespace harrier
