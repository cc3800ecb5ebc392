// Why a finding comes about: the other order that is told of passes, and is the same up to where it parts.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>
#include <harrier/harrier.hpp>
#include <harrier/replay/describe.hpp>
#include <harrier/replay/ends.hpp>
#include <harrier/replay/replay.hpp>

#include "../litmus/random_program.hpp"
#include "befallen_programs.hpp"
#include "src/explore/why.hpp"

namespace harrier::why {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct explained {
  finding found;
  explanation why;
};

explained explain(const program& tested, const options& how = {}) {
  const auto all = explore(tested, how);
  EXPECT_THAT(all.findings, Not(IsEmpty()));
  if (all.findings.empty()) return {};
  return {all.findings[0], why_found(with_faults(tested, how.search.faults), how, all.findings[0])};
}

/// Delivers what `step` delivered, with the draws, the handler's and those of fates, that make it the same step.
bool deliver_like(system& s, const trace_step& step) {
  const auto m = s.message_at_path(step.id);
  if (m == no_message || !s.pending(m) || !s.deliverable(m)) return false;
  std::uint64_t code = 0;
  do {
    s.deliver(m, code);
    if (describe_last_step(s) == step) return true;
    code = s.next_code();
    s.undo();
  } while (code != 0);
  return false;
}

/// What is found in the first executions of a random program; nothing if it cannot be tested.
std::optional<finding> found_in(const program& tested, options how = {}) {
  how.search.engine = "random";  // others would be followed by a search for advice
  how.limits.max_executions = 20;
  try {
    const auto all = explore(tested, how);
    return all.findings.empty() ? std::nullopt : std::optional(all.findings[0]);
  } catch (const untestable_program&) {
    return std::nullopt;
  }
}

/// Whether these deliveries are an execution to its end in which nothing is found.
bool passes(const program& tested, const std::vector<trace_step>& steps, const end_rules& ends = {}) {
  const auto s = tested.start();
  for (const auto& step : steps)
    if (!deliver_like(*s, step) || s->step_at(s->last_step()).flagged) return false;
  if (s->first_deliverable() != no_message || s->aborted()) return false;
  return look_at_end(*s, ends).stuck.empty() && (!tested.finally || check_end(*s, tested.finally).empty());
}

bool is_found_again(const program& tested, const finding& found, const faults& may_happen = {}) {
  replay_listener nobody;
  return replay(tested, {.finding = found, .faults = may_happen}, nobody).way == replay_end::how::found_again;
}

struct cell {
  int value = 0;
  void write(int v) { value = v; }
  void check_that(self& me, int v) const { me.check(value == v, "it has that value"); }
};
struct writer {
  ref<cell> to;
  int value;
  void start(self& me) const { me.send<&cell::write>(to, value); }
};

program two_writers() {
  auto tested = make_program([](self& me) {
    const auto it = me.create<cell>();
    for (const int v : {1, 2}) me.send<&writer::start>(me.create<writer>(it, v));
  });
  tested.finally = [](final_states& end) {
    for (const cell& one : end.all<cell>()) end.check(one.value == 2, "the second is the last");
  };
  return tested;
}

TEST(Why, IsTheLastRaceWhoseOtherOrderPasses) {
  const auto [found, why] = explain(two_writers());

  EXPECT_EQ(
      why.sentence,
      "cell_0 took write(2) from writer_2 before write(1) from writer_1. The other way round it passes: cell_0 is "
      "{value=2} after both, not {value=1}.");
  EXPECT_TRUE(passes(two_writers(), why.steps));
  EXPECT_TRUE(is_found_again(two_writers(), found));
}

struct door {
  bool open = false;
  void push(self& me) {
    me.check(!open, "pushed once");
    open = true;
  }
};
program two_pushes() {
  return make_program([](self& me) {
    const auto it = me.create<door>();
    for (int i = 0; i < 2; ++i) me.send<&door::push>(it);
  });
}

TEST(Why, IsThatNoSingleChangeHelpsWhereEachOrderFails) {
  const auto [found, why] = explain(two_pushes());

  EXPECT_EQ(why.sentence, "No single change of order avoids it.");
  EXPECT_THAT(why.steps, IsEmpty());
}

TEST(Why, IsThatThereIsOneOrderWhereThereIsNoRace) {
  const auto [found, why] = explain(make_program([](self& me) {
    const auto it = me.create<cell>();
    me.send<&cell::check_that>(it, 5);
  }));

  EXPECT_EQ(why.sentence, "Every order of these deliveries leads to it.");
}

/// A message that is sent only after the failure, by an actor that has nothing to do with it.
struct guest {
  void is_served() {}
  void is_refused(self& me) { me.check(false, "guests are served"); }
};
struct inn {
  ref<guest> waits;
  bool is_open = true;
  void close() { is_open = false; }
  void ask(self& me) {
    if (is_open) return me.send<&guest::is_served>(waits);
    me.send<&guest::is_refused>(waits);
  }
};

// Another order that only keeps the program from the mistake.
TEST(Why, SaysThatWhatFailsNeverHappensInTheOtherOrder) {
  const auto [found, why] = explain(make_program([](self& me) {
    const auto at = me.create<inn>(me.create<guest>());
    me.send<&inn::close>(at);
    me.send<&inn::ask>(at);
  }));
  EXPECT_EQ(
      why.sentence,
      "inn_1 took close() before ask(), both from driver. The other way round it passes, since guest_0 never takes "
      "is_refused(): inn_1 is {.. is_open=true} after ask(), not {.. is_open=false}.");
}

struct helper {
  ref<cell> to;
  void start(self& me) const { me.send<&cell::write>(to, 5); }
};

TEST(Why, CanBeAMessageThatWasNotSentYet) {
  const auto late = make_program([](self& me) {
    const auto it = me.create<cell>();
    me.send<&cell::check_that>(it, 5);
    me.send<&helper::start>(me.create<helper>(it));
  });
  const auto [found, why] = explain(late);

  EXPECT_EQ(
      why.sentence,
      "cell_0 took check_that(5) from driver before write(5) from helper_1 was sent. With that one first it passes: "
      "cell_0 is {value=5} after check_that(5), not {value=0}.");
  EXPECT_TRUE(passes(late, why.steps));
}

struct drawer {
  void draw(self& me) const { me.check(me.choose(3) != 1, "not that one"); }
};

TEST(Why, CanBeAValueThatWasDrawn) {
  const auto drawing = make_program([](self& me) { me.send<&drawer::draw>(me.create<drawer>()); });
  const auto [found, why] = explain(drawing);

  EXPECT_EQ(why.sentence, "drawer_0 drew 1 when it took draw(). With 0 it passes.");
  EXPECT_TRUE(passes(drawing, why.steps));
}

struct copy {
  int value = 0;
  void write(int v) { value = v; }
};
struct source {
  ref<copy> to;
  void start(self& me) const { me.send<&copy::write>(to, 5); }
};

TEST(Why, IsTheMessageThatWasLost) {
  auto tested = make_program([](self& me) { me.send<&source::start>(me.create<source>(me.create<copy>())); });
  tested.finally = [](final_states& end) {
    for (const copy& one : end.all<copy>()) end.check(one.value == 5, "it has it");
  };
  options how;
  how.search.faults.lose = 1;
  const auto [found, why] = explain(tested, how);

  EXPECT_EQ(why.sentence, "As source_1 takes start(), write(5) to copy_0 is lost. Without that it passes.");
  EXPECT_THAT(why.steps, SizeIs(2));
  EXPECT_TRUE(is_found_again(tested, found, how.search.faults));
}

struct waiter {
  int courses;
  bool is_bored = false;
  void come(self& me) {
    for (int i = 0; i < courses; ++i) me.send<&waiter::served>(me.me<waiter>());
    me.after<&waiter::yawn>(1s);
  }
  void served(self& me) const { me.check(!is_bored, "served in time"); }
  void yawn() { is_bored = true; }
};

TEST(Why, IsWhatATimerCameBefore) {
  const auto waiting = make_program([](self& me) { me.send<&waiter::come>(me.create<waiter>(1)); });
  const auto [found, why] = explain(waiting);

  EXPECT_THAT(why.sentence, HasSubstr("waiter_0 took yawn() by its timer before served() from waiter_0. The other way "
                                      "round it passes"));
  EXPECT_THAT(why.steps, SizeIs(3));
}

TEST(Why, IsATimerThatNeedNotHaveFiredWhereItCameBeforeSeveral) {
  const auto waiting = make_program([](self& me) { me.send<&waiter::come>(me.create<waiter>(2)); });
  const auto [found, why] = explain(waiting);

  EXPECT_THAT(why.sentence, HasSubstr("The timer of waiter_0 fired, and it took yawn()"));
  EXPECT_THAT(why.steps, SizeIs(4));
}

struct fork {
  bool taken = false;
  void take(self& me, ref<struct eater> by);
  void put_back() { taken = false; }
  bool accepts(handler<&fork::take>, const ref<eater>&) const { return !taken; }
};
struct eater {
  ref<fork> left, right;
  int has = 0;
  void start(self& me) const { me.send<&fork::take>(left, me.me<eater>()); }
  void granted(self& me) {
    if (++has == 1) return me.send<&fork::take>(right, me.me<eater>());
    me.send<&fork::put_back>(left);
    me.send<&fork::put_back>(right);
  }
  bool at_rest() const { return has == 2; }
};
void fork::take(self& me, ref<eater> by) {
  taken = true;
  me.send<&eater::granted>(by);
}

TEST(Why, OfADeadlockIsTheLastForkThatWasTaken) {
  const auto table = make_program([](self& me) {
    const auto a = me.create<fork>();
    const auto b = me.create<fork>();
    me.send<&eater::start>(me.create<eater>(a, b));
    me.send<&eater::start>(me.create<eater>(b, a));
  });
  const auto [found, why] = explain(table);

  ASSERT_EQ(found.kind, finding_kind::deadlock);
  EXPECT_THAT(why.sentence, HasSubstr("took take("));
  EXPECT_TRUE(passes(table, why.steps)) << why.sentence;
}

// For each random program with a finding: what is claimed holds. The failing order fails, the other one passes, they
// are alike as far as is said; and where it is said that there is no other order, no execution is without it.
TEST(Why, OfRandomProgramsIsTrue) {
  int told = 0, in_every_order = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto found = found_in(tested);
    if (!found || !has_a_why(*found)) continue;
    const auto why = why_found(tested, {}, *found);
    ASSERT_THAT(why.sentence, Not(IsEmpty())) << seed;
    EXPECT_TRUE(is_found_again(tested, *found)) << seed;
    if (!why.steps.empty()) {
      ++told;
      EXPECT_TRUE(passes(tested, why.steps)) << seed << ": " << why.sentence;
      EXPECT_LT(why.alike, found->trace.size()) << seed;
      for (std::size_t i = 0; i < why.alike; ++i)
        EXPECT_EQ(why.steps[i], found->trace[i]) << seed << ", step " << i + 1;
    } else if (why.sentence.find("Every order") != std::string::npos) {
      ++in_every_order;
      options how;
      how.search.engine = "optimal";
      how.judging.keep_going = true;
      how.limits.max_executions = 20;
      const auto all = explore(tested, how);
      const auto same = std::find_if(all.findings.begin(), all.findings.end(), [&](const finding& f) {
        return f.kind == found->kind && f.message == found->message;
      });
      ASSERT_NE(same, all.findings.end()) << seed;
      EXPECT_GE(same->occurrences, all.executions) << seed;
    }
  }
  EXPECT_GT(told, 20);
  EXPECT_GT(in_every_order, 5);
}

/// Whether `a` took an even number of messages: a rule that losses, crashes, timers and orders break and keep.
bool took_an_even_number(const system& s, actor_slot a) {
  std::size_t count = 0;
  for (auto i = s.setup_steps(); i < s.step_count(); ++i) count += s.step_at(i).receiver == a ? 1 : 0;
  return count % 2 == 0;
}

TEST(Why, OfRandomProgramsOnABadNetworkIsTrue) {
  int told = 0, of_faults = 0;
  options how;
  how.search.faults = {.lose = 1, .duplicate = 1, .crash = 1, .in_all = 1, .timeouts = 2};
  how.judging.may_be_left = took_an_even_number;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto tables = befallen::make_random(seed);
    const auto tested = with_faults(befallen::interpret(tables), how.search.faults);
    const auto found = found_in(tested, how);
    if (!found || !has_a_why(*found)) continue;
    const auto why = why_found(tested, how, *found);
    ASSERT_THAT(why.sentence, Not(IsEmpty())) << seed;
    if (why.steps.empty()) continue;
    ++told;
    if (why.sentence.find("Without that it passes") != std::string::npos) ++of_faults;
    EXPECT_TRUE(passes(tested, why.steps, how.judging.ends())) << seed << ": " << why.sentence;
    for (std::size_t i = 0; i < why.alike; ++i) EXPECT_EQ(why.steps[i], found->trace[i]) << seed << ", step " << i + 1;
  }
  EXPECT_GT(told, 10);
  EXPECT_GT(of_faults, 3) << told;
}

}  // namespace
}  // namespace harrier::why
