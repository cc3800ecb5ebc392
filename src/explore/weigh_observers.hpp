#pragma once

#include <cstdint>
#include <optional>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What some executions say of whether it pays to tell observers apart.
struct weighed_observers {
  std::uint64_t executions = 0;
  /// Deliveries that came right after another one to the same actor.
  std::uint64_t neighbours = 0;
  /// Those of them in which both observed, and could have come in the other order: such pairs make
  /// several executions one.
  std::uint64_t free = 0;

  /// Where nothing was seen there is nothing to go by.
  [[nodiscard]] bool pay() const { return free > 0 || executions == 0; }
};

/// Runs some random executions of `tested`, always the same, and stops at the first pair of observers that are free:
/// a search of a program that has none is exact without looking for them, and faster. What a rare order alone
/// would show may be missed; then more executions than necessary are run, never fewer.
/// @return nothing where `how` says what is to be done, or it cannot be found out: observers are not told apart by the
///         engine, or in that program, or it has stages.
/// @throws what the program throws outside its handlers
std::optional<weighed_observers> weigh_observers(const program& tested, const options& how);

/// Tells of it in `result`: figures, and a sentence where it may matter to somebody.
void tell(const weighed_observers& seen, exploration& result);

}  // namespace harrier
