#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/raw_stack.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// The happens-before relation of the current execution's explored steps.
///
/// Steps of one receiver are ordered as they were run, and a step comes after
/// the one that sent its message: the least order with that, closed under
/// transitivity. (A created actor's first step comes after its creation because
/// its address had to be sent.) Kept as vector clocks with one component an
/// actor, since the steps of one actor are totally ordered: component a of a
/// step's clock is the number of a's steps that do not come after it.
///
/// Follows a system along: push after each deliver, pop with each undo.
/// Set-up steps come before everything. push costs O(actors), the questions O(1).
///
/// @par Source  C. Fidge, F. Mattern (1988); the clocks of macro-steps as in
///      K. Sen, G. Agha: Automated systematic testing of open distributed
///      programs, FASE 2006.
class happens_before {
public:
  explicit happens_before(const system& followed)
      : system_(&followed), base_(static_cast<step_index>(followed.setup_steps())) {}

  /// Takes in the last step of the system.
  void push() {
    const auto f = static_cast<step_index>(system_->step_count() - 1);
    const auto& s = system_->step_at(f);
    const auto by = system_->message_at(s.message).sent_by;
    auto& e = events_.push();
    e.clock = static_cast<std::uint32_t>(components_.size());
    e.size = static_cast<std::uint32_t>(s.first_created);  // actors there were before it
    for (std::uint32_t a = 0; a < e.size; ++a) components_.push() = 0;
    e.index = 1;
    if (is_explored(s.previous)) {
      join(e, events_[s.previous - base_]);
      e.index = events_[s.previous - base_].index + 1;
    }
    if (is_explored(by)) join(e, events_[by - base_]);
    components_[e.clock + s.receiver] = e.index;
  }
  /// Forgets the last step taken in.
  void pop() {
    components_.truncate(events_.back().clock);
    events_.pop();
  }

  /// Whether explored step `e` happens before step `f`, or is it.
  [[nodiscard]] bool before(step_index e, step_index f) const {
    return is_explored(f) && known(f, system_->step_at(e).receiver) >= events_[e - base_].index;
  }
  /// Whether explored step `e` happens before the sending of `m`.
  [[nodiscard]] bool before_sending(step_index e, message_slot m) const {
    return before(e, system_->message_at(m).sent_by);
  }
  /// How many steps of `a` do not come after explored step `f`.
  [[nodiscard]] std::uint32_t known(step_index f, actor_slot a) const {
    const auto& e = events_[f - base_];
    return a < e.size ? components_[e.clock + a] : 0;
  }
  /// Number of explored step `e` among the explored steps of its receiver, from 1.
  [[nodiscard]] std::uint32_t index(step_index e) const { return events_[e - base_].index; }

private:
  struct event {
    std::uint32_t clock;  // where its components start
    std::uint32_t size;
    std::uint32_t index;
  };
  [[nodiscard]] bool is_explored(step_index i) const { return i != no_step && i >= base_; }
  void join(const event& into, const event& from) {
    for (std::uint32_t a = 0; a < from.size; ++a)
      if (components_[from.clock + a] > components_[into.clock + a])
        components_[into.clock + a] = components_[from.clock + a];
  }

  const system* system_;
  step_index base_;
  internal::raw_stack<event> events_;
  internal::raw_stack<std::uint32_t> components_;
};

}  // namespace harrier
