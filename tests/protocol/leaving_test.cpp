// Cancellation, roles that leave and modules that are destroyed, with threads that wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shutdown.hpp"

namespace harrier::runtime {
namespace {

template <class Mode>
class Cancel : public ::testing::Test {};
template <class Mode>
class Leaving : public ::testing::Test {};
template <class Mode>
class LeavingASoundModule : public ::testing::Test {};
template <class Mode>
class Destruction : public ::testing::Test {};
using sound_modes = ::testing::Types<in_strict, in_checked>;
TYPED_TEST_SUITE(Cancel, modes, mode_names);
TYPED_TEST_SUITE(Leaving, modes, mode_names);
TYPED_TEST_SUITE(LeavingASoundModule, sound_modes, mode_names);
TYPED_TEST_SUITE(Destruction, modes, mode_names);

// --- cancel

TYPED_TEST(Cancel, WakesAllAndFailsAllLaterCallsWithItsReason) {
  using module = typename TypeParam::ring;
  using role = typename module::role;
  module ring;
  std::atomic<unsigned> told = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      try {
        static_cast<void>(ring.recv(role(i), role(i - 1)));
      } catch (const cancelled& e) {
        if (e.reason() == std::string("the server is shut down")) ++told;
      }
    });
  }
  wait_for_waiting(ring, nodes - 1);
  ring.cancel("the server is shut down");
  ring.cancel("another reason, too late");
  join(threads);

  EXPECT_EQ(told, nodes - 1);
  typename module::message into;
  const auto later = "node_0_ SEND Token TO node_1_: cancelled: the server is shut down";
  EXPECT_EQ(words_of<cancelled>([&] { ring.send(role(0), role(1), 1L); }), later);
  EXPECT_EQ(words_of<cancelled>([&] { static_cast<void>(ring.try_send(role(0), role(1), 1L)); }), later);
  EXPECT_THROW(static_cast<void>(ring.recv(role(0), role(1), 1h)), cancelled) << "also what never was allowed";
  EXPECT_THROW(static_cast<void>(ring.try_recv(role(1), role(0), into)), cancelled);
  EXPECT_THROW(static_cast<void>(ring.recv_any(role(2))), cancelled);
  EXPECT_THROW(ring.close(role(0), role(1)), cancelled);
}

TYPED_TEST(Cancel, InTheMidstOfSixtyFourThreadsLosesNothingSilently) {
  using module = typename TypeParam::ring;
  using role = typename module::role;
  module ring;
  std::atomic<unsigned> sent = 0;
  std::atomic<unsigned> received = 0;
  std::atomic<unsigned> ended = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      try {
        for (bool first = i == 0;; first = false) {
          if (!first) {
            static_cast<void>(ring.recv(role(i), role((i + nodes - 1) % nodes)));
            ++received;
          }
          ring.send(role(i), role((i + 1) % nodes), 1L);
          ++sent;
        }
      } catch (const cancelled&) {
        ++ended;
      }
    });
  }
  while (received < 3 * nodes) std::this_thread::yield();
  ring.cancel("enough");
  join(threads);

  EXPECT_EQ(ended, nodes);
  EXPECT_EQ(sent, received + ring.unreceived());
}

// --- roles that leave

TYPED_TEST(Leaving, FailsThePeersThatWaitForThisRole) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  std::string words;
  std::thread b([&] { words = words_of<peer_gone>([&] { static_cast<void>(telling.recv(role::b, role::a)); }); });
  wait_for_waiting(telling, 1);
  telling.leave(role::a);
  telling.leave(role::a);
  b.join();

  EXPECT_THAT(words, HasSubstr("b RECV * FROM a: peer gone: a has left"));
  EXPECT_THROW(telling.send(role::a, role::b, std::string("again")), not_yours);
  EXPECT_THROW(static_cast<void>(telling.take(role::a)), not_yours);
}

TYPED_TEST(Leaving, LetsPeersReceiveFirstWhatItHasSent) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  typename module::message into;
  telling.send(role::a, role::b, std::string("one"));
  telling.leave(role::a);

  EXPECT_EQ(telling.template recv<std::string>(role::b, role::a), "one");
  EXPECT_THROW(static_cast<void>(telling.recv(role::b, role::a)), peer_gone);
  EXPECT_THROW(static_cast<void>(telling.try_recv(role::b, role::a, into)), peer_gone);
  EXPECT_THROW(static_cast<void>(telling.recv_any(role::b, 1h)), peer_gone);
}

TYPED_TEST(Leaving, FailsWhatIsSentToIt) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  telling.send(role::a, role::b, std::string("one"));
  telling.leave(role::b);
  std::string two = "two";

  EXPECT_THAT(words_of<peer_gone>([&] { telling.send(role::a, role::b, std::move(two)); }),
              HasSubstr("a SEND T TO b: peer gone: b has left"));
  EXPECT_EQ(two, "two");
  EXPECT_EQ(telling.unreceived(), 1U);
}

TYPED_TEST(Leaving, IsWhatTheEndOfAParticipantMeans) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  {
    auto a = telling.take(role::a);
    auto moved = std::move(a);
    moved.send(role::b, std::string("one"));
    EXPECT_THROW(static_cast<void>(telling.take(role::a)), not_yours);
  }
  auto b = telling.take(role::b);

  EXPECT_EQ(b.template recv<std::string>(role::a), "one");
  try {
    static_cast<void>(b.recv(role::a));
    ADD_FAILURE() << "a has left";
  } catch (const peer_gone& e) {
    EXPECT_STREQ(e.role(), "a");
  }
}

TYPED_TEST(Leaving, IsWhatAParticipantDoesThatGetsAnotherRole) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  module another;
  auto a = telling.take(role::a);
  a = another.take(role::a);

  EXPECT_THROW(static_cast<void>(telling.recv(role::b, role::a, 1h)), peer_gone);
  a.send(role::b, std::string("here"));
  EXPECT_EQ(another.template recv<std::string>(role::b, role::a), "here");
}

TYPED_TEST(Leaving, ByAnExceptionIsSaid) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  std::thread a([&] {
    try {
      const auto self = telling.take(role::a);
      throw std::runtime_error("a fails");
    } catch (const std::runtime_error&) {}
  });

  EXPECT_THAT(words_of<peer_gone>([&] { static_cast<void>(telling.recv(role::b, role::a)); }),
              HasSubstr("peer gone: a was left by an exception"));
  a.join();
}

// Whether a send that is under way is still done or fails is one and the same for both, and nothing looks like a
// deadlock meanwhile: the role counts as out only when none of its calls can be done any more.
TYPED_TEST(Leaving, OfARoleThatIsInACallLosesNothingAndIsNoDeadlock) {
  for (int round = 0; round < 60; ++round) {
    using module = typename TypeParam::telling;
    using role = typename module::role;
    module telling;
    unsigned sent = 0;
    unsigned received = 0;
    std::latch begun(3);
    std::thread a([&] {
      begun.arrive_and_wait();
      EXPECT_THROW(
          for (;;) {
            telling.send(role::a, role::b, std::string("again"));
            ++sent;
          },
          not_yours);
    });
    std::thread b([&] {
      begun.arrive_and_wait();
      EXPECT_THROW(
          for (;;) {
            static_cast<void>(telling.recv(role::b, role::a));
            ++received;
          },
          peer_gone);
    });
    begun.arrive_and_wait();
    for (int i = 0; i < round % 30; ++i) std::this_thread::yield();
    telling.leave(role::a);
    a.join();
    b.join();

    ASSERT_EQ(sent, received) << "round " << round;
  }
}

TYPED_TEST(LeavingASoundModule, DoesNotConcernThoseWhomOthersServe) {
  using module = typename TypeParam::both;
  using role = typename module::role;
  module both;
  std::string got;
  std::thread c([&] {
    for (int i = 0; i < 2; ++i) {
      try {
        auto next = both.recv_any(role::c);
        got += next.sender() == role::a ? "a" : "b";
      } catch (const peer_gone& e) {
        got += std::string("without ") + e.role();
      }
    }
  });
  wait_for_waiting(both, 1);
  both.leave(role::a);
  both.send(role::b, role::c, 1L);
  c.join();

  EXPECT_EQ(got, "bwithout a");
}

TYPED_TEST(LeavingASoundModule, LetsThoseWaitWhomOthersMayServe) {
  using module = typename TypeParam::both;
  using role = typename module::role;
  module both;
  typename module::message into;
  both.leave(role::a);

  EXPECT_FALSE(both.try_recv_any(role::c, into));
  EXPECT_THROW(static_cast<void>(both.recv_any(role::c, 1ms)), timed_out);
  both.leave(role::b);
  EXPECT_THROW(static_cast<void>(both.try_recv_any(role::c, into)), peer_gone);
  EXPECT_THROW(static_cast<void>(both.recv_any(role::c, 1h)), peer_gone);
}

TEST(LeavingACheckedModule, FailsWhoWaitsForRoom) {
  using role = checked::telling::role;
  checked::telling telling(1);
  telling.send(role::a, role::b, std::string("one"));
  std::string two = "two";
  std::thread a([&] { EXPECT_THROW(telling.send(role::a, role::b, std::move(two)), peer_gone); });
  wait_for_waiting(telling, 1);
  telling.leave(role::b);
  a.join();

  EXPECT_EQ(two, "two");
}

TEST(LeavingAStrictModule, FailsThoseWhoNeedItOnlyThroughOthers) {
  using role = strict::chain::role;
  strict::chain chain;
  std::string words;
  std::thread b([&] { words = words_of<peer_gone>([&] { static_cast<void>(chain.recv(role::b, role::c)); }); });
  wait_for_waiting(chain, 1);
  chain.leave(role::a);
  b.join();

  EXPECT_THAT(words, HasSubstr("b RECV * FROM c: peer gone: a has left"));
  EXPECT_THROW(static_cast<void>(chain.recv(role::c, role::a)), peer_gone);
}

TYPED_TEST(Leaving, OfOneOfSixtyFourThreadsEndsThemAll) {
  using module = typename TypeParam::ring;
  using role = typename module::role;
  module ring;
  std::atomic<unsigned> sent = 0;
  std::atomic<unsigned> received = 0;
  std::atomic<unsigned> ended = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      try {
        auto self = ring.take(role(i));
        for (int round = 0;; ++round) {
          if (i != 0 || round != 0) {
            static_cast<void>(self.recv(role((i + nodes - 1) % nodes)));
            ++received;
          }
          if (i == 17 && round == 3) throw std::runtime_error("node 17 fails");
          self.send(role((i + 1) % nodes), 1L);
          ++sent;
        }
      } catch (const peer_gone&) {
        ++ended;
      } catch (const std::runtime_error&) {
        ++ended;
      }
    });
  }
  join(threads);

  EXPECT_EQ(ended, nodes);
  EXPECT_EQ(sent, received + ring.unreceived());
}

// --- modules that are destroyed

TYPED_TEST(Destruction, WakesSixtyFourThreadsAndWaitsUntilTheyHaveLeft) {
  using module = typename TypeParam::ring;
  using role = typename module::role;
  auto ring = std::make_unique<module>();
  std::atomic<unsigned> told = 0;
  std::atomic<unsigned> ended = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < nodes; ++i) {
    threads.emplace_back([&, self = ring->take(role(i)), i]() mutable {
      try {
        if (i % 2 == 0) static_cast<void>(self.template recv<long>(role(i - 1)));
        if (i % 2 == 1) static_cast<void>(self.recv_any(1h));
      } catch (const cancelled& e) {
        if (e.reason() == std::string("the module was destroyed")) ++told;
      }
      ++ended;
    });
  }
  wait_for_waiting(*ring, nodes - 1);
  ring.reset();
  join(threads);

  EXPECT_EQ(told, nodes - 1);
  EXPECT_EQ(ended, nodes - 1);
}

TYPED_TEST(Destruction, LeavesParticipantsThatCanBeDestroyedLater) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  std::optional<typename module::participant> a;
  {
    module telling;
    a.emplace(telling.take(role::a));
    a->send(role::b, std::string("one"));
  }
  EXPECT_NO_THROW(a.reset());
}

// Takes its time when it was woken, and notes whether the module was gone by then.
struct slow_to_wake {
  static constexpr bool waits = true;
  static constexpr bool for_ever = false;
  std::atomic<bool>& destroyed;
  std::atomic<bool>& too_early;

  template <class Wake>
  [[nodiscard]] no_wait::nothing<Wake> when_stopped(const Wake&) const {
    return {};
  }
  [[nodiscard]] static bool is_over() { return false; }
  [[nodiscard]] static bool stop_requested() { return false; }
  void wait(bell& alarm, mutex& held) const {
    alarm.wait(held);
    for (int i = 0; i < 1000 && !destroyed; ++i) std::this_thread::yield();
    if (destroyed) too_early = true;
  }
};

TYPED_TEST(Destruction, TakesUntilWhoWasWokenHasLeft) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  for (int round = 0; round < 20; ++round) {
    auto telling = std::make_unique<module>();
    std::atomic<bool> destroyed = false;
    std::atomic<bool> too_early = false;
    std::thread b([&telling = *telling, &destroyed, &too_early] {
      typename module::message into;
      request call{kind::receive, static_cast<std::uint32_t>(role::a), static_cast<std::uint32_t>(role::b), anything};
      EXPECT_THROW(telling.perform(call, into, slow_to_wake{destroyed, too_early}), cancelled);
    });
    wait_for_waiting(*telling, 1);
    telling.reset();
    destroyed = true;
    b.join();

    ASSERT_FALSE(too_early) << "round " << round;
  }
}

TEST(DestructionOfAModule, WakesWhoWaitsForRoom) {
  using role = checked::telling::role;
  auto telling = std::make_unique<checked::telling>(1);
  telling->send(role::a, role::b, std::string("one"));
  std::thread a([&telling = *telling] { EXPECT_THROW(telling.send(role::a, role::b, std::string("two")), cancelled); });
  wait_for_waiting(*telling, 1);
  telling.reset();
  a.join();
}

TEST(DestructionOfAModule, WakesWhoWaitsInAHandshake) {
  using role = protocols::meeting::role;
  auto meeting = std::make_unique<protocols::meeting>();
  std::thread a([&meeting = *meeting] { EXPECT_THROW(meeting.send(role::a, role::b, std::string("one")), cancelled); });
  wait_for_waiting(*meeting, 1);
  meeting.reset();
  a.join();
}

// The receive that makes room, and then the end, come as close together as they can.
TEST(DestructionOfAModule, LetsASendThatHasJustGotRoomReturn) {
  for (int round = 0; round < 300; ++round) {
    using role = checked::telling::role;
    auto telling = std::make_unique<checked::telling>(1);
    telling->send(role::a, role::b, std::string("one"));
    std::thread a([&telling = *telling] {
      try {
        telling.send(role::a, role::b, std::string("two"));
      } catch (const cancelled&) {}
    });
    wait_for_waiting(*telling, 1);
    static_cast<void>(telling->recv(role::b, role::a));
    telling.reset();
    a.join();
  }
}

}  // namespace
}  // namespace harrier::runtime
