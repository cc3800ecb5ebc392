#include "histories.hpp"
#include "mutants.hpp"

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>

#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

namespace harrier::differential {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr limits largest{3'000, 100'000};
constexpr limits far_larger{12'000, 600'000};  // less of two executions is shared by histories
constexpr std::uint64_t parts = 4;
constexpr std::uint64_t seeds_a_part = 60;

class RandomProgramsWithMailboxes : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomProgramsWithMailboxes, TrustRunsEachReceiveHistoryOnce) {
  std::uint64_t programs = 0, histories = 0, arrivals = 0;
  for (std::uint64_t i = 0; i < seeds_a_part; ++i) {
    const auto tables = litmus::make_random(1 + GetParam() * seeds_a_part + i);
    const auto all = all_histories(tables, largest);
    if (!all || !has_histories(tables)) continue;
    ++programs;
    histories += all->executions.size();
    for (const auto& [history, times] : all->executions) arrivals += times;
    for (const auto& search : {search_by_histories, search_by_histories_in_threads})
      EXPECT_THAT(differences(*all, histories_by(search, tables, far_larger)), IsEmpty())
          << "seed " << tables.seed << (search == search_by_histories ? "\n" : ", in threads\n")
          << litmus::to_text(tables);
  }
  RecordProperty("programs", std::to_string(programs));
  RecordProperty("histories", std::to_string(histories));
  RecordProperty("arrivals", std::to_string(arrivals));
  EXPECT_GT(programs, seeds_a_part / 4);
  EXPECT_LT(histories, arrivals);
}

INSTANTIATE_TEST_SUITE_P(Differential, RandomProgramsWithMailboxes, testing::Range(std::uint64_t{0}, parts));

// The comparison is only worth what it catches.
class WrongHistories : public testing::TestWithParam<history_mutant> {};

TEST_P(WrongHistories, AreCaught) {
  constexpr limits small{400, 20'000};
  constexpr limits larger{2'000, 200'000};
  static std::map<std::uint64_t, std::optional<seen_histories>> known;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto tables = litmus::make_random(seed);
    if (!known.contains(seed)) {
      known[seed] = all_histories(tables, small);
      if (known[seed] && !has_histories(tables)) known[seed].reset();
    }
    if (known[seed] && !differences(*known[seed], histories_by(GetParam().run, tables, larger)).empty()) return;
  }
  ADD_FAILURE() << GetParam().change;
}

INSTANTIATE_TEST_SUITE_P(Each, WrongHistories, testing::ValuesIn(all_history_mutants()),
                         [](const auto& of) { return of.param.name; });

options by_trust() {
  options how;
  how.search.engine = "trust";
  how.search.delivery = delivery::mailbox_interleaved;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  return how;
}

/// Takes from its senders in turn, or as they come, or nothing.
struct receiver {
  int next = 0;
  bool in_turn = false;
  void take(self&, int) { ++next; }
  bool accepts(handler<&receiver::take>, int from) const { return !in_turn || from == next; }
};
struct sender {
  ref<receiver> to;
  void go(self& me, int number) const { me.send<&receiver::take>(to, number); }
};
struct mortal {
  void end(self& me) { me.destroy(); }
  void take(self&, int) {}
};
struct sender_to_mortal {
  ref<mortal> to;
  void go(self& me, int number) const { me.send<&mortal::take>(to, number); }
};

program senders(int count, bool in_turn) {
  return make_program([=](self& me) {
    const auto to = me.create<receiver>(0, in_turn);
    for (int i = 0; i < count; ++i) me.send<&sender::go>(me.create<sender>(to), i);
  });
}

TEST(TrustWithMailboxes, RunsOneExecutionWhereTheReceiverTakesInAFixedOrder) {
  EXPECT_EQ(explore(senders(3, true), by_trust()).executions, 1U);
  EXPECT_EQ(explore(senders(7, true), by_trust()).executions, 1U);
}

TEST(TrustWithMailboxes, RunsAllOrdersThatTheReceiverTakes) {
  const auto result = explore(senders(5, false), by_trust());

  EXPECT_EQ(result.executions, 120U);
  EXPECT_EQ(result.blocked, 0U);
  EXPECT_TRUE(result.exhausted);
}

TEST(TrustWithMailboxes, DoesNotOrderWhatNobodyTakes) {
  const auto gone_first = make_program([](self& me) {
    const auto to = me.create<mortal>();
    me.send<&mortal::end>(to);
    for (int i = 0; i < 5; ++i) me.send<&sender_to_mortal::go>(me.create<sender_to_mortal>(to), i);
  });

  EXPECT_EQ(explore(gone_first, by_trust()).executions, 1U);
}

struct two_ways {
  ref<receiver> first, second;
  void go(self& me, int number) const {
    me.send<&receiver::take>(first, number);
    me.send<&receiver::take>(second, number);
  }
};

// Both receivers may see either sender first, but not each the second send of the other one first.
TEST(TrustWithMailboxes, LeavesOutWhatNoOrderOfArrivalsHas) {
  const auto crossing = make_program([](self& me) {
    const auto a = me.create<receiver>();
    const auto b = me.create<receiver>();
    me.send<&two_ways::go>(me.create<two_ways>(a, b), 1);
    me.send<&two_ways::go>(me.create<two_ways>(b, a), 2);
  });

  EXPECT_EQ(explore(crossing, by_trust()).executions, 3U);
}

struct in_order {
  int last = -1;
  void take(self& me, int number) {
    me.check(number > last, "numbers come in order");
    last = number;
  }
};
struct sender_in_order {
  ref<in_order> to;
  void go(self& me, int number) const { me.send<&in_order::take>(to, number); }
};

TEST(TrustWithMailboxes, TellsFindingsWithSchedulesOfTheModel) {
  const auto result = explore(make_program([](self& me) {
                                const auto to = me.create<in_order>();
                                for (int i = 0; i < 2; ++i)
                                  me.send<&sender_in_order::go>(me.create<sender_in_order>(to), i);
                              }),
                              by_trust());

  EXPECT_EQ(result.executions, 2U);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto& found = result.findings.front();
  EXPECT_EQ(found.trace.size(), found.schedule.size());
  EXPECT_GT(found.schedule.size(), 4U);  // arrivals are deliveries
  EXPECT_THAT(found.details, IsEmpty());
}

TEST(TrustWithMailboxes, CutsAtTheLimitOfDepthWithArrivals) {
  auto how = by_trust();
  how.limits.max_depth = 5;
  const auto result = explore(senders(3, false), how);

  EXPECT_GT(result.truncated, 0U);
  EXPECT_EQ(result.executions, 0U);
  EXPECT_FALSE(result.exhausted);
}

TEST(TrustWithMailboxes, SharesTheSearchAmongSeveralJobs) {
  auto how = by_trust();
  how.search.jobs = 3;
  EXPECT_EQ(explore(senders(3, true), how).executions, 1U);
  const auto result = explore(senders(5, false), how);
  EXPECT_EQ(result.executions, 120U);
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(TrustWithMailboxes, GoesOnWhereItWasStopped) {
  auto how = by_trust();
  how.kept.checkpoint = testing::TempDir() + "histories";
  how.limits.max_executions = 50;
  EXPECT_EQ(explore(senders(5, false), how).executions, 50U);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  EXPECT_EQ(explore(senders(5, false), how).executions, 120U);
}

}  // namespace
}  // namespace harrier::differential
