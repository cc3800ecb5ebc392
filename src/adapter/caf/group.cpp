#include "group.hpp"

#include <algorithm>
#include <utility>

namespace harrier::caf_adapter {

bool strand_group::subscribe(caf::strong_actor_ptr who) {
  of_.ask(strand_, "joins", [self = caf::intrusive_ptr<strand_group>(this), who = std::move(who)] {
    auto& members = self->members_;
    if (std::find(members.begin(), members.end(), who) == members.end()) members.push_back(who);
  });
  return true;
}

void strand_group::unsubscribe(const caf::actor_control_block* who) {
  of_.ask(strand_, "leaves", [self = caf::intrusive_ptr<strand_group>(this), who] {
    std::erase_if(self->members_, [&](const caf::strong_actor_ptr& member) { return member.get() == who; });
  });
}

void strand_group::enqueue(caf::strong_actor_ptr sender, caf::message_id id, caf::message content,
                           caf::execution_unit* unit) {
  auto shown = caf::make_mailbox_element(sender, id, {}, content);
  const auto kind = of_.kind_of_published(*shown, system());
  of_.ask(
      strand_, kind,
      [self = caf::intrusive_ptr<strand_group>(this), sender, id, content, unit] {
        for (const auto& member : std::vector<caf::strong_actor_ptr>(self->members_))
          member->enqueue(sender, id, content, unit);
      },
      std::move(shown));
}

}  // namespace harrier::caf_adapter
