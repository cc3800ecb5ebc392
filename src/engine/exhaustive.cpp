#include <harrier/engine/exhaustive.hpp>

namespace harrier {
namespace {

struct alternative {
  message_slot message;
  std::uint64_t code;
};

/// Takes back the last step; what can be tried in its place, or no_message.
alternative go_back(system& s) {
  const auto message = s.step_at(s.step_count() - 1).message;
  const auto code = s.next_code();
  s.undo();
  return code != 0 ? alternative{message, code} : alternative{s.next_deliverable(message), 0};
}

}  // namespace

bool explore_exhaustive(system& system, observer& watcher) {
  alternative next{system.first_deliverable(), 0};
  for (;;) {
    if (next.message == no_message) {
      watcher.execution_ended(system);
      do {
        if (system.depth() == 0) return true;
        next = go_back(system);
      } while (next.message == no_message);
    }
    if (watcher.stopping()) return false;
    system.deliver(next.message, next.code);
    next = {system.first_deliverable(), 0};
  }
}

}  // namespace harrier
