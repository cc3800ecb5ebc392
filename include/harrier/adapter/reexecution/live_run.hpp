#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>

/// What adapters to actor libraries have in common whose actors can neither be
/// copied nor taken back: the program is run from its beginning again wherever a
/// search goes back (docs/architecture.md says what a system has to do).
namespace harrier::reexecution {

/// What is in a message, as its library has it. Never changed once sent.
class content {
public:
  virtual ~content() = default;
  /// What it is called without its arguments: `set`.
  [[nodiscard]] virtual std::string name() const = 0;
  /// As a person writes it: `set(5)`.
  [[nodiscard]] virtual std::string describe() const = 0;
};

/// Is told what a run does. Actors and messages are numbered in the order in
/// which they are told of, from 0; actor 0 is whoever runs the beginning, and
/// need not be told of.
///
/// Nothing of it throws: it may be called from within the library.
class listener {
public:
  virtual ~listener() = default;
  /// There is a new actor. @param name  of its class. @return its number
  virtual std::uint32_t created(const std::string& name) = 0;
  /// The running actor sent that. @return the message's number
  virtual std::uint32_t sent(std::uint32_t receiver, std::shared_ptr<const content> what) = 0;
  /// The running actor takes nothing more.
  virtual void ended() = 0;
  /// The running actor's step failed, and it takes nothing more.
  virtual void failed(record what) = 0;
  /// The same, but it goes on.
  virtual void complained(record what) = 0;
  /// One of `arity` values, at least 1, for the running step.
  virtual std::uint64_t choose(std::uint64_t arity) = 0;
};

/// One run of the program, from its beginning to wherever it is left. An adapter
/// derives from it; it is made for each execution, so making and destroying one
/// should be cheap.
class live_run {
public:
  /// Leaves the program wherever it is. The listener is told nothing.
  virtual ~live_run() = default;
  /// Runs the program's beginning, up to where only deliveries go on. Called once, first.
  virtual void begin() = 0;
  /// Hands message number `message` to its receiver, and runs it.
  /// @return whether the receiver took it. If not, nothing happened, and the
  ///         message may be handed to it again later.
  virtual bool deliver(std::uint32_t message) = 0;
};

/// A program whose runs `start` makes, always the same.
/// @param refuses  whether a receiver may refuse a message (live_run::deliver gives
///        false). What it would take is tried in runs of their own, once for each
///        past of the receiver and each message.
/// @par Cost  of a delivery after going back: all deliveries before it.
struct rerun_program {
  std::function<std::unique_ptr<live_run>(listener&)> start;
  bool refuses = true;
};

/// The program for a search.
/// Its systems throw system::nondeterminism where a run does not repeat what an
/// earlier one did: other actors, messages, draws, failures or refusals.
program reexecute(rerun_program what);

}  // namespace harrier::reexecution
