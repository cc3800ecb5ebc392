#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// What a step did, part by part, to be compared with what it did another time: whom it sent what, whom it created,
/// what it drew, recorded and noted, and what it left. By ids of actors, so that the orders of one system can be
/// compared.
struct step_outcome {
  std::vector<fingerprint> parts;
  std::vector<std::string> texts;  ///< each in words, if they were asked for: `sends take(1) to worker_0`

  bool operator==(const step_outcome& other) const { return parts == other.parts; }
};

/// Of the last step.
[[nodiscard]] step_outcome outcome_of_last_step(const system& s, bool in_words = false);

/// The first part in which two that are in words differ: what one says of it, and what the other does; nothing, if one
/// is the beginning of the other.
[[nodiscard]] std::optional<std::pair<std::string, std::string>> first_difference(const step_outcome& one,
                                                                                  const step_outcome& other);

}  // namespace harrier
