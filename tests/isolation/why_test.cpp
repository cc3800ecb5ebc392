// Why a finding comes about, found out where other orders may kill the process.
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include <harrier/harrier.hpp>
#include <harrier/isolation/isolated_why.hpp>

namespace harrier::isolated_why {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr double long_enough = 60;  // seconds

/// Ends the process if `second` is not the second.
struct victim {
  int seen = 0;
  void first() { ++seen; }
  void second() {
    if (seen++ == 0) std::abort();
  }
};

TEST(WhyIsolated, OfACrashIsTheRaceThatLetItHappen) {
  const auto tested = make_program([](self& self) {
    const auto whom = self.create<victim>();
    self.send<&victim::first>(whom);
    self.send<&victim::second>(whom);
  });
  const auto all = explore_isolated(tested);
  ASSERT_THAT(all.findings, SizeIs(1));

  const auto why = why_isolated(tested, {}, all.findings[0], long_enough);

  EXPECT_EQ(why.sentence,
            "victim_0 took second() while first() was on its way, both from driver. With that one first it passes.");
  EXPECT_THAT(why.steps, SizeIs(2));
}

/// One order of three messages fails, and one ends the process.
struct trio {
  std::string order;
  void take(self& me, const std::string& which) {
    order += which;
    me.check(order != "abc", "not in the order of the alphabet");
    if (order == "acb") std::abort();
  }
};

TEST(WhyIsolated, GoesOnAfterAnOrderThatKillsTheProcess) {
  const auto tested = make_program([](self& self) {
    const auto it = self.create<trio>();
    for (const auto* which : {"a", "b", "c"}) self.send<&trio::take>(it, std::string(which));
  });
  options how;
  how.search.engine = "round-robin";
  const auto all = explore_isolated(tested, how);
  ASSERT_THAT(all.findings, SizeIs(1));
  ASSERT_EQ(all.findings[0].kind, finding_kind::assertion);

  const auto why = why_isolated(tested, how, all.findings[0], long_enough);

  EXPECT_EQ(why.sentence,
            "trio_0 took take(\"a\") before take(\"b\"), both from driver. The other way round it passes: trio_0 is "
            "{order=\"b\"} after take(\"b\"), not {order=\"ab\"}.");
}

/// Ends the process whoever comes first.
struct room {
  void enter() const { std::abort(); }
};

TEST(WhyIsolated, SaysThatNotAllOrdersCouldBeTriedWhereSomeKillTheProcess) {
  const auto tested = make_program([](self& self) {
    const auto it = self.create<room>();
    self.send<&room::enter>(it);
    self.send<&room::enter>(it);
  });
  const auto all = explore_isolated(tested);
  ASSERT_THAT(all.findings, SizeIs(1));

  const auto why = why_isolated(tested, {}, all.findings[0], long_enough);

  EXPECT_EQ(why.sentence, "No single change of order is known to avoid it, but not all could be tried to their ends.");
  EXPECT_THAT(why.steps, IsEmpty());
}

}  // namespace
}  // namespace harrier::isolated_why
