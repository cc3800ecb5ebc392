// Deadlines and stops, with threads that wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shutdown.hpp"

namespace harrier::runtime {
namespace {

template <class Mode>
class Deadline : public ::testing::Test {};
template <class Mode>
class Stop : public ::testing::Test {};
TYPED_TEST_SUITE(Deadline, modes, mode_names);
TYPED_TEST_SUITE(Stop, modes, mode_names);

// --- deadlines and stops

TYPED_TEST(Deadline, EndsAReceiveAndLeavesTheSessionWhereItWas) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;

  EXPECT_THROW(static_cast<void>(telling.template recv<std::string>(role::b, role::a, 1ms)), timed_out);
  EXPECT_THROW(static_cast<void>(telling.recv(role::b, role::a, steady_clock::now() + 1ms)), timed_out);
  EXPECT_THROW(static_cast<void>(telling.recv_any(role::b, std::chrono::system_clock::now() + 1ms)), timed_out);
  telling.send(role::a, role::b, std::string("now"), 1ms);
  EXPECT_EQ(telling.template recv<std::string>(role::b, role::a, 1ms), "now");
}

TYPED_TEST(Deadline, ThatHasPassedForbidsNothingThatIsPossible) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  telling.send(role::a, role::b, std::string("late"), steady_clock::time_point::min());

  EXPECT_EQ(telling.template recv<std::string>(role::b, role::a, -1h), "late");
  EXPECT_THROW(static_cast<void>(telling.recv(role::b, role::a, 0s)), timed_out);
}

TYPED_TEST(Deadline, FarAwayIsWaitedForUntilTheMessageComes) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  std::thread a([&] {
    wait_for_waiting(telling, 1);
    telling.send(role::a, role::b, std::string("at last"));
  });

  EXPECT_EQ(telling.template recv<std::string>(role::b, role::a, std::chrono::hours::max()), "at last");
  a.join();
}

// A message that comes between the look for it and the waiting must not be missed; a hang is what would show it.
TYPED_TEST(Deadline, FarAwayMissesNoMessage) {
  using module = typename TypeParam::echo;
  using role = typename module::role;
  module echo;
  constexpr long rounds = 20'000;
  std::stop_source source;
  std::thread b([&] {
    for (long round = 0; round < rounds; ++round) {
      static_cast<void>(echo.recv(role::b, role::a, {source.get_token(), 1h}));
      echo.send(role::b, role::a, round, source.get_token());
    }
  });
  long sum = 0;
  for (long round = 0; round < rounds; ++round) {
    echo.send(role::a, role::b, std::string("?"), 1h);
    sum += echo.template recv<long>(role::a, role::b, 1h);
  }
  b.join();

  EXPECT_EQ(sum, rounds * (rounds - 1) / 2);
}

TYPED_TEST(Deadline, ThatComesWithTheMessageLosesNothing) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  constexpr int messages = 2000;
  std::thread a([&] {
    for (int i = 0; i < messages; ++i) telling.send(role::a, role::b, std::to_string(i));
  });
  std::vector<std::string> got;
  while (got.size() < messages) {
    try {
      got.push_back(telling.template recv<std::string>(role::b, role::a, std::chrono::microseconds(got.size() % 50)));
    } catch (const timed_out&) {
      std::this_thread::yield();
    }
  }
  a.join();

  for (int i = 0; i < messages; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], std::to_string(i));
  EXPECT_EQ(telling.unreceived(), 0U);
}

TEST(DeadlineOfASend, GivesTheValueBack) {
  using role = checked::telling::role;
  checked::telling telling(1);
  telling.send(role::a, role::b, std::string("first"));
  std::string second = "second, which is longer than a string keeps inside";

  EXPECT_THROW(telling.send(role::a, role::b, std::move(second), 1ms), timed_out);
  EXPECT_EQ(second, "second, which is longer than a string keeps inside");
  EXPECT_FALSE(telling.try_send(role::a, role::b, std::move(second)));
  EXPECT_EQ(second, "second, which is longer than a string keeps inside");
  EXPECT_EQ(telling.recv<std::string>(role::b, role::a), "first");
  telling.send(role::a, role::b, std::move(second), 1ms);
  EXPECT_EQ(telling.recv<std::string>(role::b, role::a), "second, which is longer than a string keeps inside");
}

TEST(DeadlineOfASend, OfAStrictModuleEndsItsWaitingForOthers) {
  using role = protocols::turns::role;
  protocols::turns turns;

  EXPECT_THROW(turns.send(role::c, role::d, std::string("too early"), 1ms), timed_out);
  turns.send(role::a, role::b, std::string("go"));
  static_cast<void>(turns.recv(role::b, role::a));
  EXPECT_NO_THROW(turns.send(role::c, role::d, std::string("now"), 1ms));
}

// The one that waits could do the same again, and is woken all the same.
TEST(AHandshake, WakesWhoWaitsForItEachTime) {
  using role = protocols::beat::role;
  protocols::beat beat;
  std::thread b([&] {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(beat.recv<std::string>(role::b, role::a), "tick");
    beat.send(role::b, role::a, 1L);
  });
  for (int i = 0; i < 2; ++i) {
    wait_for_waiting(beat, 1);
    beat.send(role::a, role::b, std::string("tick"));
  }
  EXPECT_EQ(beat.recv<long>(role::a, role::b), 1);
  b.join();
}

TEST(DeadlineOfASend, EndsItsWaitingInAHandshake) {
  using role = protocols::meeting::role;
  protocols::meeting meeting;
  EXPECT_THROW(meeting.send(role::a, role::b, std::string("alone"), 1ms), timed_out);
  EXPECT_THROW(static_cast<void>(meeting.recv(role::b, role::a, 1ms)), timed_out);
  std::thread a([&] { meeting.send(role::a, role::b, std::string("hello"), 1h); });

  EXPECT_EQ(meeting.recv<std::string>(role::b, role::a, 1h), "hello");
  a.join();
}

// Whether the sender got it done or was too late, and so whether the receiver did, is one and the same.
TEST(DeadlineOfASend, ThatComesWithTheReceiverIsTheSameForBoth) {
  for (int round = 0; round < 500; ++round) {
    using role = protocols::meeting::role;
    protocols::meeting meeting;
    bool sent = true;
    bool received = true;
    std::thread a([&] {
      try {
        meeting.send(role::a, role::b, std::string("hello"), std::chrono::microseconds(round % 100));
      } catch (const timed_out&) {
        sent = false;
      }
    });
    try {
      static_cast<void>(meeting.recv(role::b, role::a, std::chrono::microseconds(round % 70)));
    } catch (const timed_out&) {
      received = false;
    }
    a.join();

    ASSERT_EQ(sent, received) << "round " << round;
  }
}

TEST(ASendThatWaitsForRoom, GoesOnWhenAReceiveMakesIt) {
  using role = checked::telling::role;
  checked::telling telling(1);
  telling.send(role::a, role::b, std::string("one"));
  std::thread a([&] {
    telling.send(role::a, role::b, std::string("two"));
    telling.send(role::a, role::b, std::string("three"), 1h);
  });
  wait_for_waiting(telling, 1);

  EXPECT_EQ(telling.recv<std::string>(role::b, role::a), "one");
  EXPECT_EQ(telling.recv<std::string>(role::b, role::a), "two");
  EXPECT_EQ(telling.recv<std::string>(role::b, role::a), "three");
  a.join();
}

TYPED_TEST(Stop, EndsACallThatWaitsAndLeavesTheSessionWhereItWas) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  std::stop_source source;
  std::string words;
  std::thread b([&] {
    words = words_of<stopped>(
        [&] { static_cast<void>(telling.template recv<std::string>(role::b, role::a, source.get_token())); });
  });
  wait_for_waiting(telling, 1);
  source.request_stop();
  b.join();

  EXPECT_THAT(words, HasSubstr("b RECV T FROM a: a stop was requested"));
  EXPECT_THROW(static_cast<void>(telling.recv(role::b, role::a, {source.get_token(), 1h})), stopped);
  telling.send(role::a, role::b, std::string("still"), source.get_token());
  EXPECT_EQ(telling.template recv<std::string>(role::b, role::a, source.get_token()), "still");
}

TYPED_TEST(Stop, OfSixtyFourThreadsLeavesNobody) {
  using module = typename TypeParam::ring;
  using role = typename module::role;
  module ring;
  std::stop_source source;
  std::atomic<unsigned> ended = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < nodes; ++i) {
    threads.emplace_back([&, i] {
      EXPECT_THROW(static_cast<void>(ring.recv(role(i), role(i - 1), source.get_token())), stopped);
      ++ended;
    });
  }
  wait_for_waiting(ring, nodes - 1);
  source.request_stop();
  join(threads);

  EXPECT_EQ(ended, nodes - 1);
  EXPECT_EQ(ring.waiting(), 0U);
}

TYPED_TEST(Stop, ThatComesWithTheMessageLosesNothing) {
  for (int round = 0; round < 300; ++round) {
    using module = typename TypeParam::telling;
    using role = typename module::role;
    module telling;
    std::stop_source source;
    bool received = true;
    std::thread b([&] {
      try {
        static_cast<void>(telling.recv(role::b, role::a, source.get_token()));
      } catch (const stopped&) {
        received = false;
      }
    });
    std::thread stop([&] { source.request_stop(); });
    telling.send(role::a, role::b, std::string("either way"));
    stop.join();
    b.join();

    ASSERT_EQ(telling.unreceived(), received ? 0U : 1U) << "round " << round;
  }
}

// A stop that is requested by another thread at the last moment: while the call, which holds a lock, looks for the n-th
// time whether it was.
class late_stop {
public:
  static constexpr bool waits = true;
  static constexpr bool for_ever = false;

  explicit late_stop(int look) : look_(look) {}
  late_stop(const late_stop&) = delete;
  late_stop& operator=(const late_stop&) = delete;
  ~late_stop() {
    if (other_.joinable()) other_.join();
  }

  template <class Wake>
  [[nodiscard]] no_wait::nothing<Wake> when_stopped(const Wake& wake) const {
    wake_ = wake;
    return {};
  }
  [[nodiscard]] bool is_over() const {
    if (look_-- != 1) return look_ < 0;
    other_ = std::thread([this] {
      has_begun_ = true;
      wake_();
      has_rung_ = true;
    });
    while (!has_begun_) std::this_thread::yield();
    for (int i = 0; i < 1000 && !has_rung_; ++i) std::this_thread::yield();
    return false;
  }
  [[nodiscard]] static bool stop_requested() { return true; }
  static void wait(bell& alarm, mutex& held) { alarm.wait(held); }

private:
  mutable int look_;
  mutable std::function<void()> wake_;
  mutable std::thread other_;
  mutable std::atomic<bool> has_begun_ = false;
  mutable std::atomic<bool> has_rung_ = false;
};

// A hang is what would show that it is.
TYPED_TEST(Stop, ThatComesBetweenTheLastLookForItAndTheWaitingIsNotMissed) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  constexpr bool is_strict = std::is_same_v<TypeParam, in_strict>;  // which looks once before it has the waiting's lock
  module telling;
  typename module::message into;
  request call{kind::receive, static_cast<std::uint32_t>(role::a), static_cast<std::uint32_t>(role::b), anything};

  EXPECT_THROW(telling.perform(call, into, late_stop(is_strict ? 2 : 1)), stopped);
}

// Calls that may be stopped let go of their lock for a moment before they wait; this is done then.
struct meanwhile {
  static constexpr bool waits = true;
  static constexpr bool for_ever = false;
  std::function<void()> what;

  template <class Wake>
  [[nodiscard]] no_wait::nothing<Wake> when_stopped(const Wake&) const {
    what();
    return {};
  }
  [[nodiscard]] static bool is_over() { return false; }
  [[nodiscard]] static bool stop_requested() { return false; }
  static void wait(bell& alarm, mutex& held) { alarm.wait(held); }
};

template <class Mode>
class WaitingWithALimit : public ::testing::Test {};
using liberal_modes = ::testing::Types<in_liberal, in_checked>;
TYPED_TEST_SUITE(WaitingWithALimit, liberal_modes, mode_names);

TYPED_TEST(WaitingWithALimit, SeesTheMessageThatCameBeforeItBegan) {
  using module = typename TypeParam::telling;
  using role = typename module::role;
  module telling;
  typename module::message into;
  request call{kind::receive, static_cast<std::uint32_t>(role::a), static_cast<std::uint32_t>(role::b), anything};
  const meanwhile limit{[&] { telling.send(role::a, role::b, std::string("quick")); }};

  EXPECT_TRUE(telling.perform(call, into, limit));
  EXPECT_EQ(into.template get<std::string>(), "quick");
}

// Whose time is over at the second look, just after this was done by another thread.
struct over_after {
  static constexpr bool waits = true;
  static constexpr bool for_ever = false;
  std::function<void()> what;
  mutable int looks = 0;

  template <class Wake>
  [[nodiscard]] no_wait::nothing<Wake> when_stopped(const Wake&) const {
    return {};
  }
  [[nodiscard]] bool is_over() const {
    if (++looks == 2) what();
    return looks >= 2;
  }
  [[nodiscard]] static bool stop_requested() { return false; }
  static void wait(bell& alarm, mutex& held) { alarm.wait(held); }
};

TEST(DeadlineOfAStrictModule, ThatComesWhenAnotherThreadHasPerformedTheCallIsNone) {
  using role = strict::telling::role;
  strict::telling telling;
  strict::telling::message into;
  request call{kind::receive, static_cast<std::uint32_t>(role::a), static_cast<std::uint32_t>(role::b), anything};
  std::thread a;
  const over_after limit{[&] {
    a = std::thread([&] { telling.send(role::a, role::b, std::string("just in time")); });
    wait_for_waiting(telling, 0);
  }};

  EXPECT_NO_THROW(static_cast<void>(telling.perform(call, into, limit)));
  a.join();
  EXPECT_EQ(into.get<std::string>(), "just in time");
}

TEST(StopOfASend, EndsItsWaitingForRoom) {
  using role = checked::telling::role;
  checked::telling telling(1);
  telling.send(role::a, role::b, std::string("first"));
  std::stop_source source;
  std::thread a(
      [&] { EXPECT_THROW(telling.send(role::a, role::b, std::string("second"), source.get_token()), stopped); });
  wait_for_waiting(telling, 1);
  source.request_stop();
  a.join();

  EXPECT_EQ(telling.unreceived(), 1U);
}

}  // namespace
}  // namespace harrier::runtime
