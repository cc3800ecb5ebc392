// Tests that are written with CAF's own deterministic fixture, but for harrier::caf_fixture in its place: CAF's runner
// runs them, and harrier runs them in all orders.
#include <gmock/gmock.h>

#include <caf/init_global_meta_objects.hpp>
#include <caf/test/registry.hpp>
#include <caf/test/runner.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fixture_samples.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct ran_test {
  bool is_passed = false;
  std::set<std::string> noted;
  std::string written;
};

/// The samples of that name, by CAF's runner.
ran_test ran(const std::string& name) {
  std::vector<std::string> words = {"test", "--no-colors", "--tests=" + name};
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  caf::core::init_global_meta_objects();
  caf::test::registry::run_init_callbacks();
  noted().clear();
  testing::internal::CaptureStdout();
  const int status = caf::test::runner().run(static_cast<int>(arguments.size()), arguments.data());
  return {status == 0, std::exchange(noted(), {}), testing::internal::GetCapturedStdout()};
}

std::set<std::string> ends_of(const std::string& name) {
  const auto r = ran(name);
  EXPECT_TRUE(r.is_passed) << r.written;
  return r.noted;
}

TEST(CafFixture, DispatchesMessagesInAllOrders) {
  EXPECT_THAT(ends_of("dispatch_messages takes"), UnorderedElementsAre("ab", "ba"));
}

TEST(CafFixture, HasInMailboxesWhatWasSentBeforeAnythingIsDispatched) { ends_of("what waits before"); }

TEST(CafFixture, LeavesToTheTestWhatThatDispatchesItself) { ends_of("what the test dispatches itself"); }

TEST(CafFixture, DispatchesTheNextMessageOfAnyActor) {
  EXPECT_THAT(ends_of("dispatch_message takes"), UnorderedElementsAre("a210", "a010", "b210", "b010"));
}

TEST(CafFixture, DispatchesWhatIsExpectedAndNothingElse) {
  EXPECT_THAT(ends_of("expect is in the order"), UnorderedElementsAre("bac"));
}

TEST(CafFixture, DispatchesNextWhatWasPreponed) { EXPECT_THAT(ends_of("prepone says"), Each("b")); }

TEST(CafFixture, EndsAnActorThatAnExitIsInjectedTo) {
  EXPECT_THAT(ends_of("inject_exit ends"), UnorderedElementsAre("b"));
}

TEST(CafFixture, ExploresEachSection) {
  EXPECT_THAT(ends_of("sections are run"), UnorderedElementsAre("one ab", "one ba", "two ab", "two ba"));
}

TEST(CafFixture, EndsAnActorAsItsLastHandleGoes) {
  EXPECT_THAT(ends_of("who is referred to no more"), UnorderedElementsAre("1down"));
}

TEST(CafFixture, LeavesTimeToTheTest) {
  EXPECT_THAT(ends_of("time is the test's"), UnorderedElementsAre("ablate", "balate"));
}

TEST(CafFixture, FailsATestThatFailsInOneOrder) {
  const auto r = ran("a check that fails");
  EXPECT_FALSE(r.is_passed);
  EXPECT_THAT(r.written, AllOf(HasSubstr("assertion: ba == ab"), HasSubstr("fixture_samples.cpp"),
                               HasSubstr("tells_2.int32_t(1)\n    keeps_history_0.string(\"b\")")));
}

TEST(CafFixture, EndsAnExecutionThatLacksWhatIsRequired) {
  const auto r = ran("what is required");
  EXPECT_FALSE(r.is_passed);
  EXPECT_THAT(r.noted, Each("went on"));
  EXPECT_THAT(r.written, HasSubstr("assertion: ba == ab"));
}

TEST(CafFixture, KnowsWhatIsMeantToFail) { ends_of("what is meant to fail"); }

TEST(CafFixture, FailsATestThatThrows) {
  EXPECT_THAT(ran("a test that throws").written, HasSubstr("the test threw: b was first"));
}

TEST(CafFixture, RefusesBlockingActors) {
  EXPECT_THAT(ran("who waits in a handler").written, HasSubstr("blocking actors in a test of CAF's"));
}

TEST(CafFixture, RefusesWhatWouldBeShownToAnActorAgain) {
  EXPECT_THAT(ran("who skips and is then").written, HasSubstr("has skipped another one before"));
}

TEST(CafFixture, ExploresScenarios) { EXPECT_THAT(ends_of("scenarios are"), UnorderedElementsAre("ab", "ba")); }

TEST(CafFixture, ExploresEachExampleOfAnOutline) {
  EXPECT_THAT(ends_of("outlines are"), UnorderedElementsAre("aab", "aba", "bab", "bba"));
}

TEST(CafFixture, LeavesTestsWithTheFixtureOfCafsAlone) {
  EXPECT_THAT(ends_of("the fixture of CAF's"), UnorderedElementsAre("4"));
}

}  // namespace
}  // namespace harrier
