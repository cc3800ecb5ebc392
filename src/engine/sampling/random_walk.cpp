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

/// See shared_samples.
class random_runs {
public:
  random_runs(search_context& s, const random_options& how) : search_(s), seed_(how.seed) {}
  void operator()(std::uint64_t i) { run_one(search_, sampler(seed_, i)); }

private:
  search_context& search_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<shared_search> share_random(const random_options& how, std::uint64_t most) {
  return std::make_unique<shared_samples<random_runs, random_options>>(how, most);
}

}  // namespace harrier
