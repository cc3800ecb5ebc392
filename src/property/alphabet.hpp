#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <harrier/property/model.hpp>

namespace harrier::internal {

/// Which propositions hold in which labels, asked of the model once and shared by all formulas.
class alphabet {
public:
  explicit alphabet(model& source) : source_(source) {}

  std::size_t index_of(const std::string& proposition) {
    const auto [place, is_new] = index_.try_emplace(proposition, columns_.size());
    if (is_new) {
      names_.push_back(proposition);
      columns_.emplace_back();
    }
    return place->second;
  }

  bool holds(model_label label, std::size_t proposition) {
    auto& column = columns_[proposition];
    if (column.size() <= label) column.resize(std::size_t{label} + 1, answer::unasked);
    auto& known = column[label];
    if (known == answer::unasked) known = source_.holds(label, names_[proposition]) ? answer::yes : answer::no;
    return known == answer::yes;
  }

private:
  enum class answer : std::uint8_t { unasked, no, yes };

  model& source_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::string> names_;
  std::vector<std::vector<answer>> columns_;  // by proposition, then label
};

}  // namespace harrier::internal
