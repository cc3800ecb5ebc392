#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// When an execution that has come to its end is a deadlock.
enum class environment : std::uint8_t {
  total,  ///< whatever an idle actor waits for may still come: only an actor blocked in a call is one
  empty,  ///< nothing will come: every actor still alive is one
};

/// What to do with messages left over for actors that are gone.
enum class undelivered : std::uint8_t { ignore, warn, error };

/// By what the end of an execution is judged.
struct end_rules {
  harrier::environment environment = harrier::environment::total;
  /// Replaces `environment` if set: whether `actor` may be left as it is. An actor blocked in a call never may.
  std::function<bool(const system&, actor_slot actor)> may_be_left = nullptr;
  harrier::undelivered undelivered = harrier::undelivered::warn;
};

/// What is said of them in a report and in a trace: `total`, `empty`, or `program` where may_be_left decides.
std::string_view word_for_environment(const end_rules& rules);
/// The rules of which that was said. @param may_be_left  of the program; not looked at unless the word says so.
/// A word that is none of the three is taken for `total`.
end_rules rules_for_environment(std::string_view word,
                                const std::function<bool(const system&, actor_slot)>& may_be_left = nullptr);

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
/// @throws failure_outside_handlers  may_be_left threw
end_of_execution look_at_end(const system& system, const end_rules& rules);

/// The deadlock of `stuck` actors: who waits for whom.
finding describe_deadlock(const system& system, const std::vector<actor_slot>& stuck);

/// One message that nobody will take.
finding describe_undelivered(const system& system, message_slot message);

}  // namespace harrier
