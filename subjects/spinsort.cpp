// A pipeline of stages that exist from the start; each keeps one number and hands on as many as the stages behind it
// take.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011, table 3.1.
#include <algorithm>
#include <optional>

#include "entries.hpp"
#include "java_random.hpp"

namespace {

struct stage {
  harrier::ref<stage> next;
  std::int64_t to_hand_on;
  std::optional<int> kept;
  std::optional<int> last_compared;

  void push(harrier::self& self, int value) {
    if (!kept) {
      kept = value;
      return;
    }
    if (to_hand_on == 0) return;
    last_compared = value;
    self.send<&stage::push>(next, std::max(value, *kept));
    kept = std::min(value, *kept);
    --to_hand_on;
  }
};

void sort(harrier::self& self, std::int64_t n) {
  harrier::ref<stage> first;
  for (std::int64_t behind = 0; behind < n; ++behind) first = self.create<stage>(first, behind);
  auto random = harrier::subjects::java_random::seeded(n);
  for (std::int64_t i = 0; i < n; ++i) self.send<&stage::push>(first, random.next_int(1000));
}

}  // namespace

harrier::catalogue_entry harrier::subjects::spinsort() {
  return {"spinsort",
          "a pipeline of given length that sorts as many numbers",
          {{.name = "n", .value = 4, .about = "how many stages and numbers", .least = 1, .greatest = 1000}},
          [](const arguments& given) { return make_program([n = given.number("n")](self& self) { sort(self, n); }); }};
}
