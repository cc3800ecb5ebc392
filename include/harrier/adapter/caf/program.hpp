#pragma once

#include <cstdint>
#include <functional>

#include <harrier/core/program.hpp>

namespace caf {
class actor_system;
}

namespace harrier {

/// What of a CAF program is explored besides the orders of its messages.
struct caf_options {
  /// An actor that was spawned starts (its behaviour is made, its act() begins)
  /// before anything else happens. If not, that is one more event to be ordered;
  /// who starts late takes nothing before, so few programs differ.
  bool eager_starts = true;
  /// Delayed messages, timeouts and sleeping.
  enum class timers : std::uint8_t {
    earliest_first,  ///< time passes once nothing else can happen, up to the next of them
    any_time,        ///< each may come as soon as it is set: computers are slow and clocks differ
  };
  timers time = timers::earliest_first;
};

/// A program written with CAF 0.17 or 1.1 (libcaf_core, linked dynamically), as it
/// is: with the one for which harrier was built.
///
/// `body` is what its main function does: it makes one caf::actor_system or
/// several, spawns, sends, receives through scoped actors, waits. It is run again
/// for each execution, so it must do the same each time: nothing of it may depend
/// on the clock, on random numbers or on what an earlier run left in global
/// variables. The clock of C and C++ stands still meanwhile.
///
/// Explored are event-based, typed, composable, stateful, blocking, function and
/// detached actors, scoped actors, actor pools, requests, monitors, links, local
/// groups and timers. A program that uses io::middleman or another module,
/// streams, or actors from threads of its own is refused: its systems throw
/// untestable_program, which names what it was.
///
/// Found, besides what the search looks for: failed `assert`s, exceptions that
/// leave a handler or `body`, messages for which an actor has no handler and no
/// default handler of its own, and waiting for ever (`body` or a blocking actor,
/// where nothing can be delivered and no timer is set).
///
/// Actors that nothing refers to any more end, as in CAF, at any time from then on.
/// What of the program no execution was like, though CAF could do it, is said in
/// exploration::stopped_by, after `not_covered`.
/// @par Cost  of an execution, some 20 microseconds and what `body` does.
program caf_program(std::function<void()> body, caf_options how = {});

/// The same with one actor system, as the caf_main of CAF_MAIN() takes it.
program caf_program(std::function<void(caf::actor_system&)> caf_main, caf_options how = {});

}  // namespace harrier
