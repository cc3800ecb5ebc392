// One exploration by several workers, each with a system, a monitor and a tally of its own: what they saw is joined to
// what one of them alone would have seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/ordering/ordering.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/parts.hpp>
#include <src/explore/session.hpp>

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Takes numbers, and is sometimes wrong about them.
struct adder {
  int sum = 0;
  int last = 0;
  void add(self& me, int n) {
    sum = sum * 2 + n;
    me.check(n + last != 5, "2 and 3 are not neighbours");
    me.check(n != 1 || last != 3, "1 does not follow 3");
    last = n;
    if (sum == 2) me.destroy();
  }
};

void two_adders(self& me) {
  const ref<adder> both[] = {me.create<adder>(), me.create<adder>()};
  for (const auto& a : both)
    for (int n = 1; n <= 3; ++n) me.send<&adder::add>(a, n);
}

options keep_going() {
  options how;
  how.search.engine = "optimal";
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::off;
  how.search.memoise = memoising::off;  // what is remembered, and told, is a matter of time
  return how;
}

/// A cursor in a worker's system.
class hand {
public:
  using cursor = optimal_cursor<parts, names_for_all>;

  hand(session::worker& w, portable_dependence& shared, cursor::tree& explored)
      : past_aborts_(*w.tested),
        ordering_(make_ordering("fifo", *w.tested)),
        depends_(*w.tested),
        cursor_(*w.tested, w.watcher, *ordering_, depends_, shared, explored) {}

  bool advance() { return cursor_.advance(); }

private:
  past_aborts past_aborts_;
  std::unique_ptr<ordering> ordering_;
  dependence depends_;
  cursor cursor_;
};

exploration explore_by(std::size_t workers, const program& tested, const options& how) {
  session all(tested, how);
  portable_dependence shared;
  hand::cursor::tree explored(shared);
  std::list<hand> hands;
  for (std::size_t i = 0; i < workers; ++i) hands.emplace_back(all.hire(), shared, explored);
  while (!explored.is_explored() && !all.stopped())
    for (auto& h : hands) h.advance();
  hands.clear();
  return all.conclude(explored.is_explored());
}

/// What must not depend on how many there are.
auto seen(const exploration& e) {
  std::vector<std::tuple<std::string, std::string, std::uint64_t, std::size_t>> findings;
  for (const auto* list : {&e.findings, &e.warnings})
    for (const auto& f : *list) findings.emplace_back(f.message, f.actor, f.occurrences, f.schedule.size());
  std::sort(findings.begin(), findings.end());
  return std::tuple(e.executions, e.truncated, e.blocked, e.max_depth, e.actors, e.exhausted, e.stopped_by, findings);
}

TEST(Workers, SeeTogetherWhatOneSees) {
  const auto tested = make_program(two_adders);
  const auto alone = explore(tested, keep_going());
  ASSERT_EQ(alone.executions, 25U);
  ASSERT_THAT(alone.findings, SizeIs(2));
  ASSERT_THAT(alone.warnings, SizeIs(2));

  for (const std::size_t n : {1, 2, 3, 7}) EXPECT_EQ(seen(explore_by(n, tested, keep_going())), seen(alone)) << n;
}

TEST(Workers, StopWhenOneOfThemMust) {
  auto how = keep_going();
  how.limits.max_executions = 10;
  const auto result = explore_by(3, make_program(two_adders), how);

  EXPECT_EQ(result.executions, 10U);
  EXPECT_FALSE(result.exhausted);
  EXPECT_EQ(result.stopped_by, "the limit of 10 executions");
}

TEST(Workers, StopAtTheFirstFindingOfAny) {
  auto how = keep_going();
  how.judging.keep_going = false;
  const auto result = explore_by(3, make_program(two_adders), how);

  EXPECT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.stopped_by, "the first finding");
}

TEST(Workers, TellOfAFindingOnce) {
  std::vector<std::string> told;
  auto how = keep_going();
  how.told.on_finding = [&](const finding& f) { told.push_back(f.message); };
  const auto result = explore_by(4, make_program(two_adders), how);

  EXPECT_THAT(told, SizeIs(result.findings.size() + result.warnings.size()));
}

TEST(Workers, HaveEachAMonitorOfTheirOwn) {
  const auto tested = make_program(two_adders);
  const auto judged_by = [&](std::size_t workers, const char* property) {
    ltl_monitor judge(property);
    auto how = keep_going();
    how.judging.by = &judge;
    return workers == 0 ? explore(tested, how) : explore_by(workers, tested, how);
  };

  for (const auto* property : {R"(F "adder_0 RECV add")", R"(G !"adder_0 RECV add")", R"(G !"adder_0 RECV ad")"}) {
    const auto alone = judged_by(0, property);
    for (const std::size_t n : {1, 3}) {
      const auto together = judged_by(n, property);
      EXPECT_EQ(seen(together), seen(alone)) << property;
      EXPECT_EQ(together.notes, alone.notes) << property;
    }
  }
}

/// There can be but one of it.
class counting_monitor final : public monitor {
public:
  std::optional<record> stepped(const system&) override {
    ++steps_;
    return {};
  }
  [[nodiscard]] int steps() const { return steps_; }

private:
  int steps_ = 0;
};

TEST(Workers, AreOneIfThereCanBeButOneMonitor) {
  counting_monitor judge;
  auto how = keep_going();
  how.judging.by = &judge;

  EXPECT_EQ(explore_by(1, make_program(two_adders), how).executions, 25U);
  EXPECT_GT(judge.steps(), 25);
  try {
    static_cast<void>(explore_by(2, make_program(two_adders), how));
    FAIL();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("--jobs 1"));
  }
}

TEST(Workers, HaveJoinedMonitorsJoined) {
  ltl_monitor first(R"(F "adder_0 RECV add")");
  ltl_monitor second(R"(G !"adder_1 RECV add")");
  monitors both({&first, &second});
  auto how = keep_going();
  how.judging.by = &both;
  const auto together = explore_by(3, make_program(two_adders), how);

  ltl_monitor first_alone(R"(F "adder_0 RECV add")");
  ltl_monitor second_alone(R"(G !"adder_1 RECV add")");
  monitors both_alone({&first_alone, &second_alone});
  how.judging.by = &both_alone;
  const auto alone = explore(make_program(two_adders), how);
  EXPECT_EQ(seen(together), seen(alone));
  EXPECT_EQ(together.notes, alone.notes);
}

}  // namespace
}  // namespace harrier
