// What a result says beyond its counts: that nothing was tested, and what would help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>

#include "clocks.hpp"
#include "src/explore/advise.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
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
  how.search.engine = "optimal";
  how.limits.max_depth = 20;
  how.limits.max_executions = 100;
  EXPECT_THAT(explore(run_clocks, how).notes, Contains(HasSubstr("each was cut after 20 deliveries")));
}

struct doubtful {
  void go(self& me) { me.assume(false); }
};

TEST(Remarks, SayThatNothingWasJudgedWhereEveryExecutionWasAssumedAway) {
  for (const auto* engine : {"auto", "exhaustive", "optimal", "stateful", "trust"}) {
    options how;
    how.search.engine = engine;
    const auto all = explore([](self& me) { me.send<&doubtful::go>(me.create<doubtful>()); }, how);
    EXPECT_FALSE(all.exhausted) << engine;
    EXPECT_EQ(all.stopped_by, "assumptions that hold in no execution") << engine;
    EXPECT_THAT(all.notes, Contains("nothing was judged: every execution was assumed away")) << engine;
  }
}

TEST(Remarks, SayThatNothingWasJudgedWhereACheckOfTheEndsNeverSawOne) {
  options how;
  how.search.engine = "stateful";
  EXPECT_TRUE(explore(run_clocks, how).exhausted) << "what handlers check is judged all the same";

  how.judging.finally = [](final_states& end) { end.check(false, "nobody comes here"); };
  const auto all = explore(run_clocks, how);
  EXPECT_FALSE(all.exhausted);
  EXPECT_EQ(all.stopped_by, "executions that never end");
  EXPECT_THAT(all.notes, Contains(HasSubstr("nothing was judged: no execution comes to its end")));
}

TEST(Advice, IsEngineStatefulWhereExecutionsNeverEnd) {
  options how;
  how.search.engine = "optimal";
  how.limits.time_limit = 0.3;
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
  int many = 14;
  void tell(self& me) {
    for (int i = 0; i < many; ++i) me.send<&inbox::put>(to, i);
  }
};

auto is_advice(const char* option, const char* value, const char* because) {
  return AllOf(Field(&advice::option, option), Field(&advice::value, value), Field(&advice::because, because));
}

auto is_for(const char* option, const char* value) {
  return AllOf(Field(&advice::option, option), Field(&advice::value, value));
}

TEST(Advice, IsAStricterTransportWhereThatLeavesLittle) {
  options how;
  how.search.engine = "optimal";
  how.limits.max_executions = 200'000;
  const auto result = explore([](self& me) { me.send<&teller::tell>(me.create<teller>(me.create<inbox>())); }, how);

  EXPECT_THAT(
      result.advice,
      Contains(is_advice("delivery", "fifo",
                         "1 execution is all there is, instead of more than 200000, if your transport keeps the "
                         "order of what one actor sends to another")));
}

/// Keeps the order, so that nothing commutes.
struct journal {
  std::vector<int> entries;
  void enter(int what) { entries.push_back(what); }
};
struct reporter {
  ref<journal> to;
  int many;
  void report(self& me) {
    for (int i = 0; i < many; ++i) me.send<&journal::enter>(to, i);
  }
};

/// So many reporters tell one journal so much each.
program reports(int reporters, int many) {
  return make_program([=](self& me) {
    const auto to = me.create<journal>();
    for (int i = 0; i < reporters; ++i) me.send<&reporter::report>(me.create<reporter>(to, many));
  });
}

options stopped_after(std::uint64_t executions) {
  options how;
  how.search.engine = "optimal";
  how.limits.max_executions = executions;
  return how;
}

TEST(Advice, SaysHowManyDeliveriesAStricterTransportOrdersWhereMuchIsLeft) {
  const auto result = explore(reports(8, 8), stopped_after(1'000));

  EXPECT_THAT(result.advice,
              Contains(AllOf(is_for("delivery", "fifo"),
                             Field(&advice::because, HasSubstr("% had the same sender, and could not")))));
}

TEST(Advice, IsNoStricterTransportWhereEachSenderSendsOneMessage) {
  for (const std::uint64_t executions : {10, 1'000}) {
    const auto result = explore(reports(8, 1), stopped_after(executions));

    EXPECT_FALSE(result.exhausted);
    EXPECT_THAT(result.advice, Not(Contains(Field(&advice::option, "delivery"))));
  }
}

/// Beats for ever, and counts, so that no state comes again.
struct heart {
  int beats = 0;
  void beat(self& me) {
    ++beats;
    me.send<&heart::beat>(me.me<heart>());
  }
};

TEST(Advice, IsToCutWhatNeverEndsAndNoOrderForWhatIsInOrder) {
  for (const auto hearts : {1, 2}) {
    options how;
    how.search.engine = "optimal";
    how.limits.max_depth = 2'000;
    const auto beating = [hearts](self& me) {
      for (int i = 0; i < hearts; ++i) me.send<&heart::beat>(me.create<heart>());
    };

    EXPECT_THAT(explore(beating, how).advice,
                ElementsAre(AllOf(is_for("max-depth", "100"),
                                  Field(&advice::because, HasSubstr("1 execution is all there is, as far as that")))));
  }
}

struct sum {
  int of = 0;
  void add(int what) { of += what; }
};

TEST(Advice, IsToTryWhatCommutesWhereThatLeavesLittle) {
  const auto additions = [](self& me) {
    const auto to = me.create<sum>();
    for (int i = 0; i < 10; ++i) me.send<&sum::add>(to, i);
  };
  const auto result = explore(additions, stopped_after(20'000));

  EXPECT_THAT(result.advice,
              Contains(is_advice("independence", "semantic",
                                 "with engine source 1 execution, and 511 given up as redundant, are all "
                                 "there is, instead of more than 20000")));
}

/// What a search with fields says that ran 64 executions, and gave up two thousand.
std::vector<advice> advice_after_waste(int additions) {
  exploration wasteful;
  wasteful.exhausted = true;
  wasteful.executions = 64;
  wasteful.blocked = 2'000;
  wasteful.transitions = 20'000;
  options how;
  how.search.engine = "optimal";
  how.search.independence = independence::fields;
  return advise(wasteful, make_program([additions](self& me) {
                  const auto to = me.create<sum>();
                  for (int i = 0; i < additions; ++i) me.send<&sum::add>(to, i);
                }),
                how);
}

TEST(Advice, IsAnotherIndependenceWhereTheOneAskedForGivesUpMore) {
  EXPECT_THAT(advice_after_waste(10),
              ElementsAre(is_advice("independence", "semantic",
                                    "with engine source 1 execution, and 511 given up as redundant, are all there is, "
                                    "instead of 2064")));
  EXPECT_THAT(advice_after_waste(3),
              ElementsAre(is_advice("independence", "receiver",
                                    "with engine optimal 6 executions are all there is, instead of 2064"),
                          is_advice("independence", "semantic",
                                    "with engine source 1 execution, and 3 given up as redundant, are all there is, "
                                    "instead of 6")));
}

TEST(Advice, IsTheSameEachTime) {
  const auto said = [] {
    std::string all;
    for (const auto& a : explore(reports(8, 8), stopped_after(1'000)).advice) all += a.option + a.value + a.because;
    return all;
  };

  EXPECT_EQ(said(), said());
}

TEST(Stopping, IsUpToTheCaller) {
  options how;
  how.search.engine = "exhaustive";
  how.limits.should_stop = [] { return true; };
  const auto result = explore([](self& me) { me.send<&teller::tell>(me.create<teller>(me.create<inbox>())); }, how);

  EXPECT_EQ(result.stopped_by, "an interrupt");
  EXPECT_FALSE(result.exhausted);
}

}  // namespace
}  // namespace harrier
