// Who looks at the actors that are gone finds them as they were left, whatever else is merged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/native/test_body.hpp>

#include "ways.hpp"

namespace harrier {
namespace {

using testing::Contains;
using testing::ElementsAre;

/// Remembers which job came first, does both and ends.
struct worker {
  int first = 0;
  int done = 0;
  void job(self& me, int which) {
    if (first == 0) first = which;
    if (++done == 2) me.destroy();
  }
};

struct two_jobs {
  void test(self& me) {
    const auto w = me.create<worker>();
    me.send<&worker::job>(w, 1);
    me.send<&worker::job>(w, 2);
  }
  void finally(final_states& end) const { end.check(end.only<worker>().first == 1, "the first job was 1"); }
};

class ActorsThatAreGone : public EachWay {};

TEST_P(ActorsThatAreGone, ArePartOfWhatTheEndIsJudgedBy) {
  EXPECT_THAT(found(two_jobs{}), ElementsAre("the first job was 1"));
}

TEST_P(ActorsThatAreGone, AreSeenByACheckOfWhoExplores) {
  how.judging.finally = [](final_states& end) { end.check(end.all<worker>()[0].get().first == 1, "1 came first"); };
  EXPECT_THAT(found([](self& me) { two_jobs().test(me); }), ElementsAre("1 came first"));
}

/// The body looks after the end of a stage, and goes on.
TEST_P(ActorsThatAreGone, AreSeenByTheBodyOfATestThatGoesOn) {
  const bool is_refused = how.search.jobs > 1 || how.search.independence != independence::receiver ||
                          how.states.order == search_order::breadth_first;
  if (is_refused) GTEST_SKIP() << "not for the body of a test";
  const auto body = [](self& me, test_run& run) {
    const auto w = me.create<worker>();
    me.send<&worker::job>(w, 1);
    me.send<&worker::job>(w, 2);
    run.handle_all();
    me.check(run.state(w).first == 1, "the body saw 1 first");
    me.send<&worker::job>(me.create<worker>(), 3);
    run.handle_all();
  };
  EXPECT_THAT(words_found(make_test_program({.run = body}), how), Contains("the body saw 1 first"));
}

INSTANTIATE_TEST_SUITE_P(Ways, ActorsThatAreGone, testing::ValuesIn(ways_of_searching()), name_of_way());

/// Nobody looks: states that differ in what is gone are one.
TEST(ActorsThatAreGone, CountForNothingWhereNobodyLooks) {
  options how;
  how.search.engine = "stateful";
  const auto merged = explore(make_program([](self& me) { two_jobs().test(me); }), how);
  const auto apart = explore(make_program(two_jobs{}), how);

  EXPECT_EQ(merged.states->final_states, 1U);
  EXPECT_EQ(apart.states->final_states, 2U);
}

}  // namespace
}  // namespace harrier
