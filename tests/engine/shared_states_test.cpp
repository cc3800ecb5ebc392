// Engine stateful by several workers, beside the same by one.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/native/program.hpp>
#include <src/engine/alone.hpp>
#include <src/engine/states/shared_stateful.hpp>

#include "../litmus/so_many.hpp"
#include "compare.hpp"
#include "states.hpp"

namespace harrier::differential {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t most_deliveries = 1500;

class dice {
public:
  explicit dice(std::uint64_t seed) : drawn_(static_cast<std::minstd_rand::result_type>(seed + 1)) {}
  unsigned below(std::size_t n) {
    return std::uniform_int_distribution<unsigned>(0, static_cast<unsigned>(n - 1))(drawn_);
  }
  bool one_in(unsigned n) { return below(n) == 0; }

private:
  std::minstd_rand drawn_;
};

/// What a search by several workers showed.
struct shown {
  stateful_report report;
  std::uint64_t transitions = 0, executions = 0;
  std::set<std::string> findings;
  bool is_explored = false;

  void add(const stateful_report& counts) {
    report.states += counts.states;
    report.final_states += counts.final_states;
    report.revisits += counts.revisits;
  }
};

/// Counts, and stops when it is told of something for the n-th time.
class counter final : public observer {
public:
  explicit counter(std::uint64_t stops_after = ~std::uint64_t{0}) : left_(stops_after) {}

  void step_flagged(system& s) override {
    for (const auto& r : s.records_of_last_step()) findings.insert(std::string(to_string(r.kind)) + " " + r.message);
  }
  void poll(system&) override { count_down(); }
  void execution_ended(system&) override {
    ++executions;
    count_down();
  }
  void execution_blocked(system&) override {}

  std::uint64_t executions = 0;
  std::set<std::string> findings;

private:
  void count_down() { stopping_ = stopping_ || --left_ == 0; }

  std::uint64_t left_;
};

/// The same by one worker who shares nothing.
shown by_one(const program& tested, const stateful_options& how) {
  shown all;
  counter watcher;
  const auto s = tested.start();
  s->watch().observe(&watcher);
  s->watch().check_determinism(repetition::off);
  search_context context{*s, watcher};
  all.is_explored = explore_stateful(context, how, all.report);
  all.transitions = s->watch().deliveries();
  all.executions = watcher.executions;
  all.findings = watcher.findings;
  return all;
}

template <class Search>
void write_and_read(std::unique_ptr<Search>& search, const stateful_options& how) {
  std::stringstream file;
  archive_writer to(file);
  search->save(to);
  search = std::make_unique<Search>(how);
  archive_reader from(file);
  search->load(from);
}

/// By up to four workers that take turns, chosen at random; now and then one gives something away, or goes home, or
/// all do, what they have in common is written down, and others go on with it.
template <class Visited>
shown by_turns(const program& tested, const stateful_options& how, std::uint64_t seed) {
  struct employed {
    employed(const program& tested, common_states<Visited>& common, counter& watcher, bool go_on)
        : system(tested.start()) {
      system->watch().observe(&watcher);
      system->watch().check_determinism(repetition::off);
      system->go_on_after_abort(go_on);
      EXPECT_TRUE(system->names().number_actors_by(common.seen.actors));
      context.emplace(search_context{*system, watcher});
      worker.emplace(*context, common, counts);
    }
    system_handle system;
    std::optional<search_context> context;
    stateful_report counts;
    std::optional<state_worker<Visited>> worker;
  };
  dice drawn(seed);
  shown all;
  counter watcher;
  auto common = std::make_unique<common_states<Visited>>(how);
  std::list<employed> workers;
  std::optional<workforce::shift> present(common->unfinished.workers);  // who finds nothing does not wait
  const auto send_home = [&](typename std::list<employed>::iterator who) {
    who->worker->give_all();
    EXPECT_EQ(who->system->depth(), 0U);
    all.add(who->counts);
    all.transitions += who->system->watch().deliveries();
    return workers.erase(who);
  };
  std::uint64_t turns = 0;
  for (;;) {
    if (workers.empty() || (workers.size() < 4 && drawn.one_in(4)))
      workers.emplace_back(tested, *common, watcher, how.sleep_sets);
    const auto next = std::next(workers.begin(), drawn.below(workers.size()));
    for (unsigned i = 1U << drawn.below(6); i > 0; --i) {
      if (next->worker->has_nothing()) {
        unfinished_states left;
        if (!common->unfinished.take(left, *next->context)) break;
        next->worker->take(left);
      } else {
        next->worker->advance();
      }
    }
    if (drawn.one_in(3)) next->worker->give();
    if (drawn.one_in(20)) send_home(next);
    if (drawn.one_in(30)) {
      while (!workers.empty()) send_home(workers.begin());
      present.reset();
      write_and_read(common, how);
      present.emplace(common->unfinished.workers);
    }
    const bool is_over =
        common->unfinished.size() == 0 &&
        std::all_of(workers.begin(), workers.end(), [](const auto& w) { return w.worker->has_nothing(); });
    if (is_over || ++turns > 100 * most_deliveries) break;
  }
  while (!workers.empty()) send_home(workers.begin());
  all.is_explored = common->unfinished.size() == 0;
  present.reset();
  all.executions = watcher.executions;
  all.findings = watcher.findings;
  return all;
}

/// By that many threads; they may stop now and then, all is written down, and as many others go on.
shown by_threads(const program& tested, const stateful_options& how, unsigned workers, std::uint64_t seed, bool stops) {
  dice drawn(seed);
  shown all;
  auto search = share_stateful(how);
  do {
    std::list<counter> watchers;
    std::vector<std::uint64_t> made(workers);
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < workers; ++i) {
        auto& watcher = watchers.emplace_back(stops ? 1 + drawn.below(30) : ~std::uint64_t{0});
        threads.emplace_back([&, i] {
          const auto s = tested.start();
          s->watch().observe(&watcher);
          s->watch().check_determinism(repetition::off);
          search_context context{*s, watcher};
          search->work(context);
          EXPECT_EQ(s->depth(), 0U);
          made[i] = s->watch().deliveries();
        });
      }
    }
    for (const auto& w : watchers) {
      all.executions += w.executions;
      all.findings.insert(w.findings.begin(), w.findings.end());
    }
    for (const auto n : made) all.transitions += n;
    if (!search->is_explored()) {
      std::stringstream file;
      archive_writer to(file);
      search->save(to);
      search = share_stateful(how);
      archive_reader from(file);
      search->load(from);
    }
  } while (!search->is_explored());
  all.report = search->report();
  all.is_explored = true;
  return all;
}

/// In which ways what several workers showed is not what one shows.
std::vector<std::string> differences(const shown& one, const shown& several, bool sleep_sets) {
  std::vector<std::string> lines;
  const auto equal = [&](const char* what, std::uint64_t there, std::uint64_t found) {
    if (there != found) lines.push_back(std::to_string(found) + " " + what + ", not " + std::to_string(there));
  };
  if (!several.is_explored) lines.emplace_back("something is left");
  if (one.findings != several.findings) lines.emplace_back("other findings");
  equal("states", one.report.states, several.report.states);
  equal("final states", one.report.final_states, several.report.final_states);
  if (sleep_sets) return lines;
  equal("deliveries", one.transitions, several.transitions);
  equal("executions", one.executions, several.executions);
  equal("revisits", one.report.revisits, several.report.revisits);
  return lines;
}

struct small_program {
  std::uint64_t seed;
  std::unique_ptr<litmus::random_program> tables;  // of which `tested` is made
  program tested;
};

/// The programs of that kind that are small, and of which each search counts the same states, whatever it meets first.
std::vector<small_program> small(litmus::random_program (*make)(std::uint64_t), std::uint64_t most) {
  std::vector<small_program> all;
  for (std::uint64_t seed = 1; seed <= most; ++seed) try {
      auto tables = std::make_unique<litmus::random_program>(make(seed));
      auto tested = litmus::interpret(*tables);
      const auto there = reach_once(tested, true, comparing::multisets, most_deliveries);
      if (there.complete && there.countable()) all.push_back({seed, std::move(tables), std::move(tested)});
    } catch (const untestable_program&) {
      continue;
    }
  return all;
}

std::vector<stateful_options> ways_of_searching() {
  stateful_options asleep;
  stateful_options awake;
  awake.sleep_sets = false;
  stateful_options big = awake;
  big.steps = step_size::big;
  stateful_options big_asleep = asleep;
  big_asleep.steps = step_size::big;
  return {asleep, awake, big, big_asleep};
}

/// What only threads are tried with: nearest first, and states that are written out.
std::vector<stateful_options> more_ways_of_searching() {
  stateful_options nearest;
  nearest.sleep_sets = false;
  nearest.search = search_order::breadth_first;
  auto whole = nearest;
  whole.visited = visited_states::exact;
  auto whole_by_depth = whole;
  whole_by_depth.search = search_order::depth_first;
  auto renamed = nearest;
  renamed.comparison = state_comparison::canonical;
  auto renamed_by_depth = renamed;
  renamed_by_depth.search = search_order::depth_first;
  return {nearest, whole, whole_by_depth, renamed, renamed_by_depth};
}

/// Wrong: what is read of a state's word is what it was before it was last written, now and then.
class late_words {
public:
  shared_visited_set::visit enter(fingerprint state, std::uint32_t asleep) {
    auto found = visited_.enter(state, asleep);
    auto& last = last_[state];
    if (!found.is_new && last.made_by_two && ++reads_ % 3 == 0) found = last.found;
    last = {found, true};
    return found;
  }
  void expect(fingerprint) const {}
  void save(archive_writer& to) const { visited_.save(to); }
  void load(archive_reader& from) { visited_.load(from); }

private:
  struct entered {
    shared_visited_set::visit found{};
    bool made_by_two = false;
  };
  shared_visited_set visited_;
  std::map<fingerprint, entered> last_;
  unsigned reads_ = 0;
};

TEST(SmallPrograms, AreMany) {
  EXPECT_GT(small(litmus::make_random, 40).size(), 12U);
  EXPECT_GT(small(litmus::make_endless, 40).size(), 12U);
}

template <class Visited>
std::vector<std::string> differences_by_turns(litmus::random_program (*make)(std::uint64_t), std::uint64_t most) {
  std::vector<std::string> all;
  for (const auto& [seed, tables, tested] : small(make, most))
    for (const auto& how : ways_of_searching()) {
      // In big steps what is compared is a matter of the way there.
      if (how.steps == step_size::big) continue;
      const auto lines = differences(by_one(tested, how), by_turns<Visited>(tested, how, seed), how.sleep_sets);
      for (const auto& line : lines)
        all.push_back("seed " + std::to_string(seed) + (how.sleep_sets ? ", asleep: " : ": ") + line);
    }
  return all;
}

TEST(StatesByTurns, OfProgramsThatEndAreThoseOfOneWorker) {
  EXPECT_THAT(differences_by_turns<shared_visited_set>(litmus::make_random, litmus::so_many(75)), IsEmpty());
}

TEST(StatesByTurns, OfEndlessProgramsAreThoseOfOneWorker) {
  EXPECT_THAT(differences_by_turns<shared_visited_set>(litmus::make_endless, litmus::so_many(50)), IsEmpty());
}

TEST(StatesByTurns, AreNotFoundIfWordsAreReadLate) {
  EXPECT_THAT(differences_by_turns<late_words>(litmus::make_random, 30), Not(IsEmpty()));
}

class StatesByThreads : public testing::TestWithParam<unsigned> {};

TEST_P(StatesByThreads, AreThoseOfOneWorker) {
  for (const auto make : {litmus::make_random, litmus::make_endless})
    for (const auto& [seed, tables, tested] : small(make, litmus::so_many(12)))
      for (const auto& how : ways_of_searching()) {
        if (how.steps == step_size::big) continue;
        const auto one = by_one(tested, how);
        EXPECT_THAT(differences(one, by_threads(tested, how, GetParam(), seed, false), how.sleep_sets), IsEmpty())
            << "seed " << seed;
        EXPECT_THAT(differences(one, by_threads(tested, how, GetParam(), seed, true), how.sleep_sets), IsEmpty())
            << "seed " << seed << ", with stops";
      }
}

TEST_P(StatesByThreads, NearestFirstOrWrittenOutAreThoseOfOneWorker) {
  for (const auto make : {litmus::make_random, litmus::make_endless})
    for (const auto& [seed, tables, tested] : small(make, litmus::so_many(8)))
      for (const auto& how : more_ways_of_searching()) {
        const auto one = by_one(tested, how);
        for (const bool stops : {false, true}) {
          const auto several = by_threads(tested, how, GetParam(), seed, stops);
          EXPECT_THAT(differences(one, several, false), IsEmpty()) << "seed " << seed << (stops ? ", with stops" : "");
          if (how.search == search_order::breadth_first) {
            EXPECT_EQ(several.report.depth, one.report.depth) << "seed " << seed;
          }
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Workers, StatesByThreads, testing::Range(1U, 5U));

TEST(BigStepsByThreads, FindTheSame) {
  for (const auto& [seed, tables, tested] : small(litmus::make_random, 40)) {
    const auto how = ways_of_searching()[2];
    const auto one = by_one(tested, how);
    const auto several = by_threads(tested, how, 3, seed, true);
    EXPECT_EQ(one.findings, several.findings) << seed;
    EXPECT_EQ(one.report.final_states, several.report.final_states) << seed;
  }
}

struct child;

/// Remembers in which order it was told of whom.
struct register_of_births {
  std::vector<ref<child>> told;

  void born(ref<child> who) { told.push_back(who); }
};

struct child {
  ref<register_of_births> where;
  int number;

  int age() { return number; }
  void live(self& self) { self.send<&register_of_births::born>(where, self.me<child>()); }
};

/// Creates a child while the exploration runs, asks it for its age, and lets it live.
struct parent {
  ref<register_of_births> where;
  int number;
  int heard = 0;

  task give_birth(self& self) {
    const auto born = self.create<child>(where, number);
    heard = 1 + co_await self.call<&child::age>(born);
    self.send<&child::live>(born);
  }
};

/// Each child is named by its parent alone, but which of them a system meets first is a matter of the way.
struct births {
  int parents;

  void test(self& self) const {
    const auto where = self.create<register_of_births>();
    for (int i = 0; i < parents; ++i) self.send<&parent::give_birth>(self.create<parent>(where, i));
  }
};

TEST(StatesWithActorsCreatedOnTheWay, AreThoseOfOneWorker) {
  const auto tested = make_program(births{4});
  for (const auto& how : ways_of_searching()) {
    if (how.steps == step_size::big) continue;
    const auto one = by_one(tested, how);
    ASSERT_GT(one.report.states, 500U);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      EXPECT_THAT(differences(one, by_turns<shared_visited_set>(tested, how, seed), how.sleep_sets), IsEmpty());
      EXPECT_THAT(differences(one, by_threads(tested, how, 3, seed, true), how.sleep_sets), IsEmpty());
    }
  }
}

TEST(SharedStates, AreNotGoneOnWithInAnotherProgram) {
  stateful_options how;
  const auto tested = make_program(births{2});
  auto search = share_stateful(how);
  counter stops(1);
  const auto s = tested.start();
  s->watch().observe(&stops);
  search_context context{*s, stops};
  search->work(context);
  std::stringstream file;
  archive_writer to(file);
  search->save(to);
  auto other = share_stateful(how);
  archive_reader from(file);
  other->load(from);
  const auto another = make_program(births{3}).start();
  counter watcher;
  search_context there{*another, watcher};

  EXPECT_THROW(other->work(there), error);
}

/// Two threads enter the same states at once, with different deliveries asleep: who is given what.
template <class Visited>
std::uint64_t deliveries_given_to_both_or_nobody(std::uint64_t states) {
  constexpr unsigned threads = 2;
  constexpr unsigned visits = 3;
  Visited visited;
  std::array<std::vector<std::vector<std::uint32_t>>, threads> given;
  std::barrier<> start(threads);
  {
    std::vector<std::jthread> all;
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        dice drawn(t);
        auto& mine = given[t];
        mine.resize(states);
        start.arrive_and_wait();
        for (std::uint64_t i = 0; i < states; ++i)
          for (unsigned v = 0; v < visits; ++v) {
            const auto asleep = drawn.below(std::size_t{1} << 20);
            const auto found = visited.enter(hash_bytes(&i, sizeof i), asleep);
            mine[i].push_back(found.is_new ? ~asleep : found.slept & ~asleep);
          }
      });
  }
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < states; ++i) {
    const auto left = visited.word_of(hash_bytes(&i, sizeof i));
    std::uint32_t seen = left;
    bool twice = false;
    for (const auto& by : given)
      for (const auto bits : by[i]) {
        twice = twice || (seen & bits) != 0;
        seen |= bits;
      }
    wrong += twice || seen != ~std::uint32_t{0} ? 1 : 0;
  }
  return wrong;
}

/// Wrong: a state's word is read before it is locked to be written. Here both threads have always read when one writes.
class early_reads {
public:
  shared_visited_set::visit enter(fingerprint state, std::uint32_t asleep) {
    const auto read = visited_.enter(state, ~std::uint32_t{0});
    both_have_read_.arrive_and_wait();
    visited_.enter(state, read.is_new ? asleep : read.slept & asleep);
    both_have_written_.arrive_and_wait();
    return read;
  }
  std::uint32_t word_of(fingerprint state) { return visited_.enter(state, 0).slept; }

private:
  shared_visited_set visited_;
  std::barrier<> both_have_read_{2}, both_have_written_{2};
};

class right_reads : public shared_visited_set {
public:
  std::uint32_t word_of(fingerprint state) { return enter(state, 0).slept; }
};

TEST(SharedVisitedSet, LeavesEachDeliveryToOneVisit) {
  EXPECT_EQ(deliveries_given_to_both_or_nobody<right_reads>(20'000), 0U);
}

TEST(SharedVisitedSet, IsCaughtIfItReadsBeforeItLocks) {
  EXPECT_GT(deliveries_given_to_both_or_nobody<early_reads>(20), 0U);
}

}  // namespace
}  // namespace harrier::differential
