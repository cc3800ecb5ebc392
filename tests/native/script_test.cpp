// Scripts: a few decisions are pinned, everything else is explored.
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/script.hpp>
#include <harrier/native/test_body.hpp>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;

/// Remembers the order in which it is told; fails when it is told twice before `stop`.
struct listener {
  int told = 0;
  bool is_stopped = false;
  void tell(self& me, int what) {
    ++told;
    me.note(std::to_string(what));
    me.check(told < 2 || is_stopped, "nothing is told twice before it is stopped");
  }
  void stop(self& me) {
    is_stopped = true;
    me.cover("stopped");
  }
};
struct talker {
  ref<listener> to;
  int what = 0;
  void talk(self& me) { me.send<&listener::tell>(to, what); }
};

/// Two talkers and what stops them, in any order.
void talk(self& me) {
  const auto to = me.create<listener>();
  me.send<&talker::talk>(me.create<talker>(to, 1));
  me.send<&talker::talk>(me.create<talker>(to, 2));
  me.send<&listener::stop>(to);
}

exploration with(std::vector<specification> script, options how = {}) {
  how.judging.keep_going = true;
  return explore(specified(make_program(talk), std::move(script)), how);
}

TEST(Scripts, KeepExecutionsInWhichOneEventComesAfterAnother) {
  EXPECT_FALSE(with({}).findings.empty());

  const auto result = with({pin("listener_0.tell#2 after listener_0.stop")});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.exhausted);
  EXPECT_GT(result.assumed_away, 0U);
  EXPECT_TRUE(result.points.at("what is pinned: listener_0.tell#2 after listener_0.stop"));
}

TEST(Scripts, OrderDeliveriesToSeveralActors) {
  const auto result =
      with({pin("listener_0.tell(1) after talker_2.talk"), pin("listener_0.stop after listener_0.tell(2)"),
            pin("listener_0.tell(2) after listener_0.tell(1)")});
  EXPECT_EQ(result.executions, 1U);
  EXPECT_THAT(messages_of(result), ElementsAre("nothing is told twice before it is stopped"));
}

TEST(Scripts, DoNotCallTheHandlerOfWhatComesTooEarly) {
  static int called = 0;
  struct fragile {
    void fail() { ++called; }
    void prepare() {}
  };
  const auto tested = make_program([](self& me) {
    const auto one = me.create<fragile>();
    me.send<&fragile::fail>(one);
    me.send<&fragile::prepare>(me.create<fragile>());
  });
  options how;
  how.judging.check_determinism = repetition::off;
  const auto script = pin("fragile_0.fail#1 after fragile_1.prepare#2");  // which never happens
  const auto result = explore(specified(tested, {script}), how);
  EXPECT_EQ(called, 0);
  EXPECT_EQ(result.stopped_by, "assumptions that hold in no execution");
}

TEST(Scripts, SayWhatNeverHappens) {
  const auto result = with({pin("listener_0.tell#5 after listener_0.stop")});
  EXPECT_TRUE(result.exhausted);
  EXPECT_FALSE(result.points.at("what is pinned: listener_0.tell#5 after listener_0.stop"));
}

TEST(Scripts, NameActorsThatAreThere) {
  try {
    with({pin("listener_1.tell after listener_0.stop")});
    FAIL();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("there is no actor listener_1 before the first delivery; there are "
                                             "listener_0, talker_1, talker_2"));
  }
  EXPECT_THROW(pin("listener_0.tell"), error);
  EXPECT_THROW(pin("tell after listener_0.stop"), error);
  EXPECT_THROW(pin("listener_0.tell#0 after listener_0.stop"), error);
  EXPECT_THROW(follow_until("F stopped"), error);
}

TEST(Scripts, AreRefusedWherePathsAreMerged) {
  options how;
  how.search.engine = "stateful";
  EXPECT_THROW(with({pin("listener_0.tell#2 after listener_0.stop")}, how), error);
  how.search.engine = "trust";
  EXPECT_THROW(with({pin("listener_0.tell after talker_1.talk")}, how), error);
  how.search.engine = "optimal";
  how.search.independence = independence::semantic;
  EXPECT_THROW(with({follow_until("listener_0.tell")}, how), error);
}

/// The same in the body of a test, which looks at the listener in the middle and goes on.
program body_with(const std::vector<specification>& script) {
  return make_test_program({.run = [script](self& me, test_run& run) {
    const auto to = me.create<listener>();
    for (const auto& line : script) run.specify(line);
    me.send<&talker::talk>(me.create<talker>(to, 1));
    me.send<&talker::talk>(me.create<talker>(to, 2));
    me.send<&listener::stop>(to);
    run.handle_all();
    me.check(run.state(to).told == 2, "both are told");
    me.send<&listener::tell>(to, 3);
  }});
}

TEST(Scripts, AreKeptToInTheStagesOfATest) {
  options how;
  how.judging.keep_going = true;
  for (const auto* engine : {"exhaustive", "optimal", "source"}) {
    how.search.engine = engine;
    EXPECT_FALSE(explore(body_with({}), how).findings.empty()) << engine;

    const auto result = explore(body_with({pin("listener_0.tell#2 after listener_0.stop")}), how);
    EXPECT_THAT(messages_of(result), testing::IsEmpty()) << engine;
    EXPECT_TRUE(result.exhausted) << engine << ": " << result.stopped_by;
    EXPECT_GT(result.assumed_away, 0U) << engine;

    const auto third = explore(body_with({pin("listener_0.tell#3 after talker_1.talk#2")}), how);
    EXPECT_EQ(third.executions, 0U) << engine;
  }
}

/// What is pinned to come after a crash.
TEST(Scripts, PinWhatComesAfterACrash) {
  struct node {
    void ping(self& me) { me.note("ping"); }
  };
  const auto tested = make_program([](self& me) {
    const auto one = me.create<node>();
    const auto other = me.create<node>();
    me.send<&node::ping>(one);
    me.send<&node::ping>(other);
    me.send<&node::ping>(other);
  });
  options how;
  how.search.faults.crash = 1;
  for (const auto* engine : {"exhaustive", "optimal"}) {
    how.search.engine = engine;
    const auto result = explore(specified(tested, {pin("node_1.ping#2 after node_0.crash")}), how);
    EXPECT_TRUE(result.exhausted) << engine << ": " << result.stopped_by;
    EXPECT_TRUE(result.points.at("what is pinned: node_1.ping#2 after node_0.crash")) << engine;
    EXPECT_GT(result.assumed_away, 0U) << engine;
  }
  EXPECT_THROW(explore(specified(tested, {pin("node_0.crash after node_1.ping")}), how), error);
}

TEST(ExecutionsFollowedUntilAnEvent, EndThereForItsActor) {
  const auto result = with({follow_until("listener_0.tell")});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.outcomes,
              testing::UnorderedElementsAre(testing::Pair("1", testing::_), testing::Pair("2", testing::_)));
}

TEST(ExecutionsFollowedUntilAnEvent, AreNotJudgedAtTheirEnds) {
  struct other {
    void never(self& me) { me.destroy(); }
  };
  struct caller {
    ref<other> of;
    task run(self& me) { co_await me.call<&other::never>(of); }
  };
  const auto tested = make_program([](self& me) {
    const auto of = me.create<other>();
    me.send<&caller::run>(me.create<caller>(of));
    me.send<&other::never>(of);
  });
  EXPECT_FALSE(explore(tested).findings.empty());
  const auto result = explore(specified(tested, {follow_until("other_0.never")}));
  EXPECT_TRUE(result.findings.empty());
}

TEST(ExecutionsFollowedUntilAnEvent, TellNobodyThatItsActorHasEnded) {
  struct worker {
    void work() {}
  };
  struct joiner {
    ref<worker> of;
    task run(self& me) {
      co_await me.ended(of);
      me.check(false, "the worker has ended");
    }
  };
  const auto tested = make_program([](self& me) {
    const auto of = me.create<worker>();
    me.send<&joiner::run>(me.create<joiner>(of));
    me.send<&worker::work>(of);
  });
  EXPECT_TRUE(explore(specified(tested, {follow_until("worker_0.work")})).findings.empty());
}

TEST(ExecutionsThatComeThrough, AreJudgedAndNoOthers) {
  const auto all = with({});
  const auto some = with({keep_through("listener_0.tell#2")});
  EXPECT_EQ(some.executions, all.executions);

  const auto stopped_first = with({keep_through("stopped"), pin("listener_0.tell after listener_0.stop")});
  EXPECT_TRUE(stopped_first.findings.empty());
  EXPECT_TRUE(stopped_first.points.at("stopped"));
}

TEST(ExecutionsThatComeThrough, HaveWhatIsFoundInThem) {
  struct chooser {
    void choose(self& me) {
      const bool is_special = me.choose(3) == 2;
      if (is_special) me.cover("special");
      me.check(is_special, "usual");
      me.check(!is_special, "special");
    }
  };
  const auto tested = make_program([](self& me) { me.send<&chooser::choose>(me.create<chooser>()); });
  options how;
  how.judging.keep_going = true;
  for (const auto* engine : {"exhaustive", "optimal", "source", "trust", "random"}) {
    how.search.engine = engine;
    how.limits.max_executions = std::string(engine) == "random" ? 20 : 0;
    const auto result = explore(specified(tested, {keep_through("special")}), how);
    EXPECT_THAT(messages_of(result), ElementsAre("special")) << engine;
    if (std::string(engine) != "random") {
      EXPECT_EQ(result.executions, 1U) << engine;
      EXPECT_EQ(result.assumed_away, 2U) << engine;
    }
  }
}

TEST(ExecutionsThatComeThrough, AreNoPassWhereThereAreNone) {
  const auto result = with({keep_through("what never happens")});
  EXPECT_FALSE(result.exhausted);
  EXPECT_EQ(result.stopped_by, "assumptions that hold in no execution");
  EXPECT_FALSE(result.points.at("what never happens"));
}

}  // namespace
}  // namespace harrier
