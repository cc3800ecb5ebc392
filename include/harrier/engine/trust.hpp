#pragma once

#include <harrier/engine/search_context.hpp>

namespace harrier {

/// Optimal exploration by revisiting receives: one execution of every execution
/// class, none given up, with memory polynomial in the length of an execution
/// and without sleep sets or wakeup trees.
///
/// Its work items are self-contained and share nothing. It runs each of them
/// from the point where it leaves the one before, so it makes more deliveries
/// than `optimal`; the two count the same executions by different means.
///
/// @return whether the search came to its end.
/// @par Complexity  O(n^3) for an execution of n deliveries.
/// @par Source  M. Kokologiannakis et al.: Truly stateless, optimal dynamic
///      partial order reduction, POPL 2022; C. Enea et al.: Model checking
///      distributed protocols in Must, OOPSLA 2024; for macro-steps.
bool explore_trust(search_context& s);

/// The same for a system under delivery::mailbox, where it is not the receiver
/// alone that decides what it can take. `interleaved` is another system of the
/// same program, under delivery::mailbox_interleaved, where it is: each class of
/// that is run there, and those that are executions under `mailbox` are run in
/// the search's own system and told of; the others are told of as given up. One
/// execution of every class, but not without waste.
///
/// @throws error if the two do not begin in the same configuration.
bool explore_trust_with_mailboxes(search_context& s, system& interleaved);

}  // namespace harrier
