#pragma once

#include <algorithm>
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
/// its address had to be sent.) Under delivery::mailbox steps that send to one
/// actor are ordered too. Set-up steps come before everything.
///
/// Follows a system along: push after each deliver, pop with each undo.
///
/// Up to `most_rows` steps the past of each is kept as a row of bits: push costs
/// O(steps / 64), a question one load. Longer executions keep vector clocks with
/// one component an actor (the steps of one actor are totally ordered, so
/// component a of a step's clock is the number of a's steps that do not come
/// after it): push costs O(actors), and memory is no longer quadratic.
///
/// @par Source  C. Fidge, F. Mattern (1988); the clocks of macro-steps as in
///      K. Sen, G. Agha: Automated systematic testing of open distributed
///      programs, FASE 2006.
class happens_before {
public:
  /// Rows of bits take most_rows^2 / 8 bytes: 8 MiB.
  static constexpr std::size_t most_rows = 8192;

  /// @param rows  the number of steps from which on clocks are used.
  explicit happens_before(const system& followed, std::size_t rows = most_rows)
      : system_(&followed), base_(static_cast<step_index>(followed.setup_steps())), rows_(rows) {}

  /// Takes in the last step of the system.
  void push() {
    if (!deep_ && count_ == rows_) [[unlikely]]
      go_deep();
    if (deep_) [[unlikely]]
      push_clock(base_ + static_cast<step_index>(count_));
    else
      push_row();
    ++count_;
  }
  /// Forgets the last step taken in.
  void pop() {
    --count_;
    if (deep_) [[unlikely]]
      pop_clock();
  }

  /// Whether explored step `e` happens before step `f`, or is it.
  [[nodiscard]] bool before(step_index e, step_index f) const { return is_explored(f) && explored_before(e, f); }
  /// The same for a step `f` that is known to be explored.
  [[nodiscard]] bool explored_before(step_index e, step_index f) const {
    const auto i = e - base_;
    if (deep_) [[unlikely]]
      return before_by_clock(e, f);
    return (row(f - base_)[i / 64] >> (i % 64) & 1U) != 0;
  }
  /// Whether explored step `e` happens before the sending of `m`.
  [[nodiscard]] bool before_sending(step_index e, message_slot m) const {
    return before(e, system_->message_at(m).sent_by);
  }

  /// Calls `visit(f)` for each explored step f after `e`, in order, that `e`
  /// does not happen before: notdep(e) of the execution.
  template <class Visit>
  void for_each_independent(step_index e, Visit visit) const {
    const auto i = e - base_;
    if (deep_) [[unlikely]] {
      for (auto f = e + 1; f < base_ + count_; ++f)
        if (!before_by_clock(e, f)) visit(f);
      return;
    }
    const auto* word = row(i + 1) + i / 64;
    for (auto f = i + 1; f < count_; ++f, word += words_)
      if ((*word >> (i % 64) & 1U) == 0) visit(base_ + static_cast<step_index>(f));
  }

  /// Prepares precedes_all for the steps from `from` on. O(steps * steps / 64).
  void take_common_past(step_index from) {
    common_from_ = from;
    if (deep_) return;
    common_.assign(words_, ~std::uint64_t{0});
    for (std::size_t f = from - base_; f < count_; ++f)
      for (std::size_t w = 0; w < words_; ++w) common_[w] &= row(f)[w];
  }
  /// Whether explored step `e` happens before each step that take_common_past
  /// was told of; nothing may have been pushed or popped since.
  [[nodiscard]] bool precedes_all(step_index e) const {
    const auto i = e - base_;
    if (!deep_) return (common_[i / 64] >> (i % 64) & 1U) != 0;
    for (auto f = common_from_; f < base_ + count_; ++f)
      if (!before_by_clock(e, f)) return false;
    return true;
  }

private:
  struct clock {
    std::uint32_t first;  // where its components start
    std::uint32_t size;
    std::uint32_t index;  // number of the step among those of its receiver, from 1
  };

  [[nodiscard]] bool is_explored(step_index i) const { return i != no_step && i >= base_; }
  [[nodiscard]] const std::uint64_t* row(std::size_t i) const { return bits_.data() + i * words_; }
  std::uint64_t* row(std::size_t i) { return bits_.data() + i * words_; }

  void push_row() {
    if (count_ >= words_ * 64) [[unlikely]]
      widen();
    const auto f = base_ + static_cast<step_index>(count_);
    const auto& s = system_->step_at(f);
    const auto by = system_->message_at(s.message).sent_by;
    auto* const own = row(count_);
    const auto* const previous = is_explored(s.previous) ? row(s.previous - base_) : none_.data();
    const auto* const sender = is_explored(by) ? row(by - base_) : none_.data();
    for (std::size_t w = 0; w < words_; ++w) own[w] = previous[w] | sender[w];
    if (system_->model() == delivery::mailbox) [[unlikely]]
      for_each_sender_before(f, [&](step_index e) {
        for (std::size_t w = 0; w < words_; ++w) own[w] |= row(e - base_)[w];
      });
    own[count_ / 64] |= std::uint64_t{1} << (count_ % 64);
  }
  /// Calls `visit(e)` for each explored step that was the last before `f` to send to an actor to which `f` sends.
  template <class Visit>
  void for_each_sender_before(step_index f, Visit visit) const {
    for (auto m = system_->step_at(f).first_sent; m < system_->sent_end(f); ++m) {
      const auto before = system_->message_at(m).dead ? no_message : system_->sent_before(m);
      if (before == no_message) continue;
      if (const auto e = system_->message_at(before).sent_by; is_explored(e) && e != f) visit(e);
    }
  }
  void widen();
  void go_deep();
  void push_clock(step_index f);
  void pop_clock();
  [[nodiscard]] bool before_by_clock(step_index e, step_index f) const;

  const system* system_;
  step_index base_;
  std::size_t rows_;
  std::size_t count_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> none_;
  std::vector<std::uint64_t> common_;
  step_index common_from_ = 0;
  bool deep_ = false;
  internal::raw_stack<clock> clocks_;
  internal::raw_stack<std::uint32_t> components_;
};

}  // namespace harrier
