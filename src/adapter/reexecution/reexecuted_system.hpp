#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>
#include <harrier/core/system.hpp>

namespace harrier::reexecution {

/// The system of a program that is run again. Its one run is where the execution
/// is, behind it, or on another way: going back only marks that.
class reexecuted_system final : public system {
public:
  class kinds;

  /// @param all  of the program's other systems, too
  reexecuted_system(rerun_program what, std::shared_ptr<kinds> all, delivery model);
  ~reexecuted_system() override;

private:
  class class_of_actors;
  class kind_of_message;
  class told_of_run;
  class told_of_trial;
  struct local;
  struct parcel;
  using number = std::uint32_t;

  void begin() override;
  [[nodiscard]] bool takes(message_slot m, step_index e) const override;

  void react(step& s);
  void take_back();

  /// @name Where the run is
  /// @{

  /// It makes the steps before step `end` that it has not made.
  void catch_up(std::size_t end);
  /// @throws nondeterminism  what it tells differs from what was told the first time.
  void repeat(std::size_t i);
  /// @}

  number add(const std::string& class_name);
  number put(number receiver, std::shared_ptr<const content> what);
  /// The running step failed: what it sent is never delivered.
  void void_last_step();

  /// Whether step `i` is one of the program, not of a delivery model.
  [[nodiscard]] bool is_of_the_program(std::size_t i) const { return step_at(i).kind != step_kind::machinery; }
  /// The first message that was not sent before step `i`, by number.
  [[nodiscard]] number first_sent_in(std::size_t i) const;
  /// The same of actors.
  [[nodiscard]] number first_created_in(std::size_t i) const;
  /// Whether the receiver of `m`, as it was before its step `e`, takes it, tried in a run of what the two depend on
  /// alone.
  [[nodiscard]] bool is_taken_in_a_trial(message_slot m, step_index e) const;
  /// The steps that must come before both; none if `m` comes of step `e` or a later one of its receiver.
  [[nodiscard]] std::vector<std::size_t> past_of(message_slot m, step_index e) const;

  [[nodiscard]] const parcel& parcel_of(message_slot m) const;
  [[nodiscard]] const fingerprint& past_before(actor_slot a, step_index e) const;
  rerun_program program_;
  std::shared_ptr<kinds> kinds_;
  std::unique_ptr<told_of_run> told_;  // before the run, which tells it
  std::unique_ptr<live_run> run_;
  std::size_t ran_ = 0;                                                  // it has made the steps before that one
  bool is_elsewhere_ = false;                                            // it has made others
  std::vector<actor_slot> actors_;                                       // by number
  std::vector<message_slot> messages_;                                   // by number
  mutable std::map<std::pair<fingerprint, fingerprint>, bool> answers_;  // of a receiver's past, to a message
};

}  // namespace harrier::reexecution
