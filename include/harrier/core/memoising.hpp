#pragma once

#include <cstdint>

namespace harrier {

/// Whether a handler is called again where the same actor, in the same state, takes the same message once more:
/// what it did then can be done without it (docs/memoising.md).
enum class memoising : std::uint8_t {
  automatic,  ///< not called again if it is dear: it is measured
  on,         ///< not called again
  off,        ///< called
};

/// What came of it, in one system.
struct memoised_steps {
  std::uint64_t recalled = 0;  ///< deliveries without a call of their handler
  std::uint64_t distinct = 0;  ///< deliveries whose handlers were called and whose effects were kept
  /// Deliveries that were looked for and could not be kept, or not be told from others: the handler created an actor,
  /// waits, failed, or the state shows less than it is.
  std::uint64_t unfit = 0;
  /// How often what was kept longest was given up to keep within the memory.
  std::uint64_t forgotten = 0;

  memoised_steps& operator+=(const memoised_steps& other) {
    recalled += other.recalled;
    distinct += other.distinct;
    unfit += other.unfit;
    forgotten += other.forgotten;
    return *this;
  }
};

}  // namespace harrier
