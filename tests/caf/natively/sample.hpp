#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../both_versions.hpp"

/// Small CAF programs, run by CAF itself and by harrier. Each says what its actors heard; what CAF lets them hear,
/// harrier must find, and what harrier finds, CAF must be able to do.
namespace natively {

/// What the actors of one run heard. Each writes its own part, so that how they are interleaved does not show, and
/// without what harrier could see: who writes here is not ordered by it.
class heard {
public:
  /// `what` happened to `who`.
  void note(const std::string& who, const std::string& what);
  /// `a: 1 2; b: 3`
  [[nodiscard]] std::string all() const;

private:
  struct lock;
  mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::map<std::string, std::string> parts_;
};

/// A delay of random length; within harrier nothing.
void jitter();

/// Delays what follows by CAF, if `chance` says so: the seed of the run, by which a run can be made likelier.
/// @param run  one above 0; 0: no delays from now on
void delay_by(std::uint64_t run);

using both::stop_atom;

/// Notes after a delay what happened to `who`, and ends `self` after so many times.
std::function<void(const std::string& what)> noting(caf::event_based_actor* self, heard* all, std::string who,
                                                    int most);
/// Notes numbers, and ends after so many.
caf::behavior listener(caf::event_based_actor* self, heard* all, int most);

using body = void (*)(caf::actor_system&, heard&);

struct sample {
  std::string name;
  body runs;
  /// Its outcomes have to do with when timers come.
  bool has_timers = false;
  /// What harrier says it leaves out of it, or a part of that.
  std::string not_covered = {};
};

using samples = std::vector<sample>;

samples of_pools_and_groups();
samples of_priorities_and_skips();
samples of_waiting();
samples of_ends();
samples of_requests();
samples of_timers();
samples of_caf_1();

/// All of them.
samples all_samples();

/// One run by CAF itself. @param run  as of delay_by
std::string run_by_caf(const sample& s, std::uint64_t run);

/// The outcomes of all executions; what harrier found is in `findings`.
struct explored_outcomes {
  std::set<std::string> outcomes;
  std::set<std::string> findings;
  std::string stopped_by;
  std::uint64_t executions = 0;
};
explored_outcomes explore_by(const std::string& engine, const sample& s);

}  // namespace natively
