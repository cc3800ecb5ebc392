// What a session is to those who wait: deadlocks, loops and threads; and how its parts are connected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <latch>
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
#include "chain.hpp"
#include "echo.hpp"
#include "lucky.hpp"
#include "lucky_9.hpp"
#include "other_protocol.hpp"
#include "other_types.hpp"
#include "stage.hpp"
#include "telling.hpp"
#include "token_ring.hpp"

namespace harrier::runtime {
namespace {

using namespace std::chrono_literals;
using protocols::both;
using protocols::chain;
using protocols::echo;
using protocols::lucky;
using protocols::telling;
using protocols::token_ring;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

TEST(Connection, MayBeToAHostByItsName) {
  asio::io_context loop;
  std::string heard;
  {
    session<telling> one(loop.get_executor());
    session<telling> other(loop.get_executor());
    const auto port = one.listen({asio::ip::address_v4::loopback(), 0}).port();
    const auto a = [](auto self) -> done { co_await self.send(telling::role::b, std::string("hello")); };
    const auto b = [&heard](auto self) -> done { heard = co_await self.template recv<std::string>(telling::role::a); };
    asio::co_spawn(loop, a(one.take(telling::role::a)), asio::detached);
    asio::co_spawn(loop, b(other.take(telling::role::b)), asio::detached);
    asio::co_spawn(loop, other.connect("localhost", std::to_string(port), 1min), asio::detached);
    loop.run();
  }
  EXPECT_EQ(heard, "hello");
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

}  // namespace
}  // namespace harrier::runtime
