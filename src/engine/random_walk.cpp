#include <harrier/engine/random_walk.hpp>

#include <random>
#include <vector>

namespace harrier {
namespace {

using generator = std::mt19937_64;

/// Uniform below n. The standard's distributions differ between libraries; a
/// printed seed must mean the same everywhere.
std::uint64_t below(generator& random, std::uint64_t n) {
  const auto limit = generator::max() - generator::max() % n;
  for (;;)
    if (const auto x = random(); x < limit) return x % n;
}

/// Draws the values of the last step: takes it back and delivers it again with
/// one more digit drawn, until the handler asks for no further one.
void draw_values(system& s, generator& random) {
  std::uint64_t code = 0;
  for (std::size_t drawn = 0;;) {
    const auto choices = s.choices_of(s.step_count() - 1);
    if (drawn >= choices.size()) return;
    const auto& c = choices[drawn++];
    code += below(random, c.arity) * c.scale;
    if (code == s.step_at(s.step_count() - 1).code) continue;
    const auto message = s.step_at(s.step_count() - 1).message;
    s.undo();
    s.deliver(message, code);
  }
}

void run_one(system& s, observer& watcher, generator& random) {
  std::vector<message_slot> deliverable;
  for (;;) {
    deliverable.clear();
    for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) deliverable.push_back(m);
    if (deliverable.empty() || watcher.stopping()) return;
    s.deliver(deliverable[below(random, deliverable.size())]);
    draw_values(s, random);
  }
}

}  // namespace

bool explore_random(system& system, observer& watcher, std::uint64_t seed) {
  for (std::uint64_t i = 0; !watcher.stopping(); ++i) {
    std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                       static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32)};
    generator random(both);
    run_one(system, watcher, random);
    if (system.first_deliverable() == no_message) watcher.execution_ended(system);
    while (system.depth() > 0) system.undo();
  }
  return false;
}

}  // namespace harrier
