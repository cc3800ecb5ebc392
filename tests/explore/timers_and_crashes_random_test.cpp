// Random programs with timers, calls with limits, crashes, and messages that are lost or come twice, against every
// execution by definition.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/states.hpp>
#include <harrier/explore/explore.hpp>

#include "befallen_programs.hpp"

namespace harrier::befallen {
namespace {

/// Which steps an execution has, and after which others each comes: what makes two of them one class.
std::string class_of(const system& s) {
  const dependence depends(s);
  const auto name = [&s](step_index e) {
    if (!s.is_explored(e)) return std::string("set-up");
    const auto label = s.step_at(e).label;
    const auto [low, high] = s.names().name_of(s.names().message_of(label));
    return std::to_string(low) + "." + std::to_string(high) + "/" + std::to_string(s.names().code_of(label));
  };
  std::set<std::string> steps;
  for (auto f = static_cast<step_index>(s.setup_steps()); f < s.step_count(); ++f) {
    std::set<std::string> before;
    depends.for_each_predecessor(f, [&](step_index e) { before.insert(name(e)); });
    auto text = name(f) + " after";
    for (const auto& e : before) text += " " + e;
    steps.insert(text);
  }
  std::string all;
  for (const auto& step : steps) all += step + "; ";
  return all;
}

class collector final : public monitor {
public:
  std::optional<record> stepped(const system&) override { return std::nullopt; }
  std::vector<record> ended(const system& s) override {
    outcomes.insert(outcome_of(s));
    classes.insert(class_of(s));
    return {};
  }
  std::set<outcome> outcomes;
  std::set<std::string> classes;
};

struct searched {
  exploration result;
  std::set<outcome> outcomes;
  std::set<std::string> classes;
};

searched search(const program& tested, const char* engine, delivery model, const faults& may_happen) {
  collector seen;
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.search.faults = may_happen;
  how.judging.by = &seen;
  how.judging.keep_going = true;
  if (std::string(engine) == "optimal") how.search.observers = false;
  auto result = explore(tested, how);
  return {std::move(result), std::move(seen.outcomes), std::move(seen.classes)};
}

/// What the actors are where an execution ends, of the executions that `engine` runs.
std::set<std::string> ends(const program& tested, const char* engine, delivery model, const faults& may_happen) {
  std::set<std::string> all;
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.search.faults = may_happen;
  how.judging.keep_going = true;
  how.judging.finally = [&all](final_states& end) {
    std::string text;
    for (actor_slot a = 1; a < end.system().actor_count(); ++a)
      text += end.system().state_text(a) + (end.system().has_crashed(a) ? "!" : "");
    all.insert(text);
  };
  static_cast<void>(explore(tested, how));
  return all;
}

std::string difference(const std::set<outcome>& ours, const std::set<outcome>& expected) {
  std::string text;
  for (const auto& x : expected)
    if (!ours.contains(x)) return "missed: " + x;
  for (const auto& x : ours)
    if (!expected.contains(x)) return "impossible: " + x;
  return text;
}

std::uint64_t programs() {
  const char* const asked = std::getenv("HARRIER_FAULT_SEEDS");
  return asked == nullptr ? 60 : std::strtoull(asked, nullptr, 10);
}

class Befallen : public testing::TestWithParam<delivery> {};

TEST_P(Befallen, RandomProgramsDoWhatTheyDoByDefinition) {
  constexpr faults possible[] = {{},
                                 {.crash = 1},
                                 {.lose = 1, .crash = 1},
                                 {.timeouts = 1},
                                 {.crash = 2},
                                 {.lose = 1},
                                 {.duplicate = 1},
                                 {.lose = 1, .duplicate = 1},
                                 {.duplicate = 1, .crash = 1}};
  std::uint64_t fitting = 0;
  std::size_t outcomes = 0;
  std::set<std::string> met;
  std::uint64_t blocked = 0;
  std::uint64_t classes = 0;
  for (std::uint64_t seed = 1; seed <= programs(); ++seed) {
    const auto t = make_random(seed);
    const auto& may_happen = possible[seed % std::size(possible)];
    const auto expected = everything(t, GetParam(), may_happen, 20'000);
    if (expected.is_too_large) continue;
    ++fitting;
    outcomes += expected.outcomes.size();
    for (const auto& one : expected.outcomes)
      for (const char* const what : {" q", " r", " x", "t", "+", "-", "!", "!1"})
        if (one.find(what) != std::string::npos) met.insert(what);
    const auto tested = interpret(t);
    const auto all = search(tested, "exhaustive", GetParam(), may_happen);
    EXPECT_EQ(difference(all.outcomes, expected.outcomes), "") << "seed " << seed << "\n" << to_text(t);
    EXPECT_EQ(ends(tested, "stateful", GetParam(), may_happen), ends(tested, "exhaustive", GetParam(), may_happen))
        << "seed " << seed << "\n"
        << to_text(t);
    for (const char* const engine : {"optimal", "source", "dcute", "persistent", "transdpor", "trust"}) {
      if (GetParam() == delivery::mailbox && std::string(engine) == "trust") continue;
      const auto reduced = search(tested, engine, GetParam(), may_happen);
      EXPECT_EQ(difference(reduced.outcomes, expected.outcomes), "") << engine << ", seed " << seed << "\n"
                                                                     << to_text(t);
      EXPECT_EQ(reduced.classes.size(), all.classes.size()) << engine << ", seed " << seed << "\n" << to_text(t);
      for (const std::string each_once : {"optimal", "source", "trust"})
        if (engine == each_once) {
          EXPECT_EQ(reduced.result.executions, all.classes.size()) << engine << ", seed " << seed << "\n" << to_text(t);
        }
      if (std::string(engine) == "optimal") {
        blocked += reduced.result.blocked;
        classes += all.classes.size();
      }
    }
    EXPECT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", model " << to_string(GetParam());
    if (HasFailure()) return;
  }
  EXPECT_GT(fitting, programs() / 3);
  EXPECT_GT(outcomes, programs());
  if (GetParam() == delivery::mailbox) {
    EXPECT_LT(500 * blocked, classes) << "what a timer's message will send is not known where it is planned";
  } else {
    EXPECT_EQ(blocked, 0U);
  }
  EXPECT_THAT(met, testing::SizeIs(8)) << "calls that are answered and that are not, and each fault";
}

INSTANTIATE_TEST_SUITE_P(Under, Befallen, testing::Values(delivery::unordered, delivery::fifo, delivery::mailbox),
                         [](const auto& model) { return std::string(to_string(model.param)); });

}  // namespace
}  // namespace harrier::befallen
