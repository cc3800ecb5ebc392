// What several workers who search states have in common, whatever their order: the states seen, by which names actors
// are known, and what all counted.
//
// D1  Contents and states are hashed with the names of actors, which are numbers: the systems have them in common
//     (actor_numbers).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>
#include <harrier/engine/stateful.hpp>

#include "collapsed_set.hpp"
#include "recent_states.hpp"
#include "shared_visited_set.hpp"
#include "state_search.hpp"

namespace harrier {

/// The states seen, by hash or whole. `Visited` is shared_visited_set, or a wrong one.
template <class Visited>
class states_in_common {
public:
  using visit = shared_visited_set::visit;

  explicit states_in_common(const stateful_options& options) : how(options) {}

  /// State `value`, which `pieces` have taken if states are remembered whole, is entered with `asleep` sleeping.
  visit enter(fingerprint value, const state_pieces* pieces, std::uint32_t asleep) {
    const auto found = how.visited == visited_states::exact ? enter_whole(*pieces) : visited_.enter(value, asleep);
    if (found.is_new && how.max_states != 0) new_states_.fetch_add(1, std::memory_order_relaxed);
    return found;
  }
  void expect(fingerprint state) const { visited_.expect(state); }
  [[nodiscard]] bool are_too_many() const {
    return how.max_states != 0 && new_states_.load(std::memory_order_relaxed) >= how.max_states;
  }

  /// @name While nobody enters anything
  /// @{
  void tell(stateful_report& all) const {
    if (how.comparison == state_comparison::none) return;
    if (how.visited == visited_states::exact) {
      all.bytes = whole_.bytes();
    } else {
      all.bytes = visited_.bytes();
      all.expected_misses = visited_set::expected_misses(visited_.size());
    }
  }
  void save(archive_writer& to) const {
    to.list(actors->all(), [&](fingerprint name) { to.hash(name); });
    to.number(new_states_);
    visited_.save(to);
    whole_.save(to);
  }
  /// @pre nothing was entered
  void load(archive_reader& from) {
    std::uint32_t number = 0;
    from.list([&] {
      if (!actors->claim(from.hash(), number++)) throw error("what was written down names an actor twice");
    });
    new_states_ = from.number();
    visited_.load(from);
    whole_.load(from);
  }
  /// @}

  const stateful_options how;
  const std::shared_ptr<actor_numbers> actors = std::make_shared<actor_numbers>();

private:
  visit enter_whole(const state_pieces& pieces) {
    const std::lock_guard lock(guard_);
    return {whole_.insert(pieces), 0};
  }

  Visited visited_;
  std::mutex guard_;
  collapsed_set whole_;
  std::atomic<std::uint64_t> new_states_ = 0;  // counted only where their number is limited
};

/// What is known of states, to one worker of several: in the place of state_search.
template <class Visited>
class state_search_of_worker : protected state_follower {
public:
  state_search_of_worker(search_context& s, states_in_common<Visited>& seen, stateful_report& report)
      : state_follower(s, seen.how, report),
        seen_(seen),
        expects_(!compares_pieces() && how_.comparison != state_comparison::none &&
                 s.tested.order_of_pending() != execution::pending_order::causal) {
    if (compares_pieces()) pieces_.emplace(s.tested, how_);
  }

  void complete_report(growth& all) const { all.join(growth_); }

protected:
  void deliver(message_slot m, std::uint64_t code) {
    state_follower::deliver(m, code);
    if (expects_ && !recent_.has(fingerprint_.value())) seen_.expect(fingerprint_.value());
  }
  void arrive_at_end() {
    const bool is_new = how_.comparison == state_comparison::as_measured || enter(0).is_new;
    note_state(is_new);
    report_.final_states += is_new ? 1 : 0;
    watcher_.execution_ended(system_);
  }
  template <class Asleep>
  state_store::entry arrive_with(bool, Asleep asleep) {
    const auto found = enter(asleep());
    note_state(found.is_new);
    slept_ = found.slept;
    return {found.is_new, &slept_};  // a copy: what is stored is changed already
  }
  [[nodiscard]] bool stopping() const { return watcher_.stopping() || seen_.are_too_many(); }

private:
  [[nodiscard]] bool compares_pieces() const {
    return how_.comparison == state_comparison::canonical || how_.visited == visited_states::exact;
  }

  shared_visited_set::visit enter(std::uint32_t asleep) {
    if (how_.comparison == state_comparison::none) return {true, 0};
    if (pieces_) pieces_->take();
    const auto state = how_.visited == visited_states::exact ? fingerprint{}
                       : pieces_                             ? pieces_->hash()
                                                             : fingerprint_.value();
    const bool is_hashed = how_.visited != visited_states::exact;
    if (is_hashed && recent_.has(state)) return {false, 0};
    const auto found = seen_.enter(state, pieces_ ? &*pieces_ : nullptr, asleep);
    if (is_hashed && (found.is_new ? asleep : found.slept & asleep) == 0) recent_.add(state);
    return found;
  }

  states_in_common<Visited>& seen_;
  std::optional<state_pieces> pieces_;  // written out where hashes of the parts do not do
  recent_states recent_;                // nothing sleeps in them, which stays so
  std::uint32_t slept_ = 0;
  bool expects_;  // what stands for a state costs nothing to know
};

/// What all workers that are done have counted. All of it may be called at once.
class counts_in_common {
public:
  /// @param worker  who counted, and saw things growing
  template <class Worker>
  void add(const stateful_report& counts, const Worker& worker) {
    const std::lock_guard lock(guard_);
    counts_.states += counts.states;
    counts_.final_states += counts.final_states;
    counts_.revisits += counts.revisits;
    counts_.depth = std::max(counts_.depth, counts.depth);
    worker.complete_report(growth_);
  }
  template <class Visited>
  [[nodiscard]] stateful_report report(const states_in_common<Visited>& seen) const {
    const std::lock_guard lock(guard_);
    auto all = counts_;
    seen.tell(all);
    growth_.report(all);
    return all;
  }
  void save(archive_writer& to) const {
    to.hash(beginning_);
    for (const auto n : {counts_.states, counts_.final_states, counts_.revisits, counts_.depth}) to.number(n);
  }
  void load(archive_reader& from) {
    beginning_ = from.hash();
    for (auto* n : {&counts_.states, &counts_.final_states, &counts_.revisits, &counts_.depth}) *n = from.number();
  }
  /// The states that were written down are those of this program, made by this binary.
  /// @throws error  they are not.
  void check_beginning(const system& s, const stateful_options& how) {
    const auto here = state_fingerprint(s, order_kept(s, how), how.gone_actors).value();
    const std::lock_guard lock(guard_);
    if (beginning_ == fingerprint{}) beginning_ = here;
    if (beginning_ != here) throw error("the search is one of another program, or was written down by another binary");
  }

private:
  mutable std::mutex guard_;
  fingerprint beginning_;
  stateful_report counts_;
  growth growth_;
};

/// A search that several workers share, but for what each of them does. `Common` has `seen`, the states_in_common,
/// `unfinished`, an item_pool of what is left, and save() and load().
template <class Common>
class search_in_common : public shared_states {
public:
  [[nodiscard]] bool is_explored() const override { return common_.unfinished.size() == 0; }
  [[nodiscard]] stateful_report report() const override { return counts_.report(common_.seen); }
  void save(archive_writer& to) const override {
    counts_.save(to);
    common_.save(to);
  }
  void load(archive_reader& from) override {
    counts_.load(from);
    common_.load(from);
  }

protected:
  explicit search_in_common(const stateful_options& how) : common_(how) {}

  Common common_;
  counts_in_common counts_;
};

/// A worker of a shared search of states begins. @throws error  it cannot.
template <class Visited>
void join_search_of_states(search_context& s, states_in_common<Visited>& seen, counts_in_common& counts) {
  if (const auto why_not = objection(seen.how, s.tested.model()); !why_not.empty()) throw error(why_not);
  if (!s.tested.names().number_actors_by(seen.actors))
    throw error("the actors of this system have other numbers than those of the others that explore it");
  counts.check_beginning(s.tested, seen.how);
}

}  // namespace harrier
