// A schedule, and a trace, are followed step by step, and where they lead is judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/replay/replay.hpp>

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using by = recorded_trace::by;
using way = replay_end::how;

/// Adds up; `step` is what a change of the program changes.
struct sum {
  int step = 1;
  int value = 0;
  void add(int n) { value += n * step; }
  void look(self& me) const { me.check(value == 0, "nothing was added"); }
};

program adds_and_looks(int step = 1, int added = 1) {
  return make_program([=](self& me) {
    const auto it = me.create<sum>(step);
    me.send<&sum::add>(it, added);
    me.send<&sum::look>(it);
  });
}

finding found_in(const program& tested, monitor* judge = nullptr) {
  options how;
  how.judging.by = judge;
  return explore(tested, how).findings.at(0);
}

/// Keeps what it is told.
struct listening : replay_listener {
  std::vector<std::string> told;
  std::size_t most = 100;
  bool goes_on = false;

  void about_to(const system& s, std::size_t, const scheduled& next) override {
    told.push_back("next " + (next.message > s.message_count() ? "stage" : s.message_text(next.message)));
  }
  bool made(const system&, std::size_t number, trace_step step, bool is_as_recorded) override {
    told.push_back((is_as_recorded ? "same " : "made ") + step.message);
    return number + 1 < most;
  }
  bool differs(const system&, std::size_t, const trace_difference& difference) override {
    told.push_back("differs " + (difference.actual != nullptr ? difference.actual->state : difference.why));
    return goes_on;
  }
};

TEST(Replay, FollowsATraceToItsFinding) {
  const auto f = found_in(adds_and_looks());
  listening tell;
  const auto end = replay(adds_and_looks(), {.finding = f}, tell);

  EXPECT_EQ(end.way, way::found_again);
  EXPECT_THAT(tell.told, ElementsAre("next add(1)", "same add(1)", "next look()", "same look()"));
}

TEST(Replay, StopsWhereAStepDoesSomethingElse) {
  const auto f = found_in(adds_and_looks());
  listening tell;
  const auto end = replay(adds_and_looks(2), {.finding = f}, tell);

  EXPECT_EQ(end.way, way::differs);
  EXPECT_THAT(tell.told, ElementsAre("next add(1)", HasSubstr("differs {step=2, value=2}")));
}

TEST(Replay, GoesOnAfterAnotherOutcomeIfItsListenerWants) {
  const auto f = found_in(adds_and_looks());
  listening tell;
  tell.goes_on = true;
  const auto end = replay(adds_and_looks(2), {.finding = f}, tell);

  EXPECT_EQ(end.way, way::found_again);
}

TEST(Replay, IsOverWhereAMessageIsAnotherOne) {
  const auto f = found_in(adds_and_looks());
  listening tell;
  tell.goes_on = true;
  const auto end = replay(adds_and_looks(1, 3), {.finding = f}, tell);

  EXPECT_EQ(end.way, way::differs);
  EXPECT_THAT(tell.told, ElementsAre(HasSubstr("differs")));
}

TEST(Replay, SaysThatTheFindingIsGone) {
  auto f = found_in(adds_and_looks());
  f.message = "another check";
  listening tell;
  const auto end = replay(adds_and_looks(), {.finding = f}, tell);

  EXPECT_EQ(end.way, way::not_again);
  EXPECT_EQ(end.why, "the step that failed did not fail this time");
}

TEST(Replay, StopsWhenItsListenerWants) {
  const auto f = found_in(adds_and_looks());
  listening tell;
  tell.most = 1;

  EXPECT_EQ(replay(adds_and_looks(), {.finding = f}, tell).way, way::stopped);
  EXPECT_THAT(tell.told, ElementsAre("next add(1)", "same add(1)"));
}

TEST(Replay, OfAScheduleComparesNothing) {
  finding f;
  f.schedule = found_in(adds_and_looks()).schedule;
  listening tell;

  EXPECT_EQ(replay(adds_and_looks(2), {.finding = f, .found_by = by::slots}, tell).way, way::followed);
  EXPECT_THAT(tell.told, ElementsAre("next add(1)", "made add(1)", "next look()", "made look()"));
}

TEST(Replay, OfAScheduleThatCannotBeFollowedIsAnError) {
  finding f;
  f.schedule = {{0, 77}};
  listening tell;

  EXPECT_THROW(replay(adds_and_looks(), {.finding = f, .found_by = by::slots}, tell), error);
  EXPECT_THAT(tell.told, IsEmpty());
}

TEST(Replay, FindsMessagesByWhatTheyAreCalled) {
  finding f;
  f.trace.resize(2);
  f.trace[0].message = "look()";
  f.trace[1].message = "subtract()";
  listening tell;

  EXPECT_EQ(replay(adds_and_looks(), {.finding = f, .found_by = by::messages}, tell).way, way::differs);
  EXPECT_THAT(tell.told, ElementsAre("next look()", "made look()", "differs what can be delivered is sum_0.add(1)"));
}

/// Objects to the first delivery, and says nothing of what it objects for: an invariant.
struct objector final : monitor {
  std::optional<record> stepped(const system&) override {
    record broken;
    broken.message = "nothing may be delivered";
    return broken;
  }
};

TEST(Replay, AsksTheMonitorAgainThatObjected) {
  objector first, again;
  const auto f = found_in(adds_and_looks(), &first);
  listening tell;

  EXPECT_EQ(f.kind, finding_kind::invariant);
  EXPECT_EQ(replay(adds_and_looks(), {.finding = f, .judge = &again}, tell).way, way::found_again);
}

TEST(Replay, NeedsTheMonitorThatObjected) {
  objector judge;
  const auto f = found_in(adds_and_looks(), &judge);
  listening tell;

  EXPECT_THROW(replay(adds_and_looks(), {.finding = f}, tell), error);
}

TEST(RulesOfEnds, HaveAWordThatTheyAreMadeOfAgain) {
  const auto nobody = [](const system&, actor_slot) { return false; };

  EXPECT_EQ(word_for_environment(rules_for_environment("total")), "total");
  EXPECT_EQ(word_for_environment(rules_for_environment("empty")), "empty");
  EXPECT_EQ(word_for_environment(rules_for_environment("program", nobody)), "program");
  EXPECT_EQ(word_for_environment(rules_for_environment("program")), "total");
}

}  // namespace
}  // namespace harrier
