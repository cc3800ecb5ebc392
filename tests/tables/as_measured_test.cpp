#include <gmock/gmock.h>

#include <bench/tables/trial.hpp>

namespace harrier::tables {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TransdporAsMeasured, GivesThePublishedTreeOfTheRegistry) {
  EXPECT_EQ(explore_fully("registry", "transdpor-as-measured", "fifo", 60).executions, 10U);
  EXPECT_EQ(explore_fully("registry", "transdpor", "fifo", 60).executions, 13U);
}

TEST(TransdporAsMeasured, LosesAnOrderWhenAnActorStops) {
  EXPECT_EQ(explore_fully("mini-stop-work", "transdpor-as-measured", "fifo", 60).executions, 1U);
  EXPECT_EQ(explore_fully("mini-stop-work", "transdpor", "fifo", 60).executions, 2U);
}

TEST(TransdporAsMeasured, LosesAnOrderWhenAGuardRefuses) {
  EXPECT_EQ(explore_fully("mini-exclusive", "transdpor-as-measured", "fifo", 60).executions, 1U);
}

TEST(TransdporAsMeasured, SaysThatItProvesNothing) {
  const auto result = explore_fully("mini-stop-work", "transdpor-as-measured", "fifo", 60);

  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("loses executions")));
}

TEST(TransdporAsMeasured, AloneCarriesAWarning) {
  EXPECT_THAT(explore_fully("registry", "transdpor", "fifo", 60).notes, IsEmpty());
}

}  // namespace
}  // namespace harrier::tables
