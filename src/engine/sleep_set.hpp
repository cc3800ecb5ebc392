#pragma once

#include <algorithm>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

/// Deliveries that need not be tried: an earlier sibling covered them, and
/// nothing dependent has happened since. An entry keeps its receiver beside the
/// name, since in another branch the same name may have another one.
///
/// Invariant: every entry is pending, and its receiver has not moved since it
/// fell asleep.
class sleep_set {
public:
  struct entry {
    message_id label;
    actor_id receiver;
  };

  [[nodiscard]] bool contains(message_id label) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const entry& e) { return e.label == label; });
  }
  void insert(message_id label, actor_id receiver) { entries_.push_back({label, receiver}); }
  /// Those of `other` that a step of `receiver` does not wake.
  void inherit(const sleep_set& other, actor_id receiver) {
    entries_.clear();
    for (const auto& e : other.entries_)
      if (e.receiver != receiver) entries_.push_back(e);
  }
  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

private:
  std::vector<entry> entries_;
};

}  // namespace harrier
