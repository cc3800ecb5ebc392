// Channels: both sides may have messages under way at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>

#include "duplex.hpp"
#include "stage.hpp"

namespace harrier::runtime {
namespace {

using namespace std::chrono_literals;
using protocols::duplex;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Channels : public ::testing::TestWithParam<where> {};
INSTANTIATE_TEST_SUITE_P(All, Channels, ::testing::Values(where::together, where::apart),
                         [](const auto& one) { return one.param == where::together ? "Together" : "Apart"; });

TEST_P(Channels, AllowBothToSendBeforeEitherReceives) {
  stage<duplex> all(GetParam());
  std::vector<long> heard;
  const auto play = [&](auto self, duplex::role peer, long first) -> done {
    co_await self.send(peer, first);
    co_await self.send(peer, first + 1);
    for (int i = 0; i < 2; ++i) heard.push_back(co_await self.template recv<long>(peer));
    co_await self.send(peer, duplex::End{});
    co_await self.template recv<duplex::End>(peer);
    EXPECT_TRUE(self.has_finished());
  };
  all.play(play(all.take(duplex::role::a), duplex::role::b, 1));
  all.play(play(all.take(duplex::role::b), duplex::role::a, 11));
  all.run();

  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_THAT(heard, ::testing::UnorderedElementsAre(1, 2, 11, 12));
  EXPECT_EQ(all.unreceived(), 0U);
}

TEST_P(Channels, HaveAsMuchRoomAsTheDefinitionSays) {
  stage<duplex> all(GetParam());
  std::vector<bool> done_at_once;
  std::vector<long> heard;
  const auto a = [&](auto self) -> done {
    for (long i = 0; i < 3; ++i) {
      auto next = i;
      done_at_once.push_back(self.try_send(duplex::role::b, std::move(next)));
    }
    co_await self.template recv<duplex::End>(duplex::role::b);
    co_await self.send(duplex::role::b, 2L);
    co_await self.send(duplex::role::b, duplex::End{});
  };
  const auto b = [&](auto self) -> done {
    co_await self.send(duplex::role::a, duplex::End{});
    for (int i = 0; i < 3; ++i) heard.push_back(co_await self.template recv<long>(duplex::role::a));
    co_await self.template recv<duplex::End>(duplex::role::a);
  };
  all.play(a(all.take(duplex::role::a)));
  all.play(b(all.take(duplex::role::b)));
  all.run();

  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_THAT(done_at_once, ElementsAre(true, true, false));
  EXPECT_THAT(heard, ElementsAre(0, 1, 2));
}

TEST_P(Channels, HaveLessRoomIfTheSessionIsGivenLess) {
  session_options options;
  options.capacity = 1;
  stage<duplex> all(GetParam(), options);
  std::vector<bool> done_at_once;
  const auto a = [&](auto self) -> done {
    for (long i = 0; i < 2; ++i) {
      auto next = i;
      done_at_once.push_back(self.try_send(duplex::role::b, std::move(next)));
    }
    co_return;
  };
  const auto b = [&](auto self) -> done { EXPECT_EQ(co_await self.template recv<long>(duplex::role::a), 0); };
  all.play(a(all.take(duplex::role::a)));
  all.play(b(all.take(duplex::role::b)));
  all.run();

  EXPECT_THAT(done_at_once, ElementsAre(true, false));
}

TEST_P(Channels, AreOverWhereTheirBodyIs) {
  stage<duplex> all(GetParam());
  const auto a = [](auto self) -> done {
    co_await self.send(duplex::role::b, duplex::End{});
    co_await self.send(duplex::role::b, 1L);
  };
  const auto b = [](auto self) -> done { co_await self.template recv<long>(duplex::role::a); };
  all.play(a(all.take(duplex::role::a)));
  all.play(b(all.take(duplex::role::b)));
  all.run();

  EXPECT_THAT(all.said, ::testing::UnorderedElementsAre(
                            AllOf(HasSubstr("a SEND T TO b: not allowed here, whatever the others do; allowed here: "),
                                  HasSubstr("a RECV T FROM b (channels.dcj:10)")),
                            HasSubstr("b RECV T FROM a: the next message has another type, End")));
}

// What somebody who plays a says, as bytes: its greeting, and then these.
std::string said_by_a(const std::vector<std::pair<std::uint32_t, std::string>>& types_and_contents) {
  session_part<duplex> other("", 0, 1000);
  other.take(0);
  const auto says = other.says();
  std::string bytes(wire::magic);
  wire::append(bytes, wire::frame::hello, [&](wire::writer& out) {
    out(says.title, says.tables, says.layouts, says.name, says.capacity, says.silence, says.taken);
  });
  wire::append(bytes, wire::frame::accepted, [](wire::writer&) {});
  for (const auto& [type, content] : types_and_contents) {
    wire::append(bytes, wire::frame::letter, [&, t = type, &c = content](wire::writer& out) {
      for (const auto number : {0U, 1U, t, 0U}) out.put(number);
      out.bytes(c.data(), c.size(), 1);
    });
  }
  return bytes;
}

// One side of a session, and what comes to it from a that is far away.
struct one_side {
  one_side() {
    asio::local::connect_pair(near, far);
    asio::co_spawn(loop, one.attach(std::move(near), "far away"), asio::detached);
  }
  void hear(const std::string& bytes) {
    asio::write(far, asio::buffer(bytes));
    far.shutdown(asio::socket_base::shutdown_send);
    loop.run();
  }

  asio::io_context loop;
  session<duplex> one{loop.get_executor()};
  asio::local::stream_protocol::socket near{loop};
  asio::local::stream_protocol::socket far{loop};
  const std::string end = std::string(1, '\0');
  const std::string number = std::string(sizeof(long), '\0');
};

TEST(Channel, IsBrokenByAMessageAfterItsEnd) {
  one_side here;
  std::string broken;
  const auto b = [&](auto self) -> done {
    try {
      co_await self.template recv<duplex::End>(duplex::role::a);
      co_await self.send(duplex::role::a, 1L);
      for (;;) co_await self.recv(duplex::role::a);
    } catch (const protocol_broken& e) {
      broken = e.what();
    }
  };
  asio::co_spawn(here.loop, b(here.one.take(duplex::role::b)), asio::detached);
  here.hear(said_by_a({{1, here.end}, {0, here.number}}));

  EXPECT_THAT(broken,
              AllOf(HasSubstr("a SEND T TO b: came from far away and is not allowed here, whatever the others do; "
                              "allowed here: b SEND T TO a (channels.dcj:10)")));
}

TEST(Channel, IsBrokenByWhoSendsMoreThanThereIsRoomFor) {
  one_side here;
  auto b = here.one.take(duplex::role::b);
  here.hear(said_by_a({{0, here.number}, {0, here.number}, {0, here.number}}));
  std::string broken;
  duplex::message into;
  try {
    static_cast<void>(b.try_recv(duplex::role::a, into));
  } catch (const protocol_broken& e) {
    broken = e.what();
  }

  EXPECT_THAT(broken,
              HasSubstr("a SEND T TO b: came from far away, though as many were under way as there is room for"));
}

// What two definitions have for one channel.
TEST(Channel, MustHaveTheSameRoomOnBothSides) {
  const auto here = role_machines::of<duplex::spec>();
  auto there = role_machines::read(here.written());
  const auto why_not = [&] { return stand_in({here, "here"}, {there, "there"}, "a").why_not(); };
  EXPECT_EQ(there.rooms, here.rooms);
  EXPECT_THAT(why_not(), IsEmpty());
  there.rooms[{1, 0}] = 5;
  EXPECT_EQ(why_not(), "from b to a there is room for 2 here, and for 5 there");
  there.rooms[{1, 0}] = 0;
  EXPECT_EQ(why_not(), "from b to a there is room for 2 here, and for any number of messages there");
}

TEST(Channel, IsNotSaidToHaveRoomForWhatIsNeverSent) {
  auto machines = role_machines::of<duplex::spec>();
  machines.rooms[{0, 0}] = 3;

  EXPECT_THROW(role_machines::read(machines.written()), wire::malformed);
}

TEST(Channel, CarriesStreamsInBothDirectionsBetweenTwoLoops) {
  asio::thread_pool here(1);
  asio::thread_pool there(1);
  session<duplex> one(here.get_executor());
  session<duplex> other(there.get_executor());
  asio::local::stream_protocol::socket near(here);
  asio::local::stream_protocol::socket far(there);
  asio::local::connect_pair(near, far);
  auto a = one.take_for_thread(duplex::role::a);
  auto b = other.take_for_thread(duplex::role::b);
  auto attached = one.attach(std::move(near), "far", asio::use_future);
  other.attach(std::move(far), "near", asio::use_future).get();
  attached.get();
  constexpr long messages = 300;
  const auto stream = [](auto& self, duplex::role peer) {
    long sent = 0;
    long received = 0;
    duplex::message came;
    while (sent < messages || received < messages) {
      if (sent < messages && self.try_send(peer, long{sent})) ++sent;
      if (received < messages && self.try_recv(peer, came)) {
        EXPECT_EQ(came.get<long>(), received++);
      }
      std::this_thread::yield();
    }
    self.send(peer, duplex::End{}, 1min);
    self.template recv<duplex::End>(peer, 1min);
    self.finish();
  };
  std::jthread player([&] { stream(b, duplex::role::a); });
  stream(a, duplex::role::b);
  player.join();
  here.join();
  there.join();
}

}  // namespace
}  // namespace harrier::runtime
