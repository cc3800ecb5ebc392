// Ordering stability: who is taken first, and that it is what spares a reduction from going back over actors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/harrier.hpp>
#include <harrier/ordering/ordering.hpp>

namespace harrier {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A program of the kit under ordering stability, one delivery after the other.
class stepped {
public:
  explicit stepped(const program& p) : s_(p.start()), by_(make_ordering("stability", *s_)) {}

  /// `rg_0.p`: whom the deliverable messages are for, and what they are, in the order in which they are put.
  std::vector<std::string> arranged() {
    std::vector<message_slot> list;
    for (auto m = s_->first_deliverable(); m != no_message; m = s_->next_deliverable(m)) list.push_back(m);
    by_->arrange(*s_, list);
    std::vector<std::string> names;
    for (const auto m : list) names.push_back(name(m));
    return names;
  }

  void deliver(std::string_view which) {
    for (auto m = s_->first_deliverable(); m != no_message; m = s_->next_deliverable(m)) {
      if (name(m) != which) continue;
      s_->deliver(m);
      by_->learn(*s_);
      return;
    }
    FAIL() << "there is no " << which << " to deliver";
  }

  /// All deliveries are taken back; what was learnt stays.
  void again() {
    while (s_->depth() != 0) s_->undo();
  }

  /// In how many of the states arranged so far somebody was known to be stable.
  [[nodiscard]] double stable_states() const {
    std::vector<statistic> told;
    by_->tell(told);
    for (const auto& t : told)
      if (t.name == "states with a stable actor") return t.value;
    return -1;
  }
  /// Of the state that stands.
  [[nodiscard]] bool somebody_is_stable() {
    const auto before = stable_states();
    arranged();
    return stable_states() > before;
  }

private:
  [[nodiscard]] std::string name(message_slot m) const {
    const auto& x = s_->message_at(m);
    return s_->actor_name(x.receiver) + "." + x.type->name();
  }

  system_handle s_;
  std::unique_ptr<ordering> by_;
};

// 001, figure 3 and examples 1 and 3.
struct reg {
  int n = 0;
  void p() { ++n; }
  void m() { ++n; }
};
struct worker {
  void q(self& me, ref<reg> rg) { me.send<&reg::m>(rg); }
};

void registry(self& me) {
  const auto rg = me.create<reg>();
  const auto wk = me.create<worker>();
  me.send<&reg::p>(rg);
  me.send<&worker::q>(wk, rg);
}

TEST(Stability, PutsWhomNobodyCanReachBeforeWhoMayGetMore) {
  stepped s(make_program(registry));

  EXPECT_THAT(s.arranged(), ElementsAre("worker_1.q", "reg_0.p"));  // the argument of q refers to the registry
  s.deliver("worker_1.q");
  EXPECT_THAT(s.arranged(), ElementsAre("reg_0.p", "reg_0.m"));
  EXPECT_EQ(s.stable_states(), 2);
}

struct lone_worker {
  ref<reg> rg;
  void idle() {}
  void q(self& me) { me.send<&reg::m>(rg); }
};

TEST(Stability, LearnsThatAHandlerSendsNothing) {
  stepped s(make_program([](self& me) {
    const auto rg = me.create<reg>();
    me.send<&reg::p>(rg);
    me.send<&lone_worker::idle>(me.create<lone_worker>(rg));
  }));

  EXPECT_THAT(s.arranged(), ElementsAre("lone_worker_1.idle", "reg_0.p"));  // it knows the registry, and never ran
  s.deliver("lone_worker_1.idle");
  s.again();
  EXPECT_THAT(s.arranged(), ElementsAre("lone_worker_1.idle", "reg_0.p"));  // that it did nothing once tells little
  s.deliver("lone_worker_1.idle");
  s.again();
  EXPECT_THAT(s.arranged(), ElementsAre("reg_0.p", "lone_worker_1.idle"));  // both are stable: by creation
}

/// The same, and what it sends is declared.
struct declared_worker {
  ref<reg> rg;
  void idle() {}
  static declaration<sends<>> declares(handler<&declared_worker::idle>);
  void q(self& me) { me.send<&reg::m>(rg); }
  static declaration<sends<&reg::m>> declares(handler<&declared_worker::q>);
};

TEST(Stability, KnowsWhatIsDeclaredBeforeAHandlerRan) {
  stepped silent(make_program([](self& me) {
    const auto rg = me.create<reg>();
    me.send<&reg::p>(rg);
    me.send<&declared_worker::idle>(me.create<declared_worker>(rg));
  }));
  EXPECT_THAT(silent.arranged(), ElementsAre("reg_0.p", "declared_worker_1.idle"));  // both are stable: by creation

  stepped speaks(make_program([](self& me) {
    const auto rg = me.create<reg>();
    const auto other = me.create<reg>();
    me.send<&reg::p>(rg);
    me.send<&reg::p>(other);
    me.send<&declared_worker::q>(me.create<declared_worker>(rg));
  }));
  EXPECT_THAT(speaks.arranged(), ElementsAre("reg_1.p", "declared_worker_2.q", "reg_0.p"));
}

TEST(Stability, KeepsWhatWasLearntOfAnotherMessageApart) {
  stepped s(make_program([](self& me) {
    const auto rg = me.create<reg>();
    const auto wk = me.create<lone_worker>(rg);
    me.send<&reg::p>(rg);
    me.send<&lone_worker::idle>(wk);
    me.send<&lone_worker::q>(wk);
  }));
  s.deliver("lone_worker_1.idle");
  s.again();

  EXPECT_THAT(s.arranged(), ElementsAre("lone_worker_1.idle", "lone_worker_1.q", "reg_0.p"));
}

// 001, example 2: a3 has no reference to a1, but a2 has, and a3 makes a2 send.
struct a_1 {
  void q() {}
};
struct a_2 {
  ref<a_1> f;
  void p(self& me) { me.send<&a_1::q>(f); }
};
struct a_3 {
  void m(self& me, ref<a_2> y) { me.send<&a_2::p>(y); }
};

TEST(Stability, FollowsReferencesThroughActorsInBetween) {
  const auto example_2 = make_program([](self& me) {
    const auto a1 = me.create<a_1>();
    const auto a2 = me.create<a_2>(a1);
    const auto a3 = me.create<a_3>();
    me.send<&a_1::q>(a1);
    me.send<&a_3::m>(a3, a2);
  });
  stepped s(example_2);
  s.deliver("a_3_2.m");
  s.deliver("a_2_1.p");
  s.again();

  EXPECT_THAT(s.arranged(), ElementsAre("a_3_2.m", "a_1_0.q"));
}

TEST(Stability, SeesThatNobodyOnTheChainKnowsTheActor) {
  // The same classes, but a2 knows another a1: by class alone the chain would be there.
  stepped s(make_program([](self& me) {
    const auto a1 = me.create<a_1>();
    const auto other = me.create<a_1>();
    const auto a2 = me.create<a_2>(other);
    me.create<a_2>(a1);  // knows it, and nobody knows it
    const auto a3 = me.create<a_3>();
    me.send<&a_1::q>(a1);
    me.send<&a_3::m>(a3, a2);
  }));
  s.deliver("a_3_4.m");
  s.deliver("a_2_2.p");
  s.again();

  EXPECT_THAT(s.arranged(), ElementsAre("a_1_0.q", "a_3_4.m"));
}

// What theorem 1 of 001 does not see: one task brings the reference, another one uses it.
struct keeper {
  ref<reg> rg;
  void keep(ref<reg> given) { rg = given; }
  void use(self& me) {
    if (rg) me.send<&reg::m>(rg);
  }
};
struct giver {
  void give(self& me, ref<keeper> to, ref<reg> rg) { me.send<&keeper::keep>(to, rg); }
};

TEST(Stability, SeesThatOneTaskBringsTheReferenceThatAnotherUses) {
  const auto two_tasks = make_program([](self& me) {
    const auto rg = me.create<reg>();
    const auto k = me.create<keeper>();
    const auto g = me.create<giver>();
    me.send<&reg::p>(rg);
    me.send<&keeper::use>(k);
    me.send<&giver::give>(g, k, rg);
  });
  stepped s(two_tasks);
  s.deliver("giver_2.give");
  s.deliver("keeper_1.keep");
  s.deliver("keeper_1.use");
  s.again();

  EXPECT_EQ(s.arranged().front(), "giver_2.give");  // else the registry, which was created before it
}

// Who is created may be made to send.
struct nursery {
  ref<reg> rg;
  void make(self& me) { me.send<&lone_worker::q>(me.create<lone_worker>(rg)); }
};

TEST(Stability, CountsOnActorsThatAreStillToBeCreated) {
  stepped s(make_program([](self& me) {
    const auto rg = me.create<reg>();
    me.send<&reg::p>(rg);
    me.send<&nursery::make>(me.create<nursery>(rg));
  }));
  s.deliver("nursery_1.make");
  s.deliver("lone_worker_2.q");
  s.again();

  EXPECT_THAT(s.arranged(), ElementsAre("nursery_1.make", "reg_0.p"));
}

// A handler that waits knows what it was given and what it created, not only its fields.
struct source {
  int next() { return 1; }
};
struct waiting_worker {
  task ask_then_tell(self& me, ref<source> from, ref<reg> rg) {
    static_cast<void>(co_await me.call<&source::next>(from));
    me.send<&reg::m>(rg);
  }
};

TEST(Stability, KnowsWhatAHandlerThatWaitsWasGiven) {
  stepped s(make_program([](self& me) {
    const auto rg = me.create<reg>();
    me.send<&reg::p>(rg);
    const auto from = me.create<source>();
    me.send<&waiting_worker::ask_then_tell>(me.create<waiting_worker>(), from, rg);
  }));
  s.deliver("waiting_worker_2.ask_then_tell");
  s.deliver("source_1.next");
  const auto reply = s.arranged();
  ASSERT_EQ(reply.size(), 2U);
  s.deliver(reply.front() == "reg_0.p" ? reply.back() : reply.front());
  s.again();

  s.deliver("waiting_worker_2.ask_then_tell");  // it waits, and the source has its question
  EXPECT_THAT(s.arranged(), ElementsAre("source_1.next", "reg_0.p"));
  s.deliver("source_1.next");
  EXPECT_EQ(s.arranged().back(), "reg_0.p");  // after the reply
}

// 001, example 4: fib(2) before fib(1), which would make a message for its parent.
struct fib {
  ref<fib> parent;
  int n = 0;
  int r = 0;
  void compute(self& me, int v) {
    if (v <= 1) {
      if (parent) me.send<&fib::result>(parent, v);
      return;
    }
    n = 2;
    const auto here = me.me<fib>();
    for (const int less : {1, 2}) me.send<&fib::compute>(me.create<fib>(here), v - less);
  }
  void result(self& me, int v) {
    r += v;
    if (--n == 0 && parent) me.send<&fib::result>(parent, r);
  }
};

auto fibonacci(int n) {
  return make_program([n](self& me) { me.send<&fib::compute>(me.create<fib>(), n); });
}

TEST(Stability, PrefersTheLowestLevelWhereNobodyIsStable) {
  stepped s(fibonacci(3));
  s.deliver("fib_0.compute");
  s.deliver("fib_1.compute");  // fib(2): its children know it, so it is not stable, and neither is fib_0
  EXPECT_THAT(s.arranged(), Each(AnyOf(StartsWith("fib_2"), StartsWith("fib_3"), StartsWith("fib_4"))));
  s.deliver("fib_3.compute");  // a message for fib_1, which fib_4 may add to
  const auto order = s.arranged();

  EXPECT_EQ(order.back(), "fib_1.result");
}

/// How many executions it takes where nothing is found.
auto explored_by(const program& p, const std::string& engine, const std::string& ordering) {
  options how;
  how.search.engine = engine;
  how.search.ordering = ordering;
  return explore(p, how);
}

TEST(Stability, SparesReductionsTheWayBackOverActors) {
  // Only the orders of two results at each of 7 parents are left: 2^7.
  for (const auto* engine : {"dcute", "persistent", "transdpor", "optimal"})
    EXPECT_EQ(explored_by(fibonacci(5), engine, "stability").executions, 128U) << engine;
}

TEST(Stability, GoesOnFromACheckpointWithWhatItHadLearnt) {
  const auto whole = explored_by(fibonacci(5), "dcute", "stability");
  options how;
  how.search.engine = "dcute";
  how.search.ordering = "stability";
  how.kept.checkpoint = testing::TempDir() + "stability";
  how.limits.max_executions = 5;
  EXPECT_EQ(explore(fibonacci(5), how).executions, 5U);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  const auto both = explore(fibonacci(5), how);

  EXPECT_EQ(both.executions, whole.executions);
  const auto states = Contains("ordering stability knew a stable actor in 412 of 412 states (100.0 %)");
  EXPECT_THAT(whole.notes, states);
  EXPECT_THAT(both.notes, states);
}

TEST(Stability, TellsTheShareOfStatesInWhichSomebodyWasStable) {
  const auto result = explored_by(make_program(registry), "dcute", "stability");

  EXPECT_EQ(result.executions, 2U);
  EXPECT_THAT(result.notes, Contains(HasSubstr("knew a stable actor in")));
  EXPECT_THAT(explored_by(make_program(registry), "dcute", "fifo").notes,
              testing::Not(Contains(HasSubstr("stable actor"))));
}

}  // namespace
}  // namespace harrier
