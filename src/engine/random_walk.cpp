#include <harrier/engine/random_walk.hpp>

#include <vector>

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
  return sample_executions(s, how.first, [&](std::uint64_t i) { run_one(s, sampler(how.seed, i)); });
}

}  // namespace harrier
