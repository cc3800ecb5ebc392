#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/native/world.hpp>

namespace harrier::detail {

/// A handler that waits for a reply. In the arena, as old as the step that
/// started it (or, for `then`, the step that called).
struct activity {
  const native_message* handler = nullptr;
  step_index started = no_step;
  frame* outermost = nullptr;
  frame* leaf = nullptr;
  awaited_reply* awaiting = nullptr;
  /// The frame is where the execution is; if not, it must be rebuilt.
  bool live = false;
  const continuation* on_value = nullptr;
  const continuation* on_error = nullptr;
};

/// The suspended handlers of a world. A suspended coroutine cannot be copied:
/// when a step that resumed it is undone, its frame is thrown away and, only
/// when it is resumed again, made anew: from the copy taken before its handler
/// started, by feeding it the replies that it had received, with everything it
/// does muted.
class suspended_handlers {
public:
  explicit suspended_handlers(world& in) : world_(in) {}

  void start(const native_message& handler, void* state, const void* payload);
  void undo_start(const step& s);
  void resume(step& s, awaited_reply reply);
  void undo_resume(step& s);
  /// Copies the receiver's state into the step that is about to change it.
  void save(step& s);
  /// The running coroutine, or the one that is rebuilt, waits in `leaf`.
  void wait(frame* leaf, awaited_reply* reply);
  /// The running handler, no coroutine, waits for what is to be delivered.
  void wait(const continuation& value, const continuation* failure);
  /// What the caller that sent `request` does when it is replied to; null if it is a coroutine.
  activity* continuation_of(message_slot request);
  /// The actor that was in the middle of it is gone.
  void drop(activity& a) { drop_frame(a); }

  /// @name What a handler that is rebuilt did then
  /// @{
  actor_id recreated();
  std::uint64_t drawn(std::uint64_t arity);
  /// @}

private:
  activity& begin();
  void advance(activity& a);
  void conclude(activity& a);
  void drop_frame(activity& a);
  void rebuild(activity& a, actor_slot who);
  [[noreturn]] void rebuilt_differently(const activity& a);
  void restore(step& s);

  world& world_;
  // While a coroutine is rebuilt it repeats step `repeated_` without effect.
  activity* rebuilt_ = nullptr;
  step_index repeated_ = no_step;
  std::uint32_t creations_ = 0;
  std::uint32_t draws_ = 0;
  std::vector<step_index> replies_;
};

/// The reply of a callee that threw; its payload is what the exception said.
class failure_type final : public message_type {
public:
  void deliver(system& s, step& st) const override {
    const auto* text = static_cast<const std::string*>(s.message_at(st.message).payload);
    static_cast<world&>(s).resume(st, {.failure = text->c_str()});
  }
  void undo(system& s, step& st) const override { static_cast<world&>(s).undo_resume(st); }
  void destroy(void* payload) const override;
  [[nodiscard]] message_type::payload_shape shape() const override {
    return {sizeof(std::string), alignof(std::string)};
  }
  void copy(void* target, const void* payload) const override;
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override;
  [[nodiscard]] fingerprint hash(const void* payload) const override;
  void write(const void* payload, value_bytes& out) const override;
};
inline constexpr failure_type failure_reply{};

/// Nothing came that a coroutine waits for.
class nothing_type : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<world&>(s).resume(st, {.expired = true}); }
  void undo(system& s, step& st) const override { static_cast<world&>(s).undo_resume(st); }
  void destroy(void*) const override {}

protected:
  constexpr ~nothing_type() = default;
};

/// Within the time, which is its payload, in nanoseconds.
class expiry_type final : public nothing_type {
public:
  constexpr explicit expiry_type(const char* what) : what_(what) {}
  [[nodiscard]] message_type::payload_shape shape() const override {
    return {sizeof(std::int64_t), alignof(std::int64_t)};
  }
  void copy(void* target, const void* payload) const override;
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override;
  [[nodiscard]] fingerprint hash(const void* payload) const override;
  void write(const void* payload, value_bytes& out) const override;

private:
  const char* what_;
};
inline constexpr expiry_type expiry{"no_reply_within"};
inline constexpr expiry_type receive_expiry{"nothing_within"};

/// There is no message that could be received now.
class absence_type final : public nothing_type {
public:
  [[nodiscard]] std::string name() const override { return "nothing_there"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "nothing_there()"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {0x6e6f, 0x6e65}; }
};
inline constexpr absence_type nothing_there{};

/// Whether such a message says that nothing came.
inline bool is_nothing(const message_type& type) {
  return &type == &expiry || &type == &receive_expiry || &type == &nothing_there;
}

/// Somebody waits for the end of its receiver, which it is delivered to when that has ended.
class end_watch_type final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<world&>(s).tell_of_end(st.message); }
  void undo(system&, step&) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "ended"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "ended()"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {0x656e, 0x6465}; }
};
inline constexpr end_watch_type end_watch{};

}  // namespace harrier::detail
