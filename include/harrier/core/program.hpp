#pragma once

#include <functional>

#include <harrier/core/delivery.hpp>
#include <harrier/core/states.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// A program under test: how to set it up in its initial configuration.
///
/// `start` gives a fresh system each time it is called, sharing nothing with
/// the others, and always the same one for a delivery model: a search, each
/// replay and each worker have their own. It throws untestable_program if the
/// program fails before its first message.
struct program {
  std::function<system_handle(delivery)> make;
  /// What the states must be in which an execution ends; null: anything.
  final_check finally = nullptr;
  /// How its library delivers, for a search that is not told (options::delivery).
  delivery usual_delivery = delivery::unordered;

  /// @throws untestable_program  also for what leaves the program while it starts.
  [[nodiscard]] system_handle start(delivery model = delivery::unordered) const;
};

}  // namespace harrier
