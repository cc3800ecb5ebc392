#include "histories.hpp"

#include <gmock/gmock.h>

#include <string>

#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

namespace harrier::differential {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr limits largest{20'000, 600'000};
constexpr std::uint64_t parts = 4;
constexpr std::uint64_t seeds_a_part = 250;

class RandomProgramsWithMailboxes : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomProgramsWithMailboxes, TrustRunsEachReceiveHistoryOnce) {
  std::uint64_t programs = 0, histories = 0, arrivals = 0;
  for (std::uint64_t i = 0; i < seeds_a_part; ++i) {
    const auto tables = litmus::make_random(1 + GetParam() * seeds_a_part + i);
    const auto all = all_histories(tables, largest);
    if (!all) continue;
    ++programs;
    histories += all->executions.size();
    for (const auto& [history, times] : all->executions) arrivals += times;
    EXPECT_THAT(differences(*all, histories_by(search_by_histories, tables, largest)), IsEmpty())
        << "seed " << tables.seed << "\n"
        << litmus::to_text(tables);
  }
  RecordProperty("programs", std::to_string(programs));
  RecordProperty("histories", std::to_string(histories));
  RecordProperty("arrivals", std::to_string(arrivals));
  EXPECT_GT(programs, seeds_a_part / 4);
  EXPECT_LT(histories, arrivals);
}

INSTANTIATE_TEST_SUITE_P(Differential, RandomProgramsWithMailboxes, testing::Range(std::uint64_t{0}, parts));

options by_trust() {
  options how;
  how.engine = "trust";
  how.delivery = delivery::mailbox_interleaved;
  how.keep_going = true;
  how.undelivered = undelivered::ignore;
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

}  // namespace
}  // namespace harrier::differential
