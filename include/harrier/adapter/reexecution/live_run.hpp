#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>

/// What adapters to actor libraries have in common whose actors can neither be
/// copied nor taken back: the program is run from its beginning again wherever a
/// search goes back (docs/adapters.md says how to write one).
namespace harrier::reexecution {

/// A message that was sent.
struct sending {
  std::uint32_t receiver;
  /// What it is called without its arguments, `set`: the same in every run.
  std::string_view kind;
  /// Which others it stays in order with.
  lane in = lane::normal;
  /// It starts its receiver, which takes nothing else before: see rerun_program::eager_starts.
  bool starts = false;
  /// Its receiver may refuse it (live_run::deliver gives false).
  bool may_be_refused = true;
  /// Messages of one step that have the same, not null, were sent in no order: to
  /// the members of a set of addresses, say.
  const void* burst = nullptr;
  /// Its receiver takes it after it has ended, too: something answers for it.
  bool posthumous = false;
  /// If it is posthumous: what answers for it does so in no order with what answers for others that are like that.
  bool in_any_order_then = false;
  /// It is no loss if its receiver has ended.
  bool may_be_left = false;
  /// The running actor sends it to itself, and takes it next, or never: if it takes nothing else that it has got by
  /// now, but for what `comes_from_afar`.
  bool comes_last = false;
  /// Its sender need not have been known to its receiver.
  bool comes_from_afar = false;
  /// Its receiver's queue in which it waits, not 0: what is in one is taken in the order in which it came into it,
  /// except for what is refused then. Executions that no such order gives are left out under delivery::causal
  /// (system::can_be).
  std::uint64_t queue = 0;
  /// It may be taken before what came into that queue earlier and is not urgent.
  bool is_urgent = false;
  /// It comes into that queue at any time after its step has begun, not in the order of what that sends: a timer.
  bool comes_later = false;
  /// Its sender ends, and tells of that. Requests that are in its queue by then are answered before (but see
  /// rerun_program::tells_end_before_it_answers), those that come later are answered at once.
  bool as_sender_ends = false;
  /// All that its step sends came into its queues before anybody took anything of it.
  bool comes_before_all = false;
  /// It goes from one actor to another, and might be lost on the way (rerun_program::can_be_befallen).
  bool may_be_lost = false;
  /// And might arrive twice.
  bool may_come_twice = false;
  /// The queue of whoever gets the answer, if its receiver ends without having taken it, and takes that whenever he
  /// takes anything (but see listener::may_refuse_answers); 0: nobody does.
  std::uint64_t answered_to = 0;
  /// Who ends answers what is like that first, in the opposite order, if it was refused when the last was taken; then
  /// in order what else was fetched; then, in the opposite order, what was not. Otherwise in order.
  bool is_answered_by_place = false;
};

/// Is told what a run does, and gives numbers to actors and messages: the same in
/// each run, and not always the next. Actor 0 is whoever runs the beginning, and
/// need not be told of.
///
/// Nothing of it throws: it may be called from within the library.
class listener {
public:
  virtual ~listener() = default;
  /// There is a new actor. @param name  of its class. @return its number
  virtual std::uint32_t created(std::string_view name) = 0;
  /// The running actor sent that. @return the message's number
  virtual std::uint32_t sent(const sending& what) = 0;
  /// That actor takes nothing more but what is posthumous. Outside of
  /// live_run::go_on it is the running one.
  virtual void ended(std::uint32_t actor) = 0;
  /// The running actor's step failed, and it takes nothing more.
  virtual void failed(record what) = 0;
  /// The same, but it goes on.
  virtual void complained(record what) = 0;
  /// One of `arity` values, at least 1, for the running step.
  virtual std::uint64_t choose(std::uint64_t arity) = 0;
  /// The running step uses memory that several actors share, and for which `actor` stands; 0: all for which nobody
  /// does. Steps that use the same are in order. It has an effect only if rerun_program::seen was told before.
  virtual void touches(std::uint32_t actor) { static_cast<void>(actor); }
  /// The same of memory at which any actor may look unseen.
  virtual void touches_all() {}
  /// The running actor, or another, may refuse an answer that it is owed (sending::answered_to).
  virtual void may_refuse_answers() {}
  /// The running step was made before, in another run: what an adapter has found there by watching what it touches, it
  /// finds here again, and may be spared. Not in every run that repeats something, so that a step that touches
  /// something else when it is repeated is seen.
  [[nodiscard]] virtual bool is_known() const { return false; }
  /// What was seen of the program (seen_of_program::facts) before this search began.
  [[nodiscard]] virtual std::uint32_t facts() const { return 0; }
};

/// Stands for the name of an actor in what live_run::describe gives.
std::string actor_in_text(std::uint32_t actor);

/// One run of the program, from its beginning to wherever it is left. An adapter
/// derives from it; it is made for each execution, so making and destroying one
/// should be cheap.
class live_run {
public:
  /// Leaves the program wherever it is. The listener is told nothing.
  virtual ~live_run() = default;
  /// Runs the program's beginning, up to where only deliveries go on. Called once, first.
  virtual void begin() = 0;
  /// Hands message number `message` to its receiver, and runs it.
  /// @return whether the receiver took it. If not, nothing happened, and the
  ///         message may be handed to it again later.
  virtual bool deliver(std::uint32_t message) = 0;
  /// Message number `message`, which waits, as a person writes it: `set(5)`. Actors in it are
  /// actor_in_text(): what their names are depends on the execution.
  [[nodiscard]] virtual std::string describe(std::uint32_t message) const = 0;

  /// @name A program that goes on by itself once nothing can be delivered
  /// Its timers, or a main function that waited for the others. Unless
  /// overridden it does not.
  /// @{

  /// Whether it does.
  [[nodiscard]] virtual bool goes_on() const { return false; }
  /// It does, up to where only deliveries go on. Whoever acts, it is a step of actor 0.
  virtual void go_on() {}
  /// @}

  /// @name What befalls the step that was run last (rerun_program::can_be_befallen)
  /// What comes of it is part of that step: the listener is told.
  /// @{

  /// Message number `message`, which that step sent, is lost: it will not be handed over.
  virtual void lose(std::uint32_t message) { static_cast<void>(message); }
  /// Message number `message`, which that step sent, arrives twice: the second is sent, and nothing else.
  virtual void send_again(std::uint32_t message) { static_cast<void>(message); }
  /// Whether actor number `actor`, whose step that was, may crash. Depends on what it took alone, not on whether
  /// others have ended it.
  [[nodiscard]] virtual bool may_crash(std::uint32_t actor) const { return static_cast<void>(actor), false; }
  /// It does, and takes nothing more but what is posthumous.
  virtual void crash(std::uint32_t actor) { static_cast<void>(actor); }
  /// @}

  /// What is wrong with the state in which it ended: who waits for what that nobody sends.
  [[nodiscard]] virtual std::vector<record> at_end() const { return {}; }
};

/// A program whose runs `start` makes, always the same.
struct rerun_program {
  std::function<std::unique_ptr<live_run>(listener&)> start = {};
  /// An actor that was created starts before anything else is delivered. If not,
  /// what else can be delivered may come before. A delivery model with mailboxes
  /// starts nobody eagerly.
  bool eager_starts = true;
  /// Its runs may go on by themselves (live_run::goes_on).
  bool may_go_on = false;
  /// The delivery models `mailbox` and `mailbox-interleaved` fit the library. They
  /// know one order of what was sent at once (lane::none, sending::burst).
  bool fits_mailboxes = true;
  /// Its runs know what to do when messages are lost or doubled, and when actors crash; with these, executions are not
  /// left out that no order gives in which messages come into queues (sending::queue): a network is what loses them.
  bool can_be_befallen = false;
  /// Runs have global variables in common, which the program's beginning sets: a run is left before another one of the
  /// same thread begins, and is run again where it is needed.
  bool one_run_at_a_time = false;
  /// Who ends tells of that before it answers the requests in its queue (sending::as_sender_ends); not if it takes
  /// what comes last, sending::comes_last.
  bool tells_end_before_it_answers = false;
  /// An actor fetches what came into its queue (sending::queue) only when it has taken all that it would take of what
  /// it fetched before; if not, whenever it takes something. It takes what is urgent first, of what it has fetched.
  bool fetches_when_nothing_is_left = false;
  /// How the library delivers, for a search that is not told otherwise.
  delivery usual_delivery = delivery::unordered;
  /// Where runs tell that actors share memory (the listener must be told then, too), and what they leave out; may be
  /// null.
  std::shared_ptr<seen_of_program> seen = nullptr;
};

/// The program for a search.
///
/// What a receiver may refuse is tried in runs of their own, once for each past
/// of the receiver and each message. Its systems throw system::nondeterminism
/// where a run does not repeat what an earlier one did: other actors, messages,
/// draws, failures or refusals.
/// @par Cost  of a delivery after going back: all deliveries before it.
program reexecute(rerun_program what);

}  // namespace harrier::reexecution
