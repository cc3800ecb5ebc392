#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/message.hpp>

namespace harrier {

/// What may befall a program on its way, and how often at most: nothing, unless said.
///
/// Each budget is one of a channel (of all that one actor sends to another), or of an actor. (One for the whole program
/// would make all actors dependent on one another; see `in_all`.) What the driver sends begins an execution, and what
/// an actor sends to itself leaves it by no network: both always arrive.
struct faults {
  /// How many messages of a channel may be lost. A lost reply leaves its caller waiting.
  std::uint64_t lose = 0;
  /// How many messages of a channel may arrive twice. A request that does is handled twice and answered once; a reply
  /// never does.
  std::uint64_t duplicate = 0;
  /// How often a channel may be cut: from some message on all are lost, until it is whole again. The other direction
  /// is a channel of its own. Where the program names groups (self::partition), that is how often the network may be
  /// cut between two of them, and no other channel is.
  std::uint64_t partition = 0;
  /// How often an actor may crash. It loses its state, its timers, and what it waits for. One that keeps something
  /// (`persistent`), or has a function `on_restart`, is there again at once; another one stays away.
  std::uint64_t crash = 0;
  /// How many of all these there may be in one execution; 0: as many as the other budgets allow. Executions with more
  /// are begun, and left when there is one too many: it saves less than it seems to.
  std::uint64_t in_all = 0;
  /// How often the timers of an actor may fire in one execution. That is no fault: it bounds programs whose timers are
  /// armed again and again, and the result says where it did.
  std::uint64_t timeouts = 3;
  /// 1: no timer fires before nothing else can be delivered, and then the one that is due first, by a clock that
  /// handlers can read (self::now()). 0: at any moment.
  std::uint64_t earliest_first = 0;

  /// Whether, after the last fault, all comes to rest again: from each end of an execution it is run on as converges()
  /// says, for so many deliveries at most, until nobody waits for a reply and everybody is at rest; 0: that is not
  /// asked.
  std::uint64_t heal = 0;

  /// Whether any fault may happen.
  [[nodiscard]] bool any() const { return lose != 0 || duplicate != 0 || partition != 0 || crash != 0; }
  bool operator==(const faults&) const = default;
};

/// What there is to know of one budget, whoever asks for it, writes it down or tells of it.
struct fault_kind {
  std::string_view name;   ///< of the option, and in JSON: `lose`
  std::string_view about;  ///< `How many messages of each channel ... may be lost`
  std::string_view one;    ///< what is counted, for the verdict: `message lost`
  std::string_view many;   ///< `messages lost`
  std::string_view of;     ///< whose budget it is: `channel`, `actor` or `execution`; else what it is about
  std::uint64_t faults::*budget;
  std::uint64_t unless_said;
};
/// All of them.
std::span<const fault_kind> fault_kinds();

/// What becomes of an actor that crashes.
struct crash_rules {
  bool restarts = false;  ///< at once; else it stays away
  bool keeps = false;     ///< something of its state survives, if it restarts
  bool acts = false;      ///< it does something when it restarts, in which it may crash again
  bool happens = true;    ///< it may crash now
  /// A library ends it: between two steps, not within one, and what it sent to itself is the library's to drop.
  bool by_library = false;
};

/// What became of a message to which something could happen, or of an actor.
///
/// Fates are drawn at the end of the step that sent the message, or that the actor took last, as values of `choose`
/// are, by which every engine, schedule and checkpoint knows them: to lose a message when it is sent or just before it
/// would be delivered makes no difference to any actor, nor does it matter when an actor crashes between two of its
/// steps, and of all those moments this one is there once.
struct fate {
  enum class what : std::uint8_t {
    arrives,  ///< nothing befalls the message
    is_lost,
    comes_twice,
    is_cut_off,  ///< it is the first that is lost because the channel is cut
    stays_cut,   ///< it is lost, since the channel was cut and is not whole yet
    is_whole,    ///< it is the first that arrives again between two groups that were cut off
    goes_on,     ///< nothing befalls the actor
    crashes,
  };
  step_index at;
  /// no_message: it is the fate of an actor.
  message_slot message;
  what drawn;
  /// Of one that comes twice: the second message, which is never taken before the first, since nobody could tell.
  message_slot second = no_message;
  /// Whose fate it is, of an actor: that of the step, or one that it created.
  actor_slot who = 0;
  /// Of a crash in the middle of a step: how much of what the step did came about; else `whole`.
  static constexpr std::uint32_t whole = 0xffffffff;
  std::uint32_t sent = whole;
  std::uint32_t synced = 0;  ///< of a crash in a step: how often it had been seen to that what is kept is kept
  /// Which of the step's draws that was.
  std::uint32_t draw = 0;
  /// Between which two groups the network was cut, or was not, as a number of execution::partitions(), from 1; 0: one
  /// channel was.
  std::uint32_t between = 0;
};

/// Whether the network is cut between two groups in both directions, or only from the first to the second.
enum class cuts : std::uint8_t { both_ways, one_way };

/// Two groups of actors between which the network may be cut.
///
/// All actors see the same cuts: there are moments at which the network is cut and at which it is whole again, and lost
/// is what one group sends the other between these. Of the messages between them each knows a number: how often, on the
/// way to it, the network was found cut and found whole again. It is that of the greatest that its sender knows, or one
/// more where its own fate says something new. That is all there is to it: where no number exceeds twice the budget,
/// the steps can be put in the order of their numbers, and the cuts at their borders.
struct named_partition {
  std::string from;
  std::string to;
  std::vector<actor_slot> left;
  std::vector<actor_slot> right;
  cuts how = cuts::both_ways;
  /// The driver's step that named them.
  step_index said_by = no_step;

  [[nodiscard]] bool is_between(actor_slot sender, actor_slot receiver) const;
};

/// Whether the message of that fate is lost.
constexpr bool loses(fate::what happened) {
  return happened == fate::what::is_lost || happened == fate::what::is_cut_off || happened == fate::what::stays_cut;
}

}  // namespace harrier
