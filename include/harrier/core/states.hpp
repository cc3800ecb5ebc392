#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// The local states of the actors of an execution, as it is now, by their class:
/// what a monitor, or a check at the end, may look at.
///
/// Only of systems whose actors are C++ objects (actor_type::state_class); of
/// others there are none. References hold until the next step or undo.
///
/// Lists are *in causal order*, which is the same however deliveries are ordered,
/// so a check may look at the first one, or at one after the other: what the
/// driver (or a test's body) created, in the order of creation; and behind the
/// actors that a delivery created, those created because of the first message that
/// its handler sent, then because of the second one, and so on.
class states {
public:
  explicit states(const system& of) : system_(&of) {}

  /// The states of all actors of class `Actor`, in causal order; of those that are
  /// gone, as they were left. O(actors), or O(deliveries + actors) where several
  /// deliveries created them.
  template <class Actor>
  [[nodiscard]] std::vector<std::reference_wrapper<const Actor>> all() const {
    return matching<Actor>(true);
  }
  /// The same without those that are gone.
  template <class Actor>
  [[nodiscard]] std::vector<std::reference_wrapper<const Actor>> alive() const {
    return matching<Actor>(false);
  }
  /// The slots of the actors that alive() gives the states of.
  template <class Actor>
  [[nodiscard]] std::vector<actor_slot> slots() const {
    return slots_of<Actor>(false);
  }
  /// The state of the one actor of class `Actor`. @throws error if there is none, or more than one.
  template <class Actor>
  [[nodiscard]] const Actor& only() const {
    const auto found = all<Actor>();
    if (found.size() != 1) not_one(found.size());
    return found.front();
  }
  /// The state of the actor in slot `a`; null if it is of another class.
  template <class Actor>
  [[nodiscard]] const Actor* at(actor_slot a) const {
    const auto& x = system_->actor_at(a);
    const auto* type = x.type->state_class();
    return type != nullptr && *type == typeid(Actor) ? static_cast<const Actor*>(x.type->object(x.state)) : nullptr;
  }

  [[nodiscard]] const harrier::system& system() const { return *system_; }

private:
  template <class Actor>
  [[nodiscard]] std::vector<actor_slot> slots_of(bool also_gone) const {
    std::vector<actor_slot> found;
    for (actor_slot a = 0; a < system_->actor_count(); ++a)
      if (at<Actor>(a) != nullptr && (also_gone || system_->actor_at(a).state_of_life != actor::mode::gone))
        found.push_back(a);
    put_in_causal_order(found);
    return found;
  }
  template <class Actor>
  [[nodiscard]] std::vector<std::reference_wrapper<const Actor>> matching(bool also_gone) const {
    std::vector<std::reference_wrapper<const Actor>> found;
    for (const auto a : slots_of<Actor>(also_gone)) found.emplace_back(*at<Actor>(a));
    return found;
  }
  /// @param actors  in the order of their creation.
  void put_in_causal_order(std::vector<actor_slot>& actors) const;
  [[noreturn]] static void not_one(std::size_t count);

  const harrier::system* system_;
};

/// The states in which an execution has ended, and what is wrong with them.
class final_states : public states {
public:
  using states::states;
#if !defined(__clang__) || __clang_major__ >= 16  // older ones, which only analyse and fuzz the core, do not know where
  /// Records a failed check as a finding of the execution as a whole.
  void check(bool condition, std::string_view text,
             const std::source_location& where = std::source_location::current()) {
    if (!condition) failed_.push_back(record_of(text, where));
  }
#endif
  /// Records what failed elsewhere.
  void fail(record what) { failed_.push_back(std::move(what)); }
  [[nodiscard]] const std::vector<record>& failed() const { return failed_; }  ///< what failed, in the order checked
#if !defined(__clang__) || __clang_major__ >= 16
private:
  static record record_of(std::string_view text, const std::source_location& where) {
    return {
        .kind = finding_kind::assertion, .message = std::string(text), .file = where.file_name(), .line = where.line()};
  }
#endif
  std::vector<record> failed_;
};

/// A user's judgement of the states in which an execution ends. It is asked at
/// the end of each that nothing cut or ended early. It must depend on nothing
/// else: then it is the same for all executions of a class. What it throws is a
/// finding, but untestable_program, which ends the search.
using final_check = std::function<void(final_states&)>;

/// One that asks both; null if both are.
final_check both(const final_check& first, const final_check& second);

/// What `check` says of the end at which `ended` is; an exception that leaves it
/// is a failed check too.
std::vector<record> check_end(const system& ended, const final_check& check);

}  // namespace harrier
