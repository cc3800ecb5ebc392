// States of all kinds, set-up, determinism, going back, long executions.
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class with_private_state {
public:
  with_private_state() = default;
  explicit with_private_state(int start) : value_(start) {}
  void set(int v) { value_ = v; }
  template <class Inspector>
  friend bool inspect(Inspector& f, with_private_state& x) {
    return f.object(x).fields(f.field("value", x.value_));
  }

private:
  int value_ = 0;
};

TEST(States, OfClassesWithPrivateMembersAreShownThroughInspect) {
  options how;
  how.engine = "exhaustive";
  how.environment = environment::empty;
  const auto result =
      explore([](self& me) { me.send<&with_private_state::set>(me.create<with_private_state>(3), 8); }, how);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].trace.at(0).state, "{value=8}");
}

enum class colour { red, green };

struct everything {
  int number = 1;
  bool flag = true;
  double real = 0.5;
  char letter = 'x';
  colour paint = colour::green;
  std::string text = "t";
  std::optional<int> maybe;
  std::variant<std::monostate, int> either;
  std::vector<bool> bits = {true, false};
  std::deque<int> queue = {1};
  std::map<int, std::string> table;
  std::set<int> members = {2};
  std::pair<int, int> two = {1, 2};
  std::shared_ptr<const int> shared = std::make_shared<const int>(4);
  ref<counter> other;
  void touch() {
    number = 2;
    table[1] = "a";
  }
};

TEST(States, OfAllKindsAreShown) {
  options how;
  how.engine = "exhaustive";
  how.environment = environment::empty;
  how.check_determinism = repetition::all;
  how.check_undo = true;
  const auto result = explore([](self& me) { me.send<&everything::touch>(me.create<everything>()); }, how);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].trace.at(0).state,
            "{number=2, flag=true, real=0.5, letter='x', paint=green, text=\"t\", maybe=none, either=none, "
            "bits=[true, false], queue=[1], table=[(1, \"a\")], members=[2], two=(1, 2), shared=4, other=nobody}");
}

struct two_phases {
  int workers = 0;
  std::vector<ref<counter>> all;
  void set_up(self& me) {
    for (int i = 0; i < workers; ++i) {
      all.push_back(me.create<counter>());
      me.send<&counter::reset>(all.back());
    }
  }
  void test(self& me) {
    for (const auto w : all) me.send<&counter::stop>(w);
  }
};

TEST(SetUp, IsRunButNotExplored) {
  const auto result = explore_all(two_phases{.workers = 3, .all = {}});
  EXPECT_EQ(result.executions, 6U);
  EXPECT_EQ(result.transitions, 15U);
}

TEST(SetUp, ThatFailsMakesTheProgramUntestable) {
  EXPECT_THROW(static_cast<void>(explore([](self& me) { me.check(false, "no"); })), untestable_program);
  EXPECT_THROW(static_cast<void>(explore([](self&) { throw std::runtime_error("no"); })), untestable_program);
}

int calls_so_far = 0;
struct counting_globally {
  int seen = 0;
  void go() { seen = ++calls_so_far; }
};

TEST(Determinism, IsCheckedByRunningAStepTwice) {
  const auto result = explore_all([](self& me) { me.send<&counting_globally::go>(me.create<counting_globally>()); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::nondeterminism);
  EXPECT_THAT(result.findings[0].message, HasSubstr("counting_globally_0.go() behaves differently when repeated"));
  EXPECT_THAT(result.findings[0].message, HasSubstr("leaves counting_globally_0{seen="));
  EXPECT_FALSE(result.exhausted);
}

struct sending_what_is_global {
  ref<counter> to;
  void go(self& me) const {
    if (++calls_so_far % 2 == 0) me.send<&counter::reset>(to);
  }
};

TEST(Determinism, NamesTheFirstDifference) {
  const auto result = explore_all(
      [](self& me) { me.send<&sending_what_is_global::go>(me.create<sending_what_is_global>(me.create<counter>())); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].message, HasSubstr("sends reset() to counter_0"));
}

struct forgetful {  // its copy loses something: going back cannot be exact
  int value = 1;
  forgetful() = default;
  forgetful(const forgetful&) : value(0) {}
  forgetful& operator=(const forgetful&) = default;
  template <class Inspector>
  friend bool inspect(Inspector& f, forgetful& x) {
    return f.object(x).fields(f.field("value", x.value));
  }
  void touch() { ++value; }
};

TEST(GoingBack, IsProvedToBeExactWhereAsked) {
  const auto result = explore_all([](self& me) { me.send<&forgetful::touch>(me.create<forgetful>()); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].message, HasSubstr("does not restore the configuration"));
}

struct walker {
  int left = 0;
  void step(self& me) {
    if (--left > 0) me.send<&walker::step>(me.me<walker>());
  }
};

TEST(LongExecutions, NeedNoRecursion) {
  for (const auto* engine : {"exhaustive", "optimal"}) {
    options how;
    how.engine = engine;
    const auto result = explore([](self& me) { me.send<&walker::step>(me.create<walker>(100'000)); }, how);
    EXPECT_TRUE(result.exhausted) << engine;
    EXPECT_EQ(result.max_depth, 100'000U) << engine;
  }
}

TEST(LongExecutions, ThatNeverEndStopAtTheDepthLimitHonestly) {
  options how;
  how.engine = "optimal";
  how.max_depth = 50;
  const auto result = explore([](self& me) { me.send<&walker::step>(me.create<walker>(1'000'000)); }, how);
  EXPECT_FALSE(result.exhausted);
  EXPECT_EQ(result.truncated, 1U);
  EXPECT_EQ(result.executions, 0U);
  EXPECT_THAT(result.stopped_by, HasSubstr("--max-depth 50"));
}

}  // namespace
}  // namespace harrier
