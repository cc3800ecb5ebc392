#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trial.hpp"

namespace harrier::tables {

/// One table as it came out.
struct outcome {
  table_notes about;
  std::vector<trial> trials;

  /// Cells in brackets left out.
  [[nodiscard]] tally sum() const;
};

/// The published cells beside ours, a row a line, with notes below on all that is not equal.
std::string to_text(const outcome& table);

/// `128 equal, 0 different, 3 ...`.
std::string to_text(const tally& sum);

nlohmann::ordered_json to_json(const outcome& table);
nlohmann::ordered_json to_json(const tally& sum);

}  // namespace harrier::tables
