// Deadlines, stops, cancellation, roles that leave and modules that are destroyed, with threads that wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "aside.hpp"
#include "beat.hpp"
#include "both_checked.hpp"
#include "both_liberal.hpp"
#include "both_strict.hpp"
#include "chain_checked.hpp"
#include "chain_liberal.hpp"
#include "chain_strict.hpp"
#include "cross.hpp"
#include "echo_checked.hpp"
#include "echo_liberal.hpp"
#include "echo_strict.hpp"
#include "lucky.hpp"
#include "meeting.hpp"
#include "pairs.hpp"
#include "ring_checked.hpp"
#include "ring_liberal.hpp"
#include "ring_strict.hpp"
#include "shy.hpp"
#include "telling_checked.hpp"
#include "telling_liberal.hpp"
#include "telling_strict.hpp"
#include "turns.hpp"

namespace harrier::runtime {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using ::testing::HasSubstr;

constexpr unsigned nodes = 64;

struct in_strict {
  using ring = strict::token_ring;
  using telling = strict::telling;
  using chain = strict::chain;
  using both = strict::both;
  using echo = strict::echo;
};
struct in_liberal {
  using ring = liberal::token_ring;
  using telling = liberal::telling;
  using chain = liberal::chain;
  using both = liberal::both;
  using echo = liberal::echo;
};
struct in_checked {
  using ring = checked::token_ring;
  using telling = checked::telling;
  using chain = checked::chain;
  using both = checked::both;
  using echo = checked::echo;
};
using modes = ::testing::Types<in_strict, in_liberal, in_checked>;
struct mode_names {
  template <class Mode>
  static std::string GetName(int) {
    return std::is_same_v<Mode, in_strict> ? "strict" : std::is_same_v<Mode, in_liberal> ? "liberal" : "checked";
  }
};

template <class Mode>
class Deadline : public ::testing::Test {};
template <class Mode>
class Stop : public ::testing::Test {};
template <class Mode>
class Cancel : public ::testing::Test {};
template <class Mode>
class Leaving : public ::testing::Test {};
template <class Mode>
class Destruction : public ::testing::Test {};
template <class Mode>
class Words : public ::testing::Test {};
TYPED_TEST_SUITE(Deadline, modes, mode_names);
TYPED_TEST_SUITE(Stop, modes, mode_names);
TYPED_TEST_SUITE(Cancel, modes, mode_names);
template <class Mode>
class LeavingASoundModule : public ::testing::Test {};
using sound_modes = ::testing::Types<in_strict, in_checked>;
TYPED_TEST_SUITE(Leaving, modes, mode_names);
TYPED_TEST_SUITE(LeavingASoundModule, sound_modes, mode_names);
TYPED_TEST_SUITE(Destruction, modes, mode_names);
TYPED_TEST_SUITE(Words, modes, mode_names);

template <class Module>
void wait_for_waiting(const Module& module, std::size_t threads) {
  while (module.waiting() != threads) std::this_thread::yield();
}

template <class Error, class Call>
std::string words_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

void join(std::vector<std::thread>& threads) {
  for (auto& t : threads) t.join();
}

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

  EXPECT_EQ(words_of<peer_gone>([&] { telling.send(role::a, role::b, std::move(two)); }),
            "a SEND T TO b: peer gone: b has left");
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

TEST(WordsOfARefusal, SayWhatTheSessionIsAt) {
  using role = strict::chain::role;
  strict::chain chain;

  EXPECT_EQ(words_of<not_allowed>([&] { static_cast<void>(chain.recv(role::b, role::a)); }),
            "b RECV * FROM a: not allowed, whatever the others do; next here: a SEND T TO c (shutdown.dcj:18)");
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
