#pragma once

#include <cstdint>
#include <memory>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/stateful.hpp>

namespace harrier {

/// The states seen so far, each with a word of the caller's.
class state_store {
public:
  struct entry {
    bool is_new;
    /// The caller's word, 0 when new. Valid until the next insert.
    std::uint32_t* word;
  };

  virtual ~state_store() = default;

  /// Finds the state that the system is in, or adds it. @param value  its fingerprint.
  /// @pre a word that was 0 when its state was found again is left so.
  virtual entry insert(fingerprint value) = 0;
  /// The word of the state with that fingerprint, which is there, is left 0.
  virtual void settle(fingerprint value) { static_cast<void>(value); }
  /// The state with that fingerprint will be asked for soon.
  virtual void expect(fingerprint value) const { static_cast<void>(value); }
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// How many states are expected to have been taken for another one.
  [[nodiscard]] virtual double expected_misses() const = 0;
};

/// The store that `how` asks for, of states of `followed`, which it may look at.
std::unique_ptr<state_store> make_state_store(const stateful_options& how, const system& followed);

}  // namespace harrier
