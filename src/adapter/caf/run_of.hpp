#pragma once

#include "run.hpp"
#include "threads.hpp"

#define HARRIER_STANDS_FOR(symbol) asm(symbol) __attribute__((visibility("default"), used))

namespace harrier::caf_adapter {

/// The run to which `s` belongs, or null.
inline run* run_of(const caf::actor_system& s) {
  auto* const here = run::current();
  return here != nullptr && here->has(s) ? here : nullptr;
}

/// The same of what an actor does.
inline run* run_of(const caf::abstract_actor& a) {
  auto* const here = run::current();
  return here != nullptr && (here->has(a.home_system()) || here->is_making_system()) ? here : nullptr;
}

/// Whether a thread of the program's own does that with `a`: it is not done, and the run will be refused.
inline bool is_refused(const caf::abstract_actor& a) {
  if (run::current() != nullptr) return false;
  // Such a thread may outlive its run, and so the actor's system.
  if (!threads::is_own() && !run::is_of_some_run(a.home_system())) return false;
  threads::note_use_of_actors();
  return true;
}

}  // namespace harrier::caf_adapter
