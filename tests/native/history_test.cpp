// Whether what clients recorded could have been done one after the other.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <harrier/native/history.hpp>
#include <harrier/replay/replay.hpp>

#include "../litmus/so_many.hpp"
#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct idler {
  void nothing(self&) {}
};
void three_idlers(self& me) {
  for (int i = 0; i < 3; ++i) me.create<idler>();
}

using cell = register_of<int>;
using cell_history = register_history<int>;

/// What three actors of a program recorded, one event a delivery.
template <class History>
struct written_down {
  std::map<actor_slot, History> by = {{1, {}}, {2, {}}, {3, {}}};
  std::vector<recording> recorded = {};

  template <auto Operation, class... Arguments>
  written_down& invoke(actor_slot who, Arguments... arguments) {
    by[who].template invoke<Operation>(arguments...);
    return note(who);
  }
  template <class... Result>
  written_down& returned(actor_slot who, Result... result) {
    by[who].returned(result...);
    return note(who);
  }
  written_down& note(actor_slot who) {
    recorded.push_back({recorded.size() + 1, who, detail::events_of(by[who])});
    return *this;
  }
  template <std::size_t Tries = most_tries_of_history>
  [[nodiscard]] history_verdict verdict(const typename History::object& initial, bool in_time) const {
    const auto s = make_program(three_idlers).start();
    detail::judged_history<History> judged(initial, in_time, Tries);
    for (const auto& [who, what] : by) judged.add(who, what, recorded);
    return judged.judge(states(*s), "it");
  }
  [[nodiscard]] std::optional<record> broken(bool in_time = true) const { return verdict({}, in_time).broken; }
};

using cells = written_down<cell_history>;

TEST(Linearizability, AsksForTheOrderInTime) {
  const auto stale = cells().invoke<&cell::write>(1, 5).returned(1).invoke<&cell::read>(2).returned(2, 0);
  EXPECT_TRUE(stale.broken());
  EXPECT_FALSE(stale.broken(false)) << "sequentially consistent: the read may come first";
  EXPECT_FALSE(cells().invoke<&cell::write>(1, 5).invoke<&cell::read>(2).returned(2, 0).returned(1).broken());
}

TEST(Linearizability, TakesWhatHasNotReturnedAsDoneOrNot) {
  const auto reads = [](int first, int second) {
    return cells()
        .invoke<&cell::write>(1, 5)
        .invoke<&cell::read>(2)
        .returned(2, first)
        .invoke<&cell::read>(2)
        .returned(2, second)
        .broken();
  };
  EXPECT_FALSE(reads(0, 0));
  EXPECT_FALSE(reads(0, 5));
  EXPECT_FALSE(reads(5, 5));
  EXPECT_TRUE(reads(5, 0));
}

TEST(Linearizability, LetsWhatIsGivenUpHappenAtAnyLaterTime) {
  cells given_up;
  given_up.invoke<&cell::write>(1, 5);
  given_up.by[1].give_up();
  given_up.invoke<&cell::read>(1).returned(1, 0).invoke<&cell::read>(1).returned(1, 5);
  EXPECT_FALSE(given_up.broken());
  EXPECT_TRUE(given_up.invoke<&cell::read>(2).returned(2, 0).broken());
}

TEST(SequentialConsistency, AsksForTheOrderOfEachActor) {
  auto two = cells().invoke<&cell::write>(1, 5).returned(1).invoke<&cell::read>(1).returned(1, 0);
  EXPECT_TRUE(two.broken(false));
  EXPECT_FALSE(two.invoke<&cell::write>(2, 0).returned(2).broken(false));
}

// The two halves of Herlihy's and Wing's example: each object by itself would do.
TEST(SequentialConsistency, IsNotThatOfTheParts) {
  using dictionary = map_of<int, int>;
  using maps = written_down<map_history<int, int>>;
  const auto two = maps()
                       .invoke<&dictionary::put>(1, 0, 1)
                       .returned(1)
                       .invoke<&dictionary::get>(1, 1)
                       .returned(1, std::optional<int>())
                       .invoke<&dictionary::put>(2, 1, 1)
                       .returned(2)
                       .invoke<&dictionary::get>(2, 0)
                       .returned(2, std::optional<int>());
  EXPECT_TRUE(two.broken(false));
  EXPECT_TRUE(two.broken(true));
}

TEST(ABrokenHistory, ShowsOperationsThatNoneOfTheOthersExplain) {
  const auto told = cells()
                        .invoke<&cell::write>(3, 7)
                        .returned(3)
                        .invoke<&cell::write>(1, 5)
                        .returned(1)
                        .invoke<&cell::read>(3)
                        .returned(3, 5)
                        .invoke<&cell::read>(2)
                        .returned(2, 0)
                        .broken();
  ASSERT_TRUE(told);
  EXPECT_EQ(told->kind, finding_kind::assertion);
  EXPECT_EQ(told->message, "'it' is not linearizable: read() of idler_1 returned 0");
  EXPECT_THAT(
      told->details,
      ElementsAre("idler_0: write(5) (invoked in delivery 3, returned in delivery 4)",
                  "idler_1: read() = 0 (invoked in delivery 7, returned in delivery 8)",
                  "in each order of these in which all others return what they did, read() of idler_1 returns 5",
                  "2 other operations cannot explain it, whatever they did, at whatever time"));
}

// Without the write nobody could have read 7; but then that would be wrong, and not what came later.
TEST(ABrokenHistory, KeepsWhatExplainsWhatIsLeftOut) {
  const auto told = cells()
                        .invoke<&cell::write>(1, 7)
                        .returned(1)
                        .invoke<&cell::read>(2)
                        .returned(2, 7)
                        .invoke<&cell::read>(2)
                        .returned(2, 0)
                        .broken();
  ASSERT_TRUE(told);
  EXPECT_THAT(told->details, Contains(HasSubstr("idler_0: write(7)")));
  EXPECT_THAT(told->details, Contains(HasSubstr("1 other operation cannot explain it")));
}

TEST(ABrokenHistory, NamesNobodyWhereNoneAloneIsWrong) {
  using numbers = queue_of<int>;
  const auto told = written_down<queue_history<int>>()
                        .invoke<&numbers::pop>(1)
                        .returned(1, std::optional(1))
                        .invoke<&numbers::pop>(2)
                        .returned(2, std::optional(2))
                        .broken(false);
  ASSERT_TRUE(told);
  EXPECT_THAT(told->message, HasSubstr("'it' is not sequentially consistent"));
  EXPECT_THAT(told->details, SizeIs(3));
}

TEST(AHistory, ThatTakesTooLongIsNotJudged) {
  auto many = cells();
  many.invoke<&cell::write>(1, 1).invoke<&cell::write>(2, 2).invoke<&cell::read>(3).returned(3, 7);
  EXPECT_TRUE(many.verdict({}, true).broken);
  const auto verdict = many.verdict<2>({}, true);
  EXPECT_FALSE(verdict.broken);
  EXPECT_EQ(verdict.undecided, "histories of 'it' that take more than 2 tries to put in order");
}

TEST(AHistory, ThatIsRecordedWronglyIsRefused) {
  const auto refused = [](auto record_it) {
    cell_history did;
    EXPECT_THAT([&] { record_it(did); }, testing::ThrowsMessage<error>(HasSubstr("not recorded well")));
  };
  refused([](cell_history& did) { did.returned(); });
  refused([](cell_history& did) { did.give_up(); });
  refused([](cell_history& did) {
    did.invoke<&cell::read>();
    did.invoke<&cell::read>();
  });
  refused([](cell_history& did) {
    did.invoke<&cell::read>();
    did.returned();
  });
}

/// The user's own.
struct tickets {
  int next = 0;
  int draw() { return next++; }
  int left(int of) const { return of - next; }
};

using draw_from = std::minstd_rand;
int below(draw_from& random, int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }

/// How a random operation is begun.
void invoke_any(cell_history& did, draw_from& random) {
  if (below(random, 2) == 0)
    did.invoke<&cell::write>(below(random, 3));
  else
    did.invoke<&cell::read>();
}
void invoke_any(queue_history<int>& did, draw_from& random) {
  if (below(random, 2) == 0)
    did.invoke<&queue_of<int>::push>(below(random, 2));
  else
    did.invoke<&queue_of<int>::pop>();
}
void invoke_any(map_history<int, int>& did, draw_from& random) {
  const int key = below(random, 2);
  switch (below(random, 5)) {
    case 0: return did.invoke<&map_of<int, int>::erase>(key);
    case 1:
    case 2: return did.invoke<&map_of<int, int>::put>(key, below(random, 2));
    default: return did.invoke<&map_of<int, int>::get>(key);
  }
}
using ticket_history = history<&tickets::draw, &tickets::left>;
void invoke_any(ticket_history& did, draw_from& random) {
  if (below(random, 3) > 0)
    did.invoke<&tickets::draw>();
  else
    did.invoke<&tickets::left>(3);
}

void spoil(int& result, draw_from& random) { result = below(random, 3); }
void spoil(std::optional<int>& result, draw_from& random) {
  if (below(random, 2) == 0)
    result.reset();
  else
    result = below(random, 2);
}
void spoil(std::monostate&, draw_from&) {}

/// What the object returns, now.
template <auto Operation, class Object>
auto done(Object& object, const detail::recorded_call<Operation>& call) {
  return std::apply(
      [&](const auto&... arguments) {
        if constexpr (std::is_void_v<typename detail::traits<Operation>::result>) {
          (object.*Operation)(arguments...);
          return std::monostate();
        } else {
          return (object.*Operation)(arguments...);
        }
      },
      call.arguments);
}

/// One of several actors in turn does something; operations are done when they begin or when they end, and some return
/// what they did not.
template <class History>
written_down<History> random_history(draw_from& random) {
  written_down<History> made;
  typename History::object object;
  std::map<actor_slot, History> early;  // the pending operation with what it is to return
  int to_begin = below(random, 7) + 1;
  const auto is_pending = [&](const auto& entry) { return entry.second.is_pending; };
  while (to_begin > 0 || std::any_of(made.by.begin(), made.by.end(), is_pending)) {
    const auto who = static_cast<actor_slot>(below(random, 3) + 1);
    auto& did = made.by[who];
    if (!did.is_pending) {
      if (to_begin == 0) {
        if (below(random, 4) == 0) break;  // the others never return
        continue;
      }
      --to_begin;
      invoke_any(did, random);
      auto call = did.operations.back();
      early[who] = {};
      if (below(random, 2) == 0) {
        std::visit([&](auto& c) { c.result = done(object, c); }, call);
        early[who].operations.push_back(call);
      }
    } else {
      auto call = early[who].operations.empty() ? did.operations.back() : early[who].operations.back();
      std::visit(
          [&](auto& c) {
            if (!c.result) c.result = done(object, c);
            if (below(random, 8) == 0) spoil(*c.result, random);
            did.returned(*c.result);
          },
          call);
    }
    made.note(who);
  }
  return made;
}

/// By definition: some of those that have not returned, with all others, in every order.
template <class History>
bool can_be_ordered(const written_down<History>& what, bool in_time) {
  struct one {
    const typename decltype(History::operations)::value_type* call;
    actor_slot by;
    std::size_t begun;
    std::optional<std::size_t> ended;
  };
  std::vector<one> all;
  std::size_t number = 0;
  std::map<actor_slot, recorded_events> so_far;
  for (const auto& r : what.recorded) {
    ++number;
    auto& before = so_far[r.by];
    if (r.in_all.invoked > before.invoked)
      all.push_back({&what.by.at(r.by).operations[before.invoked], r.by, number, std::nullopt});
    else
      std::find_if(all.rbegin(), all.rend(), [&](const one& o) { return o.by == r.by; })->ended = number;
    before = r.in_all;
  }
  std::vector<std::size_t> pending;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!all[i].ended) pending.push_back(i);
  for (unsigned chosen = 0; chosen < 1U << pending.size(); ++chosen) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = std::find(pending.begin(), pending.end(), i) - pending.begin();
      if (all[i].ended || (chosen >> at & 1U) != 0) order.push_back(i);
    }
    do {
      bool fits = true;
      for (std::size_t i = 0; fits && i < order.size(); ++i)
        for (std::size_t j = i + 1; fits && j < order.size(); ++j) {
          const auto &first = all[order[i]], &later = all[order[j]];
          const bool is_later_before = later.ended && *later.ended < first.begun;
          fits = !(is_later_before && (in_time || first.by == later.by));
        }
      typename History::object object;
      for (std::size_t i = 0; fits && i < order.size(); ++i)
        std::visit(
            [&](const auto& c) {
              const auto result = done(object, c);
              fits = !c.result || result == *c.result;
            },
            *all[order[i]].call);
      if (fits) return true;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return false;
}

template <class History>
void compare_with_every_order(std::uint64_t how_many) {
  draw_from random(17);
  std::uint64_t broken = 0;
  for (std::uint64_t i = 0; i < how_many; ++i) {
    const auto made = random_history<History>(random);
    for (const bool in_time : {true, false}) {
      const bool is_right = can_be_ordered(made, in_time);
      ASSERT_EQ(!made.broken(in_time), is_right) << i << (in_time ? " in time" : " each by itself");
      broken += is_right ? 0 : 1;
    }
  }
  EXPECT_GT(broken, how_many / 10);
  EXPECT_LT(broken, how_many * 2 * 8 / 10);
}

TEST(RandomHistories, OfARegisterAreJudgedAsByEveryOrder) { compare_with_every_order<cell_history>(1'000); }
TEST(RandomHistories, OfAQueueAreJudgedAsByEveryOrder) { compare_with_every_order<queue_history<int>>(1'000); }
TEST(RandomHistories, OfAMapAreJudgedAsByEveryOrder) { compare_with_every_order<map_history<int, int>>(1'000); }
TEST(RandomHistories, OfTicketsAreJudgedAsByEveryOrder) { compare_with_every_order<ticket_history>(1'000); }

TEST(WhatIsFreeOfBlame, IsAllThatCanBe) {
  // Wrong as long as neither 1 and 3, nor 2, are free.
  const auto free = detail::free_of_blame({4, 3, 2, 1, 0}, [](const std::vector<bool>& some) {
    return (some[1] && some[3]) || some[2] ? detail::placed::yes : detail::placed::no;
  });
  EXPECT_THAT(free, ElementsAre(true, false, false, true, true));
}

/// A server that answers each second reader with what was there before, and clients of it.
struct slow_server;
struct reader {
  ref<slow_server> of = {};
  cell_history did = {};
  task start(self& me);
};
struct writer {
  ref<slow_server> of = {};
  persistent<cell_history> did = {};
  task start(self& me);
};
struct slow_server {
  int value = 0;
  int before = 0;
  bool is_slow = false;
  void put(int v) { before = std::exchange(value, v); }
  int get() {
    is_slow = !is_slow;
    return is_slow ? value : before;
  }
};
task reader::start(self& me) {
  for (int i = 0; i < 2; ++i) {
    did.invoke<&cell::read>();
    const int seen = co_await me.call<&slow_server::get>(of);
    did.returned(seen);
  }
}
task writer::start(self& me) {
  did.write().invoke<&cell::write>(5);
  co_await me.call<&slow_server::put>(of, 5);
  did.write().returned();
}

/// It restarts after a crash, without its history.
struct forgetful {
  cell_history did = {};
  persistent<int> kept = 0;
  void begin(self&) { did.invoke<&cell::write>(1); }
  void end(self&) { ++kept; }
};

void write_and_read(self& me) {
  const auto s = me.create<slow_server>();
  me.send<&writer::start>(me.create<writer>(s));
  me.send<&reader::start>(me.create<reader>(s));
}

options by(const std::string& engine) {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  return how;
}
exploration explored(const specification& what, const options& how) {
  return explore(specified(make_program(write_and_read), {what}), how);
}
const auto in_time = linearizable("it", cell{}, &writer::did, &reader::did);
const auto at_end = sequentially_consistent("it", cell{}, &writer::did, &reader::did);

TEST(HistoriesOfAProgram, OfSeveralClassesAreJudgedByEachEngineAndByJobs) {
  for (const auto& what : {in_time, at_end})
    for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "stateful"})
      for (const std::uint64_t jobs : {1, 3}) {
        auto how = by(engine);
        how.search.jobs = jobs;
        EXPECT_THAT(messages_of(explored(what, how)),
                    ElementsAre(testing::AllOf(
                        HasSubstr(what.says == specification::kind::in_time ? "'it' is not linearizable"
                                                                            : "'it' is not sequentially consistent"),
                        HasSubstr("read() of reader_2 returned 0"))))
            << engine << " by " << jobs;
      }
}

TEST(HistoriesOfAProgram, CostTheOrdersOfStepsThatRecordIfTimeMatters) {
  const auto alone = explore(make_program(write_and_read), by("optimal")).executions;
  EXPECT_EQ(explored(at_end, by("optimal")).executions, alone);
  EXPECT_GT(explored(in_time, by("optimal")).executions, alone);
}

TEST(HistoriesOfAProgram, AreRefusedWhereTheirOrderIsNotSeen) {
  EXPECT_THAT([] { explored(in_time, by("trust")); }, testing::ThrowsMessage<error>(HasSubstr("engine optimal can")));
  EXPECT_THAT(messages_of(explored(at_end, by("trust"))), SizeIs(1));
  auto with_observers = by("optimal");
  with_observers.search.observers = true;
  EXPECT_THAT([&] { explored(in_time, with_observers); },
              testing::ThrowsMessage<error>(HasSubstr("looks at several actors at once")));
}

TEST(HistoriesOfAProgram, ThatTakeTooLongAreNotCovered) {
  const auto result = explored(linearizable<1>("it", cell{}, &writer::did, &reader::did), by("optimal"));
  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.stopped_by, HasSubstr("histories of 'it' that take more than 1 tries to put in order"));
}

TEST(HistoriesOfAProgram, ThatTakeTooLongAreNotCoveredByWhoResumesTheSearchEither) {
  const auto what = linearizable<1>("it", cell{}, &writer::did, &reader::did);
  auto first = by("optimal");
  first.kept.checkpoint = testing::TempDir() + "too_long.checkpoint";
  const auto whole = explored(what, first);
  ASSERT_THAT(whole.stopped_by, HasSubstr("not covered"));
  auto second = by("optimal");
  second.kept.resume = first.kept.checkpoint;
  const auto resumed = explored(what, second);
  EXPECT_EQ(resumed.executions, whole.executions) << "nothing was left to run";
  EXPECT_EQ(resumed.stopped_by, whole.stopped_by);
}

TEST(HistoriesOfAProgram, ThatAreBrokenAreReplayed) {
  for (const auto& what : {in_time, at_end}) {
    const auto tested = specified(make_program(write_and_read), {what});
    const auto all = explore(tested, by("optimal"));
    ASSERT_THAT(all.findings, SizeIs(1));
    replay_listener nobody;
    const auto again = replay(tested, {.finding = all.findings[0], .finally = tested.finally}, nobody);
    EXPECT_EQ(again.way, replay_end::how::found_again) << all.findings[0].message;
  }
}

TEST(HistoriesOfAProgram, ThatAreForgottenInACrashEndTheSearch) {
  auto how = by("optimal");
  how.search.faults.crash = 1;
  how.search.faults.in_all = 1;
  const auto forgets = linearizable("it", cell{}, &forgetful::did);
  const auto tested = specified(make_program([](self& me) {
                                  const auto f = me.create<forgetful>();
                                  me.send<&forgetful::begin>(f);
                                  me.send<&forgetful::end>(f);
                                }),
                                {forgets});
  EXPECT_THAT([&] { static_cast<void>(explore(tested, how)); },
              testing::ThrowsMessage<error>(HasSubstr("has forgotten operations that it had recorded")));
}

}  // namespace
}  // namespace harrier
