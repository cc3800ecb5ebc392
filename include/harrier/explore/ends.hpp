#pragma once

#include <optional>
#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What is wrong with the end of an execution, if nothing more can be delivered
/// and no step ended it.
struct end_of_execution {
  /// Actors that may not be left as they are.
  std::vector<actor_slot> stuck;
  /// Messages to actors that are gone.
  std::vector<message_slot> undelivered;
};

/// Looks at the end at which `system` is. O(actors + pending messages); O(1)
/// for an end with nothing pending and nobody waiting in a total environment.
end_of_execution look_at_end(const system& system, const options& how);

/// The deadlock of `stuck` actors: who waits for whom.
finding describe_deadlock(const system& system, const std::vector<actor_slot>& stuck);

/// One message that nobody will take.
finding describe_undelivered(const system& system, message_slot message);

}  // namespace harrier
