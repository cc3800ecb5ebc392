// Roles that are coroutines or threads, in one part of a session or in two that a socket connects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/experimental/awaitable_operators.hpp>

#include "both.hpp"
#include "cg.hpp"
#include "chain.hpp"
#include "echo.hpp"
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
using protocols::parcels;
using protocols::telling;
using protocols::token_ring;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

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
    pause.expires_after(std::chrono::milliseconds(1));
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

TEST(Message, IsNotSentIfItIsTooLarge) {
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
