#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/specification.hpp>
#include <harrier/core/system.hpp>

#include "script.hpp"

namespace harrier {

/// What is to hold of a system, and what of it was seen in its current execution.
class specifications {
public:
  /// Before the first step.
  void add(system& initial, specification what);
  /// Whether one looks at several actors, or a script tells deliveries to one apart.
  [[nodiscard]] bool looks_at_several() const;
  /// Whether one is asked between two deliveries.
  [[nodiscard]] bool look_at_configurations() const;
  /// Whether more than the configuration decides what is broken.
  [[nodiscard]] bool depend_on_path() const;

  /// What is to come after what, and where executions are not followed further; null: there is no script.
  [[nodiscard]] scripted_decisions* scripted() const { return script_.get(); }
  /// What is about to be delivered as `pending`, message `m`, is held back if the script says so.
  void before_delivery(const system& s, message_slot m, message& pending, std::map<std::string, bool>& points) {
    if (script_ == nullptr) return;
    if (const auto* instead = script_->before_delivery(s, m, points)) pending.type = instead;
  }
  [[nodiscard]] bool withheld_last_step(const system& s) const {
    return script_ != nullptr && script_->withheld_by(s.message_at(s.step_at(s.last_step()).message).type) != nullptr;
  }
  /// Whether steps touch more than their receivers.
  [[nodiscard]] bool widen() const;
  /// The last step ended its actor: what was seen of earlier executions is forgotten, and nothing else looked at.
  void pass_over(const system& s) { forget_from(s.last_step()); }

  /// Takes in what the last step recorded of histories. First of all, and not of a step that failed.
  void take_recordings(const system& s);
  /// Whether the last step may have changed what one looks at that looks at several actors; or, if a script names it,
  /// would have done so if it was not withheld.
  [[nodiscard]] bool is_touched_by_last_step(const system& s, bool is_scripted) const;
  /// Looks at the configuration after the last step. @return what it breaks
  std::vector<record> look(system& s);
  /// What the end of the execution breaks.
  [[nodiscard]] std::vector<record> look_at_end(const system& s) const;
  /// Writes what decides how histories of which `a` records a part go on, beside its state: which operations of others
  /// had returned before it invoked its own. Nothing if none had.
  void write_way(const system& s, actor_slot a, value_bytes& out) const;

private:
  struct note {
    step_index at;  // no_step: in the initial configuration
    std::size_t of;
    specification::tuples begun;  // of always: what breaks it
    specification::tuples kept;
  };

  /// What one step recorded.
  struct recorded {
    step_index at;  // no_step: before the first step
    std::size_t of;
    recording what;
  };

  void add_recordings(const system& s, std::size_t of, actor_slot a, step_index at);
  [[nodiscard]] recorded_events events_so_far(std::size_t of, actor_slot a) const;
  [[nodiscard]] std::vector<recording> recordings_of(std::size_t of) const;
  [[nodiscard]] bool records_in_last_step(const system& s, std::size_t of) const;
  [[nodiscard]] std::vector<recording> recordings_at_end(const system& s, const specification& what) const;
  [[nodiscard]] std::optional<record> broken_history(const system& s, const specification& what,
                                                     const std::vector<recording>& all) const;
  [[nodiscard]] specification::tuples found_in(const system& s, const specification& what) const;
  [[nodiscard]] std::vector<record> broken_promises(const system& s, std::size_t of) const;
  void note_promises(const system& s, std::size_t of, step_index at);
  void forget_from(step_index at);
  /// Whether an earlier step of this execution broke it.
  [[nodiscard]] bool is_broken(std::size_t of) const;

  std::unique_ptr<scripted_decisions> script_;
  std::vector<specification> all_;
  std::vector<record> broken_at_first_;  // in the initial configuration
  step_index first_ = 0;                 // step after that
  std::vector<note> noted_;              // oldest first; some of steps that were taken back
  std::vector<recorded> recorded_;       // the same
};

}  // namespace harrier
