#include <harrier/engine/round_robin.hpp>

namespace harrier {
namespace {

/// The oldest deliverable message of the first actor after `last`, in creation
/// order and around; no_message at the end of the execution.
message_slot next_turn(const system& s, actor_slot last, bool& only_one) {
  message_slot next = no_message;
  const auto turn = [&](message_slot m) {  // 0 for the actor just after `last`
    const auto count = static_cast<actor_slot>(s.actor_count());
    return (s.message_at(m).receiver + count - last % count - 1) % count;
  };
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) {
    if (next != no_message) only_one = false;
    if (next == no_message || turn(m) < turn(next)) next = m;
  }
  return next;
}

}  // namespace

bool explore_round_robin(search_context& s) {
  auto& system = s.tested;
  bool only_one = true;
  actor_slot last = 0;
  while (const auto next = next_turn(system, last, only_one)) {
    if (s.watcher.stopping()) return false;
    system.deliver(next);
    if (system.next_code() != 0) only_one = false;
    last = system.message_at(next).receiver;
  }
  s.watcher.execution_ended(system);
  return only_one;
}

}  // namespace harrier
