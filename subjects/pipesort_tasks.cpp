// A pipeline that sorts, and whose first stages are told meanwhile how much to say: tasks of two kinds.
//
// Source: PSort(numbers, 2) of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for
// Pruning Redundant State-Exploration in Testing", FORTE 2014, table 1. Their program is not printed. PSort(4,1) is
// pipesort.cpp, and PSort(4,2) has 20 = 5 * 4 times as many executions without the selection of tasks, and as many as
// PSort(4,1) with it: as if the first two stages, which take 4 numbers and 3, took one task more each that touches
// nothing that the numbers do. So the stages are there from the beginning here.
//
// What a handler touches is declared: `push` keeps a number, `set_level` keeps a level, and both look at the next
// stage.
#include <algorithm>
#include <optional>

#include "entries.hpp"
#include "java_random.hpp"

namespace {

struct stage {
  harrier::ref<stage> next;
  std::optional<int> kept;
  int log_level = 0;

  void push(harrier::self& self, int value) {
    if (!kept) {
      kept = value;
      return;
    }
    self.send<&stage::push>(next, std::max(value, *kept));
    kept = std::min(value, *kept);
  }
  static harrier::declaration<harrier::reads<&stage::next>, harrier::writes<&stage::kept>> declares(
      harrier::handler<&stage::push>);

  /// Of this stage and those after it, `stages` in all.
  void set_level(harrier::self& self, int level, std::int64_t stages) {
    log_level = level;
    if (stages > 1 && next) self.send<&stage::set_level>(next, level, stages - 1);
  }
  static harrier::declaration<harrier::reads<&stage::next>, harrier::writes<&stage::log_level>> declares(
      harrier::handler<&stage::set_level>);
};

struct source {
  harrier::subjects::java_random random = harrier::subjects::java_random::seeded(9999);
  harrier::ref<stage> first;

  void feed(harrier::self& self, std::int64_t times) {
    if (times == 0) return;
    self.send<&stage::push>(first, random.next_int(1000));
    self.send<&source::feed>(self.me<source>(), times - 1);
  }
};

void sort(harrier::self& self, std::int64_t n, std::int64_t told) {
  harrier::ref<stage> first;
  for (std::int64_t i = 0; i < n; ++i) first = self.create<stage>(first);
  self.send<&source::feed>(self.create<source>(source{.first = first}), n);
  if (told > 0) self.send<&stage::set_level>(first, 1, told);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::pipesort_tasks() {
  return {
      "pipesort-tasks",
      "a pipeline that sorts, and whose first stages are told something else meanwhile",
      {{.name = "n", .value = 4, .about = "how many numbers", .least = 1, .greatest = 1000},
       {.name = "told", .value = 2, .about = "how many stages are told", .least = 0, .greatest = 1000}},
      [](const arguments& given) {
        return make_program([n = given.number("n"), told = given.number("told")](self& self) { sort(self, n, told); });
      }};
}
