#include <gmock/gmock.h>

#include <set>

#include <harrier/core/error.hpp>
#include <harrier/engine/exhaustive.hpp>

#include "named.hpp"

namespace harrier::subjects {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

MATCHER_P2(IsA, kind, text, "") { return arg.kind == kind && arg.message.find(text) != std::string::npos; }

TEST(Server, BreaksItsPromiseInSixDeliveries) {
  const auto result = explore_all(named("server"));

  ASSERT_THAT(result.findings, ElementsAre(IsA(finding_kind::assertion, "two reads in a row agree")));
  EXPECT_LE(result.findings[0].schedule.size(), 6U);
  EXPECT_EQ(result.findings[0].actor, "client_1");
}

TEST(Server, MayBeGoneBeforeTheValueArrives) {
  EXPECT_THAT(explore_all(named("server")).warnings,
              ElementsAre(IsA(finding_kind::undelivered, "server_0.set(5) was never delivered")));
}

TEST(Server, BreaksItsPromiseWhenTheScheduleIsRunAgain) {
  const auto server = named("server");
  const auto found = explore_all(server).findings.at(0);
  const auto again = server.start();

  again->run(found.schedule);

  ASSERT_THAT(again->records_of_last_step(), SizeIs(1));
  EXPECT_EQ(again->records_of_last_step()[0].line, found.line);
}

TEST(DiningPhilosophers, DeadlockInACircleOfCalls) {
  const auto result = explore_all(named("diningphil", {{"n", "2"}}));

  ASSERT_THAT(result.findings, ElementsAre(IsA(finding_kind::deadlock, "philosopher_2, philosopher_3 wait")));
  EXPECT_THAT(result.findings[0].details,
              ElementsAre(AllOf(HasSubstr("philosopher_2 waits for the reply to fork_1.take()"),
                                HasSubstr("the last message it took was take() from philosopher_3")),
                          AllOf(HasSubstr("philosopher_3 waits for the reply to fork_0.take()"),
                                HasSubstr("the last message it took was take() from philosopher_2"))));
}

TEST(Philosophers, StarveThoughNobodyIsBlocked) {
  options how;
  how.search.engine = "exhaustive";
  const auto result = explore(named("philosophers"), how);

  ASSERT_THAT(result.findings, ElementsAre(IsA(finding_kind::deadlock, "philosopher_3")));
  EXPECT_THAT(result.findings[0].details, Contains(AllOf(HasSubstr("philosopher_3 waits for fork_"),
                                                         HasSubstr("does not accept take(philosopher_3)"))));
}

TEST(Phils, Starve) {
  EXPECT_THAT(explore_all(named("phils")).findings,
              ElementsAre(IsA(finding_kind::deadlock, "philosopher_2, philosopher_3 wait")));
}

TEST(MessagePhilosophers, AllEat) {
  const auto result = explore_all(named("message-philosophers", {{"n", "2"}}));

  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.findings, IsEmpty());
}

/// The states of all participants, at the end of each execution.
class decisions final : public observer {
public:
  void step_flagged(system&) override { FAIL() << "a check of the program failed"; }
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system& s) override {
    std::vector<std::string> states;
    for (actor_slot a = 0; a < s.actor_count(); ++a)
      if (s.actor_name(a).starts_with("participant_")) states.push_back(s.state_text(a));
    seen.insert(states);
  }
  std::set<std::vector<std::string>> seen;
};

TEST(TwoPhaseCommit, EndsInAgreementWhateverTheVotes) {
  const auto system = named("two-phase-commit", {{"participants", "2"}}).start();
  decisions ends;

  search_context all{*system, ends};
  ASSERT_TRUE(explore_alone(all, share_exhaustive(made_by::one)));

  const std::string committed = "{now=committed, voted_yes=true}";
  const std::string overruled = "{now=aborted, voted_yes=true}";
  const std::string refused = "{now=aborted, voted_yes=false}";
  EXPECT_THAT(ends.seen, testing::UnorderedElementsAre(ElementsAre(committed, committed),  //
                                                       ElementsAre(overruled, refused),    //
                                                       ElementsAre(refused, overruled),    //
                                                       ElementsAre(refused, refused)));
}

TEST(TwoPhaseCommit, HasNoFinding) { EXPECT_THAT(explore_all(named("two-phase-commit")).findings, IsEmpty()); }

template <class Make>
std::string complaint_of(Make make) {
  try {
    make();
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

TEST(Quicksort, RejectsWhatIsNoTree) {
  EXPECT_THAT(complaint_of([] { named("quicksort", {{"tree", "11"}}); }), HasSubstr("'11' is no binary tree"));
  EXPECT_THAT(complaint_of([] { named("quicksort", {{"tree", "1x0"}}); }), HasSubstr("'1x0' is no binary tree"));
}

TEST(FibCollector, InScalaIsForFourOnly) {
  EXPECT_THAT(complaint_of([] {
                named("fib-collector", {{"variant", "scala"}, {"n", "5"}});
              }),
              HasSubstr("variant=scala is the program for n=4 only"));
}

}  // namespace
}  // namespace harrier::subjects
