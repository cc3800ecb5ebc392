#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/property/actor_action.hpp>
#include <harrier/property/check.hpp>
#include <harrier/property/ltl.hpp>
#include <harrier/property/word.hpp>

namespace harrier {

/// Judges each execution of an actor program by a formula of temporal logic:
///
///     harrier::ltl_monitor answered("G(\"server_0 RECV get\" -> F \"server_0 SEND reply\")");
///     const auto result = harrier::explore(program, {.judging = {.by = &answered}});
///
/// The word of an execution is the actions of its steps, the set-up's and the
/// driver's included (append_actions); the atoms are actor_propositions.
///
/// An execution that a failed step or the depth limit cut is judged only if its
/// actions decide the formula. A violation is reported at the delivery after
/// which it was certain.
///
/// Under a reduction only formulas can be judged that depend on nothing but the
/// order of one actor's actions: all propositions are about one actor, named by
/// its number, which the driver created, and actions of others can be put in
/// and left out anywhere (ignores_blank_letters).
///
/// @par Complexity  of each end O(actions * subformulas), of a delivery O(its
///      sends).
class ltl_monitor final : public monitor {
public:
  /// @param ends  `finite` or `stutter`.
  /// @throws error  `text` is no formula, or an atom no proposition about an
  ///         action: one line for all mistakes.
  explicit ltl_monitor(std::string_view text, run_ends ends = run_ends::finite);

  std::optional<record> stepped(const system& system) override;
  void undone(const system& system) override;
  std::vector<record> ended(const system& system) override;
  std::vector<record> broken_for_good(const system& system) override;
  [[nodiscard]] std::string order_dependence(const system& initial) const override;
  /// Whether a proposition is about what is received.
  [[nodiscard]] bool tells_observers_apart() const override;
  [[nodiscard]] std::unique_ptr<monitor> another() const override;
  void join(const monitor& other) override;
  [[nodiscard]] std::string criterion() const override;
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;
  [[nodiscard]] std::vector<std::string> conclusions(const exploration& result) const override;

  /// The formula as it was written, on one line.
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  /// All that propositions can tell of an action.
  struct kind_of_action {
    actor_action::verb what;
    bool is_reply;
    const message_type* message;
    actor_slot actor, peer;
    const actor_type* actor_class;
    const actor_type* peer_class;
    bool operator==(const kind_of_action&) const = default;
  };
  struct hash_of_kind {
    std::size_t operator()(const kind_of_action& k) const noexcept;
  };

  void begin(const system& system);
  void append(const system& system, std::size_t step);
  const letter& letter_of(const system& system, const actor_action& action);
  /// The step after which the violation was certain; no_step if the end showed it.
  step_index certain_after(const system& system) const;
  void note_actors(const system& system);

  std::string text_;
  run_ends ends_;
  formula formula_;
  std::vector<actor_proposition> propositions_;  // of the formula's atoms, in their order

  std::vector<letter> letters_;        // of the current execution, then some that are out of use
  std::size_t count_ = 0;              // letters in use
  std::vector<std::size_t> first_;     // where the letters of each explored step begin
  std::vector<actor_action> actions_;  // of one step
  std::unordered_map<kind_of_action, letter, hash_of_kind> known_;
  std::set<std::string> actors_;  // names and classes met, in lower case
  std::set<std::string> messages_;
  std::size_t most_actors_ = 0;

  std::uint64_t violated_ = 0;
  std::uint64_t undecided_ = 0;
};

}  // namespace harrier
