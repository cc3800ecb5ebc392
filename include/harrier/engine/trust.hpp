#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <harrier/core/step.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// A graph that is still to be explored, and with it all that comes of it. It
/// shares nothing with any other and means the same in every system of the
/// program, in every process. One that is empty stands for the whole program.
struct trust_item {
  /// Of a receive (R) or of its sends (W).
  struct event {
    std::uint32_t step;  ///< the macro-step, by its place in `execution`
    bool is_write;       ///< W, else R
    bool operator==(const event&) const = default;
  };
  /// Its macro-steps, in an order in which they can be run.
  schedule execution;
  /// In the order of insertion, which decides what may be revisited.
  std::vector<event> inserted;
  /// The last macro-step's draws are still to be varied.
  bool receive_is_new = false;
  bool operator==(const trust_item&) const = default;
};

/// How several share one exploration.
struct trust_sharing {
  /// Called between two graphs with the number of those that wait, at least 1; returns how
  /// many of the oldest, which have the most to come, are to be given away. Null: none.
  std::function<std::size_t(std::size_t waiting)> between = {};
  /// Where they go. One that is given away is not explored here; it costs a run of
  /// its execution.
  std::function<void(trust_item)> give = {};
};

/// Explores all that comes of `todo`, last first, and leaves there what is left
/// when the watcher stops it: whoever explores that, here or elsewhere, explores
/// the rest, each execution once. Not for delivery::mailbox, nor for programs in stages.
///
/// @param where  where the system was when `todo` was left, and then where it is when it leaves it: what is common to
///               that and the first item counts once, as if nobody had stopped. Null: at the beginning, and whoever
///               goes on begins there.
/// @return whether nothing is left.
/// @throws error if an item is not one of this program; `todo` then still has it.
bool explore_trust(search_context& s, std::vector<trust_item>& todo, const trust_sharing& sharing = {},
                   schedule* where = nullptr);

/// Optimal exploration by revisiting receives: one execution of every execution
/// class, none given up, with memory polynomial in the length of an execution
/// and without sleep sets or wakeup trees.
///
/// Its work items are self-contained and share nothing. It runs each of them
/// from the point where it leaves the one before, so it makes more deliveries
/// than `optimal`; the two count the same executions by different means. Not for
/// delivery::mailbox, nor, by several workers, for programs in stages.
///
/// @par Complexity  O(n^3) for an execution of n deliveries.
/// @par Source  M. Kokologiannakis et al.: Truly stateless, optimal dynamic
///      partial order reduction, POPL 2022; C. Enea et al.: Model checking
///      distributed protocols in Must, OOPSLA 2024; for macro-steps.
std::unique_ptr<shared_search> share_trust(made_by who = made_by::several);

/// share_trust for systems under delivery::mailbox, where it is not the receiver
/// alone that decides what it can take. Each worker has another system of the same
/// program, under delivery::mailbox_interleaved, where it is: each class of that is
/// run there, and those that are executions under `mailbox` are run in the worker's
/// own system and told of; the others are told of as given up. One execution of
/// every class, but not without waste.
///
/// Its work() throws error if the two do not begin in the same configuration.
/// @param start_interleaved  starts a worker's second one, in its thread
std::unique_ptr<shared_search> share_trust_with_mailboxes(std::function<system_handle()> start_interleaved,
                                                          made_by who = made_by::several);

}  // namespace harrier
