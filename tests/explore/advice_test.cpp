// What a result says beyond its counts: that nothing was tested, and what would help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/harrier.hpp>

#include "clocks.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct inbox {
  int count = 0;
  void put(int) { ++count; }
  bool accepts(handler<&inbox::put>, int n) const { return n >= 0; }
};

TEST(Remarks, SayThatADriverSendsNothing) {
  const auto result = explore([](self& me) { me.create<inbox>(); });

  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.notes, Contains(HasSubstr("the driver sends no message")));
}

TEST(Remarks, SayThatNothingCouldBeDelivered) {
  const auto result = explore([](self& me) { me.send<&inbox::put>(me.create<inbox>(), -1); });

  EXPECT_THAT(result.notes, Contains(HasSubstr("nothing that the driver sends can be delivered")));
}

TEST(Remarks, SayThatThereIsOneExecutionOnly) {
  EXPECT_THAT(explore([](self& me) { me.send<&inbox::put>(me.create<inbox>(), 1); }).notes,
              Contains(HasSubstr("there is one execution only")));
  const auto two = [](self& me) {
    const auto a = me.create<inbox>();
    me.send<&inbox::put>(a, 1);
    me.send<&inbox::put>(a, 2);
  };
  EXPECT_THAT(explore(two).notes, Not(Contains(HasSubstr("one execution only"))));
}

TEST(Remarks, SayThatNoExecutionCameToItsEnd) {
  options how;
  how.engine = "optimal";
  how.max_depth = 20;
  how.max_executions = 100;
  EXPECT_THAT(explore(run_clocks, how).notes, Contains(HasSubstr("each was cut after 20 deliveries")));
}

struct doubtful {
  void go(self& me) { me.assume(false); }
};

TEST(Remarks, SayThatNothingWasJudgedWhereEveryExecutionWasAssumedAway) {
  for (const auto* engine : {"auto", "exhaustive", "optimal", "stateful", "trust"}) {
    options how;
    how.engine = engine;
    const auto all = explore([](self& me) { me.send<&doubtful::go>(me.create<doubtful>()); }, how);
    EXPECT_FALSE(all.exhausted) << engine;
    EXPECT_EQ(all.stopped_by, "assumptions that hold in no execution") << engine;
    EXPECT_THAT(all.notes, Contains("nothing was judged: every execution was assumed away")) << engine;
  }
}

TEST(Remarks, SayThatNothingWasJudgedWhereACheckOfTheEndsNeverSawOne) {
  options how;
  how.engine = "stateful";
  EXPECT_TRUE(explore(run_clocks, how).exhausted) << "what handlers check is judged all the same";

  how.finally = [](final_states& end) { end.check(false, "nobody comes here"); };
  const auto all = explore(run_clocks, how);
  EXPECT_FALSE(all.exhausted);
  EXPECT_EQ(all.stopped_by, "executions that never end");
  EXPECT_THAT(all.notes, Contains(HasSubstr("nothing was judged: no execution comes to its end")));
}

TEST(Advice, IsEngineStatefulWhereExecutionsNeverEnd) {
  options how;
  how.engine = "optimal";
  how.time_limit = 0.3;
  const auto result = explore(run_clocks, how);

  ASSERT_FALSE(result.advice.empty());
  EXPECT_EQ(result.advice[0].option, "engine");
  EXPECT_EQ(result.advice[0].value, "stateful");
  EXPECT_EQ(result.advice[0].because, "8 states are all there is");
}

TEST(Advice, IsNoneForWhatIsExploredOrFound) {
  EXPECT_THAT(explore(run_clocks).advice, IsEmpty());
  EXPECT_THAT(explore([](self& me) { me.send<&inbox::put>(me.create<inbox>(), -1); }).advice, IsEmpty());
}

/// One actor takes many messages; each sender sends in order.
struct teller {
  ref<inbox> to;
  void tell(self& me) {
    for (int i = 0; i < 14; ++i) me.send<&inbox::put>(to, i);
  }
};

TEST(Advice, IsAStricterTransportWhereOneActorTakesNearlyAll) {
  options how;
  how.engine = "optimal";
  how.max_executions = 200'000;
  const auto result = explore([](self& me) { me.send<&teller::tell>(me.create<teller>(me.create<inbox>())); }, how);

  EXPECT_THAT(result.advice, Contains(AllOf(Field(&advice::option, "delivery"), Field(&advice::value, "fifo"),
                                            Field(&advice::because, HasSubstr("1 executions are all there is")))));
}

TEST(Stopping, IsUpToTheCaller) {
  options how;
  how.engine = "exhaustive";
  how.should_stop = [] { return true; };
  const auto result = explore([](self& me) { me.send<&teller::tell>(me.create<teller>(me.create<inbox>())); }, how);

  EXPECT_EQ(result.stopped_by, "an interrupt");
  EXPECT_FALSE(result.exhausted);
}

}  // namespace
}  // namespace harrier
