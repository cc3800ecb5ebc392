// States of all kinds, set-up, determinism, going back, long executions.
#include <array>
#include <bitset>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::AllOf;
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
  how.search.engine = "exhaustive";
  how.judging.environment = environment::empty;
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
  how.search.engine = "exhaustive";
  how.judging.environment = environment::empty;
  how.judging.check_determinism = repetition::all;
  how.judging.check_undo = true;
  const auto result = explore([](self& me) { me.send<&everything::touch>(me.create<everything>()); }, how);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].trace.at(0).state,
            "{number=2, flag=true, real=0.5, letter='x', paint=green, text=\"t\", maybe=none, either=none, "
            "bits=[true, false], queue=[1], table={1: \"a\"}, members=[2], two=(1, 2), shared=4, other=nobody}");
}

struct durations_and_the_like {
  std::chrono::milliseconds timeout{250};
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::seconds> due{std::chrono::seconds(7)};
  std::bitset<4> votes{5};
  std::tuple<int, std::string, colour> three{1, "x", colour::red};
  std::queue<int> waiting;
  std::priority_queue<int> urgent;
  std::stack<std::string> open;
  std::array<std::pair<int, bool>, 1> flags{{{3, true}}};

  void add(std::chrono::microseconds more, const std::bitset<2>& bits, const std::tuple<int, int>& pair) {
    timeout += std::chrono::duration_cast<std::chrono::milliseconds>(more);
    votes[0] = bits[1];
    waiting.push(std::get<1>(pair));
    urgent.push(2);
    urgent.push(5);
  }
  std::chrono::seconds left() const { return due.time_since_epoch(); }
};
struct who_asks {
  ref<durations_and_the_like> whom;
  task go(self& me) { me.check(co_await me.call<&durations_and_the_like::left>(whom) == std::chrono::seconds(7), "7"); }
};

TEST(States, OfTheStandardLibrarysValueTypesAreShown) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.environment = environment::empty;
  how.judging.check_determinism = repetition::all;
  how.judging.check_undo = true;
  const auto result = explore(
      [](self& me) {
        const auto a = me.create<durations_and_the_like>();
        me.send<&durations_and_the_like::add>(a, std::chrono::microseconds(3000), std::bitset<2>(2), std::tuple(1, 9));
        me.send<&who_asks::go>(me.create<who_asks>(a));
      },
      how);
  ASSERT_FALSE(result.findings.empty());
  const auto& first = result.findings[0].trace.at(0);
  EXPECT_EQ(first.message, "add(3000us, 10, (1, 9))");
  EXPECT_EQ(first.state,
            "{timeout=253ms, due=7s, votes=0101, three=(1, \"x\", red), waiting=[9], urgent=[5, 2], open=[], "
            "flags=[(3, true)]}");
}

TEST(States, OfTheStandardLibrarysValueTypesAreToldApart) {
  const auto states = [](auto driver) {
    options how;
    how.search.engine = "stateful";
    return explore(driver, how).states->states;
  };
  // Both orders of the two pushes reach one heap, whatever it looks like inside; two bitsets and two times differ.
  EXPECT_EQ(states([](self& me) {
              const auto a = me.create<durations_and_the_like>();
              for (const auto more : {1000, 2000})
                me.send<&durations_and_the_like::add>(a, std::chrono::microseconds(more), std::bitset<2>(2),
                                                      std::tuple(1, 9));
            }),
            4U);
  EXPECT_EQ(states([](self& me) {
              const auto a = me.create<durations_and_the_like>();
              for (const auto bits : {0, 2})
                me.send<&durations_and_the_like::add>(a, std::chrono::microseconds(0),
                                                      std::bitset<2>(static_cast<unsigned long>(bits)),
                                                      std::tuple(1, 9));
            }),
            5U);
}

/// The state of an actor as a trace shows it.
template <class Actor>
std::string shown(Actor actor) {
  options how;
  how.judging.environment = environment::empty;
  const auto result = explore([actor](self& me) { me.send<&Actor::touch>(me.create<Actor>(actor)); }, how);
  return result.findings.at(0).trace.at(0).state;
}

struct with_lists {
  std::map<std::string, std::vector<int>> lists{{"a", {0}}};  // GCC 12 fails on it where it is looked at too early
  std::vector<std::string> words{"b", "c"};
  void touch() { lists["a"].push_back(1); }
};

TEST(States, MayBeginAsListsOfLists) { EXPECT_EQ(shown(with_lists{}), R"({lists={"a": [0, 1]}, words=["b", "c"]})"); }

/// No value of it is made out of nothing.
struct amount {
  explicit amount(int of) : value(of) {}
  int value;
  template <class Inspector>
  friend bool inspect(Inspector& f, amount& x) {
    return f.object(x).fields(f.field("value", x.value));
  }
};
struct without_defaults {
  int first;
  amount second;
  std::array<std::string, 30> large = {};
  amount last;
  bool flag = true;
  void touch() { ++first; }
};

TEST(States, MayBeOfWhatHasNoDefault) {
  EXPECT_THAT(shown(without_defaults{1, amount(2), {}, amount(3)}),
              AllOf(HasSubstr("{first=2, second={value=2}, large="), HasSubstr("last={value=3}, flag=true}")));
}

struct odd_texts {
  std::string name;
  char letter = 'x';
  std::vector<std::string> more = {};
  void touch() {}
};

TEST(States, WithOddTextsAreShownWholeAndInOneLine) {
  EXPECT_EQ(shown(odd_texts{std::string("a\0b\n\"q\" \\ \x1b[31m", 15), '\n', {"caf\xe9", "café"}}),
            R"({name="a\0b\n\"q\" \\ \x1b[31m", letter='\n', more=["caf\xe9", "café"]})");
}

struct prepare {
  int round = 0;
};
struct commit {
  int round = 0;
};
enum class maybe_none { none, one };

template <class... T>
struct holds {
  std::tuple<T...> values;
  void touch() {}
};
template <class... T>
std::string shown_values(T... values) {
  return shown(holds<T...>{{values...}});
}

TEST(States, WithVariantsNameTheAlternativeWhereItIsNotClear) {
  using message = std::variant<prepare, commit>;
  using id = std::variant<int, double, std::string, std::monostate>;
  using twice = std::variant<int, int>;

  EXPECT_EQ(shown_values(message(prepare{3}), message(commit{3})), "{values=(prepare{round=3}, commit{round=3})}");
  EXPECT_EQ(shown_values(id(3), id(3.0), id("3"), id(std::monostate())), R"({values=(int(3), double(3), "3", none)})");
  EXPECT_EQ(shown_values(twice(std::in_place_index<0>, 3), twice(std::in_place_index<1>, 3)),
            "{values=(int#0(3), int#1(3))}");
  EXPECT_EQ(shown_values(std::variant<std::monostate, maybe_none>(maybe_none::none)), "{values=(maybe_none(none))}");
}

TEST(States, TellNothingFromAValueThatLooksLikeNothing) {
  using nested = std::optional<std::optional<int>>;

  EXPECT_EQ(shown_values(nested(), nested(std::optional<int>()), nested(1)), "{values=(none, some(none), 1)}");
  EXPECT_EQ(shown_values(std::optional<nested>(nested(std::optional<int>()))), "{values=(some(some(none)))}");
  EXPECT_EQ(shown_values(std::optional(maybe_none::none), std::optional(maybe_none::one)),
            "{values=(some(none), one)}");
  EXPECT_EQ(shown_values(std::optional<std::string>("none")), R"({values=("none")})");
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

struct lossy {  // its copy loses something: going back cannot be exact
  int value = 1;
  lossy() = default;
  lossy(const lossy&) : value(0) {}
  lossy& operator=(const lossy&) = default;
  template <class Inspector>
  friend bool inspect(Inspector& f, lossy& x) {
    return f.object(x).fields(f.field("value", x.value));
  }
  void touch() { ++value; }
};

TEST(GoingBack, IsProvedToBeExact) {
  const auto result = explore_all([](self& me) { me.send<&lossy::touch>(me.create<lossy>()); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].message, HasSubstr("does not restore the state of lossy_0"));
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
    how.search.engine = engine;
    const auto result = explore([](self& me) { me.send<&walker::step>(me.create<walker>(100'000)); }, how);
    EXPECT_TRUE(result.exhausted) << engine;
    EXPECT_EQ(result.max_depth, 100'000U) << engine;
  }
}

TEST(LongExecutions, ThatNeverEndStopAtTheDepthLimitHonestly) {
  options how;
  how.search.engine = "optimal";
  how.limits.max_depth = 50;
  const auto result = explore([](self& me) { me.send<&walker::step>(me.create<walker>(1'000'000)); }, how);
  EXPECT_FALSE(result.exhausted);
  EXPECT_EQ(result.truncated, 1U);
  EXPECT_EQ(result.executions, 0U);
  EXPECT_THAT(result.stopped_by, HasSubstr("the depth limit of 50 deliveries"));
}

}  // namespace
}  // namespace harrier
