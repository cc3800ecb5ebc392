#pragma once

#include <cstdint>
#include <string>

#include <harrier/native/world.hpp>

/// What tells a coroutine that receives that there is none, and that somebody has ended.
namespace harrier::detail {

/// No message came within the time; its payload is that time, in nanoseconds.
class receive_limit final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<world&>(s).resume(st, {.expired = true}); }
  void undo(system& s, step& st) const override { static_cast<world&>(s).undo_resume(st); }
  void destroy(void*) const override {}
  [[nodiscard]] message_type::payload_shape shape() const override {
    return {sizeof(std::int64_t), alignof(std::int64_t)};
  }
  void copy(void* target, const void* payload) const override;
  [[nodiscard]] std::string name() const override { return "receive"; }
  [[nodiscard]] std::string describe(const system& system, const void* payload) const override;
  [[nodiscard]] fingerprint hash(const void* payload) const override;
  void write(const void* payload, value_bytes& out) const override;
};
inline constexpr receive_limit nothing_in_time{};

/// There is no message that could be received now.
class receive_nothing final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<world&>(s).resume(st, {.expired = true}); }
  void undo(system& s, step& st) const override { static_cast<world&>(s).undo_resume(st); }
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "nothing_there"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "nothing_there()"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {0x6e6f, 0x6e65}; }
};
inline constexpr receive_nothing nothing_there{};

/// Somebody waits for the end of its receiver, which it is delivered to when that has ended.
class watch_for_end final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<world&>(s).tell_of_end(st.message); }
  void undo(system&, step&) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "ended"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "ended()"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {0x656e, 0x6465}; }
};
inline constexpr watch_for_end end_watch{};

/// Whether such a message says that there is none.
inline bool is_for_none(const message_type& type) { return &type == &nothing_in_time || &type == &nothing_there; }

}  // namespace harrier::detail
