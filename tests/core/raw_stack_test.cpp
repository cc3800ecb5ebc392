#include <harrier/core/raw_stack.hpp>

#include <gtest/gtest.h>

namespace harrier::internal {
namespace {

TEST(RawStack, IsEmptyAtFirst) {
  const raw_stack<int> s;

  EXPECT_TRUE(s.empty());
  EXPECT_EQ(s.size(), 0U);
}

TEST(RawStack, HasOnTopWhatWasPushedLast) {
  raw_stack<int> s;
  s.push() = 7;
  s.push() = 8;

  EXPECT_EQ(s.back(), 8);
  s.pop();
  EXPECT_EQ(s.back(), 7);
  EXPECT_EQ(s.size(), 1U);
}

TEST(RawStack, KeepsItsElementsWhenItGrows) {
  raw_stack<int> s;
  for (int i = 0; i < 1000; ++i) s.push() = i;

  EXPECT_EQ(s.size(), 1000U);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(s[i], static_cast<int>(i));
}

TEST(RawStack, KeepsTheLowestWhenTruncated) {
  raw_stack<int> s;
  for (int i = 0; i < 10; ++i) s.push() = i;

  s.truncate(4);

  EXPECT_EQ(s.size(), 4U);
  EXPECT_EQ(s.back(), 3);
  s.truncate(0);
  EXPECT_TRUE(s.empty());
}

TEST(RawStack, PushesManyInOnePiece) {
  raw_stack<int> s;
  s.push() = 1;
  auto* const many = s.push_many(300);
  for (int i = 0; i < 300; ++i) many[i] = 10 + i;  // the sanitizer looks

  EXPECT_EQ(s.size(), 301U);
  EXPECT_EQ(s[0], 1);
  EXPECT_EQ(s[1], 10);
  EXPECT_EQ(s.back(), 309);
}

TEST(RawStack, PushesNoneOfMany) {
  raw_stack<int> s;
  s.push() = 1;
  s.push_many(0);

  EXPECT_EQ(s.size(), 1U);
}

}  // namespace
}  // namespace harrier::internal
