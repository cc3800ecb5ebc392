#pragma once

#include <functional>
#include <string>

#include <harrier/core/system.hpp>

namespace harrier {

/// Code of the program under test that a search runs outside handlers.
struct outside_handlers {
  /// `the guard accepts(handler<&fork::take>) of fork_0`.
  std::string what;
  /// `fork_0`.
  std::string actor;
  /// Deliveries that lead to where it is called.
  std::size_t depth = 0;
};

/// Told before each call. What the call throws leaves the function that made it.
using about_to_call = std::function<void(const outside_handlers&)>;

/// Calls all code that a search may call outside handlers, a function at a time:
/// where `s` is, and at each configuration on the way back to the initial one,
/// where it leaves `s`.
///
/// A search says nothing about such calls, which are many; when one has failed,
/// this finds out which.
/// @par Complexity  O(steps * size of the configuration), and for guards
///      O(guarded messages * steps of their receivers).
void examine_all(system& s, const about_to_call& tell);

/// The same for what runs before the handler of `m`: the copy of its receiver.
void examine_copy_before(const system& s, message_slot m, const about_to_call& tell);

}  // namespace harrier
