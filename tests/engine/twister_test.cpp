#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

#include <src/engine/sampling/sampling.hpp>

namespace harrier {
namespace {

/// Numbers in which the two differ, of more than three rounds.
int differences(const std::array<std::uint32_t, 4>& seeds) {
  std::seed_seq all{seeds[0], seeds[1], seeds[2], seeds[3]};
  std::mt19937_64 standard(all);
  twister ours(seeds);
  int count = 0;
  for (int i = 0; i < 1000; ++i) count += standard() == ours() ? 0 : 1;
  return count;
}

TEST(Twister, GivesTheNumbersOfTheStandardLibrary) {
  constexpr auto most = ~std::uint32_t{0};
  EXPECT_EQ(differences({0, 0, 0, 0}), 0);
  EXPECT_EQ(differences({most, most, most, most}), 0);
  for (std::uint32_t i = 1; i < 100; ++i) EXPECT_EQ(differences({i * 7919, i, i * 104729, 1U << i % 32}), 0);
}

TEST(Sampler, IsUniformWhereNumbersHaveToBeLeftOut) {
  constexpr auto n = std::uint64_t{3} << 62U;  // the greatest multiple of it below 2^64 is itself
  sampler draws(1, 2);
  int in_first_third = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto x = draws.below(n);
    EXPECT_LT(x, n);
    in_first_third += x < n / 3 ? 1 : 0;
  }
  EXPECT_NEAR(in_first_third, 1000, 150);
}

}  // namespace
}  // namespace harrier
