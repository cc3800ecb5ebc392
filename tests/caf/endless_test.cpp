// Programs that never end: the search does not follow one execution for ever, and says what to do.
#include <gmock/gmock.h>

#include <caf/all.hpp>
#include <chrono>
#include <string>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/explore/explore.hpp>

#include "explored.hpp"

namespace harrier {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

const auto is_a_depth = Field("option", &advice::option, "max-depth");

caf::behavior goes_round(caf::event_based_actor* self) {
  return {[=](int number) { self->send(self, number); }};
}

void endless(caf::actor_system& system) { caf::anon_send(system.spawn(goes_round), 1); }

void polls_with_after(caf::blocking_actor* self) {
  bool is_done = false;
  self->receive_while([&] { return !is_done; })([&](int) { is_done = true; }, caf::after(10ms) >> [] {});
}

TEST(CafEndless, IsGivenUpInItsFirstExecutionAndADepthIsSuggested) {
  const auto found = explored(endless, "optimal");
  EXPECT_FALSE(found.exhausted);
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_THAT(found.stopped_by, HasSubstr("an execution that had not ended after "));
  EXPECT_GE(found.max_depth, 1000U);
  EXPECT_THAT(found.advice, Contains(is_a_depth));
}

TEST(CafEndless, IsALoopOfReceiveWithAfterUnderTimersThatComeAtAnyTime) {
  const auto polls = [](caf::actor_system& system) { caf::anon_send(system.spawn(polls_with_after), 1); };
  const auto found = explored(polls, "optimal", delivery::causal, {.time = caf_options::timers::any_time});
  EXPECT_FALSE(found.exhausted);
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_THAT(found.stopped_by, HasSubstr("executions each of which is longer than those before"));
  EXPECT_FALSE(found.estimate);
  EXPECT_THAT(found.advice, Contains(is_a_depth));
}

TEST(CafEndless, IsCutWhereADepthWasAskedFor) {
  options how;
  how.search.engine = "optimal";
  how.limits.max_depth = 30;
  const auto found = explore(caf_program(endless), how);
  EXPECT_EQ(found.truncated, 1);
  EXPECT_EQ(found.stopped_by, "the depth limit of 30 deliveries");
}

}  // namespace
}  // namespace harrier
