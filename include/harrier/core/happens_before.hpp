#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <harrier/core/execution.hpp>
#include <harrier/core/raw_stack.hpp>

namespace harrier {

/// What every dependence orders: the steps of one receiver as they were run, and
/// a step after the one that sent its message. (A created actor's first step
/// comes after its creation because its address had to be sent.)
struct causality {
  const execution& of;

  /// Calls `visit(e)` for steps e, set-up steps among them, such that all that
  /// happens before step `f` is or happens before one of them.
  template <class Visit>
  void for_each_predecessor(step_index f, Visit visit) const {
    const auto& s = of.step_at(f);
    if (s.previous != no_step) visit(s.previous);
    if (const auto by = of.message_at(s.message).sent_by; by != no_step) visit(by);
  }
};

/// The happens-before relation of the current execution's explored steps: the
/// least order in which a step comes after its predecessors, closed under
/// transitivity. What the predecessors are says whoever pushes: a dependence,
/// or causality alone. Set-up steps come before everything.
///
/// Follows a system along: push after each deliver, pop with each undo.
///
/// Up to `most_rows` steps the past of each is kept as a row of bits: push costs
/// O(steps / 64), a question one load. Longer executions keep vector clocks with
/// one component an actor (the steps of one actor are totally ordered, so
/// component a of a step's clock is the number of a's steps that do not come
/// after it). A clock is a tree of which most is its predecessors': push costs
/// O(log actors) where one predecessor comes after the others, and never more than
/// O(actors); a question costs O(log actors). A relation in which steps of one
/// receiver are not all ordered has no such clocks; it may be kept in rows only.
///
/// @par Source  C. Fidge, F. Mattern (1988); the clocks of macro-steps as in
///      K. Sen, G. Agha: Automated systematic testing of open distributed
///      programs, FASE 2006.
class happens_before {
public:
  /// Rows of bits take most_rows^2 / 8 bytes: 8 MiB.
  static constexpr std::size_t most_rows = 8192;

  /// @param rows  the number of steps from which on clocks are used.
  explicit happens_before(const execution& followed, std::size_t rows = most_rows)
      : execution_(&followed), base_(static_cast<step_index>(followed.setup_steps())), rows_(rows) {}

  /// How many parts of clocks are kept, each of at most 8 components.
  [[nodiscard]] std::size_t parts_of_clocks() const { return parts_.size(); }

  /// Takes in the last step of the execution.
  /// @param order  what says which steps come just before it: see causality.
  template <class Order>
  [[gnu::always_inline]] void push(const Order& order) {  // a search does hardly anything more often
    if (!deep_ && count_ == rows_) [[unlikely]]
      go_deep(order);
    if (deep_) [[unlikely]]
      push_clock(base_ + static_cast<step_index>(count_), order);
    else
      push_row(order);
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
    return before(e, execution_->message_at(m).sent_by);
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
    const auto bit = std::uint64_t{1} << (i % 64);
    const auto* word = row(i + 1) + i / 64;
    if (words_ == 1) [[likely]] {  // the same loop with nothing to look up in it
      auto f = e + 1;
      for (const auto* const end = row(count_); word < end; ++word, ++f)
        if ((*word & bit) == 0) visit(f);
      return;
    }
    for (auto f = i + 1; f < count_; ++f, word += words_)
      if ((*word & bit) == 0) visit(base_ + static_cast<step_index>(f));
  }

  /// Prepares precedes_all for the steps from `from` on. O(steps * steps / 64).
  void take_common_past(step_index from) {
    common_from_ = from;
    if (deep_) return;
    common_.assign(words_, ~std::uint64_t{0});
    for (std::size_t w = 0; w < words_; ++w) {
      auto& common = common_[w];
      for (const auto* word = row(from - base_) + w; word < row(count_); word += words_) common &= *word;
    }
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
  static constexpr std::uint32_t bits = 3;  // of an actor's slot, by level of a clock's tree
  static constexpr std::uint32_t width = 1U << bits;
  /// A part of a clock: components at the lowest level, places of other parts above. What is before the first actor's
  /// first step, and what is not there, is 0.
  struct part {
    std::uint32_t at[width];
  };
  /// Of actors 0 to 8^levels - 1; `levels` is at least 1.
  struct clock {
    std::uint32_t root;
    std::uint32_t levels;
    std::uint32_t index;         // number of the step among those of its receiver, from 1
    std::uint32_t parts_before;  // how many parts there were before it
  };

  [[nodiscard]] bool is_explored(step_index i) const { return i != no_step && i >= base_; }
  [[nodiscard]] const std::uint64_t* row(std::size_t i) const { return bits_.data() + i * words_; }
  std::uint64_t* row(std::size_t i) { return bits_.data() + i * words_; }

  template <class Order>
  [[gnu::always_inline]] void push_row(const Order& order) {
    if (count_ >= words_ * 64) [[unlikely]]
      widen();
    auto* const own = row(count_);
    if (words_ == 1) [[likely]] {
      std::uint64_t past = std::uint64_t{1} << count_;
      order.for_each_predecessor(base_ + static_cast<step_index>(count_), [&](step_index e) {
        if (e >= base_) past |= bits_[e - base_];
      });
      *own = past;
      return;
    }
    for (std::size_t w = 0; w < words_; ++w) own[w] = 0;
    order.for_each_predecessor(base_ + static_cast<step_index>(count_), [&](step_index e) {
      if (e < base_) return;
      const auto* const other = row(e - base_);
      for (std::size_t w = 0; w < words_; ++w) own[w] |= other[w];
    });
    own[count_ / 64] |= std::uint64_t{1} << (count_ % 64);
  }
  template <class Order>
  void push_clock(step_index f, const Order& order) {
    begin_clock();
    order.for_each_predecessor(f, [&](step_index e) {
      if (e >= base_) join_clock(e);
    });
    end_clock(f);
  }
  /// From rows to clocks, until the search is back at the start.
  template <class Order>
  void go_deep(const Order& order) {
    deep_ = true;
    for (std::size_t i = 0; i < count_; ++i) push_clock(base_ + static_cast<step_index>(i), order);
  }
  void begin_clock();
  void join_clock(step_index e);
  void end_clock(step_index f);
  [[nodiscard]] std::uint32_t add_part(const part& p);
  [[nodiscard]] std::uint32_t joined(std::uint32_t x, std::uint32_t y, std::uint32_t level);
  [[nodiscard]] std::uint32_t raised(std::uint32_t root, std::uint32_t from, std::uint32_t to);
  [[nodiscard]] std::uint32_t with_component(std::uint32_t x, std::uint32_t level, actor_slot a, std::uint32_t value);
  void widen();
  void pop_clock();
  [[nodiscard]] bool before_by_clock(step_index e, step_index f) const;

  const execution* execution_;
  step_index base_;
  std::size_t rows_;
  std::size_t count_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> common_;
  step_index common_from_ = 0;
  bool deep_ = false;
  internal::raw_stack<clock> clocks_;
  internal::raw_stack<part> parts_;  // a clock's are pushed with it; number 0 is all that is 0
};

}  // namespace harrier
