// Scripts that follow executions until a formula or a predicate holds of an actor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/script.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/native/until.hpp>
#include <harrier/property/until.hpp>

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Adds up what it is told, and tells another one each time.
struct counter {
  int sum = 0;
  std::string told;
  ref<counter> next = {};
  void add(self& me, int by) {
    sum += by;
    told += std::to_string(by);
    me.note(told);
    if (next) me.send<&counter::add>(next, by);
    me.check(sum < 7, "no sum is as much as 7");
  }
  void reset(self& me) {
    sum = 0;
    me.note("reset");
  }
};

/// What two tell a third, which tells a fourth.
void count(self& me) {
  const auto last = me.create<counter>();
  const auto first = me.create<counter>(0, "", last);
  for (const int by : {1, 2, 4}) me.send<&counter::add>(first, by);
  me.send<&counter::reset>(first);
}

struct seen_by_search {
  std::set<std::string> found;
  std::set<std::string> ends;
  bool is_all = false;
  std::uint64_t executions = 0;
  bool operator==(const seen_by_search& other) const { return found == other.found && ends == other.ends; }
};

exploration explored(std::vector<specification> script, const std::string& engine = "optimal",
                     const program& tested = make_program(count)) {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.minimise = 0;
  if (engine == "random") how.limits.max_executions = 50;
  return explore(specified(tested, std::move(script)), how);
}

/// How often each of the notes of an end is there does not matter.
seen_by_search seen_with(std::vector<specification> script, const std::string& engine) {
  const auto result = explored(std::move(script), engine);
  seen_by_search seen;
  seen.is_all = result.exhausted;
  seen.executions = result.executions;
  for (const auto& f : result.findings) seen.found.insert(f.message);
  for (const auto& o : result.outcomes) seen.ends.insert(o.first);
  return seen;
}

constexpr auto second_add = R"(F("counter_1 RECV add" & F "counter_1 RECV reset"))";

specification until_sum_is(int sum) {
  return follow_until("the first has " + std::to_string(sum),
                      [sum](view<counter> c) { return c->next && c->sum >= sum; });
}

TEST(ExecutionsFollowedUntilAFormula, AreThoseFollowedUntilAnEventThatItStandsFor) {
  for (const auto* engine : {"optimal", "source", "persistent", "transdpor", "dcute", "trust"})
    EXPECT_EQ(seen_with({follow_until_formula(R"(F "counter_1 RECV reset")")}, engine),
              seen_with({follow_until("counter_1.reset")}, engine))
        << engine;
}

TEST(ExecutionsFollowedUntilAFormula, FindTheSameByEachEngine) {
  EXPECT_EQ(seen_with({}, "optimal").found, std::set<std::string>{"no sum is as much as 7"});
  for (const auto* formula :
       {second_add, R"(F("counter_1 RECV reset" & F "counter_1 RECV add"))", R"(F "counter_1 SEND add TO counter_0")",
        R"(!"counter_1 RECV add" U "counter_1 RECV reset")"}) {
    const auto all = seen_with({follow_until_formula(formula)}, "exhaustive");
    EXPECT_TRUE(all.is_all);
    for (const auto* engine : {"optimal", "source", "persistent", "transdpor", "dcute", "trust"}) {
      const auto seen = seen_with({follow_until_formula(formula)}, engine);
      EXPECT_TRUE(seen.is_all) << engine << " " << formula;
      EXPECT_EQ(seen.found, all.found) << engine << " " << formula;
    }
    EXPECT_LT(all.executions, seen_with({}, "exhaustive").executions) << formula;
  }
}

TEST(ExecutionsFollowedUntilAFormula, EndThereForItsActor) {
  const auto result = explored({follow_until_formula(second_add)});
  EXPECT_TRUE(result.exhausted);
  EXPECT_TRUE(result.points.at(std::string(second_add) + ", until which executions are followed"));
  // Whatever is reset after an addition is followed no further; without one before it, it is.
  for (const auto& [notes, times] : result.outcomes) {
    if (const auto reset = notes.find("reset"); reset != std::string::npos && reset > 0) {
      EXPECT_EQ(notes.substr(reset).find_first_of("124"), std::string::npos) << notes;
    }
  }
}

TEST(ExecutionsFollowedUntilAFormula, EndNowhereIfOnlyAnEndCanDecideIt) {
  const auto result = explored({follow_until_formula(R"(G !"counter_1 RECV never")")});
  EXPECT_FALSE(result.findings.empty());
  EXPECT_FALSE(result.points.begin()->second);
}

TEST(ExecutionsFollowedUntilAFormula, AreOfOneActorAndNothingButTheOrderOfItsActions) {
  EXPECT_THROW(follow_until_formula("F ("), error);
  EXPECT_THROW(follow_until_formula("F stopped"), error);
  for (const auto& [formula, why] : std::vector<std::pair<std::string, std::string>>{
           {R"(F "counter RECV add")", "is about every counter"},
           {R"(F("counter_0 RECV add" & F "counter_1 RECV add"))", "is about two actors"},
           {R"(F "counter_7 RECV add")", "the driver creates no actor of that name"},
           {R"(F("counter_1 RECV add" & X "counter_1 RECV add"))", "depends on when others act"},
           {"true", "is about none"}})
    try {
      explored({follow_until_formula(formula)});
      FAIL() << formula;
    } catch (const error& e) {
      EXPECT_THAT(e.what(), HasSubstr(why)) << formula;
    }
}

TEST(ExecutionsFollowedUntilAPredicate, FindTheSameByEachEngine) {
  for (const int sum : {1, 3, 4, 6, 7}) {
    const auto all = seen_with({until_sum_is(sum)}, "exhaustive");
    EXPECT_TRUE(all.is_all);
    for (const auto* engine : {"optimal", "source", "persistent", "transdpor", "dcute", "trust"}) {
      const auto seen = seen_with({until_sum_is(sum)}, engine);
      EXPECT_TRUE(seen.is_all) << engine << " " << sum;
      EXPECT_EQ(seen.found, all.found) << engine << " " << sum;
    }
  }
  EXPECT_THAT(seen_with({until_sum_is(3)}, "optimal").found, IsEmpty());
}

TEST(ExecutionsFollowedUntilAPredicate, AreAskedWhenAnActorHasTakenSomething) {
  const auto result = explored({follow_until("anything", [](view<counter>) { return true; })});
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.points.at("anything, until which executions are followed"), true);
}

TEST(ExecutionsFollowedUntilAPredicate, AreRefusedWherePathsAreMerged) {
  EXPECT_THROW(explored({until_sum_is(3)}, "stateful"), error);
}

/// The same in the body of a test, by what it says itself.
TEST(ExecutionsFollowedUntilAPredicate, AreSaidInTheBodyOfATest) {
  const auto body = [](bool is_cut) {
    return make_test_program({.run = [is_cut](self& me, test_run& run) {
      if (is_cut) run.specify(follow_until("it is enough", [](view<counter> c) { return c->sum >= 3; }));
      const auto only = me.create<counter>();
      for (const int by : {1, 2, 4}) me.send<&counter::add>(only, by);
      run.handle_all();
    }});
  };
  EXPECT_FALSE(explored({}, "optimal", body(false)).findings.empty());
  const auto result = explored({}, "optimal", body(true));
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_TRUE(result.exhausted);
}

// The body would go on after the delivery at which its execution is cut: it does not.
TEST(ExecutionsFollowedUntilAPredicate, DoNotGoOnWithTheBodyWhereTheyEnd) {
  for (const auto* engine : {"optimal", "exhaustive", "random", "delay"}) {
    const auto result = explored({}, engine, make_test_program({.run = [](self& me, test_run& run) {
                                   run.specify(follow_until("counter_0.add#2"));
                                   const auto only = me.create<counter>();
                                   const auto other = me.create<counter>();
                                   for (const int by : {1, 2}) me.send<&counter::add>(only, by);
                                   me.send<&counter::reset>(other);
                                   run.handle_all();
                                   me.check(false, "it goes on");
                                 }}));
    EXPECT_THAT(result.findings, IsEmpty()) << engine;
  }
}

}  // namespace
}  // namespace harrier
