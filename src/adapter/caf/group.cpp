#include "group.hpp"

#include <algorithm>
#include <utility>

namespace harrier::caf_adapter {

bool strand_group::subscribe(caf::strong_actor_ptr who) {
  of_.use_memory_of(strand_);
  if (std::find(members_.begin(), members_.end(), who) == members_.end()) members_.push_back(std::move(who));
  return true;
}

void strand_group::unsubscribe(const caf::actor_control_block* who) {
  of_.use_memory_of(strand_);
  std::erase_if(members_, [&](const caf::strong_actor_ptr& member) { return member.get() == who; });
}

void strand_group::enqueue(caf::strong_actor_ptr sender, caf::message_id id, caf::message content,
                           caf::execution_unit* unit) {
  of_.use_memory_of(strand_);
  for (const auto& member : std::vector<caf::strong_actor_ptr>(members_)) member->enqueue(sender, id, content, unit);
}

}  // namespace harrier::caf_adapter
