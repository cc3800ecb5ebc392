// What an exploration of a program that fails gives.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <harrier/core/error.hpp>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct failing {
  int stage = 0;
  void soft(self& me) {
    me.check(false, "soft");
    stage = 1;
    me.check(stage == 0, "after the soft failure the handler goes on");
  }
  void hard(self& me) {
    me.require(false, "hard");
    me.check(false, "never reached");
  }
  void throws() { throw std::logic_error("boom"); }
  void throws_an_int() { throw 7; }
  void nothing() {}
};

TEST(Findings, AFailedCheckGoesOn) {
  const auto result = explore_all([](self& me) { me.send<&failing::soft>(me.create<failing>()); });
  EXPECT_THAT(messages_of(result), ElementsAre("soft", "after the soft failure the handler goes on"));
  EXPECT_THAT(result.findings[0].file, HasSubstr("findings_test.cpp"));
  EXPECT_GT(result.findings[0].line, 0U);
}

TEST(Findings, AFailedRequirementEndsTheExecution) {
  const auto result = explore_all([](self& me) {
    const auto a = me.create<failing>();
    me.send<&failing::hard>(a);
    me.send<&failing::nothing>(a);
  });
  EXPECT_THAT(messages_of(result), ElementsAre("hard"));
  EXPECT_EQ(result.executions, 2U);
  EXPECT_EQ(result.transitions, 3U);  // hard; nothing, hard
}

TEST(Findings, AnUncaughtExceptionIsOne) {
  const auto result = explore_all([](self& me) {
    me.send<&failing::throws>(me.create<failing>());
    me.send<&failing::throws_an_int>(me.create<failing>());
  });
  EXPECT_THAT(messages_of(result),
              testing::UnorderedElementsAre("boom", "an exception that is not derived from std::exception"));
}

TEST(Findings, AreReportedOnceWithTheirShortestScheduleAndACount) {
  const auto result = explore_all([](self& me) {
    me.send<&failing::soft>(me.create<failing>());
    for (int i = 0; i < 3; ++i) me.send<&failing::nothing>(me.create<failing>());
  });
  ASSERT_THAT(result.findings, SizeIs(2));
  EXPECT_THAT(result.findings[0].schedule, SizeIs(1));
  EXPECT_THAT(result.findings[0].trace, SizeIs(1));
  EXPECT_GT(result.findings[0].occurrences, 1U);
}

struct restless {
  int left = 1;
  bool at_rest() const { return left == 0; }
  void work() { --left; }
};

TEST(Findings, AnActorThatIsNotAtRestAtTheEndIsADeadlock) {
  const auto result = explore_all([](self& me) {
    me.create<restless>();
    me.send<&restless::work>(me.create<restless>());
  });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::deadlock);
  EXPECT_EQ(result.findings[0].actor, "restless_0");
}

TEST(Findings, AnEmptyEnvironmentWantsEveryActorGone) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.environment = environment::empty;
  const auto result = explore([](self& me) { me.create<failing>(); }, how);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::deadlock);
  how.judging.may_be_left = [](const system& s, actor_slot a) { return s.actor_name(a) == "failing_0"; };
  EXPECT_THAT(explore([](self& me) { me.create<failing>(); }, how).findings, IsEmpty());
}

TEST(Findings, MessagesToDestroyedActorsAreWarningsUnlessMadeErrors) {
  const auto stop_work = [](self& me) {
    const auto a = me.create<counter>();
    me.send<&counter::stop>(a);
    me.send<&counter::reset>(a);
  };
  options how;
  how.search.engine = "exhaustive";
  how.judging.keep_going = true;
  const auto warned = explore(stop_work, how);
  EXPECT_THAT(warned.findings, IsEmpty());
  ASSERT_THAT(warned.warnings, SizeIs(1));
  EXPECT_THAT(warned.warnings[0].message, HasSubstr("counter_0.reset() was never delivered"));
  how.judging.undelivered = undelivered::error;
  EXPECT_THAT(explore(stop_work, how).findings, SizeIs(1));
  how.judging.undelivered = undelivered::ignore;
  EXPECT_THAT(explore(stop_work, how).warnings, IsEmpty());
}

/// Fails outside its handlers, once it was struck.
enum class weak : std::uint8_t { guard, copy, inspect, at_rest };
struct brittle {
  weak where;
  bool struck = false;

  explicit brittle(weak in) : where(in) {}
  brittle(const brittle& other) : where(other.where), struck(other.struck) { fail_in(weak::copy); }
  brittle(brittle&&) = default;
  brittle& operator=(const brittle&) = delete;
  ~brittle() = default;
  void strike() { struck = true; }
  void touch() {}
  bool accepts(handler<&brittle::touch>) const {
    fail_in(weak::guard);
    return true;
  }
  bool at_rest() const {
    fail_in(weak::at_rest);
    return true;
  }
  template <class F>
  friend bool inspect(F& f, brittle& x) {
    x.fail_in(weak::inspect);
    return f.object(x).fields(f.field("struck", x.struck));
  }
  void fail_in(weak here) const {
    if (struck && where == here) throw std::runtime_error("snap");
  }
};

finding found_in(weak where, const std::string& engine) {
  options how;
  how.search.engine = engine;
  const auto result = explore(
      [where](self& me) {
        const auto it = me.create<brittle>(where);
        me.send<&brittle::strike>(it);
        me.send<&brittle::touch>(it);
      },
      how);
  EXPECT_THAT(result.findings, SizeIs(1)) << engine;
  EXPECT_FALSE(result.exhausted) << engine;
  return result.findings.empty() ? finding() : result.findings[0];
}

TEST(Findings, OutsideHandlersNameTheFunctionAndWhatLeadsThere) {
  for (const auto* engine : {"exhaustive", "optimal", "source", "trust", "stateful", "auto", "random"}) {
    EXPECT_EQ(found_in(weak::guard, engine).message,
              "the guard accepts(handler<&brittle::touch>) of brittle_0 threw: snap");
    EXPECT_EQ(found_in(weak::guard, engine).trace.at(0).message, "strike()");
    EXPECT_EQ(found_in(weak::copy, engine).message, "the copy constructor of brittle_0 threw: snap");
    EXPECT_EQ(found_in(weak::inspect, engine).message, "the hash of the state of brittle_0 threw: snap");
    EXPECT_EQ(found_in(weak::at_rest, engine).message, "at_rest() of brittle_0 threw: snap");
    EXPECT_EQ(found_in(weak::at_rest, engine).kind, finding_kind::exception);
  }
}

/// Says that it cannot be tested, in whatever happens to be called.
struct unfit {
  bool touched = false;
  void touch() { touched = true; }
  bool accepts(handler<&unfit::touch>) const {
    if (touched) throw untestable_program("it has threads of its own");
    return true;
  }
};

TEST(Findings, AreNotThatAProgramCannotBeTested) {
  options how;
  for (const auto* engine : {"exhaustive", "optimal", "auto"}) {
    how.search.engine = engine;
    EXPECT_THROW(static_cast<void>(explore(
                     [](self& me) {
                       const auto it = me.create<unfit>();
                       me.send<&unfit::touch>(it);
                       me.send<&unfit::touch>(it);
                     },
                     how)),
                 untestable_program);
  }
}

struct refusing_monitor final : monitor {
  std::optional<record> stepped(const system&) override { throw std::runtime_error("no opinion"); }
};

TEST(Findings, OfAJudgeThatThrowsNameIt) {
  const auto one_message = [](self& me) { me.send<&failing::nothing>(me.create<failing>()); };
  refusing_monitor refusing;
  options how;
  how.judging.by = &refusing;
  EXPECT_THAT(messages_of(explore(one_message, how)), ElementsAre("the monitor threw: no opinion"));
  how.judging.by = nullptr;
  how.judging.may_be_left = [](const system&, actor_slot) -> bool { throw std::runtime_error("who knows"); };
  EXPECT_THAT(messages_of(explore(one_message, how)), ElementsAre("may_be_left threw: who knows"));
}

TEST(Findings, AreNotWhatAListenerThrows) {
  options how;
  how.told.progress_interval = 0;
  how.told.on_progress = [](const progress&) { throw std::runtime_error("the screen is gone"); };
  EXPECT_THROW(static_cast<void>(explore([](self& me) { me.send<&failing::nothing>(me.create<failing>()); }, how)),
               std::runtime_error);
}

}  // namespace
}  // namespace harrier
