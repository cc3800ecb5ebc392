#include "sampling.hpp"

namespace harrier {
namespace {

std::mt19937_64 generator_of(std::uint64_t seed, std::uint64_t execution) {
  std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                     static_cast<std::uint32_t>(execution), static_cast<std::uint32_t>(execution >> 32)};
  return std::mt19937_64(both);
}

}  // namespace

sampler::sampler(std::uint64_t seed, std::uint64_t execution) : random_(generator_of(seed, execution)) {}

std::uint64_t sampler::below(std::uint64_t n) {
  const auto limit = std::mt19937_64::max() - std::mt19937_64::max() % n;
  for (;;)
    if (const auto x = random_(); x < limit) return x % n;
}

}  // namespace harrier
