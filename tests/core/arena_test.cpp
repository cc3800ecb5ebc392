#include <harrier/core/arena.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>

namespace harrier {
namespace {

constexpr std::size_t kib = 1024;

bool is_aligned(const void* p, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(p) % alignment == 0; }

TEST(Arena, GivesTheSameMemoryAgainAfterRewinding) {
  arena memory;
  memory.allocate(24, 8);
  const auto here = memory.here();
  auto* const first = memory.allocate(16, 8);
  memory.allocate(100, 8);

  memory.rewind(here);

  EXPECT_EQ(memory.allocate(16, 8), first);
}

TEST(Arena, LeavesAloneWhatWasTakenBeforeTheMark) {
  arena memory;
  auto* const kept = static_cast<unsigned char*>(memory.allocate(32, 8));
  std::memset(kept, 0xa5, 32);
  const auto here = memory.here();
  std::memset(memory.allocate(100 * kib, 8), 0, 100 * kib);

  memory.rewind(here);
  std::memset(memory.allocate(64, 8), 0, 64);

  EXPECT_EQ(kept[0], 0xa5);
  EXPECT_EQ(kept[31], 0xa5);
}

TEST(Arena, AlignsWhatItGives) {
  arena memory;
  for (const std::size_t alignment : {1, 2, 4, 8, 16}) {
    memory.allocate(1, 1);
    EXPECT_TRUE(is_aligned(memory.allocate(3, alignment), alignment)) << alignment;
  }
}

TEST(Arena, AlignsTheFirstOfABlock) {
  arena memory;
  memory.allocate(64 * kib - 1, 1);

  EXPECT_TRUE(is_aligned(memory.allocate(32, alignof(std::max_align_t)), alignof(std::max_align_t)));
}

TEST(Arena, TakesNothingForPaddingThatIsNotNeeded) {
  arena memory;
  auto* const first = static_cast<std::byte*>(memory.allocate(8, 8));

  EXPECT_EQ(memory.allocate(8, 8), first + 8);
  EXPECT_EQ(memory.allocate(3, 1), first + 16);
  EXPECT_EQ(memory.allocate(4, 4), first + 20);
}

TEST(Arena, FillsABlockToItsLastByte) {
  arena memory;
  auto* const first = static_cast<std::byte*>(memory.allocate(64 * kib - 8, 8));

  EXPECT_EQ(memory.allocate(8, 8), first + (64 * kib - 8));
}

TEST(Arena, UsesABlockAgainThatItHasLeft) {
  arena memory;
  memory.allocate(60 * kib, 8);
  const auto here = memory.here();
  auto* const in_second = memory.allocate(60 * kib, 8);

  memory.rewind(here);

  EXPECT_EQ(memory.allocate(60 * kib, 8), in_second);
}

TEST(Arena, GoesBackOverSeveralBlocksAtOnce) {
  arena memory;
  const auto start = memory.here();
  auto* const lowest = memory.allocate(8, 8);
  for (int i = 0; i < 20; ++i) memory.allocate(50 * kib, 8);

  memory.rewind(start);

  EXPECT_EQ(memory.allocate(8, 8), lowest);
}

TEST(Arena, GoesBackIntoAnInnerBlock) {
  arena memory;
  memory.allocate(60 * kib, 8);
  memory.allocate(60 * kib, 8);
  const auto in_second = memory.here();
  auto* const next = memory.allocate(8, 8);
  memory.allocate(500 * kib, 8);

  memory.rewind(in_second);

  EXPECT_EQ(memory.allocate(8, 8), next);
}

TEST(Arena, GivesMoreThanABlockHolds) {
  arena memory;
  auto* const large = static_cast<unsigned char*>(memory.allocate(1000 * kib, 8));
  std::memset(large, 1, 1000 * kib);  // the sanitizer looks

  EXPECT_TRUE(is_aligned(large, 8));
}

TEST(Arena, SkipsAKeptBlockThatIsTooSmall) {
  arena memory;
  const auto start = memory.here();
  memory.allocate(60 * kib, 8);
  auto* const second = memory.allocate(60 * kib, 8);  // a block of 128 KiB
  memory.rewind(start);
  memory.allocate(60 * kib, 8);

  auto* const large = static_cast<unsigned char*>(memory.allocate(200 * kib, 8));
  std::memset(large, 1, 200 * kib);

  EXPECT_NE(large, second);
  memory.rewind(start);
  memory.allocate(60 * kib, 8);
  EXPECT_EQ(memory.allocate(60 * kib, 8), second);
}

TEST(Arena, NeverGivesTheSamePlaceTwice) {
  arena memory;
  std::set<void*> given;
  for (int i = 0; i < 2000; ++i) given.insert(memory.allocate(100, 4));

  EXPECT_EQ(given.size(), 2000U);
}

}  // namespace
}  // namespace harrier
