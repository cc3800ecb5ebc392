// Tests of which something is to hold, run by specified_test.cpp as a user runs them. Each is what its name says.
#include <gmock/gmock.h>
#include <harrier/gtest.hpp>

#include <chrono>
#include <harrier/native/history.hpp>
#include <vector>

namespace {

using harrier::ref;
using harrier::self;
using harrier::view;
using harrier::views;

struct lamp {
  bool is_on = false;
  void on(self&) { is_on = true; }
  void off(self&) { is_on = false; }
};
struct room {
  std::vector<ref<lamp>> lamps;
  void switch_all(self& me) {
    for (const auto l : lamps) me.send<&lamp::on>(l);
    for (const auto l : lamps) me.send<&lamp::off>(l);
  }
};
struct nobody {};

bool is_one_on(view<lamp> a, view<lamp> b) { return !(a->is_on && b->is_on); }
bool is_off(view<lamp> l) { return !l->is_on; }

/// What it knows of lamps, every test of it has.
class Lamps : public harrier::etest_fixture {
protected:
  void SetUp() override {
    always("there are two", [](const views<lamp>& all) { return all.size() == 2; });
    leads_to(
        "goes off", [](view<lamp> l) { return l->is_on; }, is_off);
  }
  void switch_all() { self.send<&room::switch_all>(self.create<room>(std::vector{first, second})); }
  const ref<lamp> first = self.create<lamp>();
  const ref<lamp> second = self.create<lamp>();
};

ETEST_F(Lamps, GoOffAgain, .delivery = harrier::delivery::fifo) {
  sometimes("both are on", [](view<lamp> a, view<lamp> b) { return a->is_on && b->is_on; });
  eventually("all are off", is_off);
  switch_all();
  handle_all();
  EXPECT_FALSE(state(first).is_on);
}
ETEST_F(Lamps, FailAlways, .delivery = harrier::delivery::fifo) {
  always("one is on", is_one_on);
  switch_all();
}
ETEST_F(Lamps, FailAlwaysInTheSecondStage, .delivery = harrier::delivery::fifo) {
  always("one is on", is_one_on);
  self.send<&lamp::on>(first);
  handle_all();
  self.send<&lamp::on>(second);
  self.send<&lamp::off>(first);
  handle_all();
}
ETEST_F(Lamps, FailEventually, .delivery = harrier::delivery::fifo) {
  eventually("one is on at last", [](const views<lamp>& all) { return all[0]->is_on || all[1]->is_on; });
  switch_all();
}
ETEST_F(Lamps, FailWhereOneLeadsToNothing, .engine = "optimal") { switch_all(); }
ETEST_F(Lamps, FailByTheBodyItself, .delivery = harrier::delivery::fifo) {
  switch_all();
  handle_all();
  self.create<lamp>();
}

/// With a value, which is captured where it is no reference.
harrier::specification at_most(int lit) {
  return harrier::always("not too many", [lit](const views<lamp>& all) {
    int on = 0;
    for (const auto& l : all) on += l->is_on ? 1 : 0;
    return on <= lit;
  });
}
class Values : public Lamps, public testing::WithParamInterface<int> {};
ETEST_P(Values, FailWithOne, .delivery = harrier::delivery::fifo) {
  specify(at_most(GetParam()));
  switch_all();
}
INSTANTIATE_TEST_SUITE_P(Each, Values, testing::Values(1, 2));

template <class T>
class Typed : public harrier::etest_fixture {};
using kinds = testing::Types<int, char>;
TYPED_TEST_SUITE(Typed, kinds);
TYPED_ETEST(Typed, Pass) {
  sometimes("one is on", [](view<lamp> l) { return l->is_on; });
  self.send<&lamp::on>(self.create<lamp>());
}

struct cell {
  int value = 0;
  void write(int v) { value = v; }
  int read() const { return value; }
};
struct server {
  int value = 0;
  void put(int v) { value = v; }
  int get() const { return value; }
};
struct client {
  ref<server> near;
  ref<server> far;
  int written = 0;
  harrier::history<&cell::write, &cell::read> did = {};

  harrier::task start(self& me) {
    did.invoke<&cell::write>(written);
    co_await me.call<&server::put>(near, written);
    did.returned();
    did.invoke<&cell::read>();
    const int seen = co_await me.call<&server::get>(far);
    did.returned(seen);
  }
};
ETEST(Histories, FailWithTwoCopies) {
  specify(harrier::linearizable("one register", cell{}, &client::did));
  const auto a = self.create<server>();
  const auto b = self.create<server>();
  self.send<&client::start>(self.create<client>(a, b, 1));
  self.send<&client::start>(self.create<client>(b, a, 2));
}
ETEST(Histories, PassWithOneCopy) {
  specify({harrier::linearizable("one register", cell{}, &client::did),
           harrier::sequentially_consistent("in some order", cell{}, &client::did)});
  const auto a = self.create<server>();
  self.send<&client::start>(self.create<client>(a, a, 1));
  self.send<&client::start>(self.create<client>(a, a, 2));
}

struct beacon {
  ref<server> to;
  int left = 2;
  void beat(self& me) {
    if (left-- == 0) return;
    me.send<&server::put>(to, 2 - left);
    me.after<&beacon::beat>(std::chrono::seconds(1));
  }
};
ETEST(Converges, FailsWhereOneIsLost, .lose = 1, .timeouts = 3) {
  converges("two were heard", [](const harrier::states& all) { return all.only<server>().value == 2; });
  self.send<&beacon::beat>(self.create<beacon>(self.create<server>()));
}
struct waits {
  ref<server> on;
  harrier::task ask(self& me) { co_await me.call<&server::get>(on); }
};
ETEST(Converges, FailsByRestOfAll, .lose = 1, .heal = true) {
  self.send<&waits::ask>(self.create<waits>(self.create<server>()));
}

ETEST(Refused, WhatIsSaidTooLate) {
  self.send<&lamp::on>(self.create<lamp>());
  handle_all();
  eventually("all are off", is_off);
}
ETEST(Refused, WhatIsSaidTwice) {
  always("all are off", is_off);
  eventually("all are off", is_off);
}
ETEST(Refused, WhatIsSaidSometimes) {
  if (self.choose(2) == 1) always("all are off", is_off);
  self.send<&lamp::on>(self.create<lamp>());
}
ETEST(Refused, WhatAsserts) {
  always("all are off", [](view<lamp> l) {
    EXPECT_FALSE(l->is_on);
    return true;
  });
  self.send<&lamp::on>(self.create<lamp>());
}
ETEST(Refused, WhatAssertsAtTheEnd) {
  eventually("all are off", [](view<lamp> l) {
    EXPECT_FALSE(l->is_on);
    return true;
  });
  self.send<&lamp::on>(self.create<lamp>());
}
ETEST(Refused, ByItsEngine, .engine = "trust") {
  always("one is on", is_one_on);
  self.send<&lamp::on>(self.create<lamp>());
}
ETEST(Vacuous, OfNobody, .require_covered = true) {
  always("nobody is there", [](view<nobody>) { return false; });
  self.send<&lamp::on>(self.create<lamp>());
}
ETEST(Undecided, ByAHistory) {
  specify(harrier::linearizable<1>("one register", cell{}, &client::did));
  const auto a = self.create<server>();
  self.send<&client::start>(self.create<client>(a, a, 1));
  self.send<&client::start>(self.create<client>(a, a, 2));
}
struct endless {
  void go(self& me) { me.send<&endless::go>(me.me<endless>()); }
};
ETEST(Cut, NothingWasJudged, .max_executions = 5, .max_depth = 20) {
  eventually("all are off", is_off);
  self.send<&endless::go>(self.create<endless>());
}

}  // namespace
