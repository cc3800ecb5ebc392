// Tests as functions: what their bodies see, and what an exploration of them finds.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

struct log {
  std::vector<int> seen;
  void take(int n) { seen.push_back(n); }
  void end(self& me) { me.destroy(); }
  int size() const { return static_cast<int>(seen.size()); }
};

struct asker {
  ref<log> of;
  task ask(self& me) {
    const int n = co_await me.call<&log::size>(of);
    me.note("asked " + std::to_string(n));
  }
};

program of_body(std::function<void(self&, test_run&)> body) { return make_test_program({.run = std::move(body)}); }

exploration all_of(const program& tested, const std::string& engine = "optimal", options how = {}) {
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.check_undo = true;
  return explore(tested, how);
}

std::string text_of(const std::vector<int>& numbers) {
  std::string text;
  for (const auto n : numbers) text += std::to_string(n);
  return text;
}

const std::vector<std::string> engines = {"optimal",   "exhaustive", "dcute", "persistent",
                                          "transdpor", "source",     "trust", "stateful"};

TEST(TestBody, SeesTheStateAtEachEndOfAStage) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    me.send<&log::take>(one, 1);
    me.send<&log::take>(one, 2);
    run.handle_all();
    me.note(text_of(run.state(one).seen));
    const auto first = run.state(one).seen.front();
    for (int i = 0; i < first; ++i) me.send<&log::take>(one, 7 + i);
    run.handle_all();
    me.note(text_of(run.state(one).seen));
  });

  for (const auto& engine : engines) {
    const auto all = all_of(tested, engine);
    EXPECT_TRUE(all.exhausted) << engine;
    EXPECT_EQ(all.executions, 3U) << engine;
    EXPECT_THAT(all.outcomes,
                ElementsAre(Pair("12", 1U), Pair("127", 1U), Pair("21", 2U), Pair("2178", 1U), Pair("2187", 1U)))
        << engine;
  }
}

TEST(TestBody, IsNotForTrustUnderMailbox) {
  const auto tested = of_body([](self& me, test_run& run) {
    me.send<&asker::ask>(me.create<asker>(me.create<log>()));
    run.handle_all();
  });
  options how;
  how.search.delivery = delivery::mailbox;
  const auto refused = [&] {
    try {
      static_cast<void>(all_of(tested, "trust", how));
    } catch (const error& e) {
      return std::string(e.what());
    }
    return std::string();
  };

  EXPECT_THAT(refused(), HasSubstr("cannot search a program that continues by itself"));
  EXPECT_TRUE(all_of(tested, "optimal", how).exhausted);
}

TEST(TestBody, KeepsReferencesToStatesOverAStage) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    const auto& seen = run.state(one).seen;
    me.check(seen.empty(), "nothing was handled");
    me.send<&log::take>(one, 1);
    run.handle_all();
    me.check(seen == std::vector{1}, "one was handled");
    me.send<&log::end>(one);
    me.send<&log::take>(one, 2);
    run.handle_all();
    me.note(text_of(seen));  // of an actor that is gone, as it was left
  });

  EXPECT_THAT(all_of(tested).findings, IsEmpty());
  EXPECT_THAT(all_of(tested).outcomes, ElementsAre(Pair("1", 1U), Pair("12", 1U)));
}

TEST(TestBody, MultipliesTheExecutionsOfItsStages) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int stage = 0; stage < 3; ++stage) {
      for (int i = 0; i < 3; ++i) me.send<&log::take>(one, i);
      run.handle_all();
    }
  });

  for (const auto& engine : {"optimal", "exhaustive", "trust"})
    EXPECT_EQ(all_of(tested, engine).executions, 6U * 6U * 6U) << engine;
}

TEST(TestBody, DrawsInEachStage) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int stage = 0; stage < 2; ++stage) {
      me.send<&log::take>(one, static_cast<int>(me.choose(3)));
      run.handle_all();
    }
    me.note(text_of(run.state(one).seen));
  });

  for (const auto& engine : engines) EXPECT_THAT(all_of(tested, engine).outcomes, SizeIs(9)) << engine;
}

TEST(TestBody, HandlesOneByOneInEachOrder) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    const auto two = me.create<log>();
    me.send<&log::take>(one, 1);
    me.send<&log::take>(two, 2);
    me.check(run.handle_one(), "there is a message");
    me.note("first " + std::to_string(run.state(one).size()) + std::to_string(run.state(two).size()));
    me.check(run.handle_one(), "there is another");
    me.check(!run.handle_one(), "there is no third");
  });

  for (const auto& engine : engines) {
    const auto all = all_of(tested, engine);
    EXPECT_THAT(all.findings, IsEmpty()) << engine;
    EXPECT_THAT(all.outcomes, ElementsAre(Pair("first 01", 1U), Pair("first 10", 1U))) << engine;
  }
}

TEST(TestBody, WaitsForAConditionThatIsAskedBeforeAndAfterEachDelivery) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int i = 0; i < 3; ++i) me.send<&log::take>(one, i);
    me.check(run.handle_until([] { return true; }) && run.state(one).seen.empty(), "it held before");
    me.check(run.handle_until([&] { return run.state(one).size() == 2; }), "it comes to hold");
    me.note(text_of(run.state(one).seen));
    me.check(!run.handle_until([] { return false; }), "it never does");
    me.check(run.state(one).size() == 3, "all was handled");
  });

  const auto all = all_of(tested);
  EXPECT_THAT(all.findings, IsEmpty());
  EXPECT_THAT(all.outcomes, SizeIs(6));
}

TEST(TestBody, ExploresWhatItLeavesPending) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    me.send<&log::take>(one, 1);
    run.handle_all();
    for (int i = 0; i < 2; ++i) me.send<&asker::ask>(me.create<asker>(one));
    me.send<&log::take>(one, 2);
  });

  for (const auto& engine : engines)
    EXPECT_THAT(all_of(tested, engine).outcomes,
                UnorderedElementsAre(Pair("asked 1", testing::_), Pair("asked 2", testing::_)))
        << engine;
}

/// The same check said in three ways.
program checked_by(int way) {
  return of_body([way](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int i = 0; i < 3; ++i) me.send<&log::take>(one, i);
    if (way == 0) run.finally([](final_states& end) { end.check(end.only<log>().seen.back() != 1, "not 1"); });
    if (way == 1) run.finally([&] { me.check(run.state(one).seen.back() != 1, "not 1"); });
    if (way == 2) {
      run.handle_all();
      me.check(run.state(one).seen.back() != 1, "not 1");
    }
  });
}

TEST(TestBody, GivesOneVerdictWhetherDeliveriesOrBodiesAreTakenBack) {
  for (const int way : {0, 1, 2}) {
    const auto all = all_of(checked_by(way));
    EXPECT_EQ(all.executions, 6U) << way;
    ASSERT_THAT(all.findings, SizeIs(1)) << way;
    EXPECT_EQ(all.findings.front().message, "not 1") << way;
    EXPECT_EQ(all.findings.front().occurrences, 2U) << way;
  }
}

TEST(TestBody, EndsItsExecutionByARequirementAnAssumptionOrAnException) {
  const auto ended_by = [](int way) {
    return of_body([way](self& me, test_run& run) {
      const auto one = me.create<log>();
      me.send<&log::take>(one, 1);
      me.send<&log::take>(one, 2);
      run.handle_all();
      const bool holds = run.state(one).seen.front() == 1;
      if (way == 0) me.require(holds, "1 comes first");
      if (way == 1) me.assume(holds);
      if (way == 2 && !holds) throw std::runtime_error("2 came first");
      me.note("went on");
    });
  };

  for (const auto& engine : engines) {
    const auto required = all_of(ended_by(0), engine);
    ASSERT_THAT(required.findings, SizeIs(1)) << engine;
    EXPECT_EQ(required.findings.front().message, "1 comes first");
    EXPECT_EQ(required.outcomes.at("went on"), 1U);

    const auto assumed = all_of(ended_by(1), engine);
    EXPECT_THAT(assumed.findings, IsEmpty()) << engine;
    EXPECT_EQ(assumed.assumed_away, 1U);

    const auto thrown = all_of(ended_by(2), engine);
    ASSERT_THAT(thrown.findings, SizeIs(1)) << engine;
    EXPECT_EQ(thrown.findings.front().kind, finding_kind::exception);
    EXPECT_EQ(thrown.findings.front().message, "2 came first");
  }
}

TEST(TestBody, MayCatchWhatItIsLeftByWithoutEffect) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    me.send<&log::take>(one, 1);
    try {
      run.handle_all();
    } catch (...) {
      me.send<&log::take>(one, 2);
      me.check(false, "nobody sees this");
      run.handle_all();
    }
    me.note(text_of(run.state(one).seen));
  });

  const auto all = all_of(tested);
  EXPECT_THAT(all.findings, IsEmpty());
  EXPECT_THAT(all.outcomes, ElementsAre(Pair("1", 1U)));
}

TEST(TestBody, HasAsManyStagesAsItLikes) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int stage = 0; stage < 300; ++stage) {
      me.send<&log::take>(one, stage % 10);
      if (stage == 1 || stage == 298) me.send<&log::take>(one, 0);
      run.handle_all();
    }
    me.check(run.state(one).size() == 302, "all was handled");
  });

  options how;
  how.judging.check_determinism = repetition::off;
  how.search.engine = "optimal";
  const auto all = explore(tested, how);
  EXPECT_TRUE(all.exhausted);
  EXPECT_THAT(all.findings, IsEmpty());
  EXPECT_EQ(all.executions, 4U);
}

TEST(TestBody, IsStoppedByLimitsInAnyStage) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int stage = 0; stage < 3; ++stage) {
      for (int i = 0; i < 3; ++i) me.send<&log::take>(one, i);
      run.handle_all();
    }
  });
  for (const auto& engine : engines) {
    options few;
    few.limits.max_executions = 50;
    const auto cut = all_of(tested, engine, few);
    EXPECT_FALSE(cut.exhausted) << engine;
    EXPECT_EQ(cut.executions, 50U) << engine;

    options shallow;
    shallow.limits.max_depth = 6;
    const auto truncated = all_of(tested, engine, shallow);
    EXPECT_FALSE(truncated.exhausted) << engine;
    EXPECT_EQ(truncated.executions, 0U) << engine;
    EXPECT_GT(truncated.truncated, 0U) << engine;
  }
}

TEST(TestBody, IsEstimatedOverAllItsStages) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int stage = 0; stage < 2; ++stage) {
      for (int i = 0; i < 4; ++i) me.send<&log::take>(one, static_cast<int>(i == 0 ? me.choose(3) : 7));
      run.handle_all();
    }
  });
  options how;
  how.limits.max_executions = 72 * 36;  // half of them
  how.search.engine = "optimal";
  const auto half = explore(tested, how);

  ASSERT_TRUE(half.estimate);
  EXPECT_THAT(half.estimate->executions, testing::AllOf(testing::Ge(72 * 36), testing::Le(2 * 72 * 72)));
  how.limits.max_executions = 0;
  const auto all = explore(tested, how);
  EXPECT_EQ(all.executions, 72U * 72U);
  ASSERT_TRUE(all.estimate);
  EXPECT_EQ(all.estimate->executions, 72 * 72);
}

TEST(TestBody, ReplaysItsFindingsFromTheirSchedules) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    me.send<&log::take>(one, 1);
    me.send<&log::take>(one, 2);
    run.handle_all();
    me.send<&log::take>(one, 3);
    me.send<&log::take>(one, 4);
    run.handle_all();
    me.check(text_of(run.state(one).seen) != "2143", "not backwards");
  });
  for (const auto& engine : engines) {
    const auto all = all_of(tested, engine);
    ASSERT_THAT(all.findings, SizeIs(1)) << engine;
    const auto again = tested.start();
    again->run(all.findings.front().schedule);
    ASSERT_THAT(again->records_of_last_step(), SizeIs(1)) << engine;
    EXPECT_EQ(again->records_of_last_step().front().message, "not backwards");
    EXPECT_THAT(all.findings.front().trace, SizeIs(6));
  }
}

TEST(TestBody, IsReportedIfItDoesNotRepeatItself) {
  int runs = 0;
  const auto tested = of_body([&runs](self& me, test_run& run) {
    const auto one = me.create<log>();
    me.send<&log::take>(one, ++runs);
    run.handle_all();
  });

  const auto all = all_of(tested);
  ASSERT_THAT(all.findings, SizeIs(1));
  EXPECT_EQ(all.findings.front().kind, finding_kind::nondeterminism);
  EXPECT_THAT(all.findings.front().message, HasSubstr("does not repeat itself when its body is run again"));
}

TEST(TestBody, MakesNoCalls) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    run.handle_all();
    me.call<&log::size>(one).then<&log::take>();
  });

  EXPECT_THROW(static_cast<void>(all_of(tested)), error);
}

TEST(TestBody, IsJudgedInAllOrdersIfAMonitorLooksOn) {
  struct counts final : monitor {
    std::size_t steps = 0;
    std::optional<record> stepped(const system&) override {
      ++steps;
      return std::nullopt;
    }
    std::string order_dependence(const system&) const override { return {}; }
  } judge;
  const auto tested = of_body([](self& me, test_run& run) {
    const auto one = me.create<log>();
    for (int i = 0; i < 2; ++i) me.send<&log::take>(one, i);
    run.handle_all();
  });
  options how;
  how.judging.by = &judge;
  const auto all = explore(tested, how);

  EXPECT_EQ(all.engine, "exhaustive");
  EXPECT_TRUE(all.exhausted);
  EXPECT_EQ(judge.steps, 6U);  // in each order the two deliveries and the stage's end
  how.search.engine = "optimal";
  EXPECT_THROW(static_cast<void>(explore(tested, how)), error);
}

TEST(TestBody, FailsBeforeItsFirstMessageAsAnyProgramDoes) {
  EXPECT_THROW(static_cast<void>(all_of(of_body([](self& me, test_run&) { me.check(false, "at once"); }))),
               untestable_program);
  EXPECT_THROW(
      static_cast<void>(all_of(of_body([](self&, test_run& run) { static_cast<void>(run.state(ref<log>())); }))),
      untestable_program);
}

}  // namespace
}  // namespace harrier
