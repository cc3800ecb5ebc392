// A test with CAF's own deterministic fixture, in which main decides which messages are dispatched, and harrier the
// order of the others. All that main does is the fixture's, at once and as CAF has it: what it sends waits in the list
// of the fixture, who is launched starts, and who is referred to no more ends. When it lets all be dispatched, that
// list becomes messages of main's, and main waits until nothing can be delivered.
#include <algorithm>
#include <caf/abstract_mailbox.hpp>
#include <caf/intrusive/stack.hpp>
#include <utility>

#include "../naming.hpp"
#include "../opened_member.hpp"
#include "../run.hpp"

namespace harrier::caf_adapter {

struct stash_of_test_tag {
  using type = caf::intrusive::stack<caf::mailbox_element> caf::scheduled_actor::*;
  friend type member(stash_of_test_tag);
};

template struct opened_member<stash_of_test_tag, &caf::scheduled_actor::stash_>;

void run::begin_test() {
  is_test_ = true;
  wait({.what = awaits::rest});
}

void run::launched_directly(caf::scheduled_actor& a, const std::function<void()>& starts) {
  const auto which = add(class_name_of(a));
  auto& s = *strands_[which];
  s.handles = &a;
  s.held = caf::strong_actor_ptr(a.ctrl());
  strands_of_[&a] = which;
  if (!makes_system_) {
    tell(s);
    ends_by_itself(which);
  }
  const auto before = std::exchange(running_, which);
  starts();
  running_ = before;
}

void run::dispatch_directly(caf::scheduled_actor& to, const std::function<void()>& resumes) {
  const auto which = strand_of(to);
  const auto& s = *strands_[which];
  if (!s.aside.empty() || std::any_of(s.inbox.begin(), s.inbox.end(), [this](number n) {
        return letters_[n].is == letter::what::mail && letters_[n].element != nullptr;
      }))
    reject(
        "a single message that a test dispatches to an actor which has skipped another one before, in "
        "dispatch_messages(): it would be shown that again");
  const auto before = std::exchange(running_, which);
  resumes();
  running_ = before;
}

void run::dropped_directly(caf::actor_control_block& a) {
  const auto known = strands_of_.find(a.get());
  if (known == strands_of_.end()) return;
  const auto which = known->second;
  auto& s = *strands_[which];
  if (!is_unreachable(s) || s.pending > 0) return;
  const auto before = std::exchange(running_, which);
  strands_of_.erase(known);
  ghosts_[a.get()] = which;
  s.handles = nullptr, s.blocks = nullptr, s.pool = nullptr;
  s.was_unreachable = !s.has_ended;
  if (!std::exchange(s.has_ended, true) && s.told_as != untold) ended_in_test_.push_back(which);
  auto last = std::move(s.held);
  s.held = nullptr;
  last = nullptr;  // CAF's cleanup runs here
  running_ = before;
}

void run::tell_ends_in_test() {
  for (number i = 1; i < strands_.size(); ++i)
    if (strands_[i]->told_as != untold) settle(i);
  for (const auto which : std::exchange(ended_in_test_, {})) told_.ended(strands_[which]->told_as);
}

std::size_t run::dispatch_all(std::vector<addressed_mail> mail) {
  if (running_ != 0)
    reject("dispatch_messages() in a handler that a test of CAF's deterministic fixture dispatches itself");
  if (!is_going_on_) wait({.what = awaits::rest});  // others end in no other step than one that comes after all
  tell_ends_in_test();
  const auto before = mail_taken_;
  for (number i = 1; i < strands_.size(); ++i) {
    auto* const a = strands_[i]->handles;
    if (a == nullptr) continue;
    std::vector<caf::mailbox_element_ptr> skipped;
    auto& stash = a->*member(stash_of_test_tag{});
    while (auto* const last = stash.pop()) skipped.emplace_back(last);
    for (; !skipped.empty(); skipped.pop_back()) send(*a, std::move(skipped.back()));
  }
  for (auto& m : mail) send(*m.to, std::move(m.element));
  wait({.what = awaits::rest});
  return mail_taken_ - before;
}

}  // namespace harrier::caf_adapter
