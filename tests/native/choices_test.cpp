// Data choices and guards.
#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct gambler {
  std::uint64_t first = 0, second = 0;
  void draw(self& me) {
    first = me.choose(2);
    if (first == 1) second = me.choose(3);
    me.check(!(first == 1 && second == 2), "unlucky");
  }
};

TEST(Choices, AreAllExplored) {
  for (const auto* engine : {"exhaustive", "optimal", "trust", "source", "dcute", "persistent", "transdpor"}) {
    const auto result = explore_all([](self& me) { me.send<&gambler::draw>(me.create<gambler>()); }, engine);
    EXPECT_EQ(result.executions, 4U) << engine;  // 0; 1 with 0, 1, 2
    EXPECT_THAT(messages_of(result), ElementsAre("unlucky")) << engine;
    EXPECT_THAT(result.findings[0].trace[0].choices, ElementsAre(1U, 2U)) << engine;
  }
}

TEST(Choices, OfTheDriverAreExploredToo) {
  const auto result = explore_all([](self& me) {
    if (me.choose(2) == 1) me.send<&gambler::draw>(me.create<gambler>());
  });
  EXPECT_EQ(result.executions, 5U);
}

TEST(Choices, AmongNothingAreAnError) {
  const auto result = explore_all([](self& me) { me.send<&gambler::draw>(me.create<gambler>()); });
  EXPECT_TRUE(result.exhausted);
  EXPECT_THROW(static_cast<void>(explore([](self& me) { me.choose(0); })), untestable_program);
}

struct lock {
  bool held = false;
  void take(self& me) {
    me.check(!held, "nobody holds it");
    held = true;
  }
  bool accepts(handler<&lock::take>) const { return !held; }
  void release() { held = false; }
};

TEST(Guards, HoldAMessageBackUntilItsReceiverAcceptsIt) {
  const auto two_takes = [](self& me) {
    const auto l = me.create<lock>();
    me.send<&lock::take>(l);
    me.send<&lock::take>(l);
    me.send<&lock::release>(l);
  };
  const auto result = explore_all(two_takes);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(explore_all(two_takes, "optimal").executions, explore_all(two_takes, "trust").executions);
}

struct odd_only {
  int sum = 0;
  void add(int value) { sum += value; }
  bool accepts(handler<&odd_only::add>, int value) const { return value % 2 == 1; }
};

TEST(Guards, MayLookAtTheArguments) {
  const auto result = explore_all([](self& me) {
    const auto a = me.create<odd_only>();
    for (int i = 1; i <= 3; ++i) me.send<&odd_only::add>(a, i);
  });
  EXPECT_EQ(result.executions, 2U);  // 1 and 3 in both orders; 2 never
}

}  // namespace
}  // namespace harrier
