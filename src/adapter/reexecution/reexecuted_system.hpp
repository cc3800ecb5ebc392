#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/core/states.hpp>
#include <harrier/core/system.hpp>

#include "queue_order.hpp"

namespace harrier::reexecution {

/// The system of a program that is run again. Its one run is where the execution
/// is, behind it, or on another way: going back only marks that.
class reexecuted_system final : public system, public stages {
public:
  class kinds;

  /// @param all  of the program's other systems, too
  reexecuted_system(rerun_program what, std::shared_ptr<kinds> all, delivery model);
  ~reexecuted_system() override;

  /// What is wrong with the end of the execution.
  void check(final_states& reached) const;
  [[nodiscard]] bool can_be_befallen() const override { return program_.can_be_befallen; }
  [[nodiscard]] bool can_be() const override;
  [[nodiscard]] bool can_be_with(message_slot next) const override;

  /// @name What the program does by itself once nothing can be delivered is a stage
  /// @{
  stages* in_stages() override { return program_.may_go_on ? this : nullptr; }
  [[nodiscard]] end current() const override;
  void search_apart(bool on) override { is_apart_ = on; }
  void begin_next(std::uint64_t code) override;
  void take_back_next() override;
  [[nodiscard]] bool is_closed() const override { return false; }
  void open() override {}
  void close() override {}
  /// @}

private:
  class again;
  class class_of_actors;
  class kind_of_message;
  class told_of_run;
  class told_of_trial;
  struct local;
  struct parcel;
  using number = std::uint32_t;

  void begin() override;
  void step_ended() override;
  [[nodiscard]] bool takes(message_slot m, step_index e) const override;

  void react(step& s);
  void take_back();

  /// @name What befalls messages and actors at the end of a step
  /// @{
  [[nodiscard]] crash_rules rules_of_crash(actor_slot a) const override;
  void crash_running(bool is_complete, std::size_t synced) override;
  [[nodiscard]] bool may_be_befallen(message_slot m) const override;
  void message_lost(message_slot m) override;
  [[nodiscard]] bool may_come_twice(message_slot m) const override;
  message_slot send_again(message_slot m) override;
  /// It befalls a run, too, which has just made step `i` again.
  void befall(live_run& run, std::size_t i) const;
  [[nodiscard]] number number_of(actor_slot a) const;
  /// @}

  /// @name Where the run is
  /// @{

  /// The only one that is alive, if there may be one alone.
  [[nodiscard]] std::unique_ptr<live_run> start(listener& told) const;
  void leave_run() const { run_.reset(); }
  /// It makes the steps before step `end` that it has not made.
  void catch_up(std::size_t end) const;
  /// @throws nondeterminism  what it tells differs from what was told the first time.
  void repeat(std::size_t i) const;
  /// Lets a run take that message. @return whether it took it
  static bool make(live_run& run, const message& taken);
  [[nodiscard]] bool goes_on() const;
  /// @}

  number add(std::string_view class_name);
  void put(const sending& what, number which);
  [[nodiscard]] sending lasting(sending what) const;
  [[nodiscard]] const fingerprint& past_of_running() const;
  /// No number of an actor or a message.
  [[nodiscard]] number nobody() const { return static_cast<number>(std::max(actors_.size(), messages_.size())); }
  void touch_all_of(const std::vector<number>& memory, bool is_all);
  void end(number actor);
  /// The running step failed: what it sent is never delivered.
  void void_last_step();
  [[nodiscard]] bool starts_eagerly() const {
    return program_.eager_starts && (program_.seen == nullptr || !orders_starts_);
  }
  /// The oldest start that waits, no_message if none does.
  [[nodiscard]] message_slot next_start() const;
  /// Of all actors; for what comes after all of them.
  [[nodiscard]] fingerprint past_of_all() const;

  /// Whether step `i` is one of the program, not of a delivery model.
  [[nodiscard]] bool is_of_the_program(std::size_t i) const { return step_at(i).kind != step_kind::machinery; }
  /// The first message that was not sent before step `i`, by number.
  [[nodiscard]] number first_sent_in(std::size_t i) const;
  /// The same of actors.
  [[nodiscard]] number first_created_in(std::size_t i) const;
  /// Whether the receiver of `m`, as it was before its step `e`, takes it, tried in a run of what the two depend on
  /// alone.
  [[nodiscard]] bool is_taken_in_a_trial(message_slot m, step_index e) const;
  /// Whether nothing comes before `m`, which comes last, as its receiver was before its step `e`.
  [[nodiscard]] bool nothing_comes_before(message_slot m, step_index e) const;
  /// Whether the receiver of `m` takes it now, tried in the run.
  [[nodiscard]] bool is_taken_next(message_slot m) const;
  /// The steps that must come before both; none if `m` comes of step `e` or a later one of its receiver.
  [[nodiscard]] std::vector<std::size_t> past_of(message_slot m, step_index e) const;

  /// Between what step `i` sends this time and what it sent before; empty if none is known.
  [[nodiscard]] std::string difference_of_texts(std::size_t i) const;
  [[nodiscard]] std::string text_of(const parcel& p) const;
  /// With what is the same of each actor in every interleaving, in place of its number.
  [[nodiscard]] std::string with_keys(const std::string& told) const;
  /// With its name in this execution in place of that.
  [[nodiscard]] std::string with_names(const std::string& kept) const;
  [[nodiscard]] bool waits_in_the_run(const parcel& p) const;
  [[nodiscard]] std::string text_in_a_trial(const parcel& p) const;
  [[nodiscard]] static const parcel* parcel_in(const message& m) { return static_cast<const parcel*>(m.payload); }
  [[nodiscard]] const parcel& parcel_of(message_slot m) const { return *parcel_in(message_at(m)); }
  [[nodiscard]] const fingerprint& past_before(actor_slot a, step_index e) const;
  /// By number; `slots` gets their slots.
  [[nodiscard]] execution_with_queues with_queues(std::vector<message_slot>& slots) const;
  void add_debts(execution_with_queues& all, const std::vector<message_slot>& slots) const;

  rerun_program program_;
  std::shared_ptr<kinds> kinds_;
  std::unique_ptr<told_of_run> told_;  // before the run, which tells it
  supervision& watching_;
  std::size_t explored_from_ = 0;
  mutable std::unique_ptr<live_run> run_;       // null: it was left, or was not begun
  mutable std::size_t ran_ = 0;                 // it has made the steps before that one
  mutable bool is_elsewhere_ = false;           // it has made others
  mutable message_slot ahead_by_ = no_message;  // it has made the delivery of that, too
  mutable std::uint64_t runs_ = 0;
  mutable bool compares_all_ = false;
  bool orders_starts_ = false;
  std::uint32_t facts_ = 0;             // that were known when it began
  bool is_apart_ = false;               // stages are searched one by one
  std::vector<step_index> held_steps_;  // before which nothing else could be delivered
  std::vector<actor_slot> actors_;      // by number
  std::vector<fingerprint> keys_;       // of actors, the same in every interleaving
  std::uint64_t sent_in_step_ = 0;
  std::uint64_t created_in_step_ = 0;
  std::vector<message_slot> messages_;  // by number
  bool has_queues_ = false;             // some messages wait in queues
  std::vector<message_slot> starts_;    // messages that start somebody
  std::vector<std::pair<step_index, actor_slot>> ended_by_others_;
  struct touched_memory {
    step_index at;
    actor_slot what;
    fingerprint before;
  };
  std::vector<touched_memory> touched_;
  mutable std::map<std::pair<fingerprint, fingerprint>, bool> answers_;  // of a receiver's past, to a message
  mutable std::map<fingerprint, std::string> texts_;                     // of messages, with_keys()
};

}  // namespace harrier::reexecution
