#pragma once

#include <cstddef>
#include <vector>

#include <harrier/core/fingerprint.hpp>

namespace harrier {

/// Some of the states that were met lately and in which nothing is left to do. It
/// stands before the table of all states: that is in memory far away, and for
/// several threads under a lock, while more than half of the states that a search
/// depth first meets again, it meets again soon.
class recent_states {
public:
  recent_states() : places_(std::size_t{1} << bits) {}

  [[nodiscard]] bool has(fingerprint state) const { return place_of(state) == state && state != fingerprint{}; }
  void add(fingerprint state) { places_[index_of(state)] = state; }

private:
  static constexpr unsigned bits = 14;  // a quarter of a MiB: a processor's second cache has room for it

  static std::size_t index_of(fingerprint state) { return static_cast<std::size_t>(state.low >> (64 - bits)); }
  [[nodiscard]] fingerprint place_of(fingerprint state) const { return places_[index_of(state)]; }

  std::vector<fingerprint> places_;
};

}  // namespace harrier
