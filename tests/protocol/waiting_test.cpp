// Calls of strict modules that wait, and who performs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "cg_strict.hpp"
#include "choice.hpp"
#include "echo.hpp"
#include "later.hpp"
#include "whoever.hpp"

namespace harrier::protocol {
namespace {

// Out of the queue, out of what came from the queue, and out of the call.
constexpr std::ptrdiff_t moves_of_a_receive = 3;

// Rounds until b slept when the message came; it may always be a little too late for that.
TEST(WaitingReceive, IsPerformedByTheThreadThatSends) {
  using role = protocols::echo::role;
  protocols::echo module;
  std::atomic<std::ptrdiff_t> least_moves = moves_of_a_receive;
  std::atomic<bool> more = true;
  constexpr int rounds = 200'000;
  std::thread b([&] {
    for (int value = 0; value >= 0;) {
      const auto got = module.recv<followed>(role::b, role::a);
      value = got.value;
      const auto mine = std::count(got.moved_by.begin(), got.moved_by.end(), std::this_thread::get_id());
      least_moves = std::min<std::ptrdiff_t>(least_moves, mine);
      module.send(role::b, role::a, 1);
    }
  });
  for (int i = 0; i < rounds && least_moves == moves_of_a_receive; ++i) {
    module.send(role::a, role::b, followed(i));
    static_cast<void>(module.recv<int>(role::a, role::b));
  }
  module.send(role::a, role::b, followed(-1));
  static_cast<void>(module.recv<int>(role::a, role::b));
  b.join();

  EXPECT_EQ(least_moves, 1) << "only out of the call";
}

TEST(WaitingReceive, IsRefusedToAllWhomTheChoiceOfAnotherExcludes) {
  using role = protocols::choice::role;
  protocols::choice module;
  std::array<std::atomic<bool>, 2> refused{};
  std::vector<std::thread> excluded;
  for (const unsigned i : {0U, 1U}) {
    excluded.emplace_back([&module, &done = refused[i], self = i == 0 ? role::c : role::d] {
      try {
        static_cast<void>(module.recv<int>(self, role::a));
      } catch (const runtime::not_allowed&) {
        done = true;
      }
    });
  }
  module.send(role::a, role::b, 5);
  for (auto& thread : excluded) thread.join();

  EXPECT_TRUE(refused[0]);
  EXPECT_TRUE(refused[1]);
  EXPECT_EQ(module.recv<int>(role::b, role::a), 5);
}

// What a call waits for is worked out once for all modules of a type, by whichever comes first.
TEST(WaitingReceive, IsRefusedInManyModulesAtOnce) {
  using role = protocols::later::role;
  constexpr std::size_t modules = 8;
  std::array<protocols::later, modules> all;
  std::array<std::atomic<bool>, modules> refused{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < modules; ++i) {
    threads.emplace_back([&module = all[i], &done = refused[i]] {
      try {
        static_cast<void>(module.recv<int>(role::a, role::b));
      } catch (const runtime::not_allowed&) {
        done = true;
      }
    });
  }
  for (auto& thread : threads) thread.join();

  EXPECT_TRUE(std::all_of(refused.begin(), refused.end(), [](const auto& done) { return done.load(); }));
}

TEST(WaitingReceive, FromAnybodyTakesWhatComesFirst) {
  using role = protocols::whoever::role;
  protocols::whoever module;
  int got = 0;
  std::thread c([&] { got = module.recv_any(role::c).get<int>(); });
  module.send(role::a, role::c, 7);
  c.join();

  EXPECT_EQ(got, 7);
  EXPECT_THROW(module.send(role::b, role::c, 8L), runtime::not_allowed);
}

TEST(WaitingReceive, OfAnotherTypeThrowsAndLeavesTheMessage) {
  using role = protocols::whoever::role;
  protocols::whoever module;
  std::thread c([&] { EXPECT_THROW(static_cast<void>(module.recv<long>(role::c, role::a)), runtime::wrong_type); });
  module.send(role::a, role::c, 7);
  c.join();

  EXPECT_EQ(module.recv<int>(role::c, role::a), 7);
}

TEST(WaitingSend, IsPerformedWhenOthersHaveActed) {
  using role = cg_strict::cg::role;
  cg_strict::cg kernel;
  const auto answer = [&](role self) {
    static_cast<void>(kernel.recv<cg_strict::cg::Compute>(self, role::master));
    kernel.send(self, role::master, cg_strict::cg::Done{});
  };
  constexpr int rounds = 2000;
  std::vector<std::thread> workers;
  for (const auto self : {role::worker_1_, role::worker_0_}) {  // the second answers no sooner than the first
    workers.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) answer(self);
    });
  }
  for (int i = 0; i < rounds; ++i) {
    for (const auto to : {role::worker_0_, role::worker_1_}) kernel.send(role::master, to, cg_strict::cg::Compute{});
    for (const auto from : {role::worker_0_, role::worker_1_}) {
      static_cast<void>(kernel.recv<cg_strict::cg::Done>(role::master, from));
    }
  }
  for (auto& worker : workers) worker.join();

  EXPECT_TRUE(kernel.try_send(role::master, role::worker_0_, cg_strict::cg::Exit{}));
}

TEST(WaitingHandshake, IsPerformedForBothByAThirdThread) {
  using role = protocols::later::role;
  protocols::later module;
  std::thread a([&] { module.send(role::a, role::b, 3L); });
  long got = 0;
  std::thread b([&] { got = module.recv<long>(role::b, role::a); });
  module.send(role::c, role::d, 1);
  EXPECT_EQ(module.recv<int>(role::d, role::c), 1);
  a.join();
  b.join();

  EXPECT_EQ(got, 3);
}

TEST(WaitingHandshake, OfAnotherTypeThrowsAndLeavesTheSenderWaiting) {
  using role = protocols::later::role;
  protocols::later module;
  std::thread a([&] { module.send(role::a, role::b, 3L); });
  long got = 0;
  std::thread b([&] {
    EXPECT_THROW(static_cast<void>(module.recv<int>(role::b, role::a)), runtime::wrong_type);
    got = module.recv<long>(role::b, role::a);
  });
  module.send(role::c, role::d, 1);
  EXPECT_EQ(module.recv<int>(role::d, role::c), 1);
  a.join();
  b.join();

  EXPECT_EQ(got, 3);
}

}  // namespace
}  // namespace harrier::protocol
