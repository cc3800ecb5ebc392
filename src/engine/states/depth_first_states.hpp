// Explicit-state search of actor programs, depth first.
//
// S1 (Godefroid 1996): with each state the sleep set Z is stored with which it
// was entered: everything enabled but not in Z is explored from there. A visit
// with another sleep set Z' explores what slept then and does not now, Z \ Z',
// with Z ∩ Z' asleep, and stores Z ∩ Z'. What was explored at the earlier visit
// must not sleep in the later one: on a cycle it may not be explored yet.
//
// D1  Sleeping deliveries are known by receiver and content, not by name, since
//     a state is reached in many ways. Of pending messages with equal contents
//     one is delivered.
// D2  A stored sleep set is a word of bits over the state's deliverable contents
//     in ascending order. What does not fit (beyond 32) counts as awake.
// D3  A state with one thing to do is not stored in big steps, unless something
//     was drawn on the way there, and but for one in `most_forced`, so that an
//     endless forced run comes back to itself.
// D4  Steps that end an execution end their actor only, if sleep sets are used:
//     see past_aborts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../depth_first.hpp"
#include "state_search.hpp"

namespace harrier {

inline constexpr std::size_t most_forced = 1000;
inline constexpr std::size_t most_stored_asleep = 32;
/// Of so many contents it is cheaper to count the lower ones than to sort.
inline constexpr std::size_t most_counted = 24;

/// `States` says what is known of states: state_search, say.
template <class States>
class depth_first_states : protected States {
public:
  using States::States;

protected:
  using States::arrive_at_end;
  using States::deliver;
  using States::deliverable;
  using States::depends_;
  using States::go_back;
  using States::how_;
  using States::list_deliverable;
  using States::report_;
  using States::system_;

  /// What sleeps in a state and what is to be done there, in this order, is [first, end) of `listed_`.
  struct point {
    std::uint32_t first;
    std::uint32_t next;  // those before it sleep or are done
    std::uint32_t end;
    std::uint32_t forced;  // states before it that were not compared
    std::size_t steps;     // steps that led to it
    std::uint64_t code;    // what the next one draws
  };

  /// The state the system is in is where the search begins.
  void begin() { enter(nullptr); }
  [[nodiscard]] bool is_busy() const { return !points_.empty(); }
  /// One delivery forth, or one state back.
  void advance() {
    const auto& p = points_.back();
    if (p.next < p.end) {
      deliver(listed_[p.next].message, p.code);
      if (!enter(&points_.back())) leave();
    } else {
      pop();
      if (is_busy()) leave();
    }
  }

  /// Takes the last step back; what else can be drawn in it comes next.
  void leave() {
    auto& p = points_.back();
    p.code = go_back();
    if (p.code == 0) ++p.next;
  }

  /// A state is reached from `parent`; whether there is something to do in it: then it is the last point.
  bool enter(const point* parent) {
    const auto first = system_.first_deliverable();
    const bool is_final = first == no_message;
    const bool is_forced = how_.steps == step_size::big && !is_final && parent != nullptr &&
                           system_.next_deliverable(first) == no_message && parent->forced < most_forced &&
                           system_.choices_of(system_.step_count() - 1).empty();
    const auto steps = parent == nullptr ? 0 : parent->steps + (parent->forced == 0 ? 1 : 0);
    report_.depth = std::max<std::uint64_t>(report_.depth, steps);
    if (is_final) {
      arrive_at_end();
      return false;
    }
    if (is_forced) return enter_uncompared(*parent, steps);
    // Where little sleeps most states are met again, and then need no list; where much does it is made while the place
    // of the state in the table comes from memory.
    if (how_.sleep_sets) list_asleep_and_deliverable(parent);
    const auto found = States::arrive_with(asleep_ != 0, [&] { return word_of_asleep(); });
    if (!found.is_new && *found.word == 0) return false;

    if (!how_.sleep_sets) list_asleep_and_deliverable(parent);
    auto& p = push(steps, 0);
    if (!found.is_new)
      sleep_again(p, *found.word);
    else if (asleep_ == 0)
      sort_out(p, [](const candidate&) { return fate::to_be_done; });
    else
      sleep_first_time(p, *found.word);
    return keep_if_busy();
  }

  bool enter_uncompared(const point& parent, std::size_t steps) {
    const auto forced = parent.forced + 1;
    list_asleep_and_deliverable(&parent);
    auto& p = push(steps, forced);
    sort_out(p, [&](const candidate& c) { return sleeps(c) ? fate::asleep : fate::to_be_done; });
    return keep_if_busy();
  }

  void list_asleep_and_deliverable(const point* parent) {
    find_asleep(parent);
    list_deliverable();
  }

  point& push(std::size_t steps, std::uint32_t forced) {
    const auto first = static_cast<std::uint32_t>(listed_.size());
    return points_.push() = {first, first, first, forced, steps, 0};
  }
  void pop() {
    listed_.truncate(points_.back().first);
    points_.pop();
  }
  /// The last point, which is complete, stays if there is something to do.
  bool keep_if_busy() {
    auto& p = points_.back();
    p.end = static_cast<std::uint32_t>(listed_.size());
    if (p.next < p.end) return true;
    pop();
    return false;
  }

  /// Z: what sleeps or was done in the parent, and the last step does not wake.
  /// That is for other receivers than the last step's, which are what they were
  /// and have what they had, so it is still there, under the same slot, and the
  /// first of its content. What else it will touch is not known, so a step that
  /// touches more than its receiver wakes everything: of two that record a part of
  /// a history the order is part of the state.
  void find_asleep(const point* parent) {
    asleep_ = 0;
    if (!how_.sleep_sets || parent == nullptr) return;
    ++now_;
    if (asleep_since_.size() <= system_.message_count()) asleep_since_.resize(2 * system_.message_count() + 1);
    const auto last = depends_.last_event().touched;
    if (last.touches != touched_set::nothing) return;
    for (auto i = parent->first; i < parent->next; ++i)
      if (!depends_.between(listed_[i].touched(), last)) fall_asleep(listed_[i]);
  }
  void fall_asleep(const candidate& c) {
    asleep_since_[c.message] = now_;
    ++asleep_;
  }
  [[nodiscard]] bool sleeps(const candidate& c) const { return asleep_ != 0 && asleep_since_[c.message] == now_; }

  /// What is stored with a state that is entered for the first time.
  std::uint32_t word_of_asleep() {
    if (asleep_ == 0) return 0;
    rank_contents();
    std::uint32_t word = 0;
    for (const auto& c : deliverable())
      if (sleeps(c)) word |= bit_of(c.content);
    return word;
  }

  enum class fate : std::uint8_t { asleep, to_be_done, left };

  /// Puts into the last point what can be delivered in its state.
  template <class FateOf>
  void sort_out(point& p, FateOf fate_of) {
    const auto all = deliverable();
    auto* const first = listed_.push_many(all.size());
    auto* const first_awake = awake_.push_many(all.size());
    auto* asleep = first;
    auto* awake = first_awake;
    for (const auto& c : all) {
      const auto its = fate_of(c);
      if (its == fate::asleep) *asleep++ = c;
      if (its == fate::to_be_done) *awake++ = c;
    }
    p.next = p.first + static_cast<std::uint32_t>(asleep - first);
    asleep = std::copy(first_awake, awake, asleep);
    listed_.truncate(p.first + static_cast<std::size_t>(asleep - first));
    awake_.truncate(0);
  }

  void sleep_first_time(point& p, std::uint32_t& stored) {
    rank_contents();
    sort_out(p, [&](const candidate& c) {
      const auto bit = sleeps(c) ? bit_of(c.content) : 0;
      stored |= bit;
      return bit != 0 ? fate::asleep : fate::to_be_done;
    });
  }

  void sleep_again(point& p, std::uint32_t& stored) {
    rank_contents();
    const auto slept = stored;
    sort_out(p, [&](const candidate& c) {
      const auto bit = bit_of(c.content);
      if ((slept & bit) == 0) return fate::left;  // done at an earlier visit, or being done
      if (sleeps(c)) return fate::asleep;
      stored &= ~bit;
      return fate::to_be_done;
    });
  }

  /// The place of each in the order of contents can be asked for from now on.
  void rank_contents() {
    if (deliverable().size() <= most_counted) return;
    sorted_.clear();
    for (const auto& c : deliverable()) sorted_.push_back(c.content);
    std::sort(sorted_.begin(), sorted_.end());
  }
  [[nodiscard]] std::size_t rank(std::uint64_t content) const {
    const auto all = deliverable();
    if (all.size() > most_counted)
      return static_cast<std::size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), content) - sorted_.begin());
    std::size_t lower = 0;
    for (const auto& c : all) lower += c.content < content ? 1 : 0;
    return lower;
  }
  [[nodiscard]] std::uint32_t bit_of(std::uint64_t content) const {
    const auto place = rank(content);
    return place < most_stored_asleep ? std::uint32_t{1} << place : 0;
  }

  internal::raw_stack<point> points_;
  internal::raw_stack<candidate> listed_;  // of all points, one after the other

private:
  internal::raw_stack<candidate> awake_;
  std::vector<std::uint64_t> asleep_since_;  // by slot: the entry in which it was last found asleep
  std::uint64_t now_ = 0;                    // the number of this entry
  std::size_t asleep_ = 0;                   // how many sleep
  std::vector<std::uint64_t> sorted_;
};

}  // namespace harrier
