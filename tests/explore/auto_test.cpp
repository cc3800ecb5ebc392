// Engine auto: it obeys the limits, and says of an execution that was cut no more than that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/harrier.hpp>

#include "never_ends.hpp"

namespace harrier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Takes one of its messages again and again: no execution ever ends.
struct clock {
  bool is_even = true;
  void tick(self& me) {
    is_even = !is_even;
    me.send<&clock::tick>(me.me<clock>());
  }
  void look() const {}
};

void run_clock(self& me) {
  const auto c = me.create<clock>();
  me.send<&clock::tick>(c);
  me.send<&clock::look>(c);
  me.send<&clock::look>(c);
}

options automatic() {
  options how;
  how.search.engine = "auto";
  return how;
}

TEST(EngineAuto, PicksStatefulWhereExecutionsNeverEnd) {
  const auto result = explore(make_program(run_clock), automatic());

  EXPECT_EQ(result.engine, "stateful");
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.notes, Contains(HasSubstr("executions that are long or never end")));
}

TEST(EngineAuto, DoesNotTakeAnExecutionThatWasCutForAllThereIs) {
  auto how = automatic();
  how.limits.max_depth = 50;
  const auto result = explore(make_program(run_clock), how);

  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("all there is"))));
}

TEST(EngineAuto, ObeysTheTimeLimitInItsTrials) {
  auto how = automatic();
  how.limits.time_limit = 0.05;
  const auto result = explore(make_program(counts_for_ever), how);

  EXPECT_EQ(result.stopped_by, "the time limit of 0.05 s");
  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.notes, Contains(HasSubstr("the time limit of 0.05 s ended its trials")));
}

/// Takes what arrives in the order of its numbers, whatever the order in which it does.
struct in_order {
  int next = 0;
  void take(int i) { next = i + 1; }
  bool accepts(handler<&in_order::take>, int i) const { return i == next; }
};
struct one_of_many {
  ref<in_order> to;
  void go(self& me, int i) { me.send<&in_order::take>(to, i); }
};
program many_to_one(int senders) {
  return make_program([senders](self& me) {
    const auto to = me.create<in_order>();
    for (int i = 0; i < senders; ++i) me.send<&one_of_many::go>(me.create<one_of_many>(to), i);
  });
}

TEST(EngineAuto, RunsWhatReceiversTellApartWhereMessagesArriveInAnyOrder) {
  for (const int senders : {3, 7}) {  // 6 and 5,040 orders of arrival: fewer than are tried, and more
    auto how = automatic();
    how.search.delivery = delivery::mailbox_interleaved;
    const auto result = explore(many_to_one(senders), how);

    EXPECT_EQ(result.engine, "trust");
    EXPECT_EQ(result.executions, 1U);
    EXPECT_EQ(result.blocked, 0U);
    EXPECT_TRUE(result.exhausted);
    EXPECT_THAT(result.notes, ElementsAre(HasSubstr("engine auto picked trust"), HasSubstr("makes a difference")));
  }
}

TEST(EngineAuto, RunsWhatReceiversTellApartWithSeveralJobs) {
  auto how = automatic();
  how.search.delivery = delivery::mailbox_interleaved;
  how.search.jobs = 2;
  const auto result = explore(many_to_one(3), how);

  EXPECT_EQ(result.engine, "trust");
  EXPECT_EQ(result.executions, 1U);
}

struct forgetful {
  void go(self& me) const {
    static int times = 0;
    me.check(++times % 2 == 0, "every other time");
  }
};

TEST(EngineAuto, TellsOfAHandlerThatDoesNotRepeatItself) {
  const auto result = explore(make_program([](self& me) {
                                const auto f = me.create<forgetful>();
                                me.send<&forgetful::go>(f);
                                me.send<&forgetful::go>(f);
                              }),
                              automatic());

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::nondeterminism);
}

/// Ends its execution, if its reduction lets it.
struct fragile {
  void fall(self& me) const { me.require(false, "it falls"); }
};
struct late {
  void look(self& me) const { me.check(false, "it looked"); }
};
/// Is broken by the second delivery, whichever that is.
class two_are_too_many final : public monitor {
public:
  std::optional<record> stepped(const system& system) override {
    if (system.depth() != 2) return {};
    return record{.message = "two"};
  }
};

// A reduction goes on with the others when one actor failed, so what it finds there is repeated in the same way.
TEST(AScheduleWithAFailureInIt, IsRepeatedToItsEnd) {
  const auto tested = make_program([](self& me) {
    me.send<&fragile::fall>(me.create<fragile>());
    me.send<&late::look>(me.create<late>());
  });
  two_are_too_many judge;
  options how;
  how.judging.keep_going = true;
  how.judging.by = &judge;
  const auto result = explore(tested, how);

  ASSERT_THAT(result.findings, SizeIs(3));
  for (const auto& f : result.findings) {
    EXPECT_THAT(f.details, IsEmpty()) << f.message;
    EXPECT_THAT(f.schedule, SizeIs(f.message == "two" ? 2 : 1)) << f.message;
    EXPECT_THAT(f.trace, SizeIs(f.schedule.size())) << f.message;
  }
}

}  // namespace
}  // namespace harrier
