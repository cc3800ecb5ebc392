// One tiny program a phenomenon. Every search must run exactly these traces.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/native/program.hpp>

#include "readable.hpp"

namespace harrier::litmus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Litmus : public testing::TestWithParam<searched_by> {};

INSTANTIATE_TEST_SUITE_P(Each, Litmus, testing::ValuesIn(all_searches()), [](const auto& of) {
  auto name = of.param.engine;
  std::replace(name.begin(), name.end(), '+', '_');
  return name;
});

struct server {
  int requests = 0;
  void request(int) { ++requests; }
};

TEST_P(Litmus, RunsIndependentDeliveriesInOneOrderOnly) {
  const auto two_servers = make_program([](self& me) {
    me.send<&server::request>(me.create<server>(), 1);
    me.send<&server::request>(me.create<server>(), 2);
  });

  EXPECT_THAT(traces(two_servers, GetParam()),
              UnorderedElementsAre(trace{{{"server_0", {"request(1)"}}, {"server_1", {"request(2)"}}}}));
}

TEST_P(Litmus, RunsBothOrdersOfTwoConcurrentRequests) {
  const auto two_requests = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&server::request>(s, 1);
    me.send<&server::request>(s, 2);
  });

  EXPECT_THAT(traces(two_requests, GetParam()),
              UnorderedElementsAre(trace{{{"server_0", {"request(1)", "request(2)"}}}},
                                   trace{{{"server_0", {"request(2)", "request(1)"}}}}));
}

struct client {
  ref<server> store;
  void start(self& me, int n) {
    me.send<&server::request>(store, n);
    me.send<&server::request>(store, n + 1);
  }
};

// The third request is sent later than the first two are taken: it must overtake both, one after the other.
TEST_P(Litmus, LetsALaterMessageOvertakeEveryEarlierOne) {
  const auto sent_by_two = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&server::request>(s, 0);
    me.send<&client::start>(me.create<client>(s), 1);
  });
  const auto order = [](const char* a, const char* b, const char* c) {
    return trace{{{"client_1", {"start(1)"}}, {"server_0", {a, b, c}}}};
  };

  EXPECT_THAT(traces(sent_by_two, GetParam()),
              UnorderedElementsAre(
                  order("request(0)", "request(1)", "request(2)"), order("request(0)", "request(2)", "request(1)"),
                  order("request(1)", "request(0)", "request(2)"), order("request(2)", "request(0)", "request(1)"),
                  order("request(1)", "request(2)", "request(0)"), order("request(2)", "request(1)", "request(0)")));
}

// What naive TransDPOR with sleep sets loses: r0 and two workers whose messages race with it and each other.
TEST_P(Litmus, OrdersThreeRegistrationsInEveryWay) {
  struct registry {
    int seen = 0;
    void add(int) { ++seen; }
  };
  struct worker {
    ref<registry> to;
    void go(self& me, int n) const { me.send<&registry::add>(to, n); }
  };
  const auto two_workers = make_program([](self& me) {
    const auto r = me.create<registry>();
    me.send<&registry::add>(r, 0);
    me.send<&worker::go>(me.create<worker>(r), 1);
    me.send<&worker::go>(me.create<worker>(r), 2);
  });
  const auto order = [](const char* a, const char* b, const char* c) {
    return trace{{{"registry_0", {a, b, c}}, {"worker_1", {"go(1)"}}, {"worker_2", {"go(2)"}}}};
  };

  EXPECT_THAT(traces(two_workers, GetParam()),
              UnorderedElementsAre(order("add(0)", "add(1)", "add(2)"), order("add(0)", "add(2)", "add(1)"),
                                   order("add(1)", "add(0)", "add(2)"), order("add(1)", "add(2)", "add(0)"),
                                   order("add(2)", "add(0)", "add(1)"), order("add(2)", "add(1)", "add(0)")));
}

struct stoppable {
  int done = 0;
  void stop(self& me) { me.destroy(); }
  void work() { ++done; }
};

TEST_P(Litmus, StopsBeforeAndAfterTheWork) {
  const auto stop_and_work = make_program([](self& me) {
    const auto x = me.create<stoppable>();
    me.send<&stoppable::stop>(x);
    me.send<&stoppable::work>(x);
  });

  EXPECT_THAT(traces(stop_and_work, GetParam()), UnorderedElementsAre(trace{{{"stoppable_0", {"work()", "stop()"}}}},
                                                                      trace{{{"stoppable_0", {"stop()"}}}}));
  EXPECT_THAT(findings(stop_and_work, GetParam()), ElementsAre("undelivered to stoppable_0: work()"));
}

struct exclusive {
  bool fresh = true;
  void a() { fresh = false; }
  void b() { fresh = false; }
  bool accepts(handler<&exclusive::a>) const { return fresh; }
  bool accepts(handler<&exclusive::b>) const { return fresh; }
};

TEST_P(Litmus, TakesEachOfTwoMessagesThatRefuseEachOther) {
  const auto either = make_program([](self& me) {
    const auto x = me.create<exclusive>();
    me.send<&exclusive::a>(x);
    me.send<&exclusive::b>(x);
  });

  EXPECT_THAT(traces(either, GetParam()),
              UnorderedElementsAre(trace{{{"exclusive_0", {"a()"}}}}, trace{{{"exclusive_0", {"b()"}}}}));
}

struct fork {
  bool held = false;
  void take(int) { held = true; }
  void put() { held = false; }
  bool accepts(handler<&fork::take>) const { return !held; }
};

// take(2) is refused after take(1) and accepted again after put: it must be compared with take(1), not with put.
TEST_P(Litmus, ComparesAMessageWithTheDeliveryBeforeItWasRefused) {
  const auto two_takers = make_program([](self& me) {
    const auto f = me.create<fork>();
    me.send<&fork::take>(f, 1);
    me.send<&fork::put>(f);
    me.send<&fork::take>(f, 2);
  });

  EXPECT_THAT(traces(two_takers, GetParam()), UnorderedElementsAre(trace{{{"fork_0", {"take(1)", "put()", "take(2)"}}}},
                                                                   trace{{{"fork_0", {"take(2)", "put()", "take(1)"}}}},
                                                                   trace{{{"fork_0", {"put()", "take(1)"}}}},
                                                                   trace{{{"fork_0", {"put()", "take(2)"}}}}));
}

struct store {
  int value = 0;
  void set(int v) { value = v; }
  int get() const { return value; }
  int half(self&) const {
    if (value % 2 != 0) throw std::runtime_error("odd");
    return value / 2;
  }
  void shut(self& me) { me.destroy(); }
};
struct reader {
  ref<store> from;
  int read = -1;
  task start(self& me) { read = co_await me.call<&store::get>(from); }
  task start_half(self& me) {
    try {
      read = co_await me.call<&store::half>(from);
    } catch (const call_failed&) {
      read = -2;
    }
  }
  void other() {}
};

TEST_P(Litmus, LetsACallerWaitForEverOnADestroyedActor) {
  const auto call_and_shut = make_program([](self& me) {
    const auto s = me.create<store>();
    me.send<&store::shut>(s);
    me.send<&reader::start>(me.create<reader>(s));
  });

  EXPECT_THAT(traces(call_and_shut, GetParam()),
              UnorderedElementsAre(trace{{{"reader_1", {"start()"}}, {"store_0", {"shut()"}}}},
                                   trace{{{"reader_1", {"start()", "reply(0)"}}, {"store_0", {"get()", "shut()"}}}}));
  EXPECT_THAT(findings(call_and_shut, GetParam()),
              ElementsAre("deadlock of reader_1", "undelivered to store_0: get()"));
}

// The other message waits while the reader waits, and comes after the reply, or before the call.
TEST_P(Litmus, PutsAMessageBeforeTheCallOrAfterItsReply) {
  const auto reply_and_other = make_program([](self& me) {
    const auto r = me.create<reader>(me.create<store>());
    me.send<&reader::start>(r);
    me.send<&reader::other>(r);
  });

  EXPECT_THAT(traces(reply_and_other, GetParam()),
              UnorderedElementsAre(trace{{{"reader_1", {"start()", "reply(0)", "other()"}}, {"store_0", {"get()"}}}},
                                   trace{{{"reader_1", {"other()", "start()", "reply(0)"}}, {"store_0", {"get()"}}}}));
}

TEST_P(Litmus, HandsAnExceptionOfTheCalleeToTheCaller) {
  const auto set_and_half = make_program([](self& me) {
    const auto s = me.create<store>();
    me.send<&store::set>(s, 3);
    me.send<&reader::start_half>(me.create<reader>(s));
  });

  EXPECT_THAT(
      traces(set_and_half, GetParam()),
      UnorderedElementsAre(trace{{{"reader_1", {"start_half()", "reply(0)"}}, {"store_0", {"half()", "set(3)"}}}},
                           trace{{{"reader_1", {"start_half()", "failure(\"store.half threw: odd\")"}},
                                  {"store_0", {"set(3)", "half()"}}}}));
  EXPECT_THAT(findings(set_and_half, GetParam()), IsEmpty());
}

struct breeder {
  void breed(self& me) { me.create<server>(); }
  task breed_and_ask(self& me) { co_await me.call<&store::half>(me.create<store>(3)); }
};

// Which number the store gets depends on who creates first, though the two do not interact: the text must not tell.
TEST_P(Litmus, SaysTheSameOfAFailedCalleeInEveryOrder) {
  const auto two_breeders = make_program([](self& me) {
    me.send<&breeder::breed>(me.create<breeder>());
    me.send<&breeder::breed_and_ask>(me.create<breeder>());
  });

  EXPECT_THAT(findings(two_breeders, GetParam()), ElementsAre("exception of breeder_1: store.half threw: odd"));
}

struct gambler {
  std::uint64_t drawn = 0;
  void draw(self& me) { drawn = me.choose(2); }
  void look(int) {}
};

TEST_P(Litmus, DrawsEachValueBeforeAndAfterAnotherMessage) {
  const auto draw_and_look = make_program([](self& me) {
    const auto g = me.create<gambler>();
    me.send<&gambler::draw>(g);
    me.send<&gambler::look>(g, 7);
  });

  EXPECT_THAT(traces(draw_and_look, GetParam()), UnorderedElementsAre(trace{{{"gambler_0", {"draw()=0", "look(7)"}}}},
                                                                      trace{{{"gambler_0", {"draw()=1", "look(7)"}}}},
                                                                      trace{{{"gambler_0", {"look(7)", "draw()=0"}}}},
                                                                      trace{{{"gambler_0", {"look(7)", "draw()=1"}}}}));
}

struct parent {
  ref<server> child;
  void bear(self& me) {
    child = me.create<server>();
    me.send<&server::request>(child, 1);
  }
  void feed(self& me) {
    if (child) me.send<&server::request>(child, 2);
  }
};

TEST_P(Litmus, SendsToAnActorOnlyOnceItIsCreated) {
  const auto bear_and_feed = make_program([](self& me) {
    const auto p = me.create<parent>();
    me.send<&parent::bear>(p);
    me.send<&parent::feed>(p);
  });

  EXPECT_THAT(
      traces(bear_and_feed, GetParam()),
      UnorderedElementsAre(trace{{{"parent_0", {"bear()", "feed()"}}, {"server_1", {"request(1)", "request(2)"}}}},
                           trace{{{"parent_0", {"bear()", "feed()"}}, {"server_1", {"request(2)", "request(1)"}}}},
                           trace{{{"parent_0", {"feed()", "bear()"}}, {"server_1", {"request(1)"}}}}));
}

struct demanding {
  bool ready = false;
  void prepare() { ready = true; }
  void use(self& me) { me.require(ready, "prepared before it is used"); }
};
struct doubtful {
  bool warned = false;
  void warn() { warned = true; }
  void act(self& me) { me.check(warned, "warned before it acts"); }
};

// The failed requirement ends its own actor only: what others find is found, whichever comes first in the search.
TEST_P(Litmus, FindsWhatOtherActorsDoBesideAFailedRequirement) {
  const auto two_findings = make_program([](self& me) {
    const auto d = me.create<demanding>();
    const auto o = me.create<doubtful>();
    me.send<&demanding::use>(d);
    me.send<&demanding::prepare>(d);
    me.send<&doubtful::act>(o);
    me.send<&doubtful::warn>(o);
  });

  EXPECT_THAT(
      traces(two_findings, GetParam()),
      UnorderedElementsAre(trace{{{"demanding_0", {"prepare()", "use()"}}, {"doubtful_1", {"warn()", "act()"}}}},
                           trace{{{"demanding_0", {"prepare()", "use()"}}, {"doubtful_1", {"act()", "warn()"}}}},
                           trace{{{"demanding_0", {"use()!"}}, {"doubtful_1", {"warn()", "act()"}}}},
                           trace{{{"demanding_0", {"use()!"}}, {"doubtful_1", {"act()", "warn()"}}}}));
  EXPECT_THAT(findings(two_findings, GetParam()), ElementsAre("assertion of demanding_0: prepared before it is used",
                                                              "assertion of doubtful_1: warned before it acts"));
}

struct thrower {
  ref<server> to;
  void fail(self& me) {
    me.send<&server::request>(to, 9);
    throw std::runtime_error("failed");
  }
};

TEST_P(Litmus, NeverDeliversWhatAFailingHandlerSent) {
  const auto send_and_throw = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&thrower::fail>(me.create<thrower>(s));
    me.send<&server::request>(s, 1);
  });

  EXPECT_THAT(traces(send_and_throw, GetParam()),
              UnorderedElementsAre(trace{{{"server_0", {"request(1)"}}, {"thrower_1", {"fail()!"}}}}));
  EXPECT_THAT(findings(send_and_throw, GetParam()), ElementsAre("exception of thrower_1: failed"));
}

/// Catches what `require` throws and goes on.
struct stubborn {
  ref<server> whom;
  void insist(self& me) {
    try {
      me.require(false, "no");
    } catch (...) {
      me.send<&server::request>(whom, 1);
      me.send<&server::request>(me.create<server>(), 2);
      me.check(me.choose(2) == 0, "never said");
      try {
        me.require(false, "not said again");
      } catch (...) {}
    }
    throw std::runtime_error("nor this");
  }
};

TEST_P(Litmus, NeverDeliversWhatAHandlerSentAfterItEndedTheExecution) {
  const auto insist = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&stubborn::insist>(me.create<stubborn>(s));
    me.send<&server::request>(s, 1);
  });

  EXPECT_THAT(traces(insist, GetParam()),
              UnorderedElementsAre(trace{{{"server_0", {"request(1)"}}, {"stubborn_1", {"insist()!"}}}}));
  EXPECT_THAT(findings(insist, GetParam()), ElementsAre("assertion of stubborn_1: no"));
}

struct chooses_too_early {
  std::vector<int> held;
  void set_up(self& me) {
    held.assign(100, 1);
    me.choose(2);
  }
  void test(self&) {}
};

// The leak checker is the test: the driver's state owned memory when its set-up was given up.
TEST(UntestableProgram, LeavesNothingBehind) {
  EXPECT_THROW(make_program(chooses_too_early{}).start(), untestable_program);
}

}  // namespace
}  // namespace harrier::litmus
