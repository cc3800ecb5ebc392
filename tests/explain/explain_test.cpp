// What was found is cut to what leads to it, and written down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <harrier/explain/explain.hpp>
#include <harrier/harrier.hpp>

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct bell {
  int rung = 0;
  void ring(self& me) { me.check(++rung < 2, "it rings once"); }
};

void two_bells(self& me) {
  const auto one = me.create<bell>();
  const auto other = me.create<bell>();
  me.send<&bell::ring>(other);
  me.send<&bell::ring>(one);
  me.send<&bell::ring>(one);
}

/// Found as a search finds it: all three deliveries, in the order sent.
finding found_last(finding_kind kind = finding_kind::assertion) {
  finding f;
  f.kind = kind;
  f.message = "it rings once";
  f.actor = "bell_0";
  const auto s = make_program(two_bells).start();
  for (auto m = s->first_deliverable(); m != no_message; m = s->first_deliverable()) s->deliver(m);
  f.schedule = s->current_schedule();
  f.line = s->records_of_last_step().front().line;
  return f;
}

std::vector<std::string> receivers_of(const finding& f) {
  std::vector<std::string> all;
  for (const auto& step : f.trace) all.push_back(step.receiver);
  return all;
}

TEST(Slice, LeavesOutWhatDoesNotLeadToAFailedCheck) {
  auto f = found_last();
  slice(f, make_program(two_bells), {});
  complete(f, make_program(two_bells), {});

  EXPECT_THAT(receivers_of(f), ElementsAre("bell_0", "bell_0"));
}

TEST(Slice, LeavesAloneWhatIsAboutTheWholeExecution) {
  auto f = found_last(finding_kind::deadlock);
  slice(f, make_program(two_bells), {});

  EXPECT_THAT(f.schedule, SizeIs(3));
}

TEST(Slice, LeavesAloneWhatWouldNotComeAnyMore) {
  auto f = found_last();
  f.message = "another check";
  slice(f, make_program(two_bells), {});

  EXPECT_THAT(f.schedule, SizeIs(3));
}

TEST(Slice, IsNotMadeForNobody) {
  auto f = found_last();
  slice(f, make_program(two_bells), {.is_unwanted = [] { return true; }});

  EXPECT_THAT(f.schedule, SizeIs(3));
}

TEST(Complete, WritesDownAShortScheduleThoughNobodyWaits) {
  auto f = found_last();
  complete(f, make_program(two_bells), {.is_unwanted = [] { return true; }});

  EXPECT_THAT(f.trace, SizeIs(3));
}

TEST(Complete, WritesNothingWhenTheTimeIsOver) {
  auto f = found_last();
  complete(f, make_program(two_bells), {.is_late = [] { return true; }});

  EXPECT_THAT(f.trace, IsEmpty());
  EXPECT_THAT(f.details, ElementsAre(HasSubstr("there was no time left")));
}

TEST(Complete, WritesDownWhatCanBeRepeated) {
  auto f = found_last();
  f.schedule.push_back(f.schedule.back());
  complete(f, make_program(two_bells), {});

  EXPECT_THAT(f.trace, SizeIs(3));
  EXPECT_THAT(f.details, ElementsAre(HasSubstr("could not be repeated beyond delivery 3: ")));
}

TEST(Complete, AddsWhatAMonitorSaidToItsStep) {
  auto f = found_last(finding_kind::invariant);
  f.schedule.resize(1);
  complete(f, make_program(two_bells), {});

  EXPECT_THAT(f.trace.back().findings, ElementsAre(HasSubstr("invariant: it rings once")));
}

}  // namespace
}  // namespace harrier
