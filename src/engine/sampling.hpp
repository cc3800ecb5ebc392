#pragma once

#include <cstdint>
#include <random>

#include <harrier/core/names_in_use.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>

namespace harrier {

/// The random numbers of one sampled execution. The standard's distributions
/// differ between libraries; a printed seed must mean the same everywhere.
class sampler {
public:
  /// Number `execution` of those of `seed`; it depends on these two alone.
  sampler(std::uint64_t seed, std::uint64_t execution);

  /// Uniform from 0 to n - 1; n is at least 1.
  std::uint64_t below(std::uint64_t n);

private:
  std::mt19937_64 random_;
};

/// Delivers `m` with drawn values, each uniform: takes the step back and makes it
/// again with one more digit drawn, until the handler asks for no further one.
void deliver_drawing(system& s, message_slot m, sampler& random);

/// Samples executions until the watcher stops: `run(i)` runs number i to its end, `first` first,
/// or until the watcher stops, and holds no names after that.
/// @return false, since chance proves nothing, but where nothing can be delivered:
///         that one execution is all there is, and nothing would ever stop it.
template <class Run>
bool sample_executions(search_context& s, std::uint64_t first, Run run) {
  const names_in_use held(s.tested, [](name_keeper&) {});
  for (auto i = first; !s.watcher.stopping(); ++i) {
    run(i);
    if (s.tested.first_deliverable() == no_message) s.watcher.execution_ended(s.tested);
    if (s.tested.depth() == 0) return !s.watcher.stopping();
    while (s.tested.depth() > 0) s.tested.undo();
  }
  return false;
}

}  // namespace harrier
