#include <harrier/engine/random_walk.hpp>

#include <vector>

#include <harrier/core/names_in_use.hpp>

#include "sampling.hpp"

namespace harrier {
namespace {

void run_one(search_context& s, sampler random) {
  std::vector<message_slot> deliverable;
  for (;;) {
    deliverable.clear();
    for (auto m = s.tested.first_deliverable(); m != no_message; m = s.tested.next_deliverable(m))
      deliverable.push_back(m);
    if (deliverable.empty() || s.watcher.stopping()) return;
    deliver_drawing(s.tested, deliverable[random.below(deliverable.size())], random);
  }
}

}  // namespace

bool explore_random(search_context& s, const random_options& how) {
  const names_in_use held(s.tested, [](name_keeper&) {});
  for (std::uint64_t i = 0; !s.watcher.stopping(); ++i) {
    run_one(s, sampler(how.seed, i));
    if (s.tested.first_deliverable() == no_message) s.watcher.execution_ended(s.tested);
    while (s.tested.depth() > 0) s.tested.undo();
  }
  return false;
}

}  // namespace harrier
