#pragma once

#include <cstdint>
#include <string>

#include <harrier/core/system.hpp>
#include <harrier/native/rebuilt.hpp>
#include <harrier/native/world.hpp>

namespace harrier::detail {

/// An actor that is being made anew takes the steps of its history again. What it sends, creates and draws meanwhile is
/// compared with what it did, and comes about only once.
class rebuilding {
public:
  rebuilding(world& in, actor_slot who) : in_(in), who_(who) {}

  /// Has `object` take step `i` again.
  void repeat(step_index i, const native_actor& type, void* object);
  /// The same of what it did when it began again in that step, after a crash.
  void repeat_restart(step_index i, const rebuilt_class& type, void* object, const rebuilt_state& before);

  /// @name What the handler does that is repeated
  /// @{
  void sends(const message_type& type, actor_slot to, const void* payload);
  void replies(const message_type& type, const void* value);
  void throws(bool answers);
  actor_id recreated(const actor_type& type);
  std::uint64_t drawn(std::uint64_t arity);
  [[nodiscard]] std::int64_t now() const { return now_; }
  [[nodiscard]] actor_slot who() const { return who_; }
  /// @}

  /// @throws system::nondeterminism  naming the actor and what it took
  [[noreturn]] void differs(const std::string& how) const;

private:
  void begin(step_index i);
  void end();
  [[nodiscard]] message_slot next_sent();
  [[nodiscard]] bool is_not_its_own(message_slot m) const;
  [[nodiscard]] const rebuilt_state* before() const {
    return static_cast<const rebuilt_state*>(in_.step_at(repeated_).state_before);
  }

  world& in_;
  actor_slot who_;
  step_index repeated_ = no_step;
  message_slot next_sent_ = no_message;
  message_slot sent_end_ = no_message;
  std::uint32_t creations_ = 0;
  std::uint32_t draws_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace harrier::detail
