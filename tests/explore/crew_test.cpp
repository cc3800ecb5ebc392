#include "src/explore/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace harrier {
namespace {

TEST(Crew, DoesAThingInEveryThread) {
  crew c(4);
  std::vector<int> done(4);
  c.run([&](std::size_t i) { done[i] = static_cast<int>(i) + 1; });
  EXPECT_EQ(done, (std::vector{1, 2, 3, 4}));
}

TEST(Crew, DoesTheNextThingInTheSameThreadsAgain) {
  crew c(3);
  std::vector<std::thread::id> first(3);
  std::vector<std::thread::id> second(3);
  c.run([&](std::size_t i) { first[i] = std::this_thread::get_id(); });
  c.run([&](std::size_t i) { second[i] = std::this_thread::get_id(); });
  EXPECT_EQ(first, second);
  EXPECT_EQ(first[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 3U);
}

TEST(Crew, BeginsEachThreadButTheCallers) {
  std::atomic<int> begun = 0;
  crew c(3, [&] { ++begun; });
  c.run([](std::size_t) {});
  EXPECT_EQ(begun, 2);
}

TEST(Crew, ThrowsWhatTheFirstThreadThrewOnceAllAreDone) {
  crew c(3);
  std::atomic<int> done = 0;
  const auto fails = [&](std::size_t i) {
    ++done;
    if (i > 0) throw std::runtime_error(std::to_string(i));
  };
  try {
    c.run(fails);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "1");
  }
  EXPECT_EQ(done, 3);
  c.run([&](std::size_t) { ++done; });  // it can go on
  EXPECT_EQ(done, 6);
}

TEST(Crew, MayBeOneAlone) {
  crew c(1);
  int done = 0;
  c.run([&](std::size_t) { ++done; });
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace harrier
