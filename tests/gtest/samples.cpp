// Tests of all kinds, run by etest_test.cpp as a user runs them. Each is what its name says.
#include <gmock/gmock.h>
#include <harrier/gtest.hpp>

#include <cstdlib>
#include <string>

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
  EXPECT_CALL(listener(), Call(testing::_)).Times(2).RetiresOnSaturation();
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
