// What the body of a test says is to hold: judged as the same of a program with a driver, in every stage.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/native/history.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/replay/replay.hpp>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

struct bulb {
  bool is_on = false;
  int switched = 0;
  void on(self&) { is_on = true, ++switched; }
  void off(self&) { is_on = false, ++switched; }
  void look(self&) const {}
};
struct stranger {
  void come(self&) {}
};

struct cell {
  int value = 0;
  void write(int v) { value = v; }
  int read() const { return value; }
};
struct keeper {
  int value = 0;
  void put(int v) { value = v; }
  int get() const { return value; }
};
struct user {
  ref<keeper> near;
  ref<keeper> far;
  int written = 0;
  history<&cell::write, &cell::read> did = {};
  task start(self& me) {
    did.invoke<&cell::write>(written);
    co_await me.call<&keeper::put>(near, written);
    did.returned();
    did.invoke<&cell::read>();
    const int seen = co_await me.call<&keeper::get>(far);
    did.returned(seen);
  }
};

void switch_both(self& me, ref<bulb> a, ref<bulb> b) {
  for (const auto l : {a, b}) me.send<&bulb::on>(l);
  for (const auto l : {a, b}) me.send<&bulb::off>(l);
}
void two_bulbs(self& me) {
  const auto a = me.create<bulb>();
  switch_both(me, a, me.create<bulb>());
}
void users_of(self& me, bool of_two) {
  const auto a = me.create<keeper>();
  const auto b = of_two ? me.create<keeper>() : a;
  me.send<&user::start>(me.create<user>(a, b, 1));
  me.send<&user::start>(me.create<user>(b, a, 2));
}
void one_copy(self& me) { users_of(me, false); }
void two_copies(self& me) { users_of(me, true); }

using driver = void (*)(self&);
using specifications_of_test = std::vector<specification>;

const auto not_both = always("one is on", [](view<bulb> a, view<bulb> b) { return !(a->is_on && b->is_on); });
const auto seldom = always("seldom", [](view<bulb> b) { return b->switched < 2; });
const auto both_on = sometimes("both are on", [](view<bulb> a, view<bulb> b) { return a->is_on && b->is_on; });
const auto three = sometimes("three are on", [](const views<bulb>& all) { return all.size() == 3; });
const auto all_off = eventually("all are off", [](view<bulb> b) { return !b->is_on; });
const auto goes_off = leads_to(
    "goes off", [](view<bulb> a, view<bulb>) { return a->is_on; }, [](view<bulb> a, view<bulb>) { return !a->is_on; });
const auto one_register = linearizable("one register", cell{}, &user::did);
const auto some_order = sequentially_consistent("some order", cell{}, &user::did);

program of_body(std::function<void(self&, test_run&)> body) { return make_test_program({.run = std::move(body)}); }

/// A test that does what the driver does. @param last  said after it; else before
program body_of(driver does, specifications_of_test all, bool last = false, bool waits = false) {
  return of_body([does, all = std::move(all), last, waits](self& me, test_run& run) {
    if (last) does(me);
    for (const auto& what : all) run.specify(what);
    if (!last) does(me);
    if (waits) run.handle_all();
  });
}

options by(const std::string& engine, delivery model = delivery::unordered) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::off;
  return how;
}

std::set<std::string> messages_in(const exploration& all) {
  std::set<std::string> messages;
  for (const auto& f : all.findings)
    messages.insert(f.message.substr(0, f.message.find(" since ")));  // which of several steps is told varies
  return messages;
}

std::string refusal_of(const program& tested, const options& how = by("optimal")) {
  try {
    static_cast<void>(explore(tested, how));
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

const std::vector<std::string> engines = {"optimal", "exhaustive", "source", "persistent", "transdpor", "dcute"};

struct specified_driver {
  driver does;
  specifications_of_test all;
};
const std::vector<specified_driver> each_kind = {
    {two_bulbs, {not_both}},       {two_bulbs, {seldom}},
    {two_bulbs, {both_on, three}}, {two_bulbs, {all_off}},
    {two_bulbs, {goes_off}},       {one_copy, {one_register}},
    {two_copies, {one_register}},  {two_copies, {some_order}},
    {one_copy, {some_order}},      {two_bulbs, {seldom, goes_off, all_off}},
};

TEST(SpecifiedBody, IsSearchedAndJudgedAsTheSameProgramWithADriver) {
  for (const auto& [does, said] : each_kind)
    for (const auto& engine : engines)
      for (const auto model : {delivery::unordered, delivery::fifo}) {
        if (does != two_bulbs && (model == delivery::unordered) == (engine == "exhaustive")) continue;  // the dear half
        const auto driven = explore(specified(make_program(does), said), by(engine, model));
        for (const bool waits : {false, true}) {
          const auto tested = explore(body_of(does, said, !waits, waits), by(engine, model));
          const auto what = engine + " '" + said[0].name + (waits ? "', waits" : "'");
          EXPECT_TRUE(tested.exhausted) << what;
          EXPECT_EQ(tested.executions, driven.executions) << what;
          EXPECT_EQ(messages_in(tested), messages_in(driven)) << what;
          EXPECT_EQ(tested.points, driven.points) << what;
        }
      }
}

TEST(SpecifiedBody, IsJudgedInEveryStage) {
  const auto two_stages = [](specification what) {
    return of_body([what](self& me, test_run& run) {
      run.specify(what);
      const auto a = me.create<bulb>();
      const auto b = me.create<bulb>();
      switch_both(me, a, b);
      run.handle_all();
      switch_both(me, a, b);
      me.send<&bulb::on>(me.create<bulb>());
      run.handle_all();
    });
  };
  // 6 orders of the first stage, and 5! / (2! 2!) of the second, under fifo.
  for (const auto& engine : engines) {
    const auto all = explore(two_stages(not_both), by(engine, delivery::fifo));
    EXPECT_EQ(all.executions, 6U * 30U) << engine;
    EXPECT_THAT(messages_of(all), Contains("always 'one is on' does not hold of bulb_0 and bulb_1")) << engine;
    EXPECT_THAT(messages_of(all), Contains(HasSubstr("bulb_2"))) << engine;
  }
  const auto reduced = explore(two_stages(seldom), by("optimal", delivery::fifo));
  EXPECT_EQ(reduced.executions, 1U);
  EXPECT_THAT(messages_of(reduced), Contains("always 'seldom' does not hold of bulb_0"));
  const auto ends = explore(two_stages(all_off), by("optimal", delivery::fifo));
  EXPECT_THAT(messages_of(ends),
              ElementsAre("eventually 'all are off' does not hold of bulb_2 at the end of the execution"));
  for (const auto* engine : {"random", "pct", "pos", "round-robin", "stateful"}) {
    auto how = by(engine, delivery::fifo);
    how.limits.max_executions = 50;
    EXPECT_THAT(messages_of(explore(two_stages(seldom), how)), Contains("always 'seldom' does not hold of bulb_0"))
        << engine;
  }
}

// What the body creates when it goes on is looked at, too: before anything more is delivered.
TEST(SpecifiedBody, IsJudgedByWhatItCreatesWhenItGoesOn) {
  const auto tested = of_body([](self& me, test_run& run) {
    run.specify(always("two", [](const views<bulb>& all) { return all.size() < 3; }));
    two_bulbs(me);
    run.handle_all();
    me.create<bulb>();
    run.handle_all();
  });
  const auto all = explore(tested, by("optimal"));
  ASSERT_FALSE(all.findings.empty());
  EXPECT_EQ(all.findings[0].message, "always 'two' does not hold");
  EXPECT_EQ(all.findings[0].trace.back().message, "handle_all() returns");
}

TEST(SpecifiedBody, LooksAtWhatIsThereBeforeTheFirstDeliveryAndNotBeforeItBegan) {
  const auto there = always("two are there", [](const views<bulb>& all) { return all.size() == 2; });
  const auto draws = of_body([&](self& me, test_run& run) {
    run.specify(there);
    if (me.choose(2) == 1) me.create<bulb>();
    two_bulbs(me);
  });
  EXPECT_THAT(messages_in(explore(draws, by("optimal"))), ElementsAre("always 'two are there' does not hold"));
  const auto none = of_body([&](self& me, test_run& run) {
    run.specify(there);
    if (me.choose(2) == 1) me.send<&stranger::come>(me.create<stranger>());
  });
  EXPECT_THAT(messages_in(explore(none, by("optimal"))), ElementsAre("always 'two are there' does not hold"));
  EXPECT_THAT(messages_in(explore(body_of(two_bulbs, {there}), by("optimal"))), IsEmpty());
  EXPECT_THAT(messages_in(explore(body_of([](self& me) { me.send<&bulb::on>(me.create<bulb>()); }, {there}))),
              ElementsAre("always 'two are there' does not hold before the first delivery"));
}

// What was drawn before may be captured: each execution is judged by what it said itself.
TEST(SpecifiedBody, IsJudgedByTheValuesOfTheExecution) {
  const auto tested = of_body([](self& me, test_run& run) {
    const auto drawn = static_cast<int>(me.choose(4));
    run.specify(always("not often", [drawn](view<bulb> b) { return drawn != 2 || b->switched < 2; }));
    const auto one = me.create<bulb>();
    me.send<&bulb::on>(one);
    me.send<&bulb::off>(one);
  });
  for (const auto& engine : engines) {
    const auto all = explore(tested, by(engine, delivery::fifo));
    EXPECT_EQ(all.executions, 4U) << engine;
    ASSERT_EQ(all.findings.size(), 1U) << engine;
    EXPECT_EQ(all.findings[0].schedule.size(), 3U) << engine;  // the body's own step, and two deliveries
    EXPECT_EQ(all.findings[0].schedule[0].code, 2U) << engine;
  }
}

TEST(SpecifiedBody, IsTheSameByJobsAndFromCheckpoints) {
  for (const bool waits : {false, true}) {
    const auto tested = body_of(two_bulbs, {not_both, goes_off}, false, waits);
    for (const auto& engine : engines)
      for (const std::uint64_t jobs : {1, 3}) {
        auto how = by(engine);
        how.search.jobs = jobs;
        EXPECT_EQ(explore(tested, how).executions, 24U) << engine << " by " << jobs;
        const auto file = testing::TempDir() + "specified_body.checkpoint";
        how.kept.checkpoint = file;
        how.limits.max_executions = 5;
        static_cast<void>(explore(tested, how));
        how.limits.max_executions = options().limits.max_executions;
        how.kept.resume = file;
        EXPECT_EQ(explore(tested, how).executions, 24U) << engine << " by " << jobs;
        std::remove(file.c_str());
      }
  }
}

TEST(SpecifiedBody, IsRefusedWhereTheProgramWouldBe) {
  EXPECT_THAT(refusal_of(body_of(two_bulbs, {not_both}), by("trust")), HasSubstr("engine optimal can"));
  EXPECT_THAT(refusal_of(body_of(two_bulbs, {goes_off}), by("stateful")), HasSubstr("does not go with leads_to"));
  auto how = by("optimal");
  how.search.observers = true;
  EXPECT_THAT(refusal_of(body_of(two_bulbs, {not_both}), how), HasSubstr("looks at several actors at once"));
  how = by("optimal");
  how.search.independence = independence::fields;
  EXPECT_THAT(refusal_of(body_of(two_bulbs, {seldom}), how), HasSubstr("of two that commute one order is not run"));
}

TEST(SpecifiedBody, IsRefusedIfItSaysSomethingAfterTheFirstDelivery) {
  EXPECT_THAT(refusal_of(of_body([](self& me, test_run& run) {
                two_bulbs(me);
                run.handle_all();
                run.specify(not_both);
              })),
              HasSubstr("'one is on' is said to hold after the first delivery"));
  EXPECT_THAT(refusal_of(of_body([](self& me, test_run& run) {
                two_bulbs(me);
                run.handle_one();
                run.specify(all_off);
              })),
              HasSubstr("'all are off' is said to hold after the first delivery"));
  // Nothing was delivered yet.
  EXPECT_EQ(refusal_of(of_body([](self& me, test_run& run) {
              run.handle_all();
              run.specify(all_off);
              two_bulbs(me);
            })),
            "");
}

TEST(SpecifiedBody, IsRefusedIfItSaysSomethingTwiceOrInSomeExecutionsOnly) {
  EXPECT_THAT(refusal_of(body_of(two_bulbs, {not_both, seldom, not_both})),
              HasSubstr("'one is on' is the name of two things that are to hold"));
  for (const std::uint64_t in : {0, 1})
    EXPECT_THAT(refusal_of(of_body([in](self& me, test_run& run) {
                  if (me.choose(2) == in) run.specify(not_both);
                  two_bulbs(me);
                })),
                HasSubstr("'one is on' is said to hold in some executions and not in others"));
  EXPECT_THAT(refusal_of(of_body([](self& me, test_run& run) {
                if (me.choose(2) == 0)
                  run.specify(always("fine", [](view<bulb>) { return true; }));
                else
                  run.specify(always("fine", [](view<bulb> b) { return !b->is_on; }));
                two_bulbs(me);
              })),
              HasSubstr("'fine' says one thing in some executions and another in others"));
}

// A body that is left early had not come to it.
TEST(SpecifiedBody, MayAssumeBeforeItSaysAnything) {
  const auto tested = of_body([](self& me, test_run& run) {
    me.assume(me.choose(3) != 1);
    run.specify(not_both);
    two_bulbs(me);
  });
  const auto all = explore(tested, by("optimal", delivery::fifo));
  EXPECT_EQ(all.executions, 12U);
  EXPECT_EQ(all.assumed_away, 1U);
  EXPECT_THAT(refusal_of(of_body([](self& me, test_run& run) {
                me.assume(me.choose(3) != 0);
                run.specify(not_both);
                two_bulbs(me);
              })),
              HasSubstr("before it draws or assumes anything"));
}

TEST(SpecifiedBody, SaysOfWhomThereIsNobody) {
  for (const auto& tested :
       {body_of([](self& me) { me.send<&stranger::come>(me.create<stranger>()); }, {not_both}),
        specified(make_program([](self& me) { me.send<&stranger::come>(me.create<stranger>()); }), {not_both})}) {
    const auto all = explore(tested, by("optimal"));
    EXPECT_THAT(
        all.notes,
        Contains("never happened, in any execution: there is an actor of class bulb, at which 'one is on' looks"));
  }
  const auto later = explore(of_body([](self& me, test_run& run) {
                               run.specify(not_both);
                               me.send<&stranger::come>(me.create<stranger>());
                               run.handle_all();
                               two_bulbs(me);
                             }),
                             by("optimal"));
  EXPECT_THAT(later.points, ElementsAre(Pair(HasSubstr("class bulb"), true)));
}

TEST(SpecifiedBody, CoversNoHistoryThatTakesTooLongToJudge) {
  const auto tested = body_of(two_copies, {linearizable<1>("one register", cell{}, &user::did)});
  const auto all = explore(tested, by("optimal"));
  EXPECT_FALSE(all.exhausted);
  EXPECT_THAT(all.stopped_by, HasSubstr("histories of 'one register' that take more than 1 tries"));
}

/// What a test does is for its own judgement.
class follows final : public replay_listener {
  bool differs(const system&, std::size_t, const trace_difference& how) override {
    EXPECT_EQ(how.in, trace_difference::what::outcome);
    return true;
  }
};

/// What running the trace of `f` again finds.
std::vector<std::string> found_again(const test_body& body, delivery model, const finding& f, faults in = {}) {
  const recorded_trace trace{.finding = f, .delivery = model, .faults = in};
  follows it;
  replayer along(trace, it, replayer::next_stage::called);
  run_of_test how;
  how.next = [&](system& now) { return along.next(now).value_or(scheduled{0, no_message}); };
  how.stepped = [&](system& now) { along.made(now); };
  how.faults = in;
  const auto all = run_test(body, model, how);
  std::vector<std::string> messages;
  for (const auto& r : all) messages.push_back(r.message);
  return messages;
}

TEST(SpecifiedBody, FailsAgainWhereItsTraceIsRun) {
  for (const auto& [does, said] : each_kind)
    for (const bool waits : {false, true}) {
      const test_body body{.run = [does = does, said = said, waits](self& me, test_run& run) {
        for (const auto& what : said) run.specify(what);
        does(me);
        if (waits) run.handle_all();
        if (waits && does == two_bulbs) {
          two_bulbs(me);
          run.handle_all();
        }
      }};
      for (const auto& f : explore(make_test_program(body), by("optimal")).findings)
        EXPECT_THAT(found_again(body, delivery::unordered, f), Contains(f.message));
    }
}

TEST(SpecifiedBody, FailsAgainByWhatItCreatedWhenItWentOn) {
  const test_body body{.run = [](self& me, test_run& run) {
    run.specify(always("two", [](const views<bulb>& all) { return all.size() < 3; }));
    two_bulbs(me);
    run.handle_all();
    me.create<bulb>();
  }};
  const auto all = explore(make_test_program(body), by("optimal"));
  ASSERT_FALSE(all.findings.empty());
  EXPECT_THAT(found_again(body, delivery::unordered, all.findings[0]), ElementsAre("always 'two' does not hold"));
}

/// Sends until it was heard, which it may never be.
struct beacon {
  ref<keeper> to;
  int sent = 0;
  int most = 0;
  void beat(self& me) {
    if (sent++ == most) return;
    me.send<&keeper::put>(to, sent);
    me.after<&beacon::beat>(std::chrono::seconds(1));
  }
};
template <int Most>
void beating(self& me) {
  me.send<&beacon::beat>(me.create<beacon>(me.create<keeper>(), 0, Most));
}
bool is_heard(const states& all) { return all.only<keeper>().value >= 3; }

TEST(SpecifiedBody, ConvergesAsTheSameProgramWithADriver) {
  auto how = by("optimal");
  how.search.faults.lose = 1;
  how.search.faults.timeouts = 1;
  for (const auto does : {beating<9>, beating<2>})
    for (const bool waits : {false, true}) {
      const test_body body{.run = [does, waits](self& me, test_run& run) {
        run.converges("it is heard", is_heard, 100);
        does(me);
        if (waits) run.handle_all();
      }};
      const auto driven = explore(converges(make_program(does), "it is heard", is_heard, 100), how);
      const auto tested = explore(make_test_program(body), how);
      EXPECT_EQ(tested.executions, driven.executions);
      EXPECT_EQ(messages_in(tested), messages_in(driven));
      EXPECT_EQ(tested.findings.empty(), does == beating<9>);
      for (const auto& f : tested.findings)
        EXPECT_THAT(found_again(body, delivery::unordered, f, how.search.faults), Contains(f.message));
    }
}

}  // namespace
}  // namespace harrier
