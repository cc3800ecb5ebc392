#pragma once

#include <algorithm>
#include <vector>

#include <harrier/core/system.hpp>

#include "dependence.hpp"

namespace harrier {

/// Deliveries that need not be tried: an earlier sibling covered them, and
/// nothing dependent has happened since. An entry keeps its receiver beside the
/// name, since in another branch the same name may have another one.
///
/// Invariant: every entry is pending, and nothing dependent on it has happened
/// since it fell asleep.
class sleep_set {
public:
  struct entry {
    message_id label;
    actor_id receiver;
    /// Under delivery::mailbox, where draws are told apart: of which message it
    /// is a delivery, and how many of them fell asleep.
    message_id message{};
    std::uint32_t siblings = 1;
    mailbox_set sends_to = mailbox_set::none;
  };

  /// Whether all deliveries of message `m` sleep.
  [[nodiscard]] bool contains(message_id m) const {
    std::uint32_t count = 0;
    for (const auto& e : entries_)
      if ((e.siblings == 1 ? e.label : e.message) == m && ++count == e.siblings) return true;
    return false;
  }
  /// Whether that delivery sleeps.
  [[nodiscard]] bool contains_event(message_id label) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const entry& e) { return e.label == label; });
  }
  void insert(message_id label, actor_id receiver) { entries_.push_back({.label = label, .receiver = receiver}); }
  /// All deliveries of one message.
  void insert(const std::vector<entry>& deliveries) {
    if (deliveries.empty()) return;
    std::erase_if(entries_, [&](const entry& e) { return e.message == deliveries.front().message; });
    for (auto e : deliveries) {
      e.siblings = static_cast<std::uint32_t>(deliveries.size());
      entries_.push_back(e);
    }
  }
  /// Those of `other` that a step `last` does not wake.
  void inherit(const sleep_set& other, const entry& last, const dependence& depends) {
    entries_.clear();
    for (const auto& e : other.entries_)
      if (!depends.between(e, last)) entries_.push_back(e);
  }
  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

private:
  std::vector<entry> entries_;
};

/// The last step, as a sleep set knows it.
inline sleep_set::entry last_step_of(const system& s, dependence& depends) {
  const auto& step = s.step_at(s.step_count() - 1);
  return {.label = step.label,
          .receiver = s.actor_at(step.receiver).id,
          .message = s.message_at(step.message).id,
          .sends_to = depends.sends_of_last_step()};
}

}  // namespace harrier
