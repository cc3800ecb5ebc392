#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

/// For the steps of an execution, from the last one back: which messages its
/// receiver had, the one that it took among them. Each is known by the step that
/// took it. A step costs O(log of how many they are).
class later_rivals {
public:
  /// One that is still pending was taken by `nobody`.
  static constexpr auto nobody = static_cast<step_index>(-1);
  struct rival {
    message_slot message;
    step_index taken_by;
  };

  /// Where the system is.
  explicit later_rivals(const system& s) : system_(s), by_receiver_(s.actor_count()) {
    for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m))
      by_receiver_[s.message_at(m).receiver].push_back({m, nobody});
    for (auto& all : by_receiver_) std::sort(all.begin(), all.end(), is_younger);
  }

  /// Those of step `f`. Valid until the next call. @pre it was called for each later step.
  std::span<const rival> of(step_index f) {
    const auto& ran = system_.step_at(f);
    if (ran.message == no_message) return {};
    note({ran.message, f});
    const auto& all = by_receiver_[ran.receiver];
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const rival& r) { return r.message >= ran.first_sent; });
    return {first, all.end()};
  }

private:
  static bool is_younger(const rival& a, const rival& b) { return a.message > b.message; }
  /// Going back, what comes next was mostly sent before all that are here.
  void note(const rival& r) {
    auto& all = by_receiver_[system_.message_at(r.message).receiver];
    all.insert(std::upper_bound(all.begin(), all.end(), r, is_younger), r);
  }

  const system& system_;
  std::vector<std::vector<rival>> by_receiver_;  // those sent last first
};

}  // namespace harrier
