// The engines that sample executions, and the delay-bounded one: what they show can be, it can be repeated, and chance
// and counts are those that their pages promise.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <harrier/engine/delay.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/engine/pos.hpp>
#include <harrier/engine/random_walk.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

#include "../litmus/so_many.hpp"
#include "compare.hpp"

namespace harrier::differential {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;

using engine = std::function<bool(search_context&)>;

bool by_all_orders(search_context& s) { return explore_alone(s, share_exhaustive(made_by::one)); }
engine random_by(std::uint64_t seed) {
  return [=](search_context& s) { return explore_alone(s, share_random({.seed = seed})); };
}
engine pos_by(std::uint64_t seed) {
  return [=](search_context& s) { return explore_alone(s, share_pos({.seed = seed})); };
}
engine pct_by(std::uint64_t seed, std::uint64_t bug_depth = 0) {
  return [=](search_context& s) { return explore_alone(s, share_pct({.seed = seed, .bug_depth = bug_depth})); };
}
engine delay_within(std::uint64_t most) {
  return [=](search_context& s) {
    delay_report report;
    return explore_alone(s, share_delay({.most = most}, report));
  };
}

/// What was delivered, what each actor is now, and what is pending.
std::string all_of(const system& s) {
  std::string text;
  for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i)
    text += s.message_path(s.step_at(i).message) + " " + s.message_text(s.step_at(i).message) + "\n";
  for (actor_slot a = 0; a < s.actor_count(); ++a) text += s.actor_name(a) + s.state_text(a) + "\n";
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) text += s.message_path(m) + "\n";
  return text;
}

/// Keeps each execution that comes to its end, up to so many.
class recorder final : public observer {
public:
  explicit recorder(std::size_t most) : most_(most) {}
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system& s) override {
    schedules.push_back(s.current_schedule());
    ends.push_back(all_of(s));
    auto& text = texts.emplace_back();
    for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i) {
      text += (text.empty() ? "" : " ") + s.message_text(s.step_at(i).message);
      if (s.step_at(i).code != 0) text += "~" + std::to_string(s.step_at(i).code);
    }
    stopping_ = schedules.size() >= most_;
  }
  std::vector<schedule> schedules;
  std::vector<std::string> ends;
  std::vector<std::string> texts;

private:
  std::size_t most_;
};

recorder record(const program& tested, const engine& run, std::size_t most, delivery model = delivery::unordered) {
  recorder seen(most);
  const auto s = tested.start(model);
  s->watch().observe(&seen);
  search_context context{*s, seen};
  run(context);
  return seen;
}

// --- against the oracle

const std::uint64_t programs = litmus::so_many(50);
constexpr limits some_executions{40, 30'000};

bool run_random(system& s, observer& o, std::string_view) {
  search_context c{s, o};
  return explore_alone(c, share_random({.seed = 5}));
}
bool run_pos(system& s, observer& o, std::string_view) {
  search_context c{s, o};
  return explore_alone(c, share_pos({.seed = 5}));
}
bool run_pct(system& s, observer& o, std::string_view) {
  search_context c{s, o};
  return explore_alone(c, share_pct({.seed = 5}));
}
bool run_delay(system& s, observer& o, std::string_view) {
  search_context c{s, o};
  delay_report report;
  return explore_alone(c, share_delay({}, report));
}
const std::vector<search> samplers = {{.name = "random", .run = run_random},
                                      {.name = "pos", .run = run_pos},
                                      {.name = "pct", .run = run_pct},
                                      {.name = "delay", .run = run_delay}};

/// What `seen` shows that `oracle` does not.
std::vector<std::string> made_up(const observed& oracle, const std::string& name, const observed& seen) {
  std::vector<std::string> lines;
  if (seen.how_it_ended == verdict::derailed) lines.push_back(name + " went wrong: " + seen.why);
  if (seen.ends_differ) lines.push_back(name + ": one trace ended in two configurations");
  for (const auto& [t, x] : seen.traces) {
    const auto known = oracle.traces.find(t);
    if (known == oracle.traces.end())
      lines.push_back(name + " has a trace that cannot be");
    else if (known->second.end != x.end)
      lines.push_back(name + " ended a trace in another configuration");
  }
  for (const auto f : seen.findings)
    if (!oracle.findings.contains(f)) lines.push_back(name + " has a finding that cannot be");
  return lines;
}

/// Calls `judge(tables, program, oracle)` for each program that is small enough.
template <class Judge>
std::vector<std::string> for_each_program(delivery model, Judge judge) {
  std::vector<std::string> all;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    observed oracle;
    try {
      oracle = observe_all(tested, false, largest_program, {.model = model});
    } catch (const untestable_program&) {
      continue;
    }
    if (oracle.how_it_ended != verdict::complete) continue;
    for (const auto& line : judge(tested, oracle)) all.push_back("seed " + std::to_string(seed) + ": " + line);
  }
  return all;
}

class Sampling : public testing::TestWithParam<delivery> {};

TEST_P(Sampling, ShowsNothingThatExhaustiveDoesNot) {
  EXPECT_THAT(for_each_program(GetParam(),
                               [](const program& tested, const observed& oracle) {
                                 std::vector<std::string> lines;
                                 for (const auto& s : samplers) {
                                   const auto seen = observe(tested, s, "fifo", some_executions, {.model = GetParam()});
                                   for (auto& line : made_up(oracle, s.name, seen)) lines.push_back(std::move(line));
                                 }
                                 return lines;
                               }),
              IsEmpty());
}

TEST_P(Sampling, ShowsWhatCanBeRepeatedExactly) {
  const auto not_repeated = [](const program& tested, const engine& run) {
    const auto seen = record(tested, run, 10, GetParam());
    for (std::size_t i = 0; i < seen.schedules.size(); ++i) {
      const auto fresh = tested.start(GetParam());
      fresh->run(seen.schedules[i]);
      if (all_of(*fresh) != seen.ends[i] || fresh->first_deliverable() != no_message) return true;
    }
    return false;
  };
  EXPECT_THAT(for_each_program(GetParam(),
                               [&](const program& tested, const observed&) {
                                 std::vector<std::string> lines;
                                 if (not_repeated(tested, random_by(1))) lines.emplace_back("random");
                                 if (not_repeated(tested, pos_by(1))) lines.emplace_back("pos");
                                 if (not_repeated(tested, pct_by(1))) lines.emplace_back("pct");
                                 if (not_repeated(tested, delay_within(3))) lines.emplace_back("delay");
                                 return lines;
                               }),
              IsEmpty());
}

// Not only the same traces: each as often, and so each order of deliveries once.
TEST_P(Sampling, ByDelaysRunsInTheEndWhatExhaustiveRuns) {
  const auto counts = [](const observed& o) {
    std::map<std::uint64_t, std::uint64_t> of;
    for (const auto& [t, x] : o.traces) of[t] = x.executions;
    return of;
  };
  EXPECT_THAT(for_each_program(GetParam(),
                               [&](const program& tested, const observed& oracle) {
                                 std::vector<std::string> lines;
                                 if (oracle.executions > 400) return lines;
                                 const auto seen = observe(tested, samplers.back(), "fifo", {3000, 1'000'000},
                                                           {.check_undo = true, .model = GetParam()});
                                 if (counts(seen) != counts(oracle) || seen.findings != oracle.findings)
                                   lines.emplace_back("delay");
                                 return lines;
                               }),
              IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Differential, Sampling,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox,
                                         delivery::mailbox_interleaved),
                         [](const auto& of) {
                           auto name = std::string(to_string(of.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// --- small programs

/// Takes letters.
struct reader {
  void read(int) {}
};
program letters(int n) {
  return make_program([=](self& me) {
    const auto who = me.create<reader>();
    for (int i = 0; i < n; ++i) me.send<&reader::read>(who, i);
  });
}

/// Passes a number on to itself until it is 0, then sends `read(1)`.
struct hopper {
  ref<reader> end;
  void hop(self& me, int left) {
    if (left > 1)
      me.send<&hopper::hop>(me.me<hopper>(), left - 1);
    else
      me.send<&reader::read>(end, 1);
  }
};
/// A message `read(0)`, and `hops` deliveries that lead to `read(1)`.
program overtaking(int hops) {
  return make_program([=](self& me) {
    const auto end = me.create<reader>();
    me.send<&reader::read>(end, 0);
    me.send<&hopper::hop>(me.create<hopper>(end), hops);
  });
}

struct gambler {
  void play(self& me) {
    me.choose(3);
    me.choose(3);
  }
  void wait() const {}
};

/// Counts down by messages to itself; two of them are two chains.
struct counter {
  void x(self& me, int left) {
    if (left > 1) me.send<&counter::x>(me.me<counter>(), left - 1);
  }
  void y(self& me, int left) {
    if (left > 1) me.send<&counter::y>(me.me<counter>(), left - 1);
  }
};
program two_chains(int length) {
  return make_program([=](self& me) {
    me.send<&counter::x>(me.create<counter>(), length);
    me.send<&counter::y>(me.create<counter>(), length);
  });
}

// --- the seed

// Numbers of the standard's generator, by arithmetic of our own: nothing here may depend on the library or the machine.
TEST(ASeed, MeansTheSameExecutionsEverywhere) {
  EXPECT_THAT(record(letters(3), random_by(7), 3).texts,
              ElementsAre("read(1) read(2) read(0)", "read(2) read(1) read(0)", "read(0) read(2) read(1)"));
  EXPECT_THAT(record(letters(3), pos_by(7), 3).texts,
              ElementsAre("read(1) read(0) read(2)", "read(2) read(0) read(1)", "read(2) read(0) read(1)"));
  EXPECT_THAT(record(letters(3), pct_by(7), 3).texts,
              ElementsAre("read(1) read(0) read(2)", "read(1) read(0) read(2)", "read(2) read(1) read(0)"));
}

TEST(ASeed, MeansTheSameExecutionsHoweverManyAreRun) {
  for (const auto& run : {random_by(3), pos_by(3), pct_by(3)}) {
    const auto few = record(overtaking(4), run, 7).texts;
    auto many = record(overtaking(4), run, 50).texts;
    many.resize(few.size());
    EXPECT_EQ(few, many);
  }
}

TEST(ASeed, MeansOtherExecutionsThanAnotherSeed) {
  EXPECT_NE(record(letters(4), random_by(1), 10).texts, record(letters(4), random_by(2), 10).texts);
  EXPECT_NE(record(letters(4), pos_by(1), 10).texts, record(letters(4), pos_by(2), 10).texts);
  EXPECT_NE(record(letters(4), pct_by(1), 10).texts, record(letters(4), pct_by(2), 10).texts);
}

// --- chances

/// Chi-squared of how often each text was drawn.
/// @param chances  by text; what has none may not be drawn.
double chi_squared(const std::vector<std::string>& drawn, const std::map<std::string, double>& chances) {
  std::map<std::string, double> seen;
  for (const auto& text : drawn) ++seen[text];
  double sum = 0;
  for (const auto& [text, n] : seen)
    if (!chances.contains(text)) return std::numeric_limits<double>::infinity();
  for (const auto& [text, chance] : chances) {
    const auto expected = chance * static_cast<double>(drawn.size());
    sum += (seen[text] - expected) * (seen[text] - expected) / expected;
  }
  return sum;
}

/// The chance that a random walk has: one of those that are deliverable, each time.
std::map<std::string, double> chances_of_random_walk(const program& tested) {
  std::map<std::string, double> chances;
  const auto all = record(tested, by_all_orders, 100'000);
  for (std::size_t i = 0; i < all.schedules.size(); ++i) {
    double chance = 1;
    const auto s = tested.start();
    for (const auto& next : all.schedules[i]) {
      double deliverable = 0;
      for (auto m = s->first_deliverable(); m != no_message; m = s->next_deliverable(m)) ++deliverable;
      chance /= deliverable;
      s->run({next});
    }
    chances[all.texts[i]] += chance;
  }
  return chances;
}

// Where chi-squared is greater in one of a thousand draws, by degrees of freedom.
constexpr double critical_1 = 10.83;
constexpr double critical_5 = 20.52;
constexpr double critical_8 = 26.12;

TEST(RandomWalk, DrawsEachOrderOfDeliveriesWithTheChanceOfItsChoices) {
  const auto chances = chances_of_random_walk(overtaking(3));

  EXPECT_EQ(chances.size(), 5U);
  EXPECT_LT(chi_squared(record(overtaking(3), random_by(1), 8000).texts, chances), critical_5);
}

/// Of overtaking(): whether the message that `hops` deliveries led to came first.
std::vector<std::string> who_came_first(const engine& run, int hops) {
  auto texts = record(overtaking(hops), run, 8000).texts;
  for (auto& text : texts) text = text.find("read(1)") < text.find("read(0)") ? "overtaken" : "in time";
  return texts;
}
std::map<std::string, double> overtaken_with(double chance) { return {{"overtaken", chance}, {"in time", 1 - chance}}; }

TEST(RandomWalk, HoldsAMessageBackForHopsWithAChanceThatHalvesWithEach) {
  EXPECT_LT(chi_squared(who_came_first(random_by(1), 4), overtaken_with(1.0 / 32)), critical_1);
  EXPECT_LT(chi_squared(who_came_first(random_by(1), 2), overtaken_with(1.0 / 8)), critical_1);
}

TEST(PartialOrderSampling, HoldsAMessageBackForHopsWithAChanceOfOneInHopsPlusTwo) {
  EXPECT_LT(chi_squared(who_came_first(pos_by(1), 4), overtaken_with(1.0 / 6)), critical_1);
  EXPECT_LT(chi_squared(who_came_first(pos_by(1), 20), overtaken_with(1.0 / 22)), critical_1);
}

// The highest of three priorities goes first. If that is a letter's, the other letter draws anew, and is lower than the
// bystander's priority, which is not the highest of three, with chance 3/8.
TEST(PartialOrderSampling, LetsWhatLostARaceDrawAnewAndNothingElse) {
  const auto tested = make_program([](self& me) {
    const auto who = me.create<reader>();
    me.send<&reader::read>(who, 1);
    me.send<&reader::read>(who, 2);
    me.send<&gambler::wait>(me.create<gambler>());
  });
  auto texts = record(tested, pos_by(1), 12'000).texts;
  for (auto& text : texts) text = text.starts_with("wait") ? "first" : text.ends_with("wait()") ? "last" : "second";

  EXPECT_LT(chi_squared(texts, {{"first", 1.0 / 3}, {"second", 2.0 / 3 * 3 / 8}, {"last", 2.0 / 3 * 5 / 8}}), 13.82);
}

TEST(PartialOrderSampling, DrawsTheOrdersOfMessagesToOneActorWithEqualChances) {
  std::map<std::string, double> chances;
  std::array<int, 3> order = {0, 1, 2};
  do {
    chances["read(" + std::to_string(order[0]) + ") read(" + std::to_string(order[1]) + ") read(" +
            std::to_string(order[2]) + ")"] = 1.0 / 6;
  } while (std::next_permutation(order.begin(), order.end()));

  EXPECT_LT(chi_squared(record(letters(3), pos_by(1), 6000).texts, chances), critical_5);
  EXPECT_LT(chi_squared(record(letters(3), random_by(1), 6000).texts, chances), critical_5);
}

TEST(Draws, AreUniformInEverySample) {
  std::map<std::string, double> chances;
  for (int code = 0; code < 9; ++code) chances[code == 0 ? "play()" : "play()~" + std::to_string(code)] = 1.0 / 9;
  const auto tested = make_program([](self& me) { me.send<&gambler::play>(me.create<gambler>()); });

  for (const auto& run : {random_by(1), pos_by(1), pct_by(1)})
    EXPECT_LT(chi_squared(record(tested, run, 4500).texts, chances), critical_8);
}

/// How many of the executions with the bug depth asked for have y(j) between x(i) and x(i - 1).
std::size_t interrupted(const std::vector<std::string>& texts, int i, int j) {
  std::size_t count = 0;
  for (std::size_t e = 0; e < texts.size(); ++e) {
    const auto place = [&](const char* kind, int left) {
      return texts[e].find(std::string(kind) + "(" + std::to_string(left) + ")");
    };
    if (e % 5 != 0 && place("x", i) < place("y", j) && place("y", j) < place("x", i - 1)) ++count;
  }
  return count;
}

// n = 8 messages in w = 2 chains, three of them in a certain order: in one of w n^2 = 128 executions at least.
TEST(ChainsByRank, ShowAnOrderOfThreeDeliveriesAsOftenAsPromised) {
  constexpr std::size_t executions = 16'000;
  const auto texts = record(two_chains(4), pct_by(1, 3), executions).texts;
  const auto promised = static_cast<double>(executions) * 4 / 5 / 128;
  const auto least = static_cast<std::size_t>(promised - 4 * std::sqrt(promised));

  std::vector<std::size_t> counts;
  for (int i = 2; i <= 4; ++i)
    for (int j = 1; j <= 4; ++j) counts.push_back(interrupted(texts, i, j));
  EXPECT_THAT(counts, Each(Ge(least)));
}

TEST(ChainsByRank, AreNeverInterruptedAtDepthOne) {
  const auto texts = record(two_chains(4), pct_by(1, 1), 200).texts;

  EXPECT_THAT(texts, Each(testing::AnyOf("x(4) x(3) x(2) x(1) y(4) y(3) y(2) y(1)",
                                         "y(4) y(3) y(2) y(1) x(4) x(3) x(2) x(1)")));
}

TEST(ChainsByRank, HoldAMessageBackForAnyNumberOfHopsInHalfTheExecutionsOfDepthOne) {
  EXPECT_LT(chi_squared(who_came_first(pct_by(1, 1), 50), overtaken_with(0.5)), critical_1);
}

// --- delays

std::vector<std::size_t> executions_within(const program& tested, std::uint64_t most) {
  std::vector<std::size_t> counts;
  for (std::uint64_t d = 0; d <= most; ++d) counts.push_back(record(tested, delay_within(d), 10'000).texts.size());
  return counts;
}

// 012; then 021 and 120 (0 went to the end); then 201 and 102; then 210.
TEST(DelayBounding, RunsThreeMessagesToOneActorInOneThreeFiveAndSixOrders) {
  EXPECT_THAT(executions_within(letters(3), 5), ElementsAre(1, 3, 5, 6, 6, 6));
  EXPECT_THAT(record(letters(3), delay_within(9), 10).texts,
              ElementsAre("read(0) read(1) read(2)", "read(0) read(2) read(1)", "read(1) read(2) read(0)",
                          "read(1) read(0) read(2)", "read(2) read(0) read(1)", "read(2) read(1) read(0)"));
}

TEST(DelayBounding, NeedsOneDelayToHoldAMessageBackForAnyNumberOfHops) {
  const auto texts = record(overtaking(30), delay_within(1), 10'000).texts;

  EXPECT_THAT(texts, testing::Contains(testing::EndsWith("read(1) read(0)")));
}

// Of 3 * 3 values: both 0; one of them another one; both.
TEST(DelayBounding, CountsADrawThatIsNotZeroAsADeviation) {
  const auto tested = make_program([](self& me) { me.send<&gambler::play>(me.create<gambler>()); });

  EXPECT_THAT(executions_within(tested, 3), ElementsAre(1, 5, 9, 9));
}

TEST(DelayBounding, SaysHowFarItCameAndWhetherThatIsAll) {
  const auto run = [](std::uint64_t most) {
    recorder seen(100);
    const auto s = letters(3).start();
    search_context context{*s, seen};
    delay_report report;
    const bool all = explore_alone(context, share_delay({.most = most}, report));
    return std::pair(all, report.within);
  };
  EXPECT_EQ(run(2), std::pair(false, std::uint64_t{3}));
  EXPECT_EQ(run(3), std::pair(true, std::uint64_t{4}));
}

}  // namespace
}  // namespace harrier::differential
