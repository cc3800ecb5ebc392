// Sending, creating, handlers of all shapes.
#include <string>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct register_of_names {
  std::string names;
  void add(const std::string& name) { names += name; }
};

struct greeter {
  ref<register_of_names> to;
  void greet(self& me, std::string name) const { me.send<&register_of_names::add>(to, name); }
};

void two_greeters(self& me) {
  const auto all = me.create<register_of_names>();
  for (const char* name : {"ada", "bob"}) me.send<&greeter::greet>(me.create<greeter>(all), name);
}

TEST(Sending, DeliversTwoConcurrentMessagesInBothOrders) {
  const auto result = explore_all(two_greeters);
  EXPECT_EQ(result.executions, 6U);  // 2 greetings and what they send, each after its cause
  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(explore_all(two_greeters, "optimal").executions, 2U);
}

struct base_actor {
  int value = 0;
  void set(int v) { value = v; }
};
struct derived_actor : base_actor {
  derived_actor() = default;
  template <class Inspector>
  friend bool inspect(Inspector& f, derived_actor& x) {
    return f.object(x).fields(f.field("value", x.value));
  }
  void twice(self& me) {
    me.check(value == 7, "the inherited handler ran on the whole actor");
    value *= 2;
  }
};

TEST(Sending, ReachesInheritedHandlers) {
  const auto result = explore_all([](self& me) {
    const auto a = me.create<derived_actor>();
    me.send<&derived_actor::set>(a, 7);
  });
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.transitions, 1U);
}

struct overloaded {
  int last = 0;
  void set(int v) { last = v; }
  void set(const std::string& text) { last = static_cast<int>(text.size()); }
  template <class T>
  void put(T) {
    last = 9;
  }
};

/// Handlers in all ways in which they may be declared.
struct qualified {
  int sum = 0;
  void plain(int v) { sum += v; }
  void quiet(int v) noexcept { sum += v; }
  void of_lvalue(int v) & { sum += v; }
  void quiet_of_lvalue(int v) & noexcept { sum += v; }
  void shown(self& me) const& noexcept { me.note("sum " + std::to_string(sum)); }
};

TEST(Sending, TakesHandlersHoweverTheyAreQualified) {
  const auto result = explore_all([](self& me) {
    const auto a = me.create<qualified>();
    me.send<&qualified::plain>(a, 1);
    me.send<&qualified::quiet>(a, 2);
    me.send<&qualified::of_lvalue>(a, 4);
    me.send<&qualified::quiet_of_lvalue>(a, 8);
    me.send<&qualified::shown>(a);
  });
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.outcomes.count("sum 15"), 1U);
}

TEST(Sending, PicksAnOverloadByItsParameters) {
  const auto result = explore_all([](self& me) {
    const auto a = me.create<overloaded>();
    me.send<overload<int>(&overloaded::set)>(a, 5);
    me.send<overload<const std::string&>(&overloaded::set)>(a, "four");
    me.send<&overloaded::put<int>>(a, 1);
  });
  EXPECT_EQ(result.executions, 6U);
}

template <class T>
struct cell {
  T content{};
  void put(const T& v) { content = v; }
};

TEST(Sending, WorksForActorClassTemplates) {
  const auto result = explore_all([](self& me) {
    me.send<&cell<std::string>::put>(me.create<cell<std::string>>(), "x");
    me.send<&cell<int>::put>(me.create<cell<int>>(), 1);
  });
  EXPECT_EQ(result.executions, 2U);
}

struct hasty {
  ref<base_actor> nobody;
  void go(self& me) const { me.send<&base_actor::set>(nobody, 1); }
};

TEST(Sending, ToAnEmptyRefIsAFindingThatSaysWhere) {
  const auto result = explore_all([](self& me) { me.send<&hasty::go>(me.create<hasty>()); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::exception);
  EXPECT_THAT(result.findings[0].message, HasSubstr("empty ref"));
  EXPECT_EQ(result.findings[0].actor, "hasty_0");
}

}  // namespace
}  // namespace harrier
