// `-->` in strict modules: a send and a receive that are one step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <thread>

#include <harrier/protocol/check.hpp>
#include <harrier/protocol/module.hpp>
#include <harrier/protocol/strict.hpp>

#include "relay.hpp"
#include "support.hpp"
#include "swap.hpp"

namespace harrier::protocol {
namespace {

using swap_role = protocols::swap::role;
using relay_role = protocols::relay::role;

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TEST(Handshake, LetsASenderGoOnlyWhenTheReceiverTakesPart) {
  protocols::relay module;
  std::atomic<bool> arrived = false;
  std::thread receiver([&] {
    pause();
    arrived = true;
    EXPECT_EQ(module.at(relay_role::b).recv<int>(relay_role::a), 7);
  });
  module.at(relay_role::c).send(relay_role::a, 1L);
  EXPECT_EQ(module.at(relay_role::a).recv<long>(relay_role::c), 1);
  module.at(relay_role::a).send(relay_role::b, 7);

  EXPECT_TRUE(arrived);
  receiver.join();
}

TEST(Handshake, LetsAReceiverWaitForTheSender) {
  protocols::relay module;
  std::thread sender([&] {
    pause();
    module.send(relay_role::c, relay_role::a, 1L);
    EXPECT_EQ(module.recv<long>(relay_role::a, relay_role::c), 1);
    module.send(relay_role::a, relay_role::b, 7);
  });
  auto taken = module.recv_any(relay_role::b);
  sender.join();

  EXPECT_EQ(taken.get<int>(), 7);
}

TEST(Handshake, IsPossibleForATryOnlyWhileTheOtherSideWaits) {
  protocols::swap module;
  protocols::swap::message into;
  EXPECT_FALSE(module.try_send(swap_role::a, swap_role::b, 1)) << "b is not there";
  EXPECT_FALSE(module.try_recv(swap_role::b, swap_role::a, into)) << "a is not there";
  std::thread sender([&] { module.send(swap_role::a, swap_role::b, 5); });
  while (!module.try_recv(swap_role::b, swap_role::a, into)) std::this_thread::yield();
  sender.join();
  EXPECT_EQ(into.get<int>(), 5);
  std::thread receiver([&] { EXPECT_EQ(module.recv<long>(swap_role::a, swap_role::b), 6); });
  while (!module.try_send(swap_role::b, swap_role::a, 6L)) std::this_thread::yield();
  receiver.join();
}

TEST(Handshake, WakesWhomTheChoiceOfOthersExcludes) {
  protocols::swap module;
  std::thread late([&] {
    EXPECT_EQ(module.recv<int>(swap_role::b, swap_role::a), 1);
    EXPECT_EQ(module.try_send(swap_role::b, swap_role::a, 2L), false) << "a does not wait";
  });
  module.send(swap_role::a, swap_role::b, 1);
  EXPECT_THROW(module.send(swap_role::a, swap_role::b, 1), runtime::not_allowed);
  late.join();
}

TEST(Handshake, RefusesAReceiverThatAsksForAnotherType) {
  for (const bool receiver_first : {true, false}) {
    protocols::swap module;
    std::thread sender([&] {
      if (receiver_first) pause();
      module.send(swap_role::a, swap_role::b, 1);
    });
    if (!receiver_first) pause();
    EXPECT_THROW(static_cast<void>(module.recv<long>(swap_role::b, swap_role::a)), runtime::wrong_type);
    EXPECT_EQ(module.recv<int>(swap_role::b, swap_role::a), 1);
    sender.join();
  }
}

TEST(Handshake, PassesManyMessagesAmongThreads) {
  protocols::relay module;
  constexpr int rounds = 2000;
  std::thread first([&] {
    for (int i = 0; i < rounds; ++i) module.send(relay_role::c, relay_role::a, long{i});
  });
  std::thread second([&] {
    for (int i = 0; i < rounds; ++i)
      module.send(relay_role::a, relay_role::b, static_cast<int>(module.recv<long>(relay_role::a, relay_role::c)));
  });
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += module.recv<int>(relay_role::b, relay_role::a);
  first.join();
  second.join();

  EXPECT_EQ(sum, rounds * (rounds - 1) / 2);
}

TEST(Handshake, IsOneActionToFormulas) {
  EXPECT_TRUE(check(protocols::swap(), "G(\"a SEND T TO b\" -> \"b RECV T FROM a\")"));
  EXPECT_FALSE(check(protocols::relay(), "G !\"b RECV T FROM a\""));
}

// Sessions of a few steps, about half of them handshakes.
class random_session {
public:
  explicit random_session(unsigned seed) : random_(seed) {}

  std::string term(int depth) {
    const int kind = depth == 0 ? 0 : pick(5);
    if (kind <= 1) return communication();
    if (kind == 2) return "(s/cat " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind == 3) return "(s/alt " + term(depth - 1) + " " + term(depth - 1) + ")";
    return "(s/par " + term(depth - 1) + " " + term(depth - 1) + ")";
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string communication() {
    const int from = pick(3);
    const int to = (from + 1 + pick(2)) % 3;
    return std::string(pick(2) == 0 ? "(s/--> " : "(s/-->> ") + "TU"[pick(2)] + " ::" + "abc"[from] +
           " ::" + "abc"[to] + ")";
  }

  std::mt19937 random_;
};

std::map<std::string, state_id> moves(const state_graph& graph, const alphabet& names, state_id s) {
  std::map<std::string, state_id> result;
  for (const auto& t : graph.steps[s]) result[names.describe(names.actions()[t.action])] = t.target;
  return result;
}

// The first run that only one of two deterministic graphs has; empty: there is none.
std::string difference(const state_graph& one, const alphabet& names_of_one, const state_graph& other,
                       const alphabet& names_of_other) {
  std::set<std::pair<state_id, state_id>> seen;
  std::vector<std::pair<state_id, state_id>> open{{0, 0}};
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    const auto here = moves(one, names_of_one, at.first);
    const auto there = moves(other, names_of_other, at.second);
    for (const auto& [text, target] : here) {
      if (!there.contains(text)) return text;
      open.emplace_back(target, there.at(text));
    }
    for (const auto& move : there) {
      if (!here.contains(move.first)) return move.first;
    }
  }
  return {};
}

class RandomSession : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomSession, AllowsInItsModuleWhatTheDefinitionAllows) {
  const auto text = random_session(GetParam()).term(3);
  const auto s = session(session_p(text), "p");
  generate_options options;
  const auto loaded = load(generate(s, "p", options));
  module_space space(loaded.probe());
  strict_space definition(*s.terms);
  std::vector<std::vector<state_id>> members;

  EXPECT_EQ(difference(explore(space), space.names(), determinise(explore(definition), members), definition.names()),
            "")
      << text;
}
INSTANTIATE_TEST_SUITE_P(WithHandshakes, RandomSession, ::testing::Range(0U, 24U));

}  // namespace
}  // namespace harrier::protocol
