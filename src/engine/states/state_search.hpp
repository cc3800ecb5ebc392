#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include <harrier/core/dependence.hpp>
#include <harrier/core/raw_stack.hpp>
#include <harrier/engine/stateful.hpp>

#include "growth.hpp"
#include "state_fingerprint.hpp"
#include "state_store.hpp"

namespace harrier {

/// A delivery that can be made in a state, or that sleeps there: by content, so
/// it has no name.
struct candidate {
  std::uint64_t content;
  actor_id receiver;
  message_slot message;
  [[nodiscard]] footprint touched() const { return {receiver}; }
};

/// What searches of states share: the system, what stands for its state, and the
/// counts.
class state_follower {
public:
  state_follower(search_context& s, const stateful_options& how, stateful_report& report)
      : system_(s.tested),
        watcher_(s.watcher),
        depends_(s.tested),
        how_(how),
        report_(report),
        fingerprint_(s.tested, order_kept(s.tested, how), how.gone_actors),
        takes_equal_contents_for_one_(
            (how.comparison == state_comparison::exact || how.comparison == state_comparison::canonical) &&
            how.visited == visited_states::compacted &&
            s.tested.order_of_pending() != execution::pending_order::causal) {}

protected:
  void deliver(message_slot m, std::uint64_t code) {
    system_.deliver(m, code);
    fingerprint_.push();
  }
  /// Takes the last step back. @return the code of the next draws of its
  /// handler, 0 if there are none.
  std::uint64_t go_back() {
    const auto code = system_.next_code();
    system_.undo();
    fingerprint_.pop();
    return code;
  }

  /// What can be delivered, oldest first, one of each content: what deliverable() gives until the next call.
  void list_deliverable() {
    deliverable_.truncate(0);
    auto* const first = deliverable_.push_many(system_.message_count());
    auto* end = first;
    std::uint64_t seen = 0;  // a bit for each content: most that are not there are told from all others by it
    for (auto m = system_.first_deliverable(); m != no_message; m = system_.next_deliverable(m)) {
      const auto content = fingerprint_.content(m);
      const auto bit = std::uint64_t{1} << (content % 64);
      const bool may_be_there = takes_equal_contents_for_one_ && (seen & bit) != 0;
      if (may_be_there && std::any_of(first, end, [&](const candidate& c) { return c.content == content; })) continue;
      seen |= bit;
      *end++ = {content, depends_.foreseen(m).touched.receiver, m};
    }
    deliverable_.truncate(static_cast<std::size_t>(end - first));
  }
  [[nodiscard]] std::span<const candidate> deliverable() const { return {&deliverable_[0], deliverable_.size()}; }

  system& system_;
  observer& watcher_;
  dependence depends_;
  const stateful_options& how_;
  stateful_report& report_;

  state_fingerprint fingerprint_;
  growth growth_;

  void note_state(bool is_new) {
    if (!is_new) {
      ++report_.revisits;
      return;
    }
    ++report_.states;
    growth_.look(system_, report_.states);
  }

private:
  internal::raw_stack<candidate> deliverable_;
  bool takes_equal_contents_for_one_;
};

/// What searches by one worker share besides: the states seen.
class state_search : protected state_follower {
public:
  state_search(search_context& s, const stateful_options& how, stateful_report& report)
      : state_follower(s, how, report),
        store_(make_state_store(how, s.tested)),
        expects_(s.tested.order_of_pending() != execution::pending_order::causal) {}

protected:
  void deliver(message_slot m, std::uint64_t code) {
    state_follower::deliver(m, code);
    if (expects_) [[likely]]
      store_->expect(fingerprint_.value());
  }

  /// The system is in a state in which nothing can be delivered.
  void arrive_at_end() {
    const bool is_new = how_.comparison == state_comparison::as_measured || store_->insert(fingerprint_.value()).is_new;
    note_state(is_new);
    report_.final_states += is_new ? 1 : 0;
    watcher_.execution_ended(system_);
  }
  /// The system is in a state in which something can.
  state_store::entry arrive() {
    const auto found = store_->insert(fingerprint_.value());
    note_state(found.is_new);
    return found;
  }
  /// The same. @param anything_asleep  whether anything sleeps there;
  /// @param asleep  gives the word that stands for it.
  template <class Asleep>
  state_store::entry arrive_with(bool anything_asleep, Asleep) {
    const auto found = arrive();  // the caller changes the word of the state itself
    if (found.is_new && !anything_asleep) store_->settle(fingerprint_.value());
    return found;
  }

  [[nodiscard]] bool stopping() const {
    return watcher_.stopping() || (how_.max_states != 0 && report_.states >= how_.max_states);
  }
  void complete_report(std::uint64_t more_bytes) {
    report_.bytes = store_->bytes() + more_bytes;
    report_.expected_misses = store_->expected_misses();
    growth_.report(report_);
  }

private:
  std::unique_ptr<state_store> store_;
  bool expects_;  // what stands for a state costs nothing to know
};

}  // namespace harrier
