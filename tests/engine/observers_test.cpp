// Observers: deliveries that do nothing commute. What an exploration of every order shows, with the order of those left
// out, is what engine optimal is to run, each class once.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include <src/core/dependence/observing_dependence.hpp>
#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/parts.hpp>

#include "compare.hpp"
#include "mutants.hpp"
#include "turns.hpp"

namespace harrier::differential {
namespace {

using testing::IsEmpty;

struct with_and_without {
  std::uint64_t programs = 0, traces = 0, classes = 0;
  std::vector<std::string> differences;
};

with_and_without compare_seeds(std::uint64_t first, std::uint64_t end, delivery model) {
  with_and_without all;
  for (auto seed = first; seed < end; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto plain = oracle_of(tested, {.model = model});
    const auto told = oracle_of(tested, {.observers = true, .model = model});
    if (!plain || !told) continue;
    ++all.programs;
    all.traces += plain->traces.size();
    all.classes += told->traces.size();
    for (const auto& search : searches_with_observers()) {
      const auto seen = observe(tested, search, ordering_for(seed), much_larger, {.observers = true, .model = model});
      for (const auto& line : differences(*told, search, seen))
        all.differences.push_back("seed " + std::to_string(seed) + ": " + line + "\n" + litmus::to_text(tables));
    }
  }
  return all;
}

struct part {
  delivery model;
  std::uint64_t first, end, programs, traces, classes;

  friend std::ostream& operator<<(std::ostream& out, const part& p) { return out << to_string(p.model); }
};

class ProgramsWithObservers : public testing::TestWithParam<part> {};

TEST_P(ProgramsWithObservers, RunEachObservationalClassOnce) {
  const auto& expected = GetParam();
  const auto all = compare_seeds(expected.first, expected.end, expected.model);
  EXPECT_THAT(all.differences, IsEmpty());
  EXPECT_EQ(all.programs, expected.programs);
  EXPECT_EQ(all.traces, expected.traces);
  EXPECT_EQ(all.classes, expected.classes);
}

// The seeds from 1,030 and 2,220 on have programs in which a guarded message holds others back in its queue in some
// states only.
INSTANTIATE_TEST_SUITE_P(Differential, ProgramsWithObservers,
                         testing::Values(part{delivery::unordered, 1, 121, 61, 4602, 2570},
                                         part{delivery::fifo, 1030, 1151, 65, 3342, 3234},
                                         part{delivery::causal, 2220, 2341, 70, 7894, 7871}),
                         [](const auto& of) { return std::string(to_string(of.param.model)); });

/// The dependence, told so that one thing can be got wrong.
class not_quite : public observing_dependence {
public:
  using observing_dependence::observing_dependence;

protected:
  [[nodiscard]] message_slot message_of(step_index e) const { return system_.step_at(e).message; }
};

class block_hides_the_writer : public not_quite {
public:
  using not_quite::not_quite;
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    const bool is_after_block = !observes(f) && observes(system_.step_at(f).previous);
    not_quite::for_each_race(order, f, [&](step_index e) {
      if (!is_after_block || observes(e)) visit(e);
    });
  }
};

class queues_forgotten : public not_quite {
public:
  using not_quite::not_quite;
  template <class Visit>
  void for_each_predecessor(step_index f, Visit visit) const {
    not_quite::for_each_predecessor(f, [&](step_index e) {
      if (!observes(f) || !observes(e)) visit(e);
    });
    if (!observes(f)) return;
    auto e = system_.step_at(f).previous;
    while (observes(e)) e = system_.step_at(e).previous;
    if (e != no_step) visit(e);
  }
};

/// Messages with the same content are taken for one another (algorithms that compare contents do so).
class twins_interchangeable : public not_quite {
public:
  using not_quite::not_quite;
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    not_quite::for_each_race(order, f, [&](step_index e) {
      const auto& x = system_.message_at(message_of(e));
      const auto& y = system_.message_at(message_of(f));
      if (x.type != y.type || x.type->hash(x.payload) != y.type->hash(y.payload)) visit(e);
    });
  }
};

class what_sends_observes_too : public not_quite {
public:
  using not_quite::not_quite;
  [[nodiscard]] touched_set touched_by_last_step() {
    static_cast<void>(not_quite::touched_by_last_step());
    const auto i = system_.last_step();
    known_[i].observes = known_[i].observes || system_.step_at(i).keeps_state;
    return known_[i].observes ? observed : touched_set::nothing;
  }
};

template <class Wrong>
struct wrong_parts : parts {
  using dependence = Wrong;
  static void deliver(system& s, message_slot m, std::uint64_t code) { mutants::deliver_if_possible(s, m, code); }
  static void deliver_event(system& s, message_id label) { mutants::deliver_event_if_possible(s, label); }
  static void require(bool condition, const char* lemma) { mutants::require_of_mutant(condition, lemma); }
};

template <class Wrong>
search wrong_search(const char* name) {
  return {name, search::promise::optimal, true, [](system& s, observer& watcher, std::string_view ordering) {
            search_context context{s, watcher};
            return search_optimally<wrong_parts<Wrong>>(context, {.ordering = ordering});
          }};
}

/// A branch in which an observer sleeps is nobody's own, and yet nobody begins in it.
template <class Dependence, template <class> class Tree>
class branch_not_begun : public worker_tree<Dependence, Tree> {
  using base = worker_tree<Dependence, Tree>;

public:
  using base::base;
  [[nodiscard]] bool may_begin(typename base::node_id n) const { return this->is_inside() && base::may_begin(n); }
};

template <template <class, template <class> class> class Tree>
search wrong_workers(const char* name) {
  return {name, search::promise::optimal, true, nullptr, search_by_workers<wrong_parts<observing_dependence>, Tree>};
}

struct mistake {
  search wrong;
  delivery model = delivery::unordered;

  friend std::ostream& operator<<(std::ostream& out, const mistake& m) { return out << m.wrong.name; }
};

class Mistakes : public testing::TestWithParam<mistake> {};

TEST_P(Mistakes, AreCaught) {
  const auto& m = GetParam();
  for (std::uint64_t seed = 1000; seed < 2400; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto told = oracle_of(tested, {.observers = true, .model = m.model});
    if (!told || told->executions > 500) continue;
    const auto seen = observe(tested, m.wrong, ordering_for(seed), much_larger, {.observers = true, .model = m.model});
    if (!differences(*told, m.wrong, seen).empty()) return;
  }
  FAIL() << m.wrong.name << " makes no difference";
}

INSTANTIATE_TEST_SUITE_P(Each, Mistakes,
                         testing::Values(mistake{wrong_search<block_hides_the_writer>("block_hides_the_writer"),
                                                 delivery::fifo},
                                         mistake{wrong_search<queues_forgotten>("queues_forgotten"), delivery::fifo},
                                         mistake{wrong_search<twins_interchangeable>("twins_interchangeable")},
                                         mistake{wrong_search<what_sends_observes_too>("what_sends_observes_too")},
                                         mistake{wrong_workers<branch_not_begun>("branch_not_begun")}),
                         [](const auto& of) { return of.param.wrong.name; });

}  // namespace
}  // namespace harrier::differential
