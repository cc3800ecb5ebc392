// What an exploration of a program that fails gives.
#include <stdexcept>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct failing {
  int stage = 0;
  void soft(self& me) {
    me.check(false, "soft");
    stage = 1;
    me.check(stage == 0, "after the soft failure the handler goes on");
  }
  void hard(self& me) {
    me.require(false, "hard");
    me.check(false, "never reached");
  }
  void throws() { throw std::logic_error("boom"); }
  void throws_an_int() { throw 7; }
  void nothing() {}
};

TEST(Findings, AFailedCheckGoesOn) {
  const auto result = explore_all([](self& me) { me.send<&failing::soft>(me.create<failing>()); });
  EXPECT_THAT(messages_of(result), ElementsAre("soft", "after the soft failure the handler goes on"));
  EXPECT_THAT(result.findings[0].file, HasSubstr("findings_test.cpp"));
  EXPECT_GT(result.findings[0].line, 0U);
}

TEST(Findings, AFailedRequirementEndsTheExecution) {
  const auto result = explore_all([](self& me) {
    const auto a = me.create<failing>();
    me.send<&failing::hard>(a);
    me.send<&failing::nothing>(a);
  });
  EXPECT_THAT(messages_of(result), ElementsAre("hard"));
  EXPECT_EQ(result.executions, 2U);
  EXPECT_EQ(result.transitions, 3U);  // hard; nothing, hard
}

TEST(Findings, AnUncaughtExceptionIsOne) {
  const auto result = explore_all([](self& me) {
    me.send<&failing::throws>(me.create<failing>());
    me.send<&failing::throws_an_int>(me.create<failing>());
  });
  EXPECT_THAT(messages_of(result), testing::UnorderedElementsAre("boom", "an exception that is no std::exception"));
}

TEST(Findings, AreReportedOnceWithTheirShortestScheduleAndACount) {
  const auto result = explore_all([](self& me) {
    me.send<&failing::soft>(me.create<failing>());
    for (int i = 0; i < 3; ++i) me.send<&failing::nothing>(me.create<failing>());
  });
  ASSERT_THAT(result.findings, SizeIs(2));
  EXPECT_THAT(result.findings[0].schedule, SizeIs(1));
  EXPECT_THAT(result.findings[0].trace, SizeIs(1));
  EXPECT_GT(result.findings[0].occurrences, 1U);
}

struct restless {
  int left = 1;
  bool at_rest() const { return left == 0; }
  void work() { --left; }
};

TEST(Findings, AnActorThatIsNotAtRestAtTheEndIsADeadlock) {
  const auto result = explore_all([](self& me) {
    me.create<restless>();
    me.send<&restless::work>(me.create<restless>());
  });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::deadlock);
  EXPECT_EQ(result.findings[0].actor, "restless_0");
}

TEST(Findings, AnEmptyEnvironmentWantsEveryActorGone) {
  options how;
  how.engine = "exhaustive";
  how.environment = environment::empty;
  const auto result = explore([](self& me) { me.create<failing>(); }, how);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::deadlock);
  how.may_be_left = [](const system& s, actor_slot a) { return s.actor_name(a) == "failing_0"; };
  EXPECT_THAT(explore([](self& me) { me.create<failing>(); }, how).findings, IsEmpty());
}

TEST(Findings, MessagesToDestroyedActorsAreWarningsUnlessMadeErrors) {
  const auto stop_work = [](self& me) {
    const auto a = me.create<counter>();
    me.send<&counter::stop>(a);
    me.send<&counter::reset>(a);
  };
  options how;
  how.engine = "exhaustive";
  how.keep_going = true;
  const auto warned = explore(stop_work, how);
  EXPECT_THAT(warned.findings, IsEmpty());
  ASSERT_THAT(warned.warnings, SizeIs(1));
  EXPECT_THAT(warned.warnings[0].message, HasSubstr("counter_0.reset() was never delivered"));
  how.undelivered = undelivered::error;
  EXPECT_THAT(explore(stop_work, how).findings, SizeIs(1));
  how.undelivered = undelivered::ignore;
  EXPECT_THAT(explore(stop_work, how).warnings, IsEmpty());
}

}  // namespace
}  // namespace harrier
