#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// The dependence of steps where those of one receiver are told apart by trying: two of
/// its messages commute *here*, in the state it is in, if both orders of them leave it in
/// one state and each sends and creates the same in both. Nothing has to be known of
/// handlers for that, nor is anything learnt: in another state they may not.
///
/// So it says what may go on sleeping (sleeps_on), and no more. What races with what, and
/// what happens before what, is decided by the receiver alone, as dependence does: that an order of two
/// deliveries need not be run says nothing about what else one of them must be tried before.
///
/// - Only steps that are a handler from its beginning to its end commute: one that draws,
///   fails, waits for a reply, leaves a note, or ends its actor commutes with none.
/// - Under fifo two steps that send to the same actor do not, under causal those that send: what they
///   sent would be in another order.
///
/// For delivery::unordered, fifo and causal, of a system that shows_changes().
///
/// @par Source  E. Albert, P. Arenas, M. García de la Banda, M. Gómez-Zamalloa, P. Stuckey:
///      Context-sensitive dynamic partial order reduction, CAV 2017; sleep sets with
///      independence in a state: P. Godefroid, D. Pirottin, CAV 1993.
class semantic_dependence : public dependence {
public:
  explicit semantic_dependence(system& s) : dependence(s), system_(s) {}
  virtual ~semantic_dependence() = default;

  /// Whether `asleep`, which slept where the last step of the system was taken, sleeps
  /// after it. Four deliveries, if both have one receiver and the same was not asked
  /// before of the same messages in the same state; the system is as it was afterwards.
  /// @throws system::nondeterminism
  [[nodiscard]] bool sleeps_on(const event& asleep, const event& last) {
    return !between(asleep.touched, last.touched) || commutes_with_last(asleep.label);
  }

  /// How many pairs of messages were tried in a state, and how many of them commuted there.
  void tell(std::vector<statistic>& all) const;

protected:  // for those that are wrong on purpose
  /// Whether the last two steps, of one receiver, may change their places as far as the order of
  /// what they sent goes.
  [[nodiscard]] virtual bool may_send_in_any_order(step_index e, step_index f) const;
  /// What the last two steps did, in whichever order: `first` is the one that was run first at first. Nothing if it
  /// is not known.
  [[nodiscard]] virtual std::vector<fingerprint> effect(step_index first, step_index second) const;
  /// By what a pair is known again: the state before the last step, and both messages. Nothing if that is not known.
  [[nodiscard]] virtual std::vector<fingerprint> signature(step_index last, message_slot asleep) const;

  system& system_;

private:
  /// Pairs of which it is known whether they commute; more are forgotten all at once.
  static constexpr std::size_t most_known = std::size_t{1} << 20U;

  [[nodiscard]] bool commutes_with_last(message_id asleep);
  [[nodiscard]] bool try_both_orders(message_id first, message_id second);
  /// Delivers a message if it can be delivered. @return whether that was a handler that commutes with others.
  [[nodiscard]] bool deliver_plainly(message_id label);

  std::map<fingerprint, bool> known_;
  std::uint64_t tried_ = 0;
  std::uint64_t commuted_ = 0;
};

}  // namespace harrier
