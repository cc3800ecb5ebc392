#pragma once

#include <cstdint>

namespace harrier {

/// When two deliveries to one actor are independent, so that their order is not tried. Which engine decides so, and in
/// which words it is said, is in src/explore/independences.cpp.
enum class independence : std::uint8_t {
  receiver,  ///< never, but for observers
  fields,    ///< if neither writes what the other touches, as tracked fields and declarations tell
  semantic,  ///< if both orders have the same effect in the state the actor is in: it is tried
};

}  // namespace harrier
