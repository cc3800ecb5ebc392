#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/system.hpp>
#include <harrier/ordering/ordering.hpp>

namespace harrier {

/// Actors that are *temporarily stable* first: no pending message of another
/// actor can lead to a message for them. Such an actor can be explored alone:
/// what is there for it is all there will be before it moves, so a reduction
/// that picks it never has to come back for another actor.
///
/// Whether one is, two things tell. Who may know whom is read off the state: from
/// the fields of actors, the arguments of pending messages and, of a handler that
/// waits, all that it received and created and the fields that it began with. And
/// which kinds of messages a handler sends, and which classes it creates, is
/// learnt from each delivery of the whole search; a handler that never ran, or once
/// and did nothing, may send anything to whom it knows. So a stable actor is one *as far as was seen*:
/// a handler may send tomorrow what it never did. That costs executions, never
/// findings, as this is only an ordering.
///
/// @par Source  E. Albert, P. Arenas, M. Gómez-Zamalloa: Actor- and task-selection
///      strategies for pruning redundant state-exploration in testing, FORTE
///      2014, section 4: Definition 2, Theorem 1, Definition 3. Deviations:
///      - S1 Theorem 1 looks for a chain of calls from one pending task to the
///        actor, and for a reference to it in all actors whose class is on the
///        chain. Here messages and references spread together, from the pending
///        messages of all other actors at once, to whoever is known: an actor
///        whose class is on a chain, but whom nobody on it knows, does no harm
///        (most of column H of table 1 is such states). And a reference that one
///        task gives to an actor which another task then makes send does: the
///        theorem does not see that one.
///      - S2 Call chains are learnt, not read from the source, but for handlers that are declared (harrier::sends):
///        what they send at most is known before they ran.
///      - S3 Definition 3 adds a weight for each chain of a task. Here it is one
///        for each task, of a direct call if there is one, times how often what
///        was seen went that way: a level is about the number of messages that are
///        still to come. All messages of a kind that never ran count as one.
///        Without that `pi workers=5` takes 508 executions and not 120: its master
///        rarely stops workers, and each of them always answers.
///      - S4 The text of the paper lets the highest level go first and its example
///        the lowest. The example is right, since a level grows with what may
///        break the stability.
class by_stability final : public ordering {
public:
  /// @param s  in its initial configuration: what the set-up did is learnt.
  explicit by_stability(const system& s);

  /// O(actors with something deliverable * (actors^2 * kinds of messages)) at
  /// worst, and the writing of all states and pending messages.
  void arrange(const system& s, std::vector<message_slot>& deliverable) override;
  [[nodiscard]] bool learns() const override { return true; }
  void learn(const system& s) override { learn_step(s, s.last_step()); }
  void tell(std::vector<statistic>& to) const override;
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;

private:
  using kind = std::size_t;          // of message, by its receiver's class: a place in kinds_
  using class_number = std::size_t;  // of actor
  /// Somebody in the state, by slot, or behind these somebody that handlers may
  /// create: one for each class.
  using somebody = std::size_t;

  struct message_kind {
    class_number receiver;
    std::uint64_t runs = 0;                    // how often its handler was seen to begin
    std::map<kind, std::uint64_t> sends = {};  // and how many of its steps sent that
    std::set<class_number> creates = {};
    bool is_declared = false;  // what it sends at most, which is in `sends`, be it that often or never

    /// Whether what it was seen to do tells what it does: that it did nothing once tells
    /// little, since handlers often do so until they were called often enough.
    [[nodiscard]] bool is_known() const { return is_declared || runs > 1 || !sends.empty() || !creates.empty(); }
    /// How likely it is to send `k`, in ]0, 1]; of one that never ran nobody knows.
    [[nodiscard]] double likelihood(kind k) const;
  };
  /// A set of somebodies, a bit each.
  using people = std::vector<std::uint64_t>;
  /// A pending message of the state.
  struct task {
    actor_slot of;
    kind what;
    people knows;  // its arguments, and whom its receiver knows
  };

  void learn_step(const system& s, std::size_t i);
  kind kind_of(const system& s, message_slot m);
  kind kind_of(const actor_type& receiver, const message_type& type);
  class_number class_of(const actor_type& type);

  void read_state(const system& s);
  /// Adds whom `a`, in the middle of a handler, may know from what that was given and did.
  void add_known_to_handler(const system& s, actor_slot a);
  void add_known_to_message(const system& s, message_slot m, people& to);
  void add_referred(const system& s, people& to) const;

  /// Whether no message for `a` can come from the tasks of others.
  bool is_stable(const system& s, actor_slot a);
  /// `who` has or may get a message of kind `what`, or of an unknown kind.
  void give(somebody who, kind what);
  /// Definition 3: how much there is that may break the stability of `a`.
  double level(actor_slot a);
  /// How likely it is that a message of one kind leads to one for an actor of a class.
  struct chain {
    double direct = 0;    // by its own handler
    double indirect = 0;  // by others
  };
  chain chain_of(kind from, class_number to) const;

  [[nodiscard]] bool is_in(const people& set, somebody who) const { return (set[who / 64] >> (who % 64) & 1U) != 0; }
  static void put_in(people& set, somebody who) { set[who / 64] |= std::uint64_t{1} << (who % 64); }
  static bool add(people& to, const people& more);

  std::map<std::pair<std::uint64_t, std::uint64_t>, kind> kind_numbers_;  // by place in the binary: class, message
  std::vector<message_kind> kinds_;
  std::map<std::uint64_t, class_number> class_numbers_;  // by place in the binary
  std::uint64_t arranged_ = 0;
  std::uint64_t stable_ = 0;

  // The state that is being arranged.
  std::vector<class_number> class_in_state_;  // by somebody
  std::vector<people> knows_;
  std::vector<task> tasks_;
  std::vector<kind> waiting_as_;  // by slot: the handler that waits
  std::vector<actor_id> referred_;
  // What is found to be possible without one actor.
  std::vector<people> may_know_;
  std::vector<std::set<kind>> may_run_;
  std::map<std::pair<kind, class_number>, chain> chains_;
  std::vector<double> levels_;  // by slot; negative: nothing is deliverable to it
};

}  // namespace harrier
