// Programs of Concuerror's test suites (github.com/parapluu/Concuerror, tests/suites), as straight-line actors. The
// number of executions is that of its results, by its optimal algorithm or by its source sets: Erlang keeps the order
// of two messages of one process to another, which is delivery::fifo here.
//
// A process that waits for ever, or fails, is an error of Concuerror and counts as an execution all the same.
// Time-outs: Concuerror lets a receive give up, however long it would wait, where no message that matches is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <harrier/explore/explore.hpp>
#include <harrier/harrier.hpp>

namespace harrier::litmus {
namespace {

/// What most of the processes send.
struct word {
  char letter = 0;
};
/// A predicate: that word.
struct is {
  char letter;
  bool operator()(const word& w) const { return w.letter == letter; }
};

/// Sends these words, one after the other.
template <class Receiver>
struct sends {
  ref<Receiver> to;
  std::string letters;
  task run(self& me) {
    for (const char c : letters) me.send(to, word{c});
    co_return;
  }
};
template <class Receiver>
void spawn_sender(self& me, ref<Receiver> to, std::string letters) {
  me.spawn<&sends<Receiver>::run>(to, std::move(letters));
}
/// An actor `Receiver`, and a sender for each of these.
template <class Receiver>
program receiver_of(std::vector<std::string> senders) {
  return make_program([senders = std::move(senders)](self& me) {
    const auto receiver = me.spawn<&Receiver::run>();
    for (const auto& letters : senders) spawn_sender(me, receiver, letters);
  });
}

/// Takes so many words, whatever they are.
template <int Count>
struct takes {
  task run(self& me) {
    for (int i = 0; i < Count; ++i) co_await me.receive<word>();
  }
};
struct takes_abc_in_order {
  task run(self& me) {
    for (const char c : {'a', 'b', 'c'}) co_await me.receive<word>(is{c});
  }
};
struct takes_ab_in_order {
  task run(self& me) {
    for (const char c : {'a', 'b'}) co_await me.receive<word>(is{c});
  }
};

/// after_test: waits for so many, and looks so often in vain.
template <int Looks>
struct allows_but_waits {
  task wait_for(self& me, int count, int looks) {
    while (count > 0) {
      if (looks == 0) {
        co_await me.receive<word>();
        --count;
        continue;
      }
      const auto came = co_await me.receive<word>().or_none();
      if (came)
        --count;
      else
        --looks;
    }
    const auto more = co_await me.receive<word>().or_none();
    if (more) me.destroy();
  }
  task run(self& me) { co_await wait_for(me, 2, Looks); }
};
struct after_test_all {
  task run(self& me) {
    allows_but_waits<2> waits;
    co_await waits.wait_for(me, 0, 2);
    spawn_sender(me, me.me<after_test_all>(), "1");
    co_await waits.wait_for(me, 1, 2);
    for (int i = 0; i < 2; ++i) spawn_sender(me, me.me<after_test_all>(), "2");
    co_await waits.wait_for(me, 2, 2);
  }
};

struct after_test_2 {
  task run(self& me) {
    spawn_sender(me, me.me<after_test_2>(), "1");
    co_await me.receive<word>(is{'2'}).or_none();
    co_await me.receive<word>(is{'1'}).or_none();
  }
};

struct after_test_3 {
  struct sends_both {
    ref<takes<2>> child;
    ref<after_test_3> parent;
    task run(self& me) {
      me.send(child, word{'a'});
      me.send(parent, word{'f'});
      co_return;
    }
  };
  task run(self& me) {
    const auto child = me.spawn<&takes<2>::run>();
    me.spawn<&sends_both::run>(child, me.me<after_test_3>());
    const auto came = co_await me.receive<word>(is{'f'}).or_none();
    me.send(child, word{came ? 'b' : 'c'});
  }
};

struct receive_after {
  struct child {
    ref<receive_after> parent;
    task run(self& me) {
      me.send(parent, word{'o'});
      co_await me.receive<word>().or_none();
    }
  };
  task run(self& me) {
    me.send(me.spawn<&child::run>(me.me<receive_after>()), word{'o'});
    co_await me.receive<word>(is{'o'});
  }
};

struct late_hope {
  struct sender {
    ref<late_hope> to;
    ref<takes<0>> other;
    task run(self& me) {
      me.send(other, word{'i'});
      me.send(to, word{'h'});
      co_return;
    }
  };
  task run(self& me) {
    const auto other = me.spawn<&takes<0>::run>();
    me.spawn<&sender::run>(me.me<late_hope>(), other);
    co_await me.receive<word>(is{'h'}).or_none();
  }
};

struct looks_twice {
  task run(self& me) {
    const auto first = co_await me.receive<word>().or_none();
    if (!first) co_await me.receive<word>().or_none();
  }
};
struct looks_once {
  task run(self& me) { co_await me.receive<word>().or_none(); }
};
struct cleans_its_mailbox {
  task run(self& me) {
    for (;;) {
      const auto came = co_await me.receive<word>().or_none();
      if (!came) co_return;
    }
  }
};

struct messages_1 {
  task run(self& me) {
    const auto at_once = co_await me.receive<word>(is{'s'}).or_none();
    if (at_once) {
      co_await me.receive<word>(is{'a'});
      co_await me.receive<word>(is{'c'});
    } else {
      co_await me.receive<word>(is{'s'});
      co_await me.receive<word>();
      co_await me.receive<word>();
    }
  }
};

struct unlocked {
  task run(self& me) {
    co_await me.receive<word>(is{'u'});
    co_await me.receive<word>([](const word& w) { return w.letter != 'u'; });
  }
};

struct gets_in_order {
  task run(self& me) {
    const auto first = co_await me.receive<word>([](const word& w) { return w.letter == 'p' || w.letter == 'c'; });
    if (first.letter == 'p') co_await me.receive<word>(is{'c'});
  }
};

struct passes_on {
  ref<takes<2>> to;
  char letter;
  task run(self& me) {
    co_await me.receive<word>();
    me.send(to, word{letter});
  }
};
void independent_receivers(self& me) {
  const auto parent = me.spawn<&takes<2>::run>();
  for (const char c : {'1', '2'}) spawn_sender(me, me.spawn<&passes_on::run>(parent, c), "o");
}

/// Hands on what it takes through ten others: by a way round, and at once.
struct proxied {
  struct through {
    ref<takes<2>> last;
    ref<through> next = {};
    task run(self& me) {
      const auto taken = co_await me.receive<word>();
      if (next)
        me.send(next, taken);
      else
        me.send(last, taken);
    }
  };
  ref<takes<2>> last;
  ref<through> first;
  bool is_direct_first;
  task run(self& me) {
    if (is_direct_first) me.send(last, word{'h'});
    me.send(first, word{'w'});
    if (!is_direct_first) me.send(last, word{'h'});
    co_return;
  }
};
program proxy(bool is_direct_first) {
  return make_program([is_direct_first](self& me) {
    const auto last = me.spawn<&takes<2>::run>();
    ref<proxied::through> first;
    for (int i = 0; i < 10; ++i) first = me.spawn<&proxied::through::run>(last, first);
    me.spawn<&proxied::run>(last, first, is_direct_first);
  });
}

struct test_after_spawns {
  task run(self& me) {
    for (const auto* c : {"1", "2", "1"}) spawn_sender(me, me.me<test_after_spawns>(), c);
    for (int i = 0; i < 3; ++i) {
      const auto came = co_await me.receive<word>().or_none();
      if (came) continue;
      for (;;) {
        const auto more = co_await me.receive<word>().or_none();
        if (!more) break;
      }
    }
  }
};

// ==== workers: a pool whose server looks for results before it waits for requests

struct pool_worker;
struct request {
  ref<pool_worker> from = {};
};
struct work {
  int number = 0;
};
struct no_work {};
struct done_work {
  int number = 0;
};
struct exits {};

struct pool {
  int workers;
  int items;
  std::vector<int> results = {};
  task run(self& me) {
    int next = 0;
    while (workers > 0 || next < items) {
      const auto came = co_await me.receive<done_work>().or_none();
      if (came) {
        results.push_back(came->number);
        continue;
      }
      const auto asked = co_await me.receive<request, exits>();
      if (std::holds_alternative<exits>(asked))
        --workers;
      else if (next < items)
        me.send(std::get<request>(asked).from, work{next++});
      else
        me.send(std::get<request>(asked).from, no_work{});
    }
  }
};
struct pool_worker {
  ref<pool> of;
  task run(self& me) {
    for (;;) {
      me.send(of, request{me.me<pool_worker>()});
      const auto given = co_await me.receive<work, no_work>();
      if (std::holds_alternative<no_work>(given)) break;
      me.send(of, done_work{std::get<work>(given).number});
    }
    me.send(of, exits{});
  }
};
void workers(self& me) {
  const auto p = me.spawn<&pool::run>(2, 2);
  for (int i = 0; i < 2; ++i) me.spawn<&pool_worker::run>(p);
}

template <class Main>
program main_of() {
  return make_program([](self& me) { me.spawn<&Main::run>(); });
}

struct result_of_concuerror {
  std::string name;
  program tested;
  std::uint64_t interleavings;
};
void PrintTo(const result_of_concuerror& r, std::ostream* out) { *out << r.name; }

class Concuerror : public testing::TestWithParam<result_of_concuerror> {};

TEST_P(Concuerror, HasAsManyInterleavings) {
  const auto& expected = GetParam();
  options how;
  how.search.engine = "optimal";
  how.search.delivery = delivery::fifo;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  const auto result = explore(expected.tested, how);
  EXPECT_TRUE(result.exhausted);
  EXPECT_EQ(result.executions, expected.interleavings);
  EXPECT_EQ(result.blocked, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Results, Concuerror,
    testing::Values(result_of_concuerror{"spawned_senders", receiver_of<takes<2>>({"1", "2"}), 2},
                    result_of_concuerror{"same_messages", receiver_of<takes<2>>({"1", "1"}), 2},
                    result_of_concuerror{"same_messages_2", receiver_of<unlocked>({"ua", "ub"}), 4},
                    result_of_concuerror{"same_messages_3", receiver_of<unlocked>({"au", "bu"}), 4},
                    result_of_concuerror{"indifferent_senders", receiver_of<takes_abc_in_order>({"a", "b", "c"}), 1},
                    result_of_concuerror{"receive_order_1", receiver_of<takes_ab_in_order>({"a", "b"}), 1},
                    result_of_concuerror{"receive_order_2", receiver_of<takes_ab_in_order>({"b", "a"}), 1},
                    result_of_concuerror{"receive_order_3", receiver_of<takes_abc_in_order>({"b", "ca"}), 1},
                    result_of_concuerror{"many_send_to_dead", receiver_of<looks_once>({"1", "2"}), 3},
                    result_of_concuerror{"after_test_2", main_of<after_test_2>(), 2},
                    result_of_concuerror{"after_test_3", main_of<after_test_3>(), 4},
                    result_of_concuerror{"after_test", main_of<after_test_all>(), 36},
                    result_of_concuerror{"after_test_reduced", receiver_of<allows_but_waits<1>>({"2", "2"}), 6},
                    result_of_concuerror{"receive_after", main_of<receive_after>(), 2},
                    result_of_concuerror{"late_hope", main_of<late_hope>(), 2},
                    result_of_concuerror{"after_clause_preemption", receiver_of<looks_twice>({"f"}), 3},
                    result_of_concuerror{"receive_after_with_pattern", receiver_of<looks_once>({"f"}), 2},
                    result_of_concuerror{"racing_after", main_of<cleans_its_mailbox>(), 1},
                    result_of_concuerror{"messages_1", receiver_of<messages_1>({"as", "c"}), 3},
                    result_of_concuerror{"immediate_delivery_2", receiver_of<gets_in_order>({"c", "p"}), 2},
                    result_of_concuerror{"independent_receivers", make_program(independent_receivers), 2},
                    result_of_concuerror{"proxy", proxy(true), 2}, result_of_concuerror{"proxy2", proxy(false), 2},
                    result_of_concuerror{"test_after_spawns", main_of<test_after_spawns>(), 247},
                    result_of_concuerror{"workers", make_program(workers), 200}),
    [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace harrier::litmus
