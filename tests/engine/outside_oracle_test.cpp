#include "outside_oracle.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace harrier::differential::outside {
namespace {

using litmus::random_program;
using litmus::verb;
using testing::IsEmpty;

constexpr limits quick{300, 10'000};

struct compared {
  std::uint64_t programs = 0, traces = 0;
  std::vector<std::string> differences;
};

compared compare_all(const std::vector<std::uint64_t>& seeds, delivery model) {
  compared all;
  for (const auto seed : seeds) {
    const auto c = compare_with_outside(litmus::make_random(seed), model, quick);
    if (!c.fits) continue;
    ++all.programs;
    all.traces += c.expected.traces.size();
    if (!c.difference.empty()) all.differences.push_back(c.difference);
  }
  return all;
}

std::vector<std::uint64_t> first_seeds(std::uint64_t n) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= n; ++seed) seeds.push_back(seed);
  return seeds;
}

/// A delivery model, and what the first programs have under it by its definition.
struct counted {
  delivery model;
  std::uint64_t programs, traces;

  friend std::ostream& operator<<(std::ostream& out, const counted& c) { return out << to_string(c.model); }
};

class ByDefinition : public testing::TestWithParam<counted> {};

TEST_P(ByDefinition, RandomProgramsDoWhatExhaustiveFinds) {
  const auto all = compare_all(first_seeds(120), GetParam().model);

  EXPECT_THAT(all.differences, IsEmpty());
  EXPECT_EQ(all.programs, GetParam().programs);
  EXPECT_EQ(all.traces, GetParam().traces);
}

// These show mistakes that no program above shows: docs/differential.md.
TEST_P(ByDefinition, RareProgramsDoWhatExhaustiveFinds) {
  const auto all = compare_all({308, 541, 719, 731, 990, 1299, 1781, 1786, 2292, 2597, 6019, 6253}, GetParam().model);

  EXPECT_THAT(all.differences, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(OutsideOracle, ByDefinition,
                         testing::Values(counted{delivery::unordered, 72, 837}, counted{delivery::fifo, 91, 708},
                                         counted{delivery::causal, 92, 629}, counted{delivery::mailbox, 100, 287},
                                         counted{delivery::mailbox_interleaved, 53, 66}),
                         [](const auto& of) {
                           auto name = std::string(to_string(of.param.model));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// One role for all: kind 3 is accepted in state 1 only, and other kinds always.
random_program guarded_in_state_1() {
  random_program p;
  p.sent[3] = litmus::sending::guarded;
  auto& r = p.roles.emplace_back();
  r.accepted = {7, 7, 7, 2};
  return p;
}

litmus::kick_off kick(int to, int kind, int fuel = 0) { return {.to = to, .kind = kind, .fuel = fuel}; }

std::size_t count_traces(const random_program& p, delivery model) {
  const auto c = compare_with_outside(p, model, {20'000, 1'000'000});
  EXPECT_TRUE(c.fits);
  EXPECT_EQ(c.difference, "");
  return c.expected.traces.size();
}

/// The two senders and two receivers of docs/delivery.md: 1 sends to a and then to b, 2 to b and then to a. Kind 3 is
/// never taken there: it only enters the queues, which is enough to see where there is one, and leaves fewer
/// executions.
random_program crossing(int kind) {
  auto p = guarded_in_state_1();
  p.roles[0].rules[0][0] = {{.what = verb::send, .to = 0, .kind = kind}, {.what = verb::send, .to = 1, .kind = kind}};
  p.roots = {{0, {0, 1, 0}}, {0, {0, 1, 0}}, {0, {0, 1, 0}}, {0, {1, 0, 0}}};
  p.test = {kick(2, 0, 1), kick(3, 0, 1)};
  return p;
}

TEST(OutsideOracle, CrossesTwoSendersAsFarAsTheModelAllows) {
  const auto p = crossing(1);

  EXPECT_EQ(count_traces(p, delivery::unordered), 4U);
  EXPECT_EQ(count_traces(p, delivery::fifo), 4U);
  EXPECT_EQ(count_traces(p, delivery::causal), 4U);
  EXPECT_EQ(count_traces(crossing(3), delivery::mailbox_interleaved), 3U);
  EXPECT_EQ(count_traces(p, delivery::mailbox), 2U);
  EXPECT_EQ(count_traces(crossing(3), delivery::mailbox), 2U);
}

/// The driver sends kinds 0, 3 and 2: the second is refused until the third was taken.
random_program refused_in_between() {
  auto p = guarded_in_state_1();
  p.roles[0].rules[2][0] = {{.what = verb::assign, .value = 1}};
  p.roots = {{0, {0, 0, 0}}};
  p.test = {kick(0, 0), kick(0, 3), kick(0, 2)};
  return p;
}

TEST(OutsideOracle, LooksBehindARefusedMessageForOneThatIsNot) {
  const auto p = refused_in_between();

  EXPECT_EQ(count_traces(p, delivery::unordered), 3U);
  EXPECT_EQ(count_traces(p, delivery::fifo), 1U);
  EXPECT_EQ(count_traces(p, delivery::causal), 1U);
  EXPECT_EQ(count_traces(p, delivery::mailbox), 1U);
  EXPECT_EQ(count_traces(p, delivery::mailbox_interleaved), 1U);
}

/// The same, and whether the third is what opens the receiver is drawn; a second sender tells it so too.
random_program drawn_in_between() {
  auto p = refused_in_between();
  p.roles[0].rules[2][0] = {{.what = verb::choose, .value = 2}, {.what = verb::add_drawn}};
  p.roles[0].rules[1][0] = {{.what = verb::send, .to = 0, .kind = 2}};
  p.roots = {{0, {0, 0, 0}}, {0, {0, 0, 0}}};
  p.test.push_back(kick(1, 1, 1));
  return p;
}

TEST(OutsideOracle, DrawsWhatOpensAGuard) {
  const auto p = drawn_in_between();

  EXPECT_EQ(count_traces(p, delivery::unordered), 30U);
  EXPECT_EQ(count_traces(p, delivery::fifo), 10U);
  EXPECT_EQ(count_traces(p, delivery::causal), 3U);
  EXPECT_EQ(count_traces(p, delivery::mailbox), 3U);
  EXPECT_EQ(count_traces(p, delivery::mailbox_interleaved), 3U);
}

}  // namespace
}  // namespace harrier::differential::outside
