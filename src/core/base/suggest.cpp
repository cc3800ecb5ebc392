#include "suggest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace harrier {
namespace {

/// Letters to add, take away or change.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string* nearest = nullptr;
  auto fewest = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const bool begins_so = typed.size() >= 3 && candidate.substr(0, typed.size()) == typed;
    const auto longer = std::max(typed.size(), candidate.size()) - std::min(typed.size(), candidate.size());
    if (!begins_so && longer >= fewest) continue;  // each letter more is an edit: a text of megabytes is not looked at
    const auto edits = begins_so ? 1 : edits_between(typed, candidate);
    if (edits < fewest && edits < candidate.size()) {
      fewest = edits;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? std::string() : "; did you mean '" + *nearest + "'?";
}

}  // namespace harrier
