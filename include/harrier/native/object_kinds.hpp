#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/native/value_functions.hpp>
#include <harrier/native/world.hpp>

/// What all classes of actors, and all kinds of messages, do alike with the objects that their states and payloads are.
namespace harrier::detail {

/// What there is to know of a class of actors whose states are its objects.
struct actor_facts {
  std::string_view name;
  const std::type_info* type;
  object_functions object;
  /// Null of what nothing is known of: a driver that is a lambda.
  const value_functions* value = nullptr;
  /// What value->add adds, hashed; searches that compare states ask often, and a sink that stays in one function costs
  /// half.
  fingerprint (*hash)(const void* object) = nullptr;
  void (*fields)(const void* object, field_visitor& by) = nullptr;
  /// See tell_unshown(); null if `inspect` shows all that counts.
  bool (*tell_unshown)(const void* object, value_bytes& out) = nullptr;
  bool tells_rest = false;
  bool may_refuse = false;
  bool must_end = false;
  bool interchangeable = false;
  bool acts_on_restart = false;
};

class object_class : public native_actor {
public:
  constexpr explicit object_class(const actor_facts& facts)
      : native_actor(facts.object.size, facts.object.alignment), facts_(facts) {}

  void copy(void* target, const void* state) const final { facts_.object.copy(target, state); }
  void destroy(void* state) const final { facts_.object.destroy(state); }
  [[nodiscard]] std::size_t bytes() const final { return facts_.object.size; }
  [[nodiscard]] std::string name() const final;
  [[nodiscard]] std::string describe(const system& system, const void* state) const final;
  [[nodiscard]] bool tells_rest() const final { return facts_.tells_rest; }
  [[nodiscard]] bool at_rest(const void* state) const override { return static_cast<void>(state), true; }
  [[nodiscard]] fingerprint hash(const void* state) const final;
  [[nodiscard]] bool hash_is_all() const final { return facts_.value == nullptr || facts_.value->tells_all; }
  [[nodiscard]] std::string unknown_member(const void* state) const final;
  void write(const void* state, value_bytes& out) const final;
  [[nodiscard]] std::vector<std::pair<std::string, fingerprint>> fields(const void* state) const final;
  [[nodiscard]] std::vector<state_field> layout(const void* state) const final;
  [[nodiscard]] std::uint64_t changed_fields(const void* before, const void* after) const final;
  [[nodiscard]] bool may_refuse() const final { return facts_.may_refuse; }
  [[nodiscard]] crash_rules rules_of_crash(const void* state) const final;
  void restart(void* state, const void* created, const void* kept) const final;
  void restarted(world& in, void* state) const final;
  [[nodiscard]] const std::type_info* state_class() const final { return facts_.type; }
  [[nodiscard]] bool must_end() const final { return facts_.must_end; }
  [[nodiscard]] bool interchangeable() const final { return facts_.interchangeable; }

protected:
  constexpr ~object_class() = default;

  /// Calls on_restart. Asked only of a class that acts_on_restart.
  virtual void act_on_restart(world& in, void* state) const { static_cast<void>(in), static_cast<void>(state); }

private:
  [[nodiscard]] bool differ_unseen(const void* before, const void* after) const;

  actor_facts facts_;
};

/// What there is to know of a kind of message: its name, and its payload.
struct message_facts {
  std::string_view name;
  const value_functions* value;
  /// Null: it has no arguments, and no payload.
  const object_functions* object;
};

class object_message : public native_message {
public:
  constexpr explicit object_message(const message_facts& facts) : facts_(facts) {}

  void destroy(void* payload) const final { facts_.object->destroy(payload); }
  [[nodiscard]] message_type::payload_shape shape() const final {
    return facts_.object == nullptr ? payload_shape{} : payload_shape{facts_.object->size, facts_.object->alignment};
  }
  void copy(void* target, const void* payload) const final {
    if (facts_.object != nullptr) facts_.object->copy(target, payload);
  }
  /// `set(5)`.
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override;
  [[nodiscard]] std::string name() const final;
  [[nodiscard]] fingerprint hash(const void* payload) const final;
  [[nodiscard]] bool hash_is_all() const final { return facts_.value->tells_all; }
  void write(const void* payload, value_bytes& out) const final;

protected:
  constexpr ~object_message() = default;

  [[nodiscard]] std::string shown(const system& system, const void* payload) const;

private:
  message_facts facts_;
};

/// A message that is a value, and that no handler takes: a coroutine goes on with it.
class value_message final : public object_message {
public:
  using object_message::object_message;

  void deliver(system& s, step& st) const override;
  void undo(system& s, step& st) const override;
  /// `vote{term=1}`.
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override;
  frame* start(world& world, void* state, const void* payload) const override;
  [[nodiscard]] bool accepts(const void* state, const void* payload) const override;
  void finish(world& world, frame& finished, message_slot request) const override;
};

/// The reply to a call that is awaited.
class reply_message final : public message_type {
public:
  /// @param value, object  null of a call that gives nothing
  constexpr reply_message(const value_functions* value, const object_functions* object)
      : value_(value), object_(object) {}

  void deliver(system& s, step& st) const override;
  void undo(system& s, step& st) const override;
  void destroy(void* payload) const override;
  [[nodiscard]] message_type::payload_shape shape() const override;
  void copy(void* target, const void* payload) const override;
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override;
  [[nodiscard]] fingerprint hash(const void* payload) const override;
  [[nodiscard]] bool hash_is_all() const override { return value_ == nullptr || value_->tells_all; }
  void write(const void* payload, value_bytes& out) const override;

private:
  const value_functions* value_;
  const object_functions* object_;
};

}  // namespace harrier::detail
