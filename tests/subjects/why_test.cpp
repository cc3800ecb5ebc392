// Why the subjects of the literature fail, in the words that a user reads.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include <harrier/replay/ends.hpp>
#include <harrier/replay/replay.hpp>
#include <harrier/report/explanation.hpp>

#include "named.hpp"
#include "src/explore/why.hpp"

namespace harrier::subjects {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct explained {
  finding found;
  explanation why;
};

explained explain(const program& tested) {
  const auto all = explore(tested);
  EXPECT_THAT(all.findings, Not(IsEmpty()));
  if (all.findings.empty()) return {};
  return {all.findings[0], why_found(tested, {}, all.findings[0])};
}

/// Whether the deliveries, of which none draws anything, are an execution to its end in which nothing is found.
bool passes(const program& tested, const std::vector<trace_step>& steps) {
  const auto s = tested.start();
  for (const auto& step : steps) {
    const auto m = s->message_at_path(step.id);
    if (m == no_message || !s->pending(m) || !s->deliverable(m)) return false;
    s->deliver(m);
    if (s->step_at(s->last_step()).flagged) return false;
  }
  return s->first_deliverable() == no_message && look_at_end(*s, {}).stuck.empty();
}

TEST(Why, OfTheServerIsTheValueSetBetweenTwoReads) {
  const auto server = named("server");
  const auto [found, why] = explain(server);

  EXPECT_EQ(
      why.sentence,
      "server_0 took set(5) between get() and get(), all from client_1. The other way round it passes: server_0 is "
      "{value=0} after get(), not {value=5}.");
  EXPECT_TRUE(passes(server, why.steps));
}

TEST(Why, OfTheServerIsTheExampleOfTheDocumentation) {
  std::ifstream page(HARRIER_SOURCES "/docs/findings.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};

  EXPECT_THAT(text, HasSubstr(to_text(explain(named("server")).why)));
}

TEST(Why, OfTheScalaServerIsTheSame) {
  const auto server = named("server", {{"variant", "scala"}});
  const auto [found, why] = explain(server);

  EXPECT_THAT(why.sentence, HasSubstr("took set(5) between get() and get()"));
  EXPECT_TRUE(passes(server, why.steps));
}

TEST(Why, OfThePhilosophersIsTheForkThatClosesTheCircle) {
  const auto table = named("diningphil", {{"n", "3"}});
  const auto [found, why] = explain(table);

  EXPECT_THAT(why.sentence,
              HasSubstr("fork_2 took take() from philosopher_5 while take() from philosopher_4 was on its "
                        "way. With that one first it passes"));
  EXPECT_TRUE(passes(table, why.steps));
}

TEST(Why, OfAnOvertakenLetterIsTheOneThatWasLate) {
  const auto office = named("overtaken");
  const auto [found, why] = explain(office);

  EXPECT_THAT(why.sentence, HasSubstr("office_0 took close() from messenger_1 while post("));
  EXPECT_TRUE(passes(office, why.steps));
}

}  // namespace
}  // namespace harrier::subjects
