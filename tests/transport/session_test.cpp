// Roles that are coroutines or threads, in one part of a session or in two that a socket connects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <memory>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include "both.hpp"
#include "cg.hpp"
#include "chain.hpp"
#include "echo.hpp"
#include "lucky.hpp"
#include "lucky_9.hpp"
#include "other_protocol.hpp"
#include "other_types.hpp"
#include "parcels.hpp"
#include "stage.hpp"
#include "telling.hpp"
#include "token_ring.hpp"
#include "two_phase_commit.hpp"

namespace harrier::runtime {
namespace {

using namespace std::chrono_literals;
using protocols::both;
using protocols::chain;
using protocols::echo;
using protocols::lucky;
using protocols::parcels;
using protocols::telling;
using protocols::token_ring;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using done = asio::awaitable<void>;

const asio::ip::tcp::endpoint any_port(asio::ip::address_v4::loopback(), 0);

class Roles : public ::testing::TestWithParam<where> {};
INSTANTIATE_TEST_SUITE_P(All, Roles, ::testing::Values(where::together, where::apart),
                         [](const auto& one) { return one.param == where::together ? "Together" : "Apart"; });

// A coroutine that ends well, or says why not.
template <class Exception, class Call>
done expect_error(Call call, std::string words) {
  try {
    co_await call();
    ADD_FAILURE() << "nothing was thrown; expected: " << words;
  } catch (const Exception& e) {
    EXPECT_THAT(e.what(), HasSubstr(words));
  }
}

// Looks again and again whether something has happened.
done until(const bool& what) {
  asio::steady_timer pause(co_await asio::this_coro::executor);
  while (!what) {
    pause.expires_after(1ms);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

TEST_P(Roles, TellEachOtherWhatTheProtocolSays) {
  stage<echo> all(GetParam());
  constexpr int rounds = 100;
  const auto a = [](auto self) -> done {
    for (int i = 0; i < rounds; ++i) {
      co_await self.send(echo::role::b, std::string(static_cast<std::size_t>(i), 'x'));
      const auto size = co_await self.template recv<long>(echo::role::b);
      EXPECT_EQ(size, i);
    }
  };
  const auto b = [](auto self) -> done {
    for (int i = 0; i < rounds; ++i) {
      const auto text = co_await self.template recv<std::string>(echo::role::a);
      co_await self.send(echo::role::a, static_cast<long>(text.size()));
    }
  };
  all.play(a(all.take(echo::role::a)));
  all.play(b(all.take(echo::role::b)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_EQ(all.unreceived(), 0U);
}

TEST_P(Roles, CarryAllThatAMessageMayBe) {
  parcel sent{"text",
              {{1, 0.5}, {-2, 1e300}},
              {1, -2, 3},
              {{"one", point{1, 1}}, {"none", {}}},
              std::string("either"),
              std::vector<nothing>(3),
              {true, false, true},
              {"root", {{"leaf", {}}, {"branch", {{"leaf", {}}}}}},
              color::green,
              0.25F,
              ~std::uint64_t{0}};
  stage<parcels> all(GetParam());
  const auto a = [&](auto self) -> done {
    co_await self.send(parcels::role::b, sent);
    const auto back = co_await self.template recv<parcel>(parcels::role::b);
    EXPECT_EQ(back, sent);
    co_await self.send(parcels::role::b, nothing());
    const auto kept = co_await self.template recv<secret>(parcels::role::b);
    EXPECT_EQ(kept.value(), 7);
    co_await self.close(parcels::role::b);
    EXPECT_TRUE(self.has_finished());
  };
  const auto b = [&](auto self) -> done {
    auto came = co_await self.recv(parcels::role::a);
    EXPECT_TRUE(came.template is<parcel>());
    co_await self.send(parcels::role::a, std::move(came.template get<parcel>()));
    co_await self.template recv<nothing>(parcels::role::a);
    EXPECT_FALSE(self.has_finished());
    co_await self.send(parcels::role::a, secret(7));
    EXPECT_TRUE(self.has_finished());
  };
  all.play(a(all.take(parcels::role::a)));
  all.play(b(all.take(parcels::role::b)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, AreAsManyCoroutinesAsThereAre) {
  using role = token_ring::role;
  constexpr unsigned nodes = 64;
  constexpr long rounds = 5;
  stage<token_ring> all(GetParam());
  const auto node = [](auto self, unsigned number) -> done {
    const auto next = static_cast<role>((number + 1) % nodes);
    const auto before = static_cast<role>((number + nodes - 1) % nodes);
    for (long round = 0; round < rounds; ++round) {
      if (number == 0) co_await self.send(next, round * nodes);
      const auto token = co_await self.template recv<long>(before);
      const bool last = number == 0;
      if (last) {
        EXPECT_EQ(token, round * nodes + nodes - 1);
      } else {
        co_await self.send(next, token + 1);
      }
    }
  };
  for (unsigned n = 0; n < nodes; ++n) all.play(node(all.take(static_cast<role>(n)), n));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, HearFromWhomAMessageIs) {
  using role = both::role;
  stage<both> all(GetParam());
  const auto tell = [](auto self, auto value) -> done { co_await self.send(role::c, value); };
  std::vector<role> heard;
  const auto c = [&](auto self) -> done {
    for (int i = 0; i < 2; ++i) {
      const auto one = co_await self.recv_any();
      heard.push_back(one.sender());
      EXPECT_EQ(one.template is<std::string>(), one.sender() == role::a);
    }
  };
  all.play(c(all.take(role::c)));
  all.play(tell(all.take(role::a), std::string("from a")));
  all.play(tell(all.take(role::b), 2L));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_THAT(heard, UnorderedElementsAre(role::a, role::b));
}

TEST_P(Roles, AreToldWhatIsAllowedInsteadAndGoOn) {
  using role = echo::role;
  stage<echo> all(GetParam());
  const auto a = [](auto self) -> done {
    EXPECT_FALSE(self.try_send(role::b, 1L));
    co_await expect_error<not_allowed>([&] { return self.send(role::b, 1L); },
                                       "a SEND U TO b: not allowed here, whatever the others do; allowed here: "
                                       "a SEND T TO b (shutdown.dcj:");
    co_await expect_error<not_allowed>([&] { return self.recv(role::b); }, "allowed here: a SEND T TO b");
    co_await self.send(role::b, std::string("well"));
    co_await self.template recv<long>(role::b);
  };
  const auto b = [](auto self) -> done {
    co_await expect_error<wrong_type>([&] { return self.template recv<long>(role::a); },
                                      "b RECV U FROM a: the next message has another type, T");
    const auto text = co_await self.template recv<std::string>(role::a);
    EXPECT_EQ(text, "well");
    co_await self.send(role::a, 1L);
  };
  all.play(a(all.take(role::a)));
  all.play(b(all.take(role::b)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, MayTryWithoutWaiting) {
  using role = echo::role;
  stage<echo> all(GetParam());
  const auto a = [](auto self) -> done {
    std::string mine = "mine";
    EXPECT_TRUE(self.try_send(role::b, std::move(mine)));
    std::string again = "again";
    EXPECT_FALSE(self.try_send(role::b, std::move(again)));
    EXPECT_EQ(again, "again") << "what was not sent is the caller's";
    EXPECT_FALSE(self.try_close(role::b));
    typename echo::message into;
    asio::steady_timer pause(co_await asio::this_coro::executor);
    while (!self.try_recv(role::b, into)) {
      pause.expires_after(1ms);
      co_await pause.async_wait(asio::use_awaitable);
    }
    EXPECT_EQ(into.template get<long>(), 4);
  };
  const auto b = [](auto self) -> done {
    const auto text = co_await self.template recv<std::string>(role::a);
    EXPECT_TRUE(self.try_send(role::a, static_cast<long>(text.size())));
    typename decltype(self)::received nothing_came;
    EXPECT_FALSE(self.try_recv_any(nothing_came));
  };
  all.play(b(all.take(role::b)));
  all.play(a(all.take(role::a)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, WaitNoLongerThanTheyAreTold) {
  using namespace asio::experimental::awaitable_operators;
  using role = echo::role;
  stage<echo> all(GetParam());
  bool has_waited = false;
  const auto b = [&](auto self) -> done {
    co_await expect_error<timed_out>([&] { return self.recv(role::a, 0s); },
                                     "b RECV * FROM a: not possible by the deadline");
    co_await expect_error<timed_out>([&] { return self.recv_any(2ms); }, "not possible by the deadline");
    std::stop_source stop;
    stop.request_stop();
    co_await expect_error<stopped>([&] { return self.recv(role::a, stop.get_token()); }, "a stop was requested");
    asio::steady_timer soon(co_await asio::this_coro::executor, 2ms);
    const auto first = co_await (soon.async_wait(asio::use_awaitable) || self.recv(role::a));
    EXPECT_EQ(first.index(), 0U);
    has_waited = true;
    // Nothing is lost by all that.
    const auto text = co_await self.template recv<std::string>(role::a, 1h);
    EXPECT_EQ(text, "late");
    co_await self.send(role::a, 1L, 0s);
  };
  const auto a = [&](auto self) -> done {
    co_await until(has_waited);
    co_await self.send(role::b, std::string("late"));
    co_await self.recv(role::b);
  };
  all.play(b(all.take(role::b)));
  all.play(a(all.take(role::a)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, StopWhenTheyAreAskedToWhileTheyWait) {
  using role = echo::role;
  stage<echo> all(GetParam());
  std::stop_source stop;
  bool has_stopped = false;
  const auto b = [&](auto self) -> done {
    co_await expect_error<stopped>([&] { return self.recv(role::a, wait_limit(stop.get_token(), 1h)); },
                                   "b RECV * FROM a: a stop was requested");
    has_stopped = true;
  };
  const auto a = [&](auto self) -> done {
    asio::steady_timer pause(co_await asio::this_coro::executor, 5ms);
    co_await pause.async_wait(asio::use_awaitable);
    std::jthread([&] { stop.request_stop(); }).join();
    co_await until(has_stopped);
    self.leave();
  };
  all.play(b(all.take(role::b)));
  all.play(a(all.take(role::a)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, AreCancelledOnAllSides) {
  using role = echo::role;
  stage<echo> all(GetParam());
  const auto b = [&](auto self) -> done {
    co_await self.recv(role::a);
    all.of(role::b).cancel("it rains");
    all.of(role::b).cancel("and again");
    co_await expect_error<cancelled>([&] { return self.send(role::a, 1L); }, "b SEND U TO a: cancelled: it rains");
    EXPECT_THROW(static_cast<void>(self.try_send(role::a, 1L)), cancelled);
  };
  const auto a = [](auto self) -> done {
    co_await self.send(role::b, std::string("is it dry?"));
    try {
      co_await self.recv(role::b);
      ADD_FAILURE();
    } catch (const cancelled& e) {
      EXPECT_STREQ(e.reason(), "it rains");
    }
  };
  all.play(b(all.take(role::b)));
  all.play(a(all.take(role::a)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, HearThatAPeerHasGoneAfterWhatItHasSent) {
  using role = telling::role;
  stage<telling> all(GetParam());
  const auto a = [](auto parameter) -> done {
    auto self = std::move(parameter);  // so that the exception finds it
    co_await self.send(role::b, std::string("one"));
    co_await self.send(role::b, std::string("two"));
    throw std::runtime_error("a has fallen");
  };
  const auto b = [](auto self) -> done {
    for (const auto* expected : {"one", "two"}) {
      const auto text = co_await self.template recv<std::string>(role::a);
      EXPECT_EQ(text, expected);
    }
    co_await expect_error<peer_gone>([&] { return self.recv(role::a); },
                                     "b RECV * FROM a: peer gone: a was left by an exception");
  };
  all.play(b(all.take(role::b)));
  all.play(a(all.take(role::a)));
  all.run();
  EXPECT_THAT(all.said, ElementsAre("a has fallen"));
}

TEST_P(Roles, CannotSendToWhoHasLeft) {
  using role = telling::role;
  stage<telling> all(GetParam());
  const auto a = [](auto self) -> done {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    for (std::string words; self.try_send(role::b, words);) {  // until it is known here
      pause.expires_after(1ms);
      co_await pause.async_wait(asio::use_awaitable);
    }
  };
  all.play(a(all.take(role::a)));
  all.play([](auto self) -> done {
    self.leave();
    co_await expect_error<not_yours>([&] { return self.recv(role::a); }, "b has left");
  }(all.take(role::b)));
  all.run();
  EXPECT_THAT(all.said, ElementsAre(HasSubstr("a SEND T TO b: peer gone: b has left")));
}

TEST_P(Roles, WaitForRoomInAQueue) {
  using role = telling::role;
  session_options two;
  two.capacity = 2;
  stage<telling> all(GetParam(), two);
  constexpr int messages = 20;
  int received = 0;
  const auto a = [&](auto self) -> done {
    for (int i = 0; i < messages; ++i) {
      co_await self.send(role::b, std::to_string(i));
      EXPECT_LE(i - received, 2) << "that many are under way";
    }
  };
  const auto b = [&](auto self) -> done {
    asio::steady_timer pause(co_await asio::this_coro::executor, 5ms);
    co_await pause.async_wait(asio::use_awaitable);
    for (; received < messages; ++received) {
      const auto text = co_await self.template recv<std::string>(role::a);
      EXPECT_EQ(text, std::to_string(received));
    }
  };
  all.play(a(all.take(role::a)));
  all.play(b(all.take(role::b)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, AreTakenOnce) {
  using role = echo::role;
  stage<echo> all(GetParam());
  const auto a = [](auto self) -> done {
    co_await self.send(role::b, std::string("here I am"));
    co_await expect_error<peer_gone>([&] { return self.recv(role::b); }, "b has left");
  };
  const auto b = [&](auto /*has it until it ends*/) -> done {
    co_await all.of(role::b).everybody(1min);
    for (const auto taken : {role::a, role::b}) {
      try {
        static_cast<void>(all.of(role::b).take(taken));
        ADD_FAILURE();
      } catch (const not_yours& e) {
        EXPECT_THAT(e.what(), HasSubstr(": was taken "));
      }
    }
  };
  all.play(a(all.take(role::a)));
  EXPECT_THROW(static_cast<void>(all.take(role::a)), not_yours);
  all.play(b(all.take(role::b)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, MakeOneCallAtATime) {
  using role = echo::role;
  stage<echo> all(GetParam());
  bool refused = false;
  bool received = false;
  const auto a = [&](auto self) -> done {
    co_await until(refused);
    co_await self.send(role::b, std::string("for the first one"));
    co_await until(received);
  };
  const auto b = [&](auto self) -> done {
    asio::co_spawn(
        all.loop,
        [&]() -> done {
          const auto first = co_await self.recv(role::a);
          received = first.template is<std::string>();
        },
        asio::detached);
    for (int i = 0; i < 3; ++i) co_await asio::post(all.loop, asio::use_awaitable);  // the first one waits
    co_await expect_error<used_at_once>([&] { return self.recv(role::a); }, "b RECV * FROM a: another call of b waits");
    refused = true;
    co_await until(received);
  };
  all.play(b(all.take(role::b)));
  all.play(a(all.take(role::a)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
}

TEST_P(Roles, MayBeDestroyedWhileTheyWait) {
  using role = echo::role;
  auto all = std::make_unique<stage<echo>>(GetParam());
  const auto b = [](auto self) -> done { co_await self.recv(role::a); };
  all->play(b(all->take(role::b)));
  auto a = all->take(role::a);
  all->loop.poll();
  all.reset();  // first the sessions, then what waits, then a
}

TEST_P(Roles, OutliveTheirSession) {
  using role = echo::role;
  std::optional<session<echo>> here;
  asio::io_context loop;
  here.emplace(loop.get_executor());
  const auto b = [](auto self) -> done {
    co_await expect_error<cancelled>([&] { return self.recv(role::a); }, "the session was destroyed");
  };
  asio::co_spawn(loop, b(here->take(role::b)), asio::detached);
  auto a = here->take(role::a);
  loop.poll();
  here.reset();
  loop.run();
  EXPECT_THROW(static_cast<void>(a.try_send(role::b, std::string())), cancelled);
}

TEST(Deadlock, IsReportedWhereAllRolesAre) {
  using role = lucky::role;
  stage<lucky> all(where::together);
  const auto tells = [](auto self) -> done { co_await self.send(role::n_3_, std::string("you")); };
  const auto hopes = [](auto self) -> done { co_await self.recv(role::a); };
  all.play(tells(all.take(role::a)));
  for (unsigned r = 1; r < 9; ++r) all.play(hopes(all.take(static_cast<role>(r))));
  all.run();
  EXPECT_EQ(all.said.size(), 7U);
  EXPECT_THAT(all.said, ::testing::Each(AllOf(HasSubstr("peer gone: a has left"))));
}

TEST(Deadlock, IsReportedWhileNobodyHasLeft) {
  using role = lucky::role;
  stage<lucky> all(where::together);
  const auto tells = [](auto& self) -> done { co_await self.send(role::n_3_, std::string("you")); };
  const auto hopes = [](auto& self) -> done { co_await self.recv(role::a); };
  std::vector<stage<lucky>::self> selves;
  for (unsigned r = 0; r < 9; ++r) selves.push_back(all.take(static_cast<role>(r)));
  for (unsigned r = 1; r < 9; ++r) all.play(hopes(selves[r]));
  all.play(tells(selves[0]));
  all.run();
  EXPECT_EQ(all.said.size(), 7U);
  EXPECT_THAT(all.said, ::testing::Each(AllOf(HasSubstr("deadlock: all wait for one another: n_0_ RECV * FROM a"),
                                              ::testing::Not(HasSubstr("n_3_")))));
}

TEST(Deadlock, IsNotReportedOfWhatAsioMayEnd) {
  using namespace asio::experimental::awaitable_operators;
  using role = chain::role;
  stage<chain> all(where::together);
  const auto b = [](auto& self) -> done {
    asio::steady_timer soon(co_await asio::this_coro::executor, 2ms);
    const auto first = co_await (soon.async_wait(asio::use_awaitable) || self.recv(role::c));
    EXPECT_EQ(first.index(), 0U);
  };
  const auto c = [](auto& self) -> done { co_await self.recv(role::a, 2ms); };
  auto self_a = all.take(role::a);
  auto self_b = all.take(role::b);
  auto self_c = all.take(role::c);
  self_a.leave();
  all.play(b(self_b));
  all.play(c(self_c));
  all.run();
  EXPECT_THAT(all.said, ElementsAre(HasSubstr("c RECV * FROM a: peer gone")));
}

TEST(Coroutines, KeepTheirLoopAtWorkWhileTheyWait) {
  using role = echo::role;
  asio::io_context loop;
  session<echo> all(loop.get_executor());
  auto a = all.take_for_thread(role::a);
  std::string heard;
  const auto b = [&](auto self) -> done { heard = co_await self.template recv<std::string>(role::a); };
  asio::co_spawn(loop, b(all.take(role::b)), asio::detached);
  loop.poll();
  EXPECT_FALSE(loop.stopped()) << "somebody else may wake it";
  std::thread runs([&] { loop.run(); });
  a.send(role::b, std::string("wake up"));
  EXPECT_THROW(a.recv(role::b), peer_gone);
  runs.join();
  EXPECT_EQ(heard, "wake up");
}

TEST(Threads, PlayRolesOverASocket) {
  using role = echo::role;
  asio::thread_pool here(1);
  asio::thread_pool there(1);
  session<echo> left_part(here.get_executor());
  session<echo> right_part(there.get_executor());
  const auto address = left_part.listen(any_port);
  constexpr long rounds = 200;
  std::thread b([&] {
    auto self = right_part.take_for_thread(role::b);
    right_part.connect(address, 1min, asio::use_future).get();
    for (long i = 0; i <= rounds; ++i) {
      const auto text = self.recv<std::string>(role::a);
      self.send(role::a, static_cast<long>(text.size()), 1min);
    }
    try {
      self.recv(role::a);
      ADD_FAILURE();
    } catch (const peer_gone& e) {
      EXPECT_THAT(e.what(), HasSubstr("a has left"));
    }
  });
  {
    auto self = left_part.take_for_thread(role::a);
    left_part.everybody(1min, asio::use_future).get();
    for (long i = 0; i < rounds; ++i) {
      self.send(role::b, std::string(static_cast<std::size_t>(i), 'x'));
      EXPECT_EQ(self.recv<long>(role::b), i);
    }
    std::string word = "left unsent";
    EXPECT_THROW(self.recv(role::b, 1ms), not_allowed);
    self.send(role::b, std::string("one more"));
    EXPECT_THROW(self.send(role::b, std::move(word), 0s), not_allowed);
    EXPECT_EQ(word, "left unsent");
    self.recv(role::b, std::stop_token());
  }
  b.join();
  here.join();
  there.join();
}

TEST(Threads, AreWokenByLimitsCancelsAndPeersThatGo) {
  using role = telling::role;
  for (const bool cancels : {true, false}) {
    asio::thread_pool pool(1);
    session<telling> all(pool.get_executor());
    auto self = all.take_for_thread(role::b);
    auto peer = all.take_for_thread(role::a);
    EXPECT_THROW(self.recv(role::a, 1ms), timed_out);
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_THROW(self.recv(role::a, {stop.get_token(), 1min}), stopped);
    std::jthread ender([&] {
      if (cancels) {
        all.cancel("enough");
      } else {
        peer.leave();
      }
    });
    if (cancels) {
      EXPECT_THROW(self.recv(role::a), cancelled);
    } else {
      EXPECT_THROW(self.recv(role::a), peer_gone);
    }
  }
}

TEST(Threads, AndCoroutinesOnManyThreadsPlayTogether) {
  using role = token_ring::role;
  constexpr unsigned nodes = 64;
  constexpr long rounds = 20;
  asio::thread_pool pool(4);
  session<token_ring> all(pool.get_executor());
  std::latch ended(nodes - 1);
  const auto node = [&](auto self, unsigned number) -> done {
    for (long round = 0; round < rounds; ++round) {
      const auto token = co_await self.template recv<long>(static_cast<role>(number - 1));
      co_await self.send(static_cast<role>((number + 1) % nodes), token + 1);
    }
    ended.count_down();
  };
  auto first = all.take_for_thread(static_cast<role>(0));
  for (unsigned n = 1; n < nodes; ++n) asio::co_spawn(pool, node(all.take(static_cast<role>(n)), n), asio::detached);
  for (long round = 0; round < rounds; ++round) {
    first.send(static_cast<role>(1), round);
    EXPECT_EQ(first.recv<long>(static_cast<role>(nodes - 1)), round + nodes - 1);
  }
  ended.wait();
  pool.join();
}

TEST(Connection, MayBeAnyStream) {
  using role = echo::role;
  asio::io_context loop;
  session<echo> one(loop.get_executor());
  session<echo> other(loop.get_executor());
  asio::local::stream_protocol::socket left_end(loop);
  asio::local::stream_protocol::socket right_end(loop);
  asio::local::connect_pair(left_end, right_end);
  asio::co_spawn(loop, one.attach(std::move(left_end), "the right"), asio::detached);
  asio::co_spawn(loop, other.attach(std::move(right_end), "the left"), asio::detached);
  long answer = 0;
  const auto a = [&](auto self) -> done {
    co_await self.send(role::b, std::string("four"));
    answer = co_await self.template recv<long>(role::b);
  };
  const auto b = [](auto self) -> done {
    const auto text = co_await self.template recv<std::string>(role::a);
    co_await self.send(role::a, static_cast<long>(text.size()));
  };
  asio::co_spawn(loop, a(one.take(role::a)), asio::detached);
  asio::co_spawn(loop, b(other.take(role::b)), asio::detached);
  loop.run();
  EXPECT_EQ(answer, 4);
}

TEST(Connection, ComesWhenItComes) {
  // What was sent before anybody knew where the other is, is there when it comes; the one who connects may be first.
  using role = telling::role;
  asio::io_context loop;
  asio::ip::tcp::acceptor reserved(loop, any_port);
  const auto address = reserved.local_endpoint();
  reserved.close();
  session<telling> one(loop.get_executor());
  session<telling> other(loop.get_executor());
  auto self = one.take(role::a);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(self.try_send(role::b, std::to_string(i)));
  EXPECT_EQ(one.unreceived(), 3U);
  self.leave();
  std::vector<std::string> heard;
  const auto b = [&](auto late) -> done {
    co_await other.everybody();
    for (int i = 0; i < 3; ++i) {
      auto text = co_await late.template recv<std::string>(role::a);
      heard.push_back(std::move(text));
    }
  };
  asio::co_spawn(loop, one.connect(address), asio::detached);
  loop.run_for(20ms);
  other.listen(address);
  asio::co_spawn(loop, b(other.take(role::b)), asio::detached);
  loop.run();
  EXPECT_THAT(heard, ElementsAre("0", "1", "2"));
}

template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const protocol_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(Connection, IsNotWaitedForLongerThanAsked) {
  asio::thread_pool pool(1);
  asio::ip::tcp::acceptor reserved(pool, any_port);
  const auto closed = reserved.local_endpoint();
  reserved.close();
  session<echo> one(pool.get_executor());
  EXPECT_THAT(error_of([&] { one.connect(closed, 30ms, asio::use_future).get(); }),
              AllOf(HasSubstr("no connection to 127.0.0.1:"), HasSubstr("Connection refused")));
  std::stop_source stop;
  auto waiting = one.connect(closed, stop.get_token(), asio::use_future);
  stop.request_stop();
  EXPECT_THAT(error_of([&] { waiting.get(); }), HasSubstr("a stop was requested"));
  auto self = one.take_for_thread(echo::role::a);
  EXPECT_THAT(error_of([&] { one.everybody(10ms, asio::use_future).get(); }),
              HasSubstr("waiting for the others: nobody has taken b"));
}

template <class One, class Other>
void expect_refused(const std::string& words, const session_options& options = {}, const session_options& others = {},
                    bool takes_both = false) {
  asio::thread_pool pool(1);
  std::string refused;
  {
    auto listening = options;
    listening.on_refusal = [&](const std::string& why) { refused = why; };
    session<One> one(pool.get_executor(), listening);
    session<Other> other(pool.get_executor(), others);
    auto self = one.take_for_thread(One::role::a);
    std::optional<thread_participant<Other>> twin;
    if (takes_both) twin.emplace(other.take_for_thread(Other::role::a));
    const auto address = one.listen(any_port);
    const auto error = error_of([&] { other.connect(address, 1min, asio::use_future).get(); });
    EXPECT_THAT(error, AllOf(HasSubstr("the connection to 127.0.0.1:"), HasSubstr("was refused"), HasSubstr(words)));
  }
  pool.join();
  EXPECT_THAT(refused, HasSubstr("was refused"));
}

TEST(Connection, IsRefusedWhereTheSidesDiffer) {
  expect_refused<echo, telling>("it follows session echo, and this side session telling");
  expect_refused<echo, other_protocol::echo>("its module of session echo was generated from another definition");
  expect_refused<lucky, other_size::lucky>("it follows session lucky 8, and this side session lucky 9");
  expect_refused<echo, other_types::echo>("there, message U is int64; here, U is int16");
  session_options named;
  named.name = "game 1";
  expect_refused<echo, echo>("its session is called \"game 1\", and this one \"\"", named);
  session_options small;
  small.capacity = 3;
  expect_refused<echo, echo>("its queues have room for 3 messages, and those here for 0", small);
  expect_refused<echo, echo>("a is taken on both sides", {}, {}, true);
}

TEST(Connection, CarriesNoMessageThatIsTooLarge) {
  using role = telling::role;
  session_options small;
  small.largest_message = 100;
  stage<telling> all(where::apart, small);
  const auto a = [](auto self) -> done {
    co_await expect_error<message_too_large>([&] { return self.send(role::b, std::string(100, 'x')); },
                                             "a SEND T TO b: it takes more bytes than a message may have");
    co_await self.send(role::b, std::string(70, 'x'));
  };
  std::size_t heard = 0;
  const auto b = [&](auto self) -> done {
    const auto text = co_await self.template recv<std::string>(role::a);
    heard = text.size();
  };
  all.play(a(all.take(role::a)));
  all.play(b(all.take(role::b)));
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_EQ(heard, 70U);
}

template <class Self, class... Types>
bool try_any(Self& self, typename Self::role to, message<Types...>& content) {
  return ((content.template is<Types>() && self.try_send(to, content.template get<Types>())) || ...);
}

// Plays any role of any session: does at random what it may, until it has nothing more to do.
template <class Module>
done wander(participant<Module> self, unsigned seed, int most) {
  using role = typename Module::role;
  constexpr std::uint32_t roles = sizeof(Module::spec::roles) / sizeof(Module::spec::roles[0]);
  std::mt19937 random(seed);
  for (int i = 0; !self.has_finished(); ++i) {
    typename participant<Module>::received into;
    if (random() % 2 == 0 && self.try_recv_any(into)) continue;
    bool sent = false;
    const auto start = static_cast<std::uint32_t>(random() % roles);
    const auto types = Module::message::types;
    const auto first_type =
        i > most ? types - 1
                 : static_cast<std::uint32_t>(random() % types);  // what ends a session is last among its types
    for (std::uint32_t r = 0; r < roles && !sent; ++r) {
      const auto to = static_cast<role>((start + r) % roles);
      for (std::uint32_t t = 0; t < types && !sent; ++t) {
        auto content = Module::message::of_type((first_type + types - t) % types);
        sent = try_any(self, to, content);
      }
      sent = sent || self.try_close(to);
    }
    if (!sent) co_await self.recv_any();
  }
}
template <class Module>
void expect_wanderers_finish(where roles_are, unsigned seed) {
  using role = typename Module::role;
  constexpr std::uint32_t roles = sizeof(Module::spec::roles) / sizeof(Module::spec::roles[0]);
  stage<Module> all(roles_are);
  for (std::uint32_t r = 0; r < roles; ++r) {
    all.play(wander<Module>(all.take(static_cast<role>(r)), seed + r, 20));
  }
  all.run();
  EXPECT_THAT(all.said, IsEmpty()) << "seed " << seed;
  EXPECT_EQ(all.unreceived(), 0U) << "seed " << seed;
}

TEST_P(Roles, DoAtRandomWhatTheyMayAndAllFinish) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    expect_wanderers_finish<protocols::cg>(GetParam(), seed);
    expect_wanderers_finish<protocols::two_phase_commit>(GetParam(), seed);
    expect_wanderers_finish<both>(GetParam(), seed);
    expect_wanderers_finish<chain>(GetParam(), seed);
  }
}

}  // namespace
}  // namespace harrier::runtime
