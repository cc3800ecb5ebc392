// What is to hold of several actors at once.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
using testing::UnorderedElementsAre;

struct lamp {
  bool is_on = false;
  int switched = 0;
  void on(self&) { is_on = true; }
  void off(self&) { is_on = false; }
  void look(self&) const {}
  void gone(self& me) { me.destroy(); }
};
struct shop {
  int lamps = 0;
  void build(self& me) {
    ++lamps;
    me.send<&lamp::on>(me.create<lamp>());
  }
};

void two_lamps(self& me) {
  const auto a = me.create<lamp>();
  const auto b = me.create<lamp>();
  for (const auto l : {a, b}) me.send<&lamp::on>(l);
  for (const auto l : {a, b}) me.send<&lamp::off>(l);
}

options by(const std::string& engine, delivery model = delivery::fifo) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  return how;
}

exploration explored(void (*driver)(self&), std::vector<specification> all, const options& how = by("optimal")) {
  return explore(specified(make_program(driver), std::move(all)), how);
}

const auto not_both = always("one is on", [](view<lamp> a, view<lamp> b) { return !(a->is_on && b->is_on); });

TEST(Always, IsBrokenByTheStepAfterWhichItDoesNotHold) {
  const auto all = explored(two_lamps, {not_both});
  ASSERT_THAT(messages_of(all), ElementsAre("always 'one is on' does not hold of lamp_0 and lamp_1"));
  EXPECT_EQ(all.findings[0].kind, finding_kind::assertion);
  EXPECT_EQ(all.findings[0].trace.size(), 2U);
}

// Six orders of four steps, two of each lamp; a reduction by receivers alone runs one of them.
TEST(Always, OfSeveralMakesTheOrdersOfTheirStepsMatter) {
  EXPECT_EQ(explore(make_program(two_lamps), by("optimal")).executions, 1U);
  EXPECT_EQ(explored(two_lamps, {not_both}).executions, 6U);
}

TEST(Always, OfOneActorCostsNoExecution) {
  const auto all = explored(two_lamps, {always("was not switched", [](view<lamp> l) { return l->switched == 0; })});
  EXPECT_EQ(all.executions, 1U);
  EXPECT_TRUE(all.exhausted);
  EXPECT_THAT(all.findings, IsEmpty());
}

TEST(Always, TakesStepsOfConstHandlersAsTheyWere) {
  const auto all = explored(
      [](self& me) {
        for (const auto l : {me.create<lamp>(), me.create<lamp>()})
          for (int i = 0; i < 3; ++i) me.send<&lamp::look>(l);
      },
      {not_both});
  EXPECT_EQ(all.executions, 1U);
}

TEST(Always, LooksAtWhatIsThereBeforeTheFirstDelivery) {
  const auto none = always("there is none", [](const views<lamp>& all) { return all.size() == 0; });
  EXPECT_THAT(messages_of(explored([](self& me) { me.create<lamp>(); }, {none})),
              ElementsAre("always 'there is none' does not hold before the first delivery"));
  EXPECT_THAT(messages_of(explored(two_lamps, {none})),
              Contains("always 'there is none' does not hold before the first delivery"));
}

TEST(Always, LooksAtActorsThatAreCreatedLaterAndNotAtThoseThatAreGone) {
  const auto few = always("at most one", [](views<lamp> all) { return all.size() < 2; });
  const auto build_two = [](self& me) {
    const auto s = me.create<shop>();
    me.send<&shop::build>(s);
    me.send<&shop::build>(s);
  };
  EXPECT_THAT(messages_of(explored(build_two, {few})), ElementsAre("always 'at most one' does not hold"));
  const auto one_goes = [](self& me) {
    const auto l = me.create<lamp>();
    me.send<&lamp::gone>(l);
    me.send<&shop::build>(me.create<shop>());
  };
  EXPECT_EQ(explored(one_goes, {few}).findings.size(), 1U);  // where it goes later
  const auto alive = always("there is one", [](views<lamp> all) { return all.size() > 0; });
  EXPECT_EQ(explored(one_goes, {alive}).findings.size(), 1U);  // where it goes earlier
}

TEST(Always, MayLookAtActorsOfSeveralClasses) {
  const auto lit = always("each is lit", [](view<shop> s, views<lamp> all) {
    return s->lamps == static_cast<int>(std::count_if(all.begin(), all.end(), [](auto l) { return l->is_on; }));
  });
  const auto all = explored([](self& me) { me.send<&shop::build>(me.create<shop>()); }, {lit});
  EXPECT_THAT(messages_of(all), ElementsAre("always 'each is lit' does not hold of shop_0"));
}

TEST(Sometimes, IsAPointThatSomeExecutionReaches) {
  const auto both_on = sometimes("both are on", [](view<lamp> a, view<lamp> b) { return a->is_on && b->is_on; });
  const auto three = sometimes("three are on", [](views<lamp> all) { return all.size() == 3; });
  EXPECT_THAT(explored(two_lamps, {both_on, three}).points,
              AllOf(Contains(Pair("both are on", true)), Contains(Pair("three are on", false))));
}

TEST(Eventually, LooksAtEnds) {
  const auto all_off = eventually("all are off", [](view<lamp> l) { return !l->is_on; });
  const auto in_order = explored(two_lamps, {all_off});
  EXPECT_THAT(in_order.findings, IsEmpty());
  EXPECT_EQ(in_order.executions, 1U);
  EXPECT_THAT(messages_of(explored(two_lamps, {all_off}, by("optimal", delivery::unordered))),
              UnorderedElementsAre("eventually 'all are off' does not hold of lamp_0 at the end of the execution",
                                   "eventually 'all are off' does not hold of lamp_1 at the end of the execution"));
}

TEST(LeadsTo, IsAskedOfTheSameActors) {
  const auto goes_off = leads_to(
      "goes off", [](view<lamp> l) { return l->is_on; }, [](view<lamp> l) { return !l->is_on; });
  EXPECT_THAT(explored(two_lamps, {goes_off}).findings, IsEmpty());
  const auto one_stays_on = [](self& me) {
    const auto a = me.create<lamp>();
    me.send<&lamp::on>(a);
    me.send<&lamp::off>(a);
    me.send<&lamp::on>(me.create<lamp>());
  };
  EXPECT_THAT(messages_of(explored(one_stays_on, {goes_off})),
              ElementsAre("leads_to 'goes off' is not kept of lamp_1: what leads to it holds since lamp_1.on()"));
  const auto goes_away = [](self& me) {
    const auto a = me.create<lamp>();
    me.send<&lamp::on>(a);
    me.send<&lamp::gone>(a);
  };
  EXPECT_THAT(explored(goes_away, {goes_off}).findings, IsEmpty());
}

TEST(Specifications, AreRefusedWhereTheyCouldPassUnseen) {
  EXPECT_THAT([] { explored(two_lamps, {not_both}, by("trust")); },
              testing::ThrowsMessage<error>(HasSubstr("engine optimal can")));
  const auto kept = leads_to(
      "goes off", [](view<lamp> l) { return l->is_on; }, [](view<lamp> l) { return !l->is_on; });
  EXPECT_THAT([&] { explored(two_lamps, {kept}, by("stateful")); },
              testing::ThrowsMessage<error>(HasSubstr("does not go with leads_to")));
  auto with_observers = by("optimal");
  with_observers.search.observers = true;
  EXPECT_THAT([&] { explored(two_lamps, {not_both}, with_observers); },
              testing::ThrowsMessage<error>(HasSubstr("looks at several actors at once")));
}

TEST(Specifications, AreTheSameByJobsAndWithCrashes) {
  const auto both_there = always("both are there", [](const views<lamp>& all) { return all.size() == 2; });
  const auto tested = specified(make_program(two_lamps), {not_both});
  auto shared = by("optimal");
  shared.search.jobs = 3;
  const auto together = explore(tested, shared);
  EXPECT_EQ(together.executions, 6U);
  EXPECT_THAT(messages_of(together), ElementsAre("always 'one is on' does not hold of lamp_0 and lamp_1"));

  std::vector<std::vector<std::string>> found;
  for (const auto* engine : {"exhaustive", "optimal", "source", "persistent"}) {
    auto how = by(engine);
    how.search.faults.crash = 1;
    how.search.faults.in_all = 1;
    const auto all = explored(two_lamps, {not_both, both_there}, how);
    EXPECT_TRUE(all.exhausted) << engine;
    found.push_back(messages_of(all));
    std::sort(found.back().begin(), found.back().end());
    found.back().erase(std::unique(found.back().begin(), found.back().end()), found.back().end());
    EXPECT_THAT(found.back(), Contains("always 'both are there' does not hold")) << engine;
    EXPECT_EQ(found.back(), found.front()) << engine;
  }
}

struct switches {
  tracked<bool> left;
  tracked<bool> right;
  void turn_left(self&) { left = true; }
  void turn_right(self&) { right = true; }
};

// Of two messages that touch different fields one order would be run, and what is there between them not be seen.
TEST(Specifications, OfOneActorAreRefusedWhereItsMessagesCommute) {
  const auto tested = specified(make_program([](self& me) {
                                  const auto s = me.create<switches>();
                                  me.send<&switches::turn_left>(s);
                                  me.send<&switches::turn_right>(s);
                                }),
                                {always("left first", [](view<switches> s) { return s->left || !s->right; })});
  auto how = by("optimal", delivery::unordered);
  EXPECT_EQ(explore(tested, how).findings.size(), 1U);
  for (const auto& [engine, way] :
       {std::pair("optimal", independence::fields), std::pair("source", independence::semantic)}) {
    how.search.engine = engine;
    how.search.independence = way;
    EXPECT_THAT([&] { static_cast<void>(explore(tested, how)); },
                testing::ThrowsMessage<error>(HasSubstr("of two that commute one order is not run")));
  }
}

// What a message does depends on what came before; each of the 6! orders of six steps is one.
TEST(Specifications, HaveEachOrderOnceByEveryEngineByJobsAndFromCheckpoints) {
  const auto tested = specified(make_program([](self& me) {
                                  for (const auto l : {me.create<lamp>(), me.create<lamp>(), me.create<lamp>()}) {
                                    me.send<&lamp::on>(l);
                                    me.send<&lamp::off>(l);
                                  }
                                }),
                                {not_both});
  const std::uint64_t orders = 720;
  for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "transdpor", "dcute"})
    for (const std::uint64_t jobs : {1, 3}) {
      auto how = by(engine, delivery::unordered);
      how.search.jobs = jobs;
      EXPECT_EQ(explore(tested, how).executions, orders) << engine << " by " << jobs;
      const auto file = testing::TempDir() + "specified.checkpoint";
      how.kept.checkpoint = file;
      how.limits.max_executions = 50;
      static_cast<void>(explore(tested, how));
      how.limits.max_executions = options().limits.max_executions;
      how.kept.resume = file;
      EXPECT_EQ(explore(tested, how).executions, orders) << engine << " by " << jobs;
      std::remove(file.c_str());
    }
}

struct fickle_shop {
  int taken = 0;
  void count(self&) { ++taken; }
  void build(self& me) {
    if (taken++ % 2 == 0) me.send<&lamp::on>(me.create<lamp>());
  }
};

// Whether what a shop takes matters to others depends on what it took before: optimal once ran 72 of the 192 orders.
TEST(Specifications, SeeWhatIsCreatedByActorsThatNobodyLooksAt) {
  std::set<std::string> shown;
  const auto look = [&shown](const views<lamp>& all) {
    std::string now;
    for (const auto& l : all) now += l.name() + (l->is_on ? " on " : " off ");
    shown.insert(now);
    return true;
  };
  const auto tested = specified(make_program([](self& me) {
                                  const auto a = me.create<fickle_shop>();
                                  const auto b = me.create<fickle_shop>();
                                  me.send<&fickle_shop::count>(b);
                                  me.send<&fickle_shop::build>(a);
                                  me.send<&fickle_shop::build>(b);
                                  const auto l = me.create<lamp>();
                                  me.send<&lamp::on>(l);
                                  me.send<&lamp::off>(l);
                                }),
                                {always("looks", look)});
  for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "transdpor", "dcute"}) {
    shown.clear();
    const auto executions = explore(tested, by(engine, delivery::unordered)).executions;
    EXPECT_EQ(shown.size(), 22U) << engine;
    if (engine == std::string("optimal") || engine == std::string("source")) {
      EXPECT_EQ(executions, 192U) << engine;
    }
  }
}

TEST(Specifications, ThatAreBrokenAreReplayed) {
  const auto goes_off = eventually("goes off", [](view<lamp> l) { return !l->is_on; });
  for (const auto& what : {not_both, goes_off}) {
    const auto tested = specified(make_program(two_lamps), {what});
    const auto how = by("optimal", delivery::unordered);
    const auto all = explore(tested, how);
    ASSERT_THAT(all.findings, Not(IsEmpty()));
    replay_listener nobody;
    const auto again = replay(
        tested, {.finding = all.findings[0], .delivery = delivery::unordered, .finally = tested.finally}, nobody);
    EXPECT_EQ(again.way, replay_end::how::found_again) << all.findings[0].message;
  }
}

TEST(Specifications, ThatThrowAreNamed) {
  const auto throws = always("throws", [](view<lamp> l) -> bool {
    if (l->is_on) throw std::runtime_error("no");
    return true;
  });
  EXPECT_THAT(messages_of(explored(two_lamps, {throws})),
              Contains(HasSubstr("a predicate of a specification threw: no")));
}

}  // namespace
}  // namespace harrier
