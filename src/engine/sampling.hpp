#pragma once

#include <cstdint>
#include <random>

#include <harrier/core/system.hpp>

namespace harrier {

/// The random numbers of one sampled execution. The standard's distributions
/// differ between libraries; a printed seed must mean the same everywhere.
class sampler {
public:
  /// Number `execution` of those of `seed`; it depends on these two alone.
  sampler(std::uint64_t seed, std::uint64_t execution);

  /// Uniform from 0 to n - 1; n is at least 1.
  std::uint64_t below(std::uint64_t n);

private:
  std::mt19937_64 random_;
};

/// Delivers `m` with drawn values, each uniform: takes the step back and makes it
/// again with one more digit drawn, until the handler asks for no further one.
void deliver_drawing(system& s, message_slot m, sampler& random);

}  // namespace harrier
