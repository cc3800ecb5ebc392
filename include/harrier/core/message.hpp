#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <harrier/core/accesses.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/identity.hpp>
#include <harrier/core/value_bytes.hpp>

namespace harrier {

class actor_type;
class system;
struct step;

/// A message's place in the current execution: messages are numbered from 1 in
/// the order in which they were sent, delivered ones included. The same message
/// may have another slot in another interleaving (its message_id stays).
using message_slot = std::uint32_t;

/// An actor's place in the current execution: its number in creation order,
/// from 0 (the driver).
using actor_slot = std::uint32_t;

/// Number of a step in the current execution, from 0, set-up steps included.
using step_index = std::uint32_t;

/// No message: what iteration over the cloud ends with.
inline constexpr message_slot no_message = 0;
/// No step; as a point in time: after all of them, now.
inline constexpr step_index no_step = 0xffffffff;

/// What kind of transition a step is. More may be appended: whoever shows or
/// counts steps asks is_visible, and nobody compares with the last one.
enum class step_kind : std::uint8_t {
  delivery,     ///< a handler takes a message of the program
  machinery,    ///< how a delivery model moves messages; nothing of the program's
  environment,  ///< something that befalls its receiver, and that no actor asked for
  stage,        ///< the driver goes on when its time has come; nobody sent that (stages.hpp)
  timeout,      ///< a timer that its receiver armed fires
};

/// Whether a person sees such steps, and the messages that lead to them.
constexpr bool is_visible(step_kind kind) { return kind != step_kind::machinery; }

/// A delivery model keeps messages between two actors in order only within one lane.
enum class lane : std::uint8_t {
  normal,
  urgent,  ///< they may overtake what is in the other; that never overtakes them
  none,    ///< in order with nothing
  timer,   ///< what a timer sends: behind all that was sent before it was armed, and before nothing
};

/// What kind of message it is: how to deliver it, go back, and show it.
///
/// One immutable object per kind, written by the adapter (a handler of a native
/// actor, a reply, a CAF message, an action of a protocol). `payload` below is
/// the message's arguments, shared and never changed once sent.
class message_type {
public:
  /// Runs the receiver's macro-step. Sends by system::post; leaves in `step`
  /// what undo needs. Never throws for what the program under test does.
  virtual void deliver(system& system, step& step) const = 0;

  /// Puts the receiver back into its state before `step`, exactly.
  virtual void undo(system& system, step& step) const = 0;

  /// Ends the life of a payload; needed only if has_payload_to_destroy().
  virtual void destroy(void* payload) const = 0;

  /// How large a payload is, and how it is aligned. Of 0 bytes: there is none, or it cannot be copied.
  struct payload_shape {
    std::size_t bytes = 0;
    std::size_t alignment = 1;
  };
  [[nodiscard]] virtual payload_shape shape() const { return {}; }
  /// Copies a payload to `target`, raw memory of that shape. Asked only where that has bytes.
  virtual void copy(void* target, const void* payload) const {
    static_cast<void>(target);
    static_cast<void>(payload);
  }

  /// The message as a person writes it: `set(5)`.
  [[nodiscard]] virtual std::string describe(const system& system, const void* payload) const = 0;

  /// What it is called without its arguments, `set`: nothing of the program's
  /// runs to find out. Unless overridden it has no name.
  [[nodiscard]] virtual std::string name() const { return {}; }

  /// Stands for the payload's value, the same in every interleaving.
  [[nodiscard]] virtual fingerprint hash(const void* payload) const = 0;
  /// Whether no program can tell two payloads of equal hash apart. If not, write() says of each what there is to
  /// know. True unless overridden.
  [[nodiscard]] virtual bool hash_is_all() const { return true; }

  /// Writes the payload's value, for those who must not take one for another
  /// or rename the actors in it. Unless overridden its hash is written.
  virtual void write(const void* payload, value_bytes& out) const { out.raw(hash(payload)); }

  /// Adds to `all` the fields that the handler is declared to read or write, of the
  /// receiver in `state`. @return whether that is declared; unless overridden not.
  virtual bool declare_accesses(const void* state, std::vector<field_access>& all) const {
    static_cast<void>(state);
    static_cast<void>(all);
    return false;
  }
  /// Adds to `all` the kinds of messages that the handler is declared to send at
  /// most. @return whether that is declared; unless overridden not.
  virtual bool declare_sends(std::vector<const message_type*>& all) const {
    static_cast<void>(all);
    return false;
  }
  /// The class of actors that takes it, where that is one; null unless overridden.
  [[nodiscard]] virtual const actor_type* receiver_class() const { return nullptr; }
  /// Where in this process the code of its handler begins; null where that is not known, as unless overridden.
  [[nodiscard]] virtual const void* handler_code() const { return nullptr; }

protected:
  constexpr ~message_type() = default;
};

/// What kind of actor it is: how to copy, compare and show its local state.
class actor_type {
public:
  /// Copies `state` to `target`, raw memory of the type's size.
  virtual void copy(void* target, const void* state) const = 0;
  /// Ends the life of a state.
  virtual void destroy(void* state) const = 0;
  /// What copy() writes to, in bytes; unless overridden it is not known: 0.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
  /// Name of the class: `client`.
  [[nodiscard]] virtual std::string name() const = 0;
  /// The local state as a person reads it: `{value=5}`; empty if it has none.
  [[nodiscard]] virtual std::string describe(const system& system, const void* state) const = 0;
  /// Whether an execution may end with the actor in `state`, for actors that
  /// say so; true for others.
  [[nodiscard]] virtual bool at_rest(const void* state) const = 0;
  /// Whether at_rest() is ever asked for: the class says so.
  [[nodiscard]] virtual bool tells_rest() const = 0;
  /// Whether an actor of the class that is in the middle of a handler, and receives, may not be left so when nothing
  /// more can be delivered. Unless overridden it may.
  [[nodiscard]] virtual bool must_end() const { return false; }
  /// Stands for the local state's value, the same in every interleaving.
  [[nodiscard]] virtual fingerprint hash(const void* state) const = 0;
  /// Whether no program can tell two states of equal hash apart. If not, write() says of each what there is to know.
  /// True unless overridden.
  [[nodiscard]] virtual bool hash_is_all() const { return true; }
  /// The member of `state` of which write() does not say all, as a person finds it; empty if it does. Unless
  /// overridden empty.
  [[nodiscard]] virtual std::string unknown_member(const void* state) const {
    static_cast<void>(state);
    return {};
  }
  /// Writes the local state's value, for those who must not take one for
  /// another or rename the actors in it. Unless overridden its hash is written.
  virtual void write(const void* state, value_bytes& out) const { out.raw(hash(state)); }
  /// The fields of the local state, by name, each with what stands for its
  /// value; empty unless overridden.
  [[nodiscard]] virtual std::vector<std::pair<std::string, fingerprint>> fields(const void* state) const {
    static_cast<void>(state);
    return {};
  }
  /// Where these fields lie, in the same order; empty unless overridden.
  [[nodiscard]] virtual std::vector<state_field> layout(const void* state) const {
    static_cast<void>(state);
    return {};
  }
  /// Which of these fields two states differ in: bit i stands for field i, bit 63 for
  /// all from there on. All bits if that is not known, as unless overridden.
  [[nodiscard]] virtual std::uint64_t changed_fields(const void* before, const void* after) const {
    static_cast<void>(before);
    static_cast<void>(after);
    return ~std::uint64_t{0};
  }
  /// Whether an actor of the class may refuse a message while it waits for nothing:
  /// some handler has a guard. Unless overridden that is not known: true.
  [[nodiscard]] virtual bool may_refuse() const { return true; }
  /// The class of which a state is an object; null if it is of none.
  [[nodiscard]] virtual const std::type_info* state_class() const { return nullptr; }
  /// That object. Unless overridden it lies where the state does.
  [[nodiscard]] virtual const void* object(const void* state) const { return state; }
  /// Whether actors of the class may be exchanged for one another: the class
  /// says that nothing depends on which is which but messages and references.
  [[nodiscard]] virtual bool interchangeable() const { return false; }

protected:
  constexpr ~actor_type() = default;
};

/// One message of the current execution, pending or delivered.
struct message {
  /// Neighbours among the pending messages, in the order sent. A delivered
  /// message keeps them: that is how it finds its place again.
  message_slot next, previous;
  actor_slot receiver;
  message_id id;
  /// The step that sent it; no_step for the driver's first message.
  step_index sent_by;
  /// Of a reply: the request it answers, as its caller sent it. Of a request: 1 + the caller's slot.
  /// 0 for a message that is neither.
  std::uint32_t answers;
  enum class role : std::uint8_t { plain, request, reply };
  role kind;
  /// What kind of step its delivery is.
  step_kind makes;
  /// The receiver's local state decides whether it is deliverable: see
  /// system::takes.
  bool guarded;
  /// Never delivered, in whatever order: it was sent by a step that ended the
  /// execution, or another one stands for it once it has arrived.
  bool dead;
  /// What becomes of it when its receiver is gone: something may answer for that, which a delivery model orders as what
  /// the receiver takes, or not.
  enum class when_gone : std::uint8_t { left, answered, answered_in_any_order };
  when_gone posthumous : 2;
  /// It is no loss if its receiver is gone: a library tells it whoever is there.
  bool may_be_left : 1;
  /// Its receiver took it back: see system::withdraw.
  bool withdrawn : 1;
  /// Of a request: who asks may cease to wait for the reply. Of a reply: it is one to such a request, and is taken
  /// only as long as that is waited for.
  bool expires : 1;
  /// Its payload needs message_type::destroy.
  bool owns_payload;
  /// Something besides its receiver's mode decides whether it is deliverable:
  /// guarded, dead, withdrawn, or a delivery model.
  bool constrained;
  const message_type* type;
  void* payload;
};

/// One actor of the current execution.
struct actor {
  enum class mode : std::uint8_t {
    open,       ///< takes what its guards accept
    waiting,    ///< in the middle of a handler: takes only what that waits for (system::takes)
    gone,       ///< destroyed, or ended by a failed requirement or an exception: takes nothing
    receiving,  ///< in the middle of a handler: takes the messages that match what that waits for (system::takes)
  };
  /// Whether it is in the middle of a handler.
  static constexpr bool is_suspended(mode m) { return m == mode::waiting || m == mode::receiving; }
  mode state_of_life;
  bool failed;
  /// Something it sent has not arrived: it takes nothing of the program's.
  bool draining;
  actor_id id;
  /// While it waits for a reply: the request. While it receives: its adapter's word for what it waits for. Else
  /// meaningless.
  message_slot awaited;
  step_index last_step;
  const actor_type* type;
  void* state;
  /// What the adapter keeps for it: a suspended handler.
  void* activity;
};

}  // namespace harrier
