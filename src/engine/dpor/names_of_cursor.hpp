#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/dependence.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/system.hpp>

#include "../../core/dependence/field_dependence.hpp"
#include "../../core/dependence/late_dependence.hpp"
#include "../../core/dependence/observing_dependence.hpp"

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

  [[nodiscard]] static bool stands_for(const portable_event& p, const portable_event& x) {
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
  /// What `depends`, of a system of these names, calls `touches`.
  template <class Dependence>
  touched_set told(touched_set touches, const Dependence& depends, const identities& names) {
    if (touches == touched_set::nothing) return touches;
    std::vector<fingerprint> actors;
    for (const auto a : depends.members(touches)) actors.push_back(names.name_of(a));
    return number(std::move(actors));
  }
  void write(touched_set touches, archive_writer& to) const {
    to.list(members(touches), [&](fingerprint actor) { to.hash(actor); });
  }
  touched_set read(archive_reader& from) {
    std::vector<fingerprint> actors;
    from.list([&] { actors.push_back(from.hash()); });
    return number(std::move(actors));
  }

private:
  static bool meet(const std::vector<fingerprint>& a, const std::vector<fingerprint>& b) {
    return std::any_of(a.begin(), a.end(), [&](fingerprint x) { return std::binary_search(b.begin(), b.end(), x); });
  }

  std::vector<std::vector<fingerprint>> sets_{{}};
  std::map<std::vector<fingerprint>, touched_set> numbers_{{{}, touched_set::nothing}};
};

/// The same where races are seen late, and what is not known of a step is told from what is.
class portable_late_dependence : public telling_what_is_known<portable_dependence> {
public:
  [[nodiscard]] static portable_event::portable_label label_of_message(const portable_event& e) {
    return {e.label.message, 0};
  }
  template <class Dependence>
  touched_set told(touched_set touches, const Dependence& depends, const identities& names) {
    return is_known(touches) ? portable_dependence::told(touches, depends, names) : not_known;
  }
  void write(touched_set touches, archive_writer& to) const {
    to.flag(is_known(touches));
    if (is_known(touches)) portable_dependence::write(touches, to);
  }
  touched_set read(archive_reader& from) { return from.flag() ? portable_dependence::read(from) : not_known; }
};

/// What is common to those of dependence_once_run: what a step touches means the
/// same in every system anyway.
class portable_dependence_once_run {
public:
  using event_type = portable_event;
  static constexpr bool tells_observers = true;

  [[nodiscard]] static bool is_known(touched_set touches) { return dependence_once_run::is_known(touches); }
  [[nodiscard]] static bool is_all_of(const portable_event& ran, const portable_event& e) {
    return dependence_once_run::is_all_of(ran, e);
  }
  [[nodiscard]] static bool stands_for(const portable_event& p, const portable_event& x) {
    return portable_dependence::stands_for(p, x);
  }
  [[nodiscard]] static touched_set told(touched_set touches, const auto& /*depends*/, const auto& /*names*/) {
    return touches;
  }
};

/// The same where observers are told apart.
class portable_observing_dependence : public portable_dependence_once_run {
public:
  [[nodiscard]] static bool between(const portable_event::portable_footprint& a,
                                    const portable_event::portable_footprint& b) {
    return a.receiver == b.receiver &&
           (a.touches != observing_dependence::observed || b.touches != observing_dependence::observed);
  }
  static void write(touched_set touches, archive_writer& to) { to.flag(touches == observing_dependence::observed); }
  static touched_set read(archive_reader& from) {
    return from.flag() ? observing_dependence::observed : touched_set::nothing;
  }
};

/// The same where fields are told apart.
class portable_field_dependence : public portable_dependence_once_run {
public:
  static constexpr bool planned_may_sleep = true;

  [[nodiscard]] static bool between(const portable_event::portable_footprint& a,
                                    const portable_event::portable_footprint& b) {
    return a.receiver == b.receiver && field_set::conflict(a.touches, b.touches);
  }
  static void write(touched_set touches, archive_writer& to) { to.number(static_cast<std::uint32_t>(touches)); }
  static touched_set read(archive_reader& from) { return static_cast<touched_set>(from.number()); }
};

/// What those who share a tree take for `Dependence`.
template <class Dependence>
struct portable {
  using type = portable_dependence;
};
template <class Dependence>
  requires(std::is_base_of_v<late_dependence, Dependence>)
struct portable<Dependence> {
  using type = portable_late_dependence;
};
template <class Dependence>
  requires(std::is_base_of_v<observing_dependence, Dependence>)
struct portable<Dependence> {
  using type = portable_observing_dependence;
};
template <class Dependence>
  requires(std::is_base_of_v<field_dependence, Dependence>)
struct portable<Dependence> {
  using type = portable_field_dependence;
};

/// Names that mean the same in every system of the program: for a tree that
/// several cursors share, or that outlives its first. A step costs two hashes,
/// and a planned one a look through what is pending.
template <class Dependence>
class names_for_all {
public:
  using relation = typename portable<Dependence>::type;
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
  touched_set touches_told(touched_set touches) { return relation_.told(touches, depends_, system_.names()); }
  [[nodiscard]] message_id own(const portable_event::portable_label& label) const {
    auto& names = system_.names();
    for (auto m = system_.first_pending(); m != no_message; m = system_.next_pending(m))
      if (const auto id = system_.message_at(m).id; names.name_of(id) == label.message)
        return names.alternative(id, label.code);
    if constexpr (requires { Dependence::planned_is_missing(system_); }) Dependence::planned_is_missing(system_);
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
