// What a handler's draws cost: as many executions as there are values, and nothing beside.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

namespace harrier {
namespace {

struct gambler {
  std::uint64_t drawn = 0;
  std::uint64_t seen = 0;
  void play(self& me, std::uint64_t values) { drawn = me.choose(values); }
  void play_twice(self& me, std::uint64_t values) {
    drawn = me.choose(values);
    if (drawn % 2 == 0) drawn += me.choose(values);
  }
  void look() { seen = drawn; }
};

exploration all_of(const program& tested, const std::string& engine, std::uint64_t most = 0) {
  options how;
  how.search.engine = engine;
  how.limits.max_executions = most;
  return explore(tested, how);
}

double most_planned(const exploration& result) {
  for (const auto& s : result.statistics)
    if (s.name == "steps planned at most") return s.value;
  return -1;
}

program draws(std::uint64_t values, int looks) {
  return make_program([=](self& me) {
    const auto who = me.create<gambler>();
    me.send<&gambler::play>(who, values);
    for (int i = 0; i < looks; ++i) me.send<&gambler::look>(who);
  });
}

TEST(Draws, ArePlannedOneAfterTheOther) {
  const auto few = all_of(draws(10, 1), "optimal");
  const auto many = all_of(draws(2'000, 1), "optimal");

  EXPECT_EQ(few.executions, 20U);
  EXPECT_EQ(many.executions, 4'000U);
  EXPECT_TRUE(many.exhausted);
  EXPECT_EQ(most_planned(many), most_planned(few));
}

TEST(Draws, OfMoreValuesThanCanBeTriedAreTriedAsFarAsALimitGoes) {
  const auto result = all_of(draws(1'000'000'000'000, 2), "optimal", 10);

  EXPECT_EQ(result.executions, 10U);
  EXPECT_EQ(result.stopped_by, "the limit of 10 executions");
}

TEST(Draws, AreEachRunOnceWhereverTheyRace) {
  const auto tested = make_program([](self& me) {
    const auto one = me.create<gambler>();
    const auto other = me.create<gambler>();
    me.send<&gambler::play>(one, 3);
    me.send<&gambler::play_twice>(one, 3);
    me.send<&gambler::look>(other);
    me.send<&gambler::play>(other, 2);
  });
  const auto expected = all_of(tested, "trust");
  const auto result = all_of(tested, "optimal");

  EXPECT_EQ(result.executions, expected.executions);
  EXPECT_EQ(result.executions, (2U * 3U * (1 + 2 * 3)) * (2U * 2U));
  EXPECT_EQ(result.blocked, 0U);
}

}  // namespace
}  // namespace harrier
