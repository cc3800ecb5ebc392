// Tests of all kinds, run by etest_test.cpp as a user runs them. Each is what its name says.
#include <gmock/gmock.h>
#include <harrier/gtest.hpp>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace {

using harrier::ref;
using harrier::self;

struct account {
  int balance = 100;

  int ask() const { return balance; }
  void set(int b) { balance = b; }
  void add(int amount) { balance += amount; }
};

/// Reads, then writes: what another one writes in between is lost.
struct teller {
  ref<account> of;
  int amount = 0;

  harrier::task pay(self& me) {
    const int before = co_await me.call<&account::ask>(of);
    me.send<&account::set>(of, before + amount);
  }
  void add(self& me) { me.send<&account::add>(of, amount); }
};

struct harmful {
  void crash() { std::abort(); }
  void loop() const {
    while (!ended) {}
  }
  void leak() const { leaked = new int(1); }
  void raise() { throw std::runtime_error("it is full"); }
  static inline volatile bool ended = false;
  static inline volatile int* leaked = nullptr;
};

ETEST(Passes, WithSafeTellers) {
  const auto shared = self.create<account>();
  for (const int amount : {10, 20, 30}) self.send<&teller::add>(self.create<teller>(shared, amount));
  handle_all();
  EXPECT_EQ(state(shared).balance, 160);
}

ETEST(Passes, WithFinally) {
  const auto shared = self.create<account>();
  for (const int amount : {10, 20, 30}) self.send<&teller::add>(self.create<teller>(shared, amount));
  finally([](harrier::final_states& end) { EXPECT_EQ(end.only<account>().balance, 160); });
}

ETEST(Fails, WithALostUpdate) {
  const auto shared = self.create<account>();
  for (const int amount : {10, 20}) self.send<&teller::pay>(self.create<teller>(shared, amount));
  handle_all();
  EXPECT_EQ(state(shared).balance, 130) << "somebody's money is gone";
}

ETEST(Fails, WithFinally) {
  const auto shared = self.create<account>();
  for (const int amount : {10, 20}) self.send<&teller::pay>(self.create<teller>(shared, amount));
  finally([](harrier::final_states& end) { EXPECT_EQ(end.only<account>().balance, 130); });
}

ETEST(Fails, InTheSecondStage) {
  const auto shared = self.create<account>();
  const auto safe = self.create<teller>(shared, 5);
  self.send<&teller::add>(safe);
  self.send<&teller::add>(safe);
  handle_all();
  ASSERT_EQ(state(shared).balance, 110);
  for (const int amount : {10, 20}) self.send<&teller::pay>(self.create<teller>(shared, amount));
  handle_all();
  ASSERT_EQ(state(shared).balance, 140);
}

ETEST(Fails, InAHandler) {
  struct strict {
    int seen = 0;
    void take(int n) {
      EXPECT_GT(n, seen) << "they come in order";
      seen = n;
    }
  };
  const auto one = self.create<strict>();
  self.send<&strict::take>(one, 1);
  self.send<&strict::take>(one, 2);
}

ETEST(Fails, AfterOneDelivery) {
  const auto shared = self.create<account>();
  self.send<&account::add>(shared, 1);
  self.send<&account::add>(shared, 2);
  EXPECT_TRUE(handle_one());
  EXPECT_EQ(state(shared).balance, 101);
}

ETEST(Passes, WithAConditionAndOneByOne) {
  const auto shared = self.create<account>();
  for (int i = 0; i < 3; ++i) self.send<&account::add>(shared, 1);
  EXPECT_TRUE(handle_until([&] { return state(shared).balance == 102; }));
  int handled = 0;
  while (handle_one()) ++handled;
  EXPECT_EQ(handled, 1);
  EXPECT_FALSE(handle_until([&] { return state(shared).balance == 0; }));
  EXPECT_EQ(state(shared).balance, 103);
}

testing::MockFunction<void(int)>& listener() {
  static testing::MockFunction<void(int)> one;
  return one;
}
ETEST(Harms, ByAMock) {
  struct told {
    void take(int n) { listener().Call(n); }
  };
  EXPECT_CALL(listener(), Call(testing::_)).Times(2);
  const auto one = self.create<told>();
  self.send<&told::take>(one, 1);
  self.send<&told::take>(one, 2);
  handle_all();
}

ETEST(Condition, Fails) {
  const auto shared = self.create<account>();
  self.send<&account::add>(shared, 1);
  self.send<&account::add>(shared, 2);
  handle_until([&] {
    EXPECT_LT(state(shared).balance, 103) << "while it waits";
    return state(shared).balance == 103;
  });
}

ETEST(Harms, ByACrash) { self.send<&harmful::crash>(self.create<harmful>()); }
ETEST(Harms, ByALoop, .handler_limit = 0.3) { self.send<&harmful::loop>(self.create<harmful>()); }
ETEST(Harms, ByALeak) { self.send<&harmful::leak>(self.create<harmful>()); }
ETEST(Harms, ByAnException) { self.send<&harmful::raise>(self.create<harmful>()); }
ETEST(Harms, ByACrashOfTheBody) {
  self.send<&account::add>(self.create<account>(), 1);
  handle_all();
  std::abort();
}
ETEST(Harms, ByAThrowOfTheBody) {
  self.send<&account::add>(self.create<account>(), 1);
  handle_all();
  throw std::runtime_error("the body has enough");
}
ETEST(Harms, BeforeTheFirstMessage) { ASSERT_EQ(1, 2) << "at once"; }
ETEST(Harms, ByWhatIsOutside) {
  static int runs = 0;
  const auto shared = self.create<account>();
  self.send<&account::add>(shared, 1);
  self.send<&account::add>(shared, ++runs);
  handle_all();
}

ETEST(Harms, ByWordsThatAreOthersEachTime) {
  static int said = 0;
  self.send<&account::add>(self.create<account>(), 1);
  handle_all();
  EXPECT_EQ(1, 2) << "said " << ++said << " times";
}

/// Its handlers do what a search cannot be of.
struct careless {
  int seen = 0;
  int kept = 0;
  void forget() {
    static int outside = 0;
    seen = ++outside;
  }
  void lie() { seen = 1; }
  static harrier::declaration<harrier::writes<&careless::kept>> declares(harrier::handler<&careless::lie>);
};

ETEST(Harms, ByAHandlerThatForgets) { self.send<&careless::forget>(self.create<careless>()); }
ETEST(Harms, ByAWrongDeclaration, .engine = "optimal", .independence = harrier::independence::fields) {
  self.send<&careless::lie>(self.create<careless>());
}

ETEST(Left, Undelivered, .undelivered = harrier::undelivered::error) {
  struct leaver {
    void leave(harrier::self& me) { me.destroy(); }
    void note() {}
  };
  const auto it = self.create<leaver>();
  self.send<&leaver::leave>(it);
  self.send<&leaver::note>(it);
}

ETEST(Long, ByFar) {
  const auto shared = self.create<account>();
  for (int i = 0; i < 20; ++i) self.send<&account::add>(shared, i);
  handle_all();
}

ETEST(Skips, InItsBody) {
  self.send<&account::add>(self.create<account>(), 1);
  GTEST_SKIP() << "not today";
}

ETEST(Limited, ByItsAttribute, .engine = "exhaustive", .max_executions = 3) {
  const auto shared = self.create<account>();
  for (int i = 0; i < 5; ++i) self.send<&account::add>(shared, i);
  handle_all();
  EXPECT_EQ(state(shared).balance, 110);
}

ETEST(Deadlock, OfTwo) {
  struct waiting {
    ref<waiting> other;
    int ask() const { return 1; }
    void meet(ref<waiting> o) { other = o; }
    harrier::task go(harrier::self& me) { co_await me.call<&waiting::ask>(other); }
  };
  const auto one = self.create<waiting>();
  const auto two = self.create<waiting>();
  self.send<&waiting::meet>(one, two);
  self.send<&waiting::meet>(two, one);
  handle_all();
  self.send<&waiting::go>(one);
  self.send<&waiting::go>(two);
}

class Opened : public testing::Test {
protected:
  void SetUp() override {
    ++opened;
    start = 100;
  }
  void TearDown() override { --opened; }
  int start = 0;
  static inline int opened = 0;
};

TEST_F(Opened, IsAnOrdinaryFixtureToo) { EXPECT_EQ(start, 100); }
ETEST_F(Opened, ForEachRunOfTheBody) {
  EXPECT_EQ(opened, 1);
  const auto shared = self.create<account>(start);
  for (int i = 1; i < 4; ++i) self.send<&account::add>(shared, i);
  handle_all();
  EXPECT_EQ(state(shared).balance, start + 6);
  start += 1;
}

/// A fixture that does what a body does.
class Shop : public harrier::etest_fixture {
protected:
  void SetUp() override {
    pay(10);
    handle_all();
    EXPECT_EQ(state(till).balance, 110);
    finally([](harrier::final_states& end) { EXPECT_EQ(end.all<teller>().size(), 4U); });
  }
  void TearDown() override { EXPECT_GE(state(till).balance, 110); }
  void pay(int amount) { self.send<&teller::add>(self.create<teller>(till, amount)); }
  const ref<account> till = self.create<account>();
};

ETEST_F(Shop, IsSetUpByAFixtureThatSends) {
  for (const int amount : {20, 30, 40}) pay(amount);
  handle_all();
  EXPECT_EQ(state(till).balance, 200);
}
ETEST_F(Shop, FailsByItsFixturesCheckOfEachEnd) { pay(20); }
TEST_F(Shop, IsNoFixtureForAnOrdinaryTest) {}

class Counted : public Shop, public testing::WithParamInterface<int> {};
ETEST_P(Counted, AddsUpInAFixtureWithValues) {
  for (int i = 0; i < 3; ++i) pay(GetParam());
  handle_all();
  EXPECT_EQ(state(till).balance, 110 + 3 * GetParam());
}
INSTANTIATE_TEST_SUITE_P(Few, Counted, testing::Values(1, 2));

template <class T>
struct cell {
  std::optional<T> value;
  void put(T v) { value = v; }
};
template <class T>
class Cells : public harrier::etest_fixture {
protected:
  static void SetUpTestSuite() { ++suites_set_up; }
  const ref<cell<T>> one = self.create<cell<T>>();
  static inline int suites_set_up = 0;
};
using kinds_of_cells = testing::Types<int, std::string>;
TYPED_TEST_SUITE(Cells, kinds_of_cells);
TYPED_ETEST(Cells, HoldWhatWasPut) {
  EXPECT_EQ(this->suites_set_up, 1);
  self.send<&cell<TypeParam>::put>(this->one, TypeParam());
  handle_all();
  EXPECT_EQ(state(this->one).value, TypeParam());
}
template <class T>
class Plain : public testing::Test {
protected:
  T start{};
};
TYPED_TEST_SUITE(Plain, kinds_of_cells);
TYPED_ETEST(Plain, TypedFixturesDo, .engine = "optimal") {
  const auto one = self.create<cell<TypeParam>>();
  self.send<&cell<TypeParam>::put>(one, this->start);
  self.send<&cell<TypeParam>::put>(one, this->start);
  handle_all();
  EXPECT_EQ(state(one).value, this->start);
}

template <class T>
class Pairs : public Cells<T> {};
TYPED_TEST_SUITE_P(Pairs);
TYPED_ETEST_P(Pairs, AreTypedToo) {
  self.send<&cell<TypeParam>::put>(this->one, TypeParam());
  handle_all();
  EXPECT_EQ(state(this->one).value, TypeParam());
}
REGISTER_TYPED_TEST_SUITE_P(Pairs, AreTypedToo);
INSTANTIATE_TYPED_TEST_SUITE_P(Mine, Pairs, kinds_of_cells);

class Recorded : public testing::Test {
protected:
  void SetUp() override { RecordProperty("set_up", "yes"); }
};
ETEST_F(Recorded, LeavesProperties) {
  RecordProperty("before", 1);
  self.send<&account::add>(self.create<account>(), 1);
  handle_all();
  RecordProperty("after", "it was handled");
}

enum class colour { red, green };
struct note {
  int n = 0;
  std::string text;
  colour in = colour::red;
  bool operator==(const note&) const = default;
};
struct board {
  note last;
  std::optional<ref<account>> of;
  std::queue<note> all;
  void put(note one) {
    last = std::move(one);
    all.push(last);
  }
  void own(ref<account> who) { of = who; }
};
ETEST(Shown, AreValuesThatGoogleTestDoesNotKnow) {
  const auto one = self.create<board>();
  self.send<&board::put>(one, note{1, "one"});
  self.send<&board::put>(one, note{2, "two, which is longer than what fits into a string itself"});
  handle_all();
  EXPECT_EQ(state(one).last, (note{1, "one", colour::green}));
}
ETEST(Shown, AreReferencesByTheNamesOfTheirActors) {
  const auto one = self.create<board>();
  const auto mine = self.create<account>();
  self.send<&board::own>(one, mine);
  self.send<&board::own>(one, self.create<account>());
  handle_all();
  EXPECT_EQ(*state(one).of, mine);
}
ETEST(Shown, AreNoAddresses) {
  const auto one = self.create<board>();
  self.send<&board::put>(one, note{});
  handle_all();
  const std::vector<int> numbers(8);
  EXPECT_EQ(static_cast<const void*>(&state(one)), static_cast<const void*>(numbers.data()));
}

ETEST(Judged, NothingWhereEachExecutionIsAssumedAway) {
  self.send<&account::add>(self.create<account>(), 1);
  handle_all();
  self.assume(false);
  FAIL() << "nobody comes here";
}
struct ticker {
  bool is_even = true;
  void tick(harrier::self& me) {
    is_even = !is_even;
    me.send<&ticker::tick>(me.me<ticker>());
  }
};
ETEST(Judged, NothingWhereEachExecutionIsCut, .max_executions = 5, .max_depth = 20) {
  self.send<&ticker::tick>(self.create<ticker>());
  handle_all();
  FAIL() << "nobody comes here";
}
ETEST(Judged, NothingByAFinallyThatSeesNoEnd, .engine = "stateful") {
  self.send<&ticker::tick>(self.create<ticker>());
  finally([](harrier::final_states&) { FAIL() << "nobody comes here"; });
}
ETEST(Judged, WhatHandlersCheckWhereStatesAreAllThereIs, .engine = "stateful") {
  self.send<&ticker::tick>(self.create<ticker>());
}
ETEST(Judged, AllButWhatIsAssumedAway) {
  const auto one = self.create<account>();
  self.send<&account::add>(one, 1);
  self.send<&account::set>(one, 5);
  handle_all();
  self.assume(state(one).balance == 5);
}

ETEST(Twice, InOneExecution) {
  const auto shared = self.create<account>();
  for (const int amount : {10, 20}) self.send<&teller::pay>(self.create<teller>(shared, amount));
  handle_all();
  EXPECT_EQ(state(shared).balance, 130) << "money is gone";
  EXPECT_GE(state(shared).balance, 125) << "much of it";
}

ETEST(Huge, State) {
  struct large {
    std::string text;
    void grow(int n) { text = std::string(300000, static_cast<char>('a' + n)); }
  };
  const auto one = self.create<large>();
  for (int i = 0; i < 3; ++i) self.send<&large::grow>(one, i);
  handle_all();
  EXPECT_EQ(state(one).text.front(), 'z');
}

ETEST(Shared, ByJobs) {
  const auto shared = self.create<account>();
  for (int i = 0; i < 5; ++i) self.send<&account::add>(shared, i);
}
ETEST(Worded, AsFlagsAre, .engine = "source", .flags = {"engine=trust", "max_executions=4", "require_complete=no"}) {
  const auto shared = self.create<account>();
  for (int i = 0; i < 5; ++i) self.send<&account::add>(shared, i);
}
struct restless {
  int ticks = 0;
  void tick(harrier::self& self) {
    ++ticks;
    self.after<&restless::tick>(std::chrono::milliseconds(1));
  }
};
ETEST(Endless, Ticks, .timeouts = 1) { self.send<&restless::tick>(self.create<restless>()); }
ETEST(Noted, Words) {
  const auto drawn = self.choose(3);
  self.note(drawn == 0 ? "heads\n" : "tails");
  self.send<&account::add>(self.create<account>(), 1);
}
ETEST(Negative, LimitOfTime, .time_limit = -1) { self.create<account>(); }
ETEST(Shared, ByJobsFails) {
  struct strict {
    int seen = 0;
    void take(int n) {
      EXPECT_NE(10 * seen + n, 21) << "two comes before one";
      seen = n;
    }
  };
  const auto one = self.create<strict>();
  for (int i = 1; i < 4; ++i) self.send<&strict::take>(one, i);
}
ETEST(Shared, AlsoWhereTheBodyWaits) {
  const auto shared = self.create<account>();
  for (int i = 0; i < 3; ++i) self.send<&account::add>(shared, i);
  handle_all();
  EXPECT_EQ(state(shared).balance, 103);
}

ETEST(Property, IsBroken, .properties = {"G !\"account_0 RECV add\""}) {
  self.send<&account::add>(self.create<account>(), 1);
}

struct told_one {
  int heard = 0;
  void hear() { ++heard; }
};
struct tells {
  harrier::ref<told_one> whom;
  void start(harrier::self& self) { self.send<&told_one::hear>(whom); }
};
ETEST(Network, ThatLoses) {
  const auto one = self.create<told_one>();
  self.send<&tells::start>(self.create<tells>(one));
  handle_all();
  EXPECT_EQ(state(one).heard, 1);
}

class Amounts : public testing::TestWithParam<int> {};
ETEST_P(Amounts, AddUp) {
  const auto shared = self.create<account>(0);
  for (int i = 0; i < 3; ++i) self.send<&account::add>(shared, GetParam());
  handle_all();
  EXPECT_EQ(state(shared).balance, 3 * GetParam());
  EXPECT_NE(GetParam(), 2) << "two is not liked";
}
INSTANTIATE_TEST_SUITE_P(Few, Amounts, testing::Values(1, 2, 3));

}  // namespace
