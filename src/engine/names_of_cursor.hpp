#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

// What a cursor calls the steps that it tells its exploration tree: one of these classes.

/// The ids of its own system: for a tree that nobody shares. Costs nothing.
template <class Dependence>
class own_names {
public:
  using relation = Dependence;
  using event_type = event;

  own_names(const system& /*tested*/, Dependence& depends, const relation& /*of_tree*/) : depends_(depends) {}

  [[nodiscard]] const event& told(const event& e) const { return e; }
  [[nodiscard]] message_id label_told(message_id label) const { return label; }
  [[nodiscard]] touched_set touches_told(touched_set touches) const { return touches; }
  /// The label of a step that can be taken now.
  [[nodiscard]] message_id own(message_id label) const { return label; }
  /// The tree's names are the system's: they are kept with it.
  template <class Tree>
  void keep(const Tree& tree, name_keeper& keep) const {
    tree.for_each_event([&](const event& e) { depends_.keep_names(e, keep); });
  }

private:
  const Dependence& depends_;
};

/// A step by the names that it has everywhere: of its message, and what its
/// handler drew.
struct portable_event {
  struct portable_label {
    fingerprint message;
    std::uint64_t code = 0;
    bool operator==(const portable_label&) const = default;
  } label;
  struct portable_footprint {
    fingerprint receiver;
    touched_set touches = touched_set::nothing;
  } touched;
  bool one_of_several = false;
};

/// Which steps are dependent, for those who share a tree: what dependence says,
/// of names that are the same to all. The sets that steps touch are
/// numbered here, so a number means the same to all.
class portable_dependence {
public:
  using event_type = portable_event;

  [[nodiscard]] bool stands_for(const portable_event& p, const portable_event& x) const {
    return p.one_of_several ? x.one_of_several && p.label == x.label : p.label.message == x.label.message;
  }
  [[nodiscard]] bool between(const portable_event::portable_footprint& a,
                             const portable_event::portable_footprint& b) const {
    return a.receiver == b.receiver || (a.touches != touched_set::nothing && b.touches != touched_set::nothing &&
                                        meet(members(a.touches), members(b.touches)));
  }
  /// The number of a set of actors.
  touched_set number(std::vector<fingerprint> actors) {
    std::sort(actors.begin(), actors.end());
    const auto [known, is_new] = numbers_.try_emplace(std::move(actors), static_cast<touched_set>(sets_.size()));
    if (is_new) sets_.push_back(known->first);
    return known->second;
  }
  /// The set that has it, in ascending order.
  [[nodiscard]] const std::vector<fingerprint>& members(touched_set number) const {
    return sets_[static_cast<std::size_t>(number)];
  }

private:
  static bool meet(const std::vector<fingerprint>& a, const std::vector<fingerprint>& b) {
    return std::any_of(a.begin(), a.end(), [&](fingerprint x) { return std::binary_search(b.begin(), b.end(), x); });
  }

  std::vector<std::vector<fingerprint>> sets_{{}};
  std::map<std::vector<fingerprint>, touched_set> numbers_{{{}, touched_set::nothing}};
};

/// Names that mean the same in every system of the program: for a tree that
/// several cursors share, or that outlives its first. A step costs two hashes,
/// and a planned one a look through what is pending.
template <class Dependence>
class names_for_all {
public:
  using relation = portable_dependence;
  using event_type = portable_event;

  names_for_all(system& tested, Dependence& depends, relation& of_tree)
      : system_(tested), depends_(depends), relation_(of_tree) {}

  [[nodiscard]] portable_event told(const event& e) {
    return {label_told(e.label),
            {system_.names().name_of(e.touched.receiver), touches_told(e.touched.touches)},
            e.one_of_several != 0};
  }
  [[nodiscard]] portable_event::portable_label label_told(message_id label) const {
    const auto& names = system_.names();
    return {names.name_of(names.message_of(label)), names.code_of(label)};
  }
  touched_set touches_told(touched_set touches) {
    if (touches == touched_set::nothing) return touches;
    std::vector<fingerprint> actors;
    for (const auto a : depends_.members(touches)) actors.push_back(system_.names().name_of(a));
    return relation_.number(std::move(actors));
  }
  [[nodiscard]] message_id own(const portable_event::portable_label& label) const {
    auto& names = system_.names();
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m))
      if (const auto id = system_.message_at(m).id; names.name_of(id) == label.message)
        return names.alternative(id, label.code);
    HARRIER_INVARIANT(false, "what is planned is pending where it is planned");
    return identities::origin;
  }
  /// Its own names nobody else holds.
  template <class Tree>
  void keep(const Tree& /*tree*/, name_keeper& /*keep*/) const {}

private:
  system& system_;
  Dependence& depends_;
  relation& relation_;
};

}  // namespace harrier
