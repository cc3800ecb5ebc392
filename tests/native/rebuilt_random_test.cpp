// Random programs, with the same actors three times: copied, made anew, and cloned. Nothing may tell them apart.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::Eq;

enum class form { copied, made_anew, fingerprinted, cloned };

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  auto x = a * 0x9e3779b97f4a7c15U + b + 0x7f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// The seeds of programs from here on: timers do not go with every delivery model.
constexpr std::uint64_t without_timers = 1000;

template <form Form>
struct machine;

template <form Form>
struct memory {
  int state = 0;
  std::vector<ref<machine<Form>>> known;
};
/// What cannot be copied without more ado.
template <form Form>
struct hidden {
  std::unique_ptr<memory<Form>> content = std::make_unique<memory<Form>>();
  memory<Form>* operator->() { return content.get(); }
  const memory<Form>* operator->() const { return content.get(); }
};
struct disk {
  int written = 0;
};

/// What it does is a function of the seed of the program, of its role, its state and the kind of message.
template <form Form>
struct machine_base {
  std::uint64_t seed = 0;
  int role = 0;
  hidden<Form> inside = {};
};
template <>
struct machine_base<form::copied> {
  struct open : memory<form::copied> {
    memory<form::copied>* operator->() { return this; }
    const memory<form::copied>* operator->() const { return this; }
  };
  std::uint64_t seed = 0;
  int role = 0;
  open inside = {};
};

template <form Form>
struct machine : machine_base<Form> {
  static constexpr bool rebuilt = Form != form::copied;
  int written = 0;  // kept by those that are made anew
  persistent<int> disk_of_copied = 0;

  machine(std::uint64_t program, int as) { this->seed = program, this->role = as; }

  template <class F>
  friend bool inspect(F& f, machine& x) requires(Form == form::copied) {
    return f.object(x).fields(f.field("state", x.inside.state), f.field("known", x.inside.known),
                              f.field("written", x.written), f.field("disk", x.disk_of_copied));
  }
  auto fingerprint() const requires(Form == form::fingerprinted) {
    return std::tuple(this->inside->state, this->inside->known, written);
  }
  std::unique_ptr<machine> clone() const requires(Form == form::cloned) {
    auto copy = std::make_unique<machine>(this->seed, this->role);
    *copy->inside.content = *this->inside.content;
    copy->written = written;
    return copy;
  }
  disk survives() const requires(Form != form::copied) { return {written}; }
  void on_restart(self& me) requires(Form == form::copied) {
    written = disk_of_copied;
    me.note("restarts with " + std::to_string(written));
  }
  void on_restart(self& me, const disk& kept) requires(Form != form::copied) {
    written = kept.written;
    me.note("restarts with " + std::to_string(written));
  }

  void meet(const std::vector<ref<machine>>& all) { this->inside->known = all; }
  void take(self& me, int kind, int fuel) { act(me, kind, fuel); }
  void rang(self& me, int kind) { act(me, kind + 3, 0); }
  bool accepts(handler<&machine::rang>) const { return mixed(this->seed, this->inside->state) % 3 != 0; }
  int ask(int what) {
    this->inside->state = (this->inside->state + what) % 3;
    return this->inside->state;
  }
  void answered(self& me, int value) {
    me.check(value != 2, "an answer is not two");
    this->inside->state = value;
  }

  void act(self& me, int kind, int fuel) {
    const auto rule = mixed(mixed(this->seed, this->role), this->inside->state * 7 + kind);
    const auto count = 1 + rule % 3;
    bool asks = false;
    for (std::uint64_t i = 0; i < count && !asks; ++i) asks = once(me, mixed(rule, i), kind, fuel);
  }
  /// @return whether it waits for an answer
  bool once(self& me, std::uint64_t rule, int kind, int fuel) {
    auto& mine = *this->inside.operator->();
    const auto number = static_cast<int>((rule >> 8) % 3);
    if (mine.known.empty()) return false;
    const auto whom = mine.known[(rule >> 16) % mine.known.size()];
    switch (rule % 12) {
      case 0: mine.state = number; return false;
      case 1: mine.state = (mine.state + kind + 1) % 3; return false;
      case 2: mine.state = static_cast<int>(me.choose(2)); return false;
      case 3: me.check(mine.state != number, "the state is another one"); return false;
      case 4: me.note("in state " + std::to_string(mine.state)); return false;
      case 5:
        written = number;
        if constexpr (Form == form::copied) disk_of_copied = number;
        if (fuel > 0) me.send<&machine::take>(me.me<machine>(), number, fuel - 1);
        return false;
      case 6:
        if (fuel > 0 && this->seed < without_timers) me.after<&machine::rang>(std::chrono::milliseconds(5), number);
        return false;
      case 7:
        if (fuel > 1) mine.known.push_back(me.create<machine>(this->seed, number));
        return false;
      case 8:
        if (fuel == 0 || whom == me.me<machine>()) return false;
        me.call<&machine::ask>(whom, number).template then<&machine::answered>();
        return true;
      default:
        if (fuel > 0) me.send<&machine::take>(whom, number, fuel - 1);
        return false;
    }
  }
};

template <form Form>
struct start_of_program {
  std::uint64_t seed;
  int fuel;

  void test(self& me) {
    std::vector<ref<machine<Form>>> all;
    for (int i = 0; i < 2; ++i) all.push_back(me.create<machine<Form>>(seed, i));
    for (const auto one : all) me.send<&machine<Form>::meet>(one, all);
    for (int i = 0; i < 2; ++i) me.send<&machine<Form>::take>(all[static_cast<std::size_t>(i)], i, fuel);
  }
};

/// All that is seen of an exploration from outside, but for the names of the three forms.
struct seen {
  std::uint64_t executions, blocked, transitions, truncated, actors;
  std::map<std::string, std::uint64_t> outcomes;
  std::vector<std::string> findings;
  std::vector<std::string> schedules;
  std::string stopped_by;
  bool operator==(const seen&) const = default;
};
void PrintTo(const seen& of, std::ostream* out) {
  *out << of.executions << " executions, " << of.blocked << " blocked, " << of.transitions << " transitions, "
       << of.stopped_by << testing::PrintToString(of.outcomes) << testing::PrintToString(of.findings)
       << testing::PrintToString(of.schedules);
}

seen look_at(const exploration& e) {
  seen all{e.executions, e.blocked, e.transitions, e.truncated, e.actors, e.outcomes, {}, {}, e.stopped_by};
  const auto nameless = [](std::string text) {
    for (const std::string form : {"copied", "made_anew", "fingerprinted", "cloned"})
      for (auto at = text.find(form + ">"); at != std::string::npos; at = text.find(form + ">"))
        text.erase(at, form.size() + 1);
    return text;
  };
  for (const auto& f : e.findings) {
    all.findings.push_back(nameless(f.message));
    std::string steps;
    for (const auto& s : f.trace) steps += nameless(s.receiver + "." + s.message) + " ";
    all.schedules.push_back(steps);
  }
  return all;
}

template <form Form>
seen explored(std::uint64_t seed, const options& how) {
  return look_at(explore(make_program(start_of_program<Form>{seed, 2}), how));
}

options by(const std::string& engine) {
  options how;
  how.search.engine = engine;
  how.search.observers = false;
  how.judging.keep_going = true;
  how.judging.minimise = 0;
  how.limits.max_executions = 15;
  how.limits.max_depth = 14;
  how.search.faults.timeouts = 1;
  return how;
}

void expect_no_difference(std::uint64_t seed, const options& how) {
  const auto copied = explored<form::copied>(seed, how);
  EXPECT_THAT(explored<form::made_anew>(seed, how), Eq(copied)) << "seed " << seed;
  EXPECT_THAT(explored<form::fingerprinted>(seed, how), Eq(copied)) << "seed " << seed;
  EXPECT_THAT(explored<form::cloned>(seed, how), Eq(copied)) << "seed " << seed;
}

class RandomRebuiltActors : public testing::TestWithParam<std::string> {};

TEST_P(RandomRebuiltActors, CannotBeToldFromCopiedOnes) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) expect_no_difference(seed, by(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(By, RandomRebuiltActors,
                         testing::Values("exhaustive", "source", "optimal", "persistent", "transdpor", "trust", "dcute",
                                         "random", "pct", "pos", "delay", "round-robin"),
                         [](const auto& of) {
                           auto name = of.param;
                           std::erase(name, '-');
                           return name;
                         });

class RandomRebuiltActorsUnder : public testing::TestWithParam<delivery> {};

TEST_P(RandomRebuiltActorsUnder, CannotBeToldFromCopiedOnes) {
  for (std::uint64_t seed = 100; seed < 102; ++seed) {
    auto how = by("persistent");
    how.search.sleep_sets = true;
    how.search.delivery = GetParam();
    expect_no_difference(seed, how);
  }
}

INSTANTIATE_TEST_SUITE_P(Delivery, RandomRebuiltActorsUnder,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox));

TEST(RandomRebuiltActors, CannotBeToldFromCopiedOnesWhereSendsInterleave) {
  for (auto seed = without_timers; seed < without_timers + 3; ++seed) {
    auto how = by("optimal");
    how.search.delivery = delivery::mailbox_interleaved;
    expect_no_difference(seed, how);
  }
}

/// What does not depend on which worker comes first.
template <form Form>
std::pair<std::uint64_t, std::map<std::string, std::uint64_t>> all_of(std::uint64_t seed, std::uint64_t jobs) {
  auto how = by("optimal");
  how.limits.max_executions = 0;
  how.limits.max_depth = 10;
  how.search.jobs = jobs;
  const auto e = explore(make_program(start_of_program<Form>{seed, 1}), how);
  return {e.executions, e.outcomes};
}

TEST(RandomRebuiltActors, AreTheSameForSeveralWorkers) {
  for (std::uint64_t seed = 600; seed < 603; ++seed) {
    const auto alone = all_of<form::copied>(seed, 1);
    EXPECT_THAT(all_of<form::made_anew>(seed, 3), Eq(alone)) << "seed " << seed;
    EXPECT_THAT(all_of<form::cloned>(seed, 3), Eq(alone)) << "seed " << seed;
  }
}

TEST(RandomRebuiltActors, CrashAndRestartAsCopiedOnesDo) {
  for (std::uint64_t seed = 200; seed < 205; ++seed) {
    auto how = by("optimal");
    how.search.faults.crash = 1;
    how.search.faults.duplicate = seed % 2;
    how.search.faults.lose = 1;
    expect_no_difference(seed, how);
  }
}

TEST(RandomRebuiltActors, AreRepeatedAndTakenBackExactly) {
  for (std::uint64_t seed = 300; seed < 303; ++seed) {
    auto how = by("optimal");
    how.judging.check_determinism = repetition::all;
    how.judging.check_undo = true;
    expect_no_difference(seed, how);
  }
}

TEST(RandomRebuiltActors, HaveTheStatesOfCopiedOnesByTheirFingerprint) {
  for (std::uint64_t seed = 400; seed < 404; ++seed) {
    auto how = by("stateful");
    how.search.observers = std::nullopt;
    how.limits.max_executions = 0;
    how.limits.max_depth = 8;
    const auto copied = explore(make_program(start_of_program<form::copied>{seed, 2}), how);
    const auto made_anew = explore(make_program(start_of_program<form::fingerprinted>{seed, 2}), how);
    EXPECT_THAT(made_anew.states->states, Eq(copied.states->states)) << "seed " << seed;
    EXPECT_THAT(look_at(made_anew).findings, Eq(look_at(copied).findings)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace harrier
