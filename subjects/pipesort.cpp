// A pipeline that sorts: each stage keeps the smallest number it has seen and hands the others on.
//
// Source: M. Gomez-Zamalloa's and E. Albert's PSort, in "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing", FORTE 2014, table 1; its numbers come from java.util.Random(9999).
//
// Channels are no queues here: a number may overtake another on its way, so the pipeline sorts only in the fifo model.
#include <algorithm>
#include <optional>

#include "entries.hpp"
#include "java_random.hpp"

namespace {

struct stage {
  std::optional<int> kept;
  harrier::ref<stage> next;

  void push(harrier::self& self, int value) {
    if (!kept) {
      kept = value;
      return;
    }
    if (!next) next = self.create<stage>();
    self.send<&stage::push>(next, std::max(value, *kept));
    kept = std::min(value, *kept);
  }
};

struct source {
  harrier::subjects::java_random random = harrier::subjects::java_random::seeded(9999);
  harrier::ref<stage> first;

  void feed(harrier::self& self, std::int64_t times) {
    if (times == 0) return;
    if (!first) first = self.create<stage>();
    self.send<&stage::push>(first, random.next_int(1000));
    self.send<&source::feed>(self.me<source>(), times - 1);
  }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::pipesort() {
  return {"pipesort",
          "a pipeline of stages, each of which keeps the smallest number",
          {{.name = "n", .value = 4, .about = "how many numbers", .least = 0, .greatest = 1000}},
          [](const arguments& given) {
            return make_program(
                [n = given.number("n")](self& self) { self.send<&source::feed>(self.create<source>(), n); });
          }};
}
