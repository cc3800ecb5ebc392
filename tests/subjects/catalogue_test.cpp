#include <gmock/gmock.h>

#include "named.hpp"

namespace harrier::subjects {
namespace {

using testing::IsEmpty;

constexpr std::uint64_t enough = 2000;  // executions or deliveries of each program

class EverySubject : public testing::TestWithParam<small_program> {};

TEST_P(EverySubject, IsDeterministicAndGoesBackExactly) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.keep_going = true;
  how.limits.max_executions = enough;
  how.judging.check_determinism = repetition::all;
  how.judging.check_undo = true;

  const auto result = explore(GetParam().made, how);

  EXPECT_GT(result.executions, 0U);
  for (const auto& f : result.findings) EXPECT_NE(f.kind, finding_kind::nondeterminism) << f.message;
}

/// Goes back over whole subtrees, not just the last step: every configuration on the path is compared when it is left.
TEST_P(EverySubject, IsBackInEachConfigurationOnTheWayBack) {
  const auto system = GetParam().made.start();
  std::vector<fingerprint> on_the_way;
  std::uint64_t deliveries = 0;
  auto next = system->first_deliverable();
  for (;;) {
    while (next == no_message) {
      if (system->depth() == 0) return;
      const auto last = system->step_at(system->step_count() - 1).message;
      system->undo();
      ASSERT_EQ(system->configuration(), on_the_way.back());
      on_the_way.pop_back();
      next = deliveries < enough ? system->next_deliverable(last) : no_message;
    }
    on_the_way.push_back(system->configuration());
    system->deliver(next);
    ++deliveries;
    next = system->first_deliverable();
  }
}

INSTANTIATE_TEST_SUITE_P(AtItsSmallest, EverySubject, testing::ValuesIn(smallest()),
                         [](const auto& subject) { return subject.param.name; });

TEST(Catalogue, HasOneLineAboutEachProgramAndParameter) {
  for (const auto& entry : catalogue()) {
    EXPECT_FALSE(entry.about.empty()) << entry.name;
    for (const auto& p : entry.parameters) EXPECT_FALSE(p.about.empty()) << entry.name << " " << p.name;
  }
}

TEST(Catalogue, StartsEachProgramWithItsDefaults) {
  for (const auto& entry : catalogue()) {
    const auto system = entry.make(arguments(entry.parameters)).start();

    EXPECT_NE(system->first_deliverable(), no_message) << entry.name;
  }
}

}  // namespace
}  // namespace harrier::subjects
