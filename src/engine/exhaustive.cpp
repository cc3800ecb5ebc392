#include <harrier/engine/exhaustive.hpp>

#include <harrier/core/names_in_use.hpp>

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

bool explore_exhaustive(search_context& s) {
  auto& system = s.tested;
  const names_in_use held(system, [](name_keeper&) {});
  alternative next{system.first_deliverable(), 0};
  for (;;) {
    if (next.message == no_message) {
      s.watcher.execution_ended(system);
      do {
        if (system.depth() == 0) return true;
        next = go_back(system);
      } while (next.message == no_message);
    }
    if (s.watcher.stopping()) return false;
    system.deliver(next.message, next.code);
    next = {system.first_deliverable(), 0};
  }
}

}  // namespace harrier
