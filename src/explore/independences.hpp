#pragma once

#include <span>
#include <string_view>

#include <harrier/core/independence.hpp>

#include "engines.hpp"

namespace harrier {

/// A way to decide when two deliveries to one actor are independent, as users know it. What is asked and said of it is
/// here, in one row each; that an engine decides so is the engine's: it is given optimal_options::independence, say.
struct named_independence {
  independence way;
  std::string_view name;
  /// When the order need not be tried: for `--help`.
  std::string_view meaning;
  /// The one that decides so; empty: all do.
  std::string_view engine = {};
  /// Why engine auto takes that one.
  std::string_view asked_for = {};
  /// `engine E ...`, of the others.
  std::string_view others_do_not = {};
  /// Why `--observers off` does not go with it.
  std::string_view needs_observers = {};
  /// What is said before what stands against it.
  std::string_view impossible = {};
  /// `... were not told apart`, where executions are too long for it.
  std::string_view told_apart = {};
  /// Several workers would not try it to their advantage: it is not suggested to them.
  bool is_for_one_worker = false;

  [[nodiscard]] bool is_decided_by(const named_engine& e) const { return engine.empty() || engine == e.name; }
};

/// The first is the default.
[[nodiscard]] std::span<const named_independence> independences();
[[nodiscard]] const named_independence& independence_as(independence way);

}  // namespace harrier
