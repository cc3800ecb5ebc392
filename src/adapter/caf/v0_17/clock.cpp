#include "clock.hpp"

#include <caf/sec.hpp>
#include <caf/system_messages.hpp>
#include <vector>

namespace harrier::caf_adapter {

void clock::add(time_point t, entry e) {
  if (post_ != nullptr) {
    e.posted_as = post_(t, [&e] { happen(e); });
    if (!e.owner && e.timer == 0) return;  // nobody takes it back
    e.target = nullptr;                    // the message alone holds it
  }
  if (post_ == nullptr && waits_ != nullptr) waits_();
  entries_.emplace(t, std::move(e));
}

void clock::happen(entry& e) {
  if (e.wakes)
    e.wakes();
  else if (e.element != nullptr)
    e.target->enqueue(std::move(e.element), nullptr);
  else
    e.group->eq_impl(caf::make_message_id(), e.sender, nullptr, e.content);
}

template <class Pred>
void clock::cancel_if(Pred is_cancelled) {
  std::vector<entry> gone;  // destroyed when the map is whole again
  for (auto i = entries_.begin(); i != entries_.end();) {
    if (!is_cancelled(i->second)) {
      ++i;
      continue;
    }
    if (cancel_ != nullptr) cancel_(i->second.posted_as);
    gone.push_back(std::move(i->second));
    i = entries_.erase(i);
  }
}

void clock::set_ordinary_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type, std::uint64_t id) {
  cancel_ordinary_timeout(self, type);
  add(t,
      entry{.target = self->ctrl(),
            .element = caf::make_mailbox_element(self->ctrl(), caf::make_message_id(), {}, caf::timeout_msg{type, id}),
            .replaced_by_next = std::pair{type, self->id()},
            .owner = self->id()});
}

void clock::set_multi_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type, std::uint64_t id) {
  add(t,
      entry{.target = self->ctrl(),
            .element = caf::make_mailbox_element(self->ctrl(), caf::make_message_id(), {}, caf::timeout_msg{type, id}),
            .owner = self->id()});
}

void clock::set_request_timeout(time_point t, caf::abstract_actor* self, caf::message_id id) {
  add(t, entry{.target = self->ctrl(),
               .element = caf::make_mailbox_element(self->ctrl(), id, {}, caf::make_error(caf::sec::request_timeout)),
               .of_request = std::pair{id, self->id()},
               .owner = self->id()});
}

void clock::cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) {
  cancel_if([&](const entry& e) { return e.replaced_by_next == std::pair{type, self->id()}; });
}

void clock::cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) {
  cancel_if([&](const entry& e) { return e.of_request == std::pair{id, self->id()}; });
}

void clock::cancel_timeouts(caf::abstract_actor* self) {
  cancel_if([&](const entry& e) { return e.owner == self->id(); });
}

void clock::schedule_message(time_point t, caf::strong_actor_ptr receiver, caf::mailbox_element_ptr content) {
  add(t, entry{.target = std::move(receiver), .element = std::move(content)});
}

void clock::schedule_message(time_point t, caf::group target, caf::strong_actor_ptr sender, caf::message content) {
  add(t, entry{.group = std::move(target), .sender = std::move(sender), .content = std::move(content)});
}

void clock::wake_at(time_point t, std::uint64_t name, std::function<void()> wakes) {
  add(t, entry{.wakes = std::move(wakes), .timer = name});
}

void clock::cancel_wake(std::uint64_t name) {
  cancel_if([&](const entry& e) { return e.timer == name; });
}

void clock::go_on() {
  const auto t = entries_.begin()->first;
  if (t > now_) now_ = t;
  while (!entries_.empty() && entries_.begin()->first == t) {
    auto due = std::move(entries_.begin()->second);
    entries_.erase(entries_.begin());
    happen(due);
  }
}

}  // namespace harrier::caf_adapter
