// Straight-line actors: coroutines that receive plain messages.
#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "explore_all.hpp"

namespace harrier {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

struct increment {
  int by = 0;
};
struct stop {};
struct total {
  int value = 0;
};

struct adder {
  using receives = messages<increment, stop>;
  int sum = 0;
  std::vector<int> taken = {};
  task run(self& me) {
    for (;;) {
      const auto m = co_await me.receive<increment, stop>();
      if (std::holds_alternative<stop>(m)) co_return;
      taken.push_back(std::get<increment>(m).by);
      sum += std::get<increment>(m).by;
      me.note("took " + std::to_string(taken.back()));
    }
  }
};
struct sender {
  ref<adder> to;
  int what = 0;
  void go(self& me) { me.send(to, increment{what}); }
};

/// How often each word was left.
std::vector<std::string> words_of(const exploration& e) {
  std::vector<std::string> words;
  for (const auto& [word, times] : e.outcomes) words.push_back(word);
  return words;
}

TEST(Receive, TakesMessagesInEveryOrder) {
  const auto program = [](self& me) {
    const auto sum = me.spawn<&adder::run>();
    for (int i = 1; i <= 3; ++i) me.send<&sender::go>(me.create<sender>(sum, i));
  };
  const auto result = explore_all(program, "optimal");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.executions, 6U);
  EXPECT_EQ(result.blocked, 0U);
  EXPECT_TRUE(result.exhausted);
}

struct in_order {
  int first = 0, second = 0;
  task run(self& me) {
    second = (co_await me.receive<increment>([](const increment& i) { return i.by > 1; })).by;
    first = (co_await me.receive<increment>()).by;
    me.check(first == 1 && second == 2, "the larger one is taken first");
  }
};
struct in_order_sender {
  ref<in_order> to;
  int what = 0;
  void go(self& me) { me.send(to, increment{what}); }
};

TEST(Receive, LeavesWhatDoesNotMatchInItsPlace) {
  const auto program = [](self& me) {
    const auto all = me.spawn<&in_order::run>();
    for (int i = 1; i <= 2; ++i) me.send<&in_order_sender::go>(me.create<in_order_sender>(all, i));
  };
  for (const auto* engine : {"optimal", "exhaustive", "source", "trust", "stateful"}) {
    const auto result = explore_all(program, engine);
    EXPECT_THAT(result.findings, IsEmpty()) << engine;
    EXPECT_TRUE(result.exhausted) << engine;
  }
  EXPECT_EQ(explore_all(program, "optimal").executions, 1U);
}

struct questioner {
  ref<adder> to;
  task run(self& me) {
    const auto came = co_await me.receive<total>().within(10ms);
    me.note(came ? "in time" : "too late");
  }
};
struct answers {
  ref<questioner> to;
  void go(self& me) { me.send(to, total{1}); }
};

TEST(Receive, WithinATimeMayFindNothingBeforeWhateverComes) {
  const auto result = explore_all(
      [](self& me) {
        const auto a = me.spawn<&questioner::run>();
        me.send<&answers::go>(me.create<answers>(a));
      },
      "optimal");
  EXPECT_THAT(words_of(result), UnorderedElementsAre("in time", "too late"));
  EXPECT_EQ(result.executions, 2U);
  EXPECT_EQ(result.blocked, 0U);
}

struct poller {
  task run(self& me) {
    const auto came = co_await me.receive<total>().or_none();
    me.note(came ? "there" : "not there");
  }
};
struct tells_poller {
  ref<poller> to;
  void go(self& me) { me.send(to, total{1}); }
};

TEST(Receive, OrNoneDoesNotWait) {
  const auto result = explore_all(
      [](self& me) {
        const auto a = me.spawn<&poller::run>();
        me.send<&tells_poller::go>(me.create<tells_poller>(a));
      },
      "optimal");
  EXPECT_THAT(words_of(result), UnorderedElementsAre("there", "not there"));
  EXPECT_EQ(result.executions, 2U);
}

TEST(Receive, OrNoneTakesWhatIsThere) {
  const auto result = explore_all(
      [](self& me) {
        const auto a = me.create<poller>();
        me.send(a, total{1});
        me.send<&poller::run>(a);
      },
      "optimal");
  EXPECT_THAT(words_of(result), ElementsAre("there"));
  EXPECT_EQ(result.executions, 1U);
}

struct half {
  ref<half> other = {};
  void meet(ref<half> whom) { other = whom; }
  task run(self& me, std::string name) {
    me.send(other, total{1});
    const auto came = co_await me.receive<total>().or_none();
    me.note(name + (came ? " sees it" : " sees nothing"));
    if (!came) me.send(other, stop{});
    const auto had = co_await me.receive<stop>().or_none();
    me.check(came || !had, "somebody sees what the other sent before");
  }
};

TEST(Receive, OrNoneSeesAllThatWasSentBefore) {
  const auto program = [](self& me) {
    const auto a = me.create<half>();
    const auto b = me.create<half>(a);
    me.send<&half::meet>(a, b);
    me.send<&half::run>(a, "a");
    me.send<&half::run>(b, "b");
  };
  options how;
  how.search.delivery = delivery::fifo;
  for (const auto* engine : {"optimal", "exhaustive"}) {
    how.search.engine = engine;
    how.judging.keep_going = true;
    const auto result = explore(make_program(program), how);
    EXPECT_THAT(result.findings, IsEmpty()) << engine;
    EXPECT_GT(result.assumed_away, 0U) << engine;
  }
}

struct worker {
  int result = 0;
  task run(self& me) { result = (co_await me.receive<increment>()).by; }
};
struct joiner {
  task run(self& me) {
    const auto w = me.spawn<&worker::run>();
    me.send(w, increment{3});
    co_await me.ended(w);
    me.note("joined");
  }
};

TEST(Receive, WaitsForTheEndOfAnActor) {
  const auto result = explore_all([](self& me) { me.spawn<&joiner::run>(); }, "optimal");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(words_of(result), ElementsAre("joined"));
  EXPECT_EQ(result.executions, 1U);
}

struct finisher {
  static constexpr bool must_end = true;
  task run(self& me) {
    co_await me.receive<increment>();
    co_await me.receive<stop>();
  }
};

TEST(Receive, AnActorThatMustEndIsDeadlockedIfItDoesNot) {
  const auto result = explore_all([](self& me) { me.send(me.spawn<&finisher::run>(), increment{1}); }, "optimal");
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::deadlock);
  EXPECT_THAT(result.findings[0].details, ElementsAre("finisher_0 waits for stop, and nobody sends that"));
}

struct joins_worker {
  ref<worker> of = {};
  task run(self& me) { co_await me.ended(of); }
};

TEST(Receive, TheEndOfAnActorIsRefusedWhereMailboxesOrderWhatItIsSent) {
  const auto program = make_program([](self& me) { me.spawn<&joins_worker::run>(me.spawn<&worker::run>()); });
  options how;
  for (const auto model : {delivery::mailbox, delivery::mailbox_interleaved}) {
    how.search.delivery = model;
    EXPECT_THROW(explore(program, how), untestable_program);
  }
}

struct takes_two {
  task run(self& me) {
    co_await me.receive<increment>();
    co_await me.receive<increment>();
  }
};
/// Each sends the other a word and looks whether its own is there; then both take the same, so that nothing is left of
/// it.
struct looks_first {
  task run(self& me, ref<looks_first> other, ref<takes_two> at_last) {
    me.send(other, total{1});
    const auto came = co_await me.receive<total>().or_none();
    if (came) {  // a longer way
      me.send(me.me<looks_first>(), increment{1});
      co_await me.receive<increment>();
    } else {
      co_await me.receive<total>();
    }
    me.send(at_last, increment{1});
  }
};

// Two that see nothing though both have sent is no execution, but it leads to a state that others lead to.
TEST(Receive, OrNoneIsRefusedWhereOneExecutionStandsForOthers) {
  const auto program = make_program([](self& me) {
    const auto last = me.spawn<&takes_two::run>();
    const auto a = me.create<looks_first>();
    const auto b = me.create<looks_first>();
    me.send<&looks_first::run>(a, b, last);
    me.send<&looks_first::run>(b, a, last);
  });
  options how;
  how.search.engine = "stateful";
  EXPECT_THROW(explore(program, how), untestable_program);
  how.search.engine = "optimal";
  how.search.independence = independence::fields;
  EXPECT_THROW(explore(program, how), untestable_program);
  how.search.independence = independence::receiver;
  EXPECT_TRUE(explore(program, how).exhausted);
  how.search.engine = "auto";
  EXPECT_TRUE(explore(program, how).exhausted);
}

struct receives_what_it_does_not_list {
  using receives = messages<stop>;
  task run(self& me) { co_await me.receive<increment>(); }
};

TEST(Receive, RefusesAMessageThatTheClassDoesNotList) {
  const auto result = explore_all([](self& me) { me.spawn<&receives_what_it_does_not_list::run>(); }, "optimal");
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].message, HasSubstr("receives increment, which nobody can send it"));
}

struct drops {
  void go(self& me) {
    static_cast<void>(me.receive<increment, stop>());
    static_cast<void>(me.ended(me.me<drops>()));
  }
};

TEST(Receive, OneThatIsNotAwaitedIsAFinding) {
  const auto result = explore_all([](self& me) { me.send<&drops::go>(me.create<drops>()); }, "optimal");
  EXPECT_THAT(messages_of(result),
              UnorderedElementsAre("nobody waits for self.receive<increment, stop>(): write co_await "
                                   "self.receive<increment, stop>()",
                                   "nobody waits for self.ended(...): write co_await self.ended(...)"));
}

struct refers {
  int least = 2;
  task run(self& me) {
    int local = 3;
    co_await me.receive<increment>([&local](const increment& i) { return i.by > local; });
  }
  task run_by_this(self& me) {
    co_await me.receive<increment>([this](const increment& i) { return i.by > least; });
  }
};

TEST(Receive, RefusesAPredicateThatRefersToWhatChanges) {
  for (const auto& program : {make_program([](self& me) { me.spawn<&refers::run>(); }),
                              make_program([](self& me) { me.spawn<&refers::run_by_this>(); })}) {
    const auto result = explore_all(program, "optimal");
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_THAT(result.findings[0].message, HasSubstr("capture by value"));
  }
}

}  // namespace
}  // namespace harrier
