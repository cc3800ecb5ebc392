#pragma once

#include <memory>

#include "../explore/judges.hpp"

namespace harrier {

/// `--property`, and `--ends` of all properties.
[[nodiscard]] std::unique_ptr<asked_judges> no_properties();

/// `--conforms-to`, and how the actors play the protocol.
[[nodiscard]] std::unique_ptr<asked_judges> no_conformance();

}  // namespace harrier
