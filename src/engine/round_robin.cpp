#include <harrier/engine/round_robin.hpp>

#include <harrier/core/archive.hpp>

#include "take_again.hpp"

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

/// Where the search is: what else it needs is in the execution.
struct place {
  bool only_one = true;  // nothing else could have been done so far
  actor_slot last = 0;
};

/// @return whether the execution came to its end.
bool run_to_end(search_context& s, place& p) {
  auto& system = s.tested;
  while (const auto next = next_turn(system, p.last, p.only_one)) {
    if (s.watcher.stopping()) return false;
    system.deliver(next);
    if (system.next_code() != 0) p.only_one = false;
    p.last = system.message_at(next).receiver;
  }
  s.watcher.execution_ended(system);
  return true;
}

class shared_round_robin final : public shared_search {
public:
  void work(search_context& s) override {
    if (has_ended_) return;
    take_again(s.tested, path_, [] {});
    has_ended_ = run_to_end(s, at_);
    path_ = s.tested.current_schedule();
    while (s.tested.depth() > 0) s.tested.undo();
  }
  [[nodiscard]] bool is_explored() const override { return has_ended_ && at_.only_one; }
  void save(archive_writer& to) const override {
    to.deliveries(path_);
    to.flag(has_ended_);
    to.flag(at_.only_one);
    to.number(at_.last);
  }
  void load(archive_reader& from) override {
    path_ = from.deliveries();
    has_ended_ = from.flag();
    at_.only_one = from.flag();
    at_.last = static_cast<actor_slot>(from.number());
  }

private:
  schedule path_;
  bool has_ended_ = false;
  place at_;
};

}  // namespace

std::unique_ptr<shared_search> share_round_robin() { return std::make_unique<shared_round_robin>(); }

}  // namespace harrier
