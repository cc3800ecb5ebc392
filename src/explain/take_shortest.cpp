#include "take_shortest.hpp"

#include <algorithm>

namespace harrier {
namespace {

bool is_about_states(const finding& f) {
  switch (f.kind) {
    case finding_kind::assertion:
    case finding_kind::deadlock:
    case finding_kind::undelivered: return true;
    case finding_kind::exception: return !f.actor.empty();
    default: return false;
  }
}

}  // namespace

std::size_t longest_of_states(const std::vector<finding>& all) {
  std::size_t longest = 0;
  for (const auto& f : all)
    if (is_about_states(f)) longest = std::max(longest, f.schedule.size());
  return longest;
}

bool has_all_of_states(const known_findings& met, const known_findings& wanted) {
  return std::all_of(wanted.places.begin(), wanted.places.end(), [&](const auto& entry) {
    return !is_about_states(wanted.all[entry.second]) || met.places.contains(entry.first);
  });
}

void take_shortest(std::vector<finding>& all, const std::map<fingerprint, std::size_t>& places,
                   const known_findings& met) {
  for (const auto& [key, i] : places) {
    auto& f = all[i];
    const auto place = met.places.find(key);
    if (place == met.places.end() || !is_about_states(f)) continue;
    const auto& shorter = met.all[place->second];
    if (shorter.schedule.size() <= f.schedule.size()) {  // of one length the same, whoever found it first
      const auto occurrences = f.occurrences;
      f = shorter;
      f.occurrences = occurrences;
    }
    f.is_shortest = f.schedule.size() == shorter.schedule.size();
  }
}

}  // namespace harrier
