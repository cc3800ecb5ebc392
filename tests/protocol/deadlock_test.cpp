// Channels, deadlocks, and what calls that wait or are refused say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shutdown.hpp"
#include "stream_checked.hpp"
#include "stream_strict.hpp"

namespace harrier::runtime {
namespace {

template <class Mode>
class Words : public ::testing::Test {};
TYPED_TEST_SUITE(Words, modes, mode_names);

// --- channels

template <class Stream>
class Channel : public ::testing::Test {};
using streams = ::testing::Types<strict::stream, checked::stream>;
TYPED_TEST_SUITE(Channel, streams);

TYPED_TEST(Channel, HasAsMuchRoomAsTheDefinitionSays) {
  using role = typename TypeParam::role;
  TypeParam stream;
  EXPECT_TRUE(stream.try_send(role::a, role::b, 1L));
  EXPECT_TRUE(stream.try_send(role::a, role::b, 2L));
  EXPECT_FALSE(stream.try_send(role::a, role::b, 3L));
  EXPECT_FALSE(stream.try_send(role::a, role::b, std::string("end")));
  EXPECT_THROW(stream.send(role::a, role::b, 3L, 1ms), timed_out);
  EXPECT_EQ(stream.template recv<long>(role::b, role::a), 1);
  EXPECT_TRUE(stream.try_send(role::a, role::b, 3L));
  EXPECT_FALSE(stream.try_send(role::a, role::b, 4L));
}

TYPED_TEST(Channel, MakesASendWaitUntilThereIsRoom) {
  using role = typename TypeParam::role;
  TypeParam stream;
  constexpr long messages = 200;
  std::thread a([&] {
    for (long i = 0; i < messages; ++i) stream.send(role::a, role::b, long{i});
    stream.send(role::a, role::b, std::string("end"));
  });
  wait_for_waiting(stream, 1);
  EXPECT_EQ(stream.unreceived(), 2U);
  for (long i = 0; i < messages; ++i) EXPECT_EQ(stream.template recv<long>(role::b, role::a), i);
  EXPECT_EQ(stream.template recv<std::string>(role::b, role::a), "end");
  a.join();
}

TEST(ChannelOfAModuleWithACapacity, HasTheSmallerRoomOfTheTwo) {
  using role = checked::stream::role;
  checked::stream small(1);
  checked::stream large(9);
  EXPECT_TRUE(small.try_send(role::a, role::b, 1L));
  EXPECT_FALSE(small.try_send(role::a, role::b, 2L));
  EXPECT_TRUE(large.try_send(role::a, role::b, 1L));
  EXPECT_TRUE(large.try_send(role::a, role::b, 2L));
  EXPECT_FALSE(large.try_send(role::a, role::b, 3L));
}

// --- deadlocks

TEST(Deadlock, OfSixtyFourThreadsIsReportedToEachOfThem) {
  using role = protocols::shy::role;
  protocols::shy shy;
  std::atomic<unsigned> told = 0;
  std::string words;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      const auto said =
          words_of<deadlock>([&] { static_cast<void>(shy.recv(role(i), role((i + nodes - 1) % nodes))); });
      if (said != "nothing was thrown") ++told;
      if (i == 1) words = said;
    });
  }
  join(threads);

  EXPECT_EQ(told, nodes);
  EXPECT_THAT(words, HasSubstr("deadlock: all wait for one another: n_0_ RECV * FROM n_63_, n_1_ RECV * FROM n_0_"));
  shy.send(role(0), role(1), std::string("courage"));
  EXPECT_EQ(shy.recv<std::string>(role(1), role(0)), "courage") << "the session is where it was";
}

// Who is served has finished, whether it waited for that or not.
TEST(Deadlock, OfThoseWhoAreNeverToldOfTheEndIsReported) {
  for (const bool waited : {false, true}) {
    using role = protocols::lucky::role;
    protocols::lucky lucky;
    std::atomic<unsigned> told = 0;
    std::atomic<unsigned> served = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 8; ++i) {
      threads.emplace_back([&, self = role(i + 1)] {
        try {
          static_cast<void>(lucky.recv(self, role::a));
          ++served;
        } catch (const deadlock&) {
          ++told;
        }
      });
    }
    if (waited) wait_for_waiting(lucky, 8);
    lucky.send(role::a, role::n_3_, std::string("you"));
    join(threads);

    EXPECT_EQ(served, 1U);
    EXPECT_EQ(told, 7U);
  }
}

TEST(Deadlock, OfThoseWhoWaitForRoomIsReportedOnceAllOthersHaveLeftOrFinished) {
  using role = protocols::cross::role;
  protocols::cross cross(1);
  std::string words[2];
  std::thread a([&] {
    cross.send(role::a, role::b, std::string("one"));
    words[0] = words_of<deadlock>([&] { cross.send(role::a, role::b, std::string("two")); });
  });
  std::thread b([&] {
    cross.send(role::b, role::a, 1L);
    words[1] = words_of<deadlock>([&] { cross.send(role::b, role::a, 2L); });
  });
  wait_for_waiting(cross, 2);
  cross.send(role::c, role::d, std::string("done"));
  EXPECT_EQ(cross.waiting(), 2U) << "d may still act";
  cross.leave(role::d);
  a.join();
  b.join();

  for (const auto& said : words) {
    EXPECT_THAT(said, HasSubstr("deadlock: all wait for one another: "));
    EXPECT_THAT(said, HasSubstr("a SEND T TO b"));
    EXPECT_THAT(said, HasSubstr("b SEND U TO a"));
    EXPECT_THAT(said, HasSubstr("while gone: d"));
  }
  EXPECT_EQ(cross.recv<long>(role::a, role::b), 1);
  EXPECT_NO_THROW(cross.send(role::b, role::a, 2L)) << "the session is where it was";
}

// Who was told of a deadlock waits no more, nor does who has waited with a limit: they must not be counted any longer.
TEST(Deadlock, IsReportedAgainAndOnlyToThoseWhoWaitThen) {
  using role = protocols::cross::role;
  protocols::cross cross(1);
  std::thread d([&] { static_cast<void>(cross.recv(role::d, role::c, 1h)); });
  wait_for_waiting(cross, 1);
  cross.send(role::c, role::d, std::string("done"));
  d.join();
  cross.send(role::a, role::b, std::string("one"));
  cross.send(role::b, role::a, 1L);
  EXPECT_THROW(cross.send(role::a, role::b, std::string("two"), 1ms), timed_out);
  for (int round = 0; round < 2; ++round) {
    std::thread a([&] { EXPECT_THROW(cross.send(role::a, role::b, std::string("two")), deadlock); });
    wait_for_waiting(cross, 1);
    EXPECT_THROW(cross.send(role::b, role::a, 2L), deadlock);
    a.join();
  }
  EXPECT_EQ(cross.waiting(), 0U);
  EXPECT_EQ(cross.unreceived(), 2U);
}

TEST(Deadlock, OfAStrictModuleIsReportedAgain) {
  using role = protocols::pairs::role;
  protocols::pairs pairs;
  pairs.leave(role::c);
  pairs.leave(role::d);
  EXPECT_THROW(static_cast<void>(pairs.recv(role::a, role::b, 1ms)), timed_out);
  for (int round = 0; round < 2; ++round) {
    std::thread a([&] { EXPECT_THROW(static_cast<void>(pairs.recv(role::a, role::b)), deadlock); });
    wait_for_waiting(pairs, 1);
    EXPECT_THROW(static_cast<void>(pairs.recv(role::b, role::a)), deadlock);
    a.join();
  }
  EXPECT_EQ(pairs.waiting(), 0U);
}

TEST(Deadlock, IsNoneWhileSomebodyHasADeadline) {
  using role = protocols::shy::role;
  protocols::shy shy;
  std::vector<std::thread> threads;
  std::atomic<unsigned> served = 0;
  for (unsigned i = 1; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      try {
        static_cast<void>(shy.recv(role(i), role(i - 1)));
        ++served;
      } catch (const not_allowed&) {}
    });
  }
  wait_for_waiting(shy, nodes - 1);
  EXPECT_THROW(static_cast<void>(shy.recv(role(0), role(nodes - 1), 1ms)), timed_out);
  EXPECT_EQ(shy.waiting(), nodes - 1);
  shy.send(role(0), role(1), std::string("courage"));
  join(threads);

  EXPECT_EQ(served, 1U);
}

TEST(Deadlock, IsNoneWhileSomebodyHasNotCalled) {
  using role = protocols::shy::role;
  protocols::shy shy;
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      if (i == 1) {
        EXPECT_EQ(shy.recv<std::string>(role(1), role(0)), "courage");
      } else {
        EXPECT_THROW(static_cast<void>(shy.recv(role(i), role(i - 1))), not_allowed);
      }
    });
  }
  wait_for_waiting(shy, nodes - 1);
  shy.send(role(0), role(1), std::string("courage"));
  join(threads);
}

TEST(Deadlock, IsNoneWhereSomebodyHasLeftWhoHadNothingLeftToDo) {
  using role = protocols::turns::role;
  protocols::turns turns;
  turns.send(role::a, role::b, std::string("go"));
  static_cast<void>(turns.recv(role::b, role::a));
  turns.leave(role::a);
  std::thread d([&] { EXPECT_EQ(turns.recv<std::string>(role::d, role::c), "now"); });
  wait_for_waiting(turns, 1);
  turns.send(role::c, role::d, std::string("now"));
  d.join();
}

TEST(Deadlock, IsFoundWhenTheLastWhoDoesNotWaitIsDone) {
  using role = protocols::aside::role;
  protocols::aside aside;
  std::thread a([&] { EXPECT_THROW(static_cast<void>(aside.recv(role::a, role::b)), deadlock); });
  std::thread b([&] { EXPECT_THROW(static_cast<void>(aside.recv(role::b, role::a)), deadlock); });
  wait_for_waiting(aside, 2);
  aside.send(role::c, role::d, std::string("the last"));
  static_cast<void>(aside.recv(role::d, role::c));
  a.join();
  b.join();
}

TEST(Deadlock, IsFoundWhenTheLastWhoDoesNotWaitLeaves) {
  using role = protocols::pairs::role;
  protocols::pairs pairs;
  std::vector<std::thread> threads;
  for (const auto& [self, other] : {std::pair{role::a, role::b}, std::pair{role::b, role::a}}) {
    threads.emplace_back([&pairs, self = self, other = other] {
      EXPECT_THAT(words_of<deadlock>([&] { static_cast<void>(pairs.recv(self, other)); }),
                  HasSubstr("deadlock: all wait for one another: a RECV * FROM b, b RECV * FROM a, while gone: c, d"));
    });
  }
  pairs.leave(role::d);
  wait_for_waiting(pairs, 2);
  pairs.leave(role::c);
  join(threads);
}

// --- two threads, and words

#if HARRIER_CHECK_ROLES
TYPED_TEST(Words, NameTheRoleThatTwoThreadsUse) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  std::thread b([&] { static_cast<void>(telling.recv(role::b, role::a)); });
  wait_for_waiting(telling, 1);

  EXPECT_EQ(words_of<used_at_once>([&] { static_cast<void>(telling.recv_any(role::b)); }),
            "b RECV * FROM *: another thread is in a call of b");
  telling.send(role::a, role::b, std::string("for the first"));
  b.join();
}
#endif

TYPED_TEST(Words, SayWhoHasSent) {
  using module = typename TypeParam::both;
  using role = typename module::role;
  module both;
  typename module::received second;
  both.send(role::b, role::c, 1L);
  both.send(role::a, role::c, std::string("hello"));
  auto first = both.recv_any(role::c);
  EXPECT_TRUE(both.try_recv_any(role::c, second));

  EXPECT_TRUE(first.template is<long>() == (first.sender() == role::b));
  EXPECT_TRUE(second.template is<long>() == (second.sender() == role::b));
  EXPECT_NE(first.sender(), second.sender());
}

TEST(WordsOfAWaitingReceive, SayWhoHasSent) {
  using role = strict::both::role;
  strict::both both;
  std::optional<role> sender;
  std::thread c([&] { sender = both.recv_any(role::c).sender(); });
  wait_for_waiting(both, 1);
  both.send(role::b, role::c, 1L);
  c.join();

  EXPECT_EQ(sender, role::b);
}

TYPED_TEST(Words, SayWhatIsAllowedAndOnWhichLine) {
  using module = typename TypeParam::chain;
  using role = typename module::role;
  module chain;

  EXPECT_THAT(words_of<not_allowed>([&] { chain.send(role::a, role::b, std::string("no")); }),
              HasSubstr("whatever the others do; allowed here: a SEND T TO c (shutdown.dcj:18)"));
}

TEST(WordsOfARefusal, SayWhatTheRoleItselfMayDoNextEvenIfOthersComeFirst) {
  using role = strict::chain::role;
  strict::chain chain;

  EXPECT_EQ(words_of<not_allowed>([&] { static_cast<void>(chain.recv(role::b, role::a)); }),
            "b RECV * FROM a: not allowed here, whatever the others do; allowed here: b RECV T FROM c "
            "(shutdown.dcj:19)");
}

TYPED_TEST(Words, SayWhichTypeTheMessageHas) {
  using module = typename TypeParam::both;
  using role = typename module::role;
  module both;
  both.send(role::a, role::c, std::string("text"));

  EXPECT_THAT(words_of<wrong_type>([&] { static_cast<void>(both.template recv<long>(role::c, role::a)); }),
              HasSubstr("has another type, T; allowed here: "));
}

}  // namespace
}  // namespace harrier::runtime
