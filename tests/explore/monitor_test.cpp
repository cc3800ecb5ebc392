// Monitors: judges of executions from outside the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/harrier.hpp>

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

struct tally {
  int count = 0;
  void add(int n) { count += n; }
};

void three_adds(self& me) {
  const auto t = me.create<tally>();
  for (int i = 1; i <= 3; ++i) me.send<&tally::add>(t, i);
}

/// Follows the deliveries of the current execution, forth and back.
class no_three_before_one final : public monitor {
public:
  std::optional<record> stepped(const system& system) override {
    const auto& last = system.step_at(system.step_count() - 1);
    seen_ += system.message_text(last.message);
    if (!seen_.ends_with("add(3)") || seen_.find("add(1)") != std::string::npos) return {};
    return record{.message = "3 came before 1"};
  }
  void undone(const system& system) override {
    const auto& last = system.step_at(system.step_count() - 1);
    seen_.resize(seen_.size() - system.message_text(last.message).size());
  }
  [[nodiscard]] bool is_back() const { return seen_.empty(); }

private:
  std::string seen_;
};

TEST(Monitors, SeeEachDeliveryAndGoBackWithTheSearch) {
  for (const auto* engine : {"exhaustive", "optimal"}) {
    no_three_before_one judge;
    options how;
    how.search.engine = engine;
    how.judging.keep_going = true;
    how.judging.check_determinism = repetition::all;
    how.judging.by = &judge;
    const auto result = explore(three_adds, how);
    ASSERT_THAT(result.findings, SizeIs(1)) << engine;
    EXPECT_EQ(result.findings[0].kind, finding_kind::invariant);
    EXPECT_EQ(result.findings[0].occurrences, 2U);  // 3 first; 2, then 3
    EXPECT_THAT(result.findings[0].schedule, SizeIs(1));
    EXPECT_THAT(result.findings[0].trace.back().findings.at(0), HasSubstr("3 came before 1"));
    EXPECT_EQ(result.executions, 6U);
    EXPECT_TRUE(judge.is_back());
  }
}

}  // namespace
}  // namespace harrier
