#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <harrier/core/dependence.hpp>

namespace harrier {

/// Deliveries that need not be tried: an earlier sibling covered them, and
/// nothing dependent has happened since.
///
/// Invariant: every entry is pending, and nothing dependent on it has happened
/// since it fell asleep.
class sleep_set {
public:
  struct entry {
    event what;
    /// Where a handler's draws are told apart: of which message it is a
    /// delivery, and how many of them fell asleep.
    message_id message;
    std::uint32_t siblings;
  };

  /// Whether all deliveries of message `m` sleep.
  [[nodiscard]] bool contains(message_id m) const {
    std::uint32_t count = 0;
    for (const auto& e : entries_)
      if ((e.siblings == 1 ? e.what.label : e.message) == m && ++count == e.siblings) return true;
    return false;
  }
  /// Whether that delivery sleeps.
  [[nodiscard]] bool contains_event(message_id label) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const entry& e) { return e.what.label == label; });
  }
  /// All deliveries of one message fall asleep.
  void insert(message_id message, const std::vector<event>& deliveries) {
    std::erase_if(entries_, [&](const entry& e) { return e.message == message; });
    const auto siblings = static_cast<std::uint32_t>(deliveries.size());
    for (const auto& e : deliveries) entries_.push_back({e, message, siblings});
  }
  /// Those of `other` that a step `last` does not wake.
  template <class Dependence>
  void inherit(const sleep_set& other, const event& last, Dependence& depends) {
    entries_.clear();
    for (const auto& e : other.entries_)
      if (sleeps_on(e.what, last, depends)) entries_.push_back(e);
  }
  void clear() { entries_.clear(); }
  /// Writes them down, and takes over what was written (see path_writer).
  template <class Writer>
  void save(Writer& to) const {
    to.list(entries_, [&](const entry& e) {
      to.step(e.what);
      to.number(e.siblings);
    });
  }
  template <class Reader>
  void load(Reader& from) {
    entries_.clear();
    from.list([&] {
      const event what = from.step();
      const auto message = from.tested().names().message_of(what.label);
      entries_.push_back({what, message, static_cast<std::uint32_t>(from.number())});
    });
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

private:
  template <class Dependence>
  static bool sleeps_on(const event& asleep, const event& last, Dependence& depends) {
    if constexpr (requires { depends.sleeps_on(asleep, last); })  // it tells where it was asked
      return depends.sleeps_on(asleep, last);
    else
      return !depends.between(asleep.touched, last.touched);
  }

  std::vector<entry> entries_;
};

/// What an engine with sleep sets keeps at each of its points: what sleeps there,
/// and what was run of the message that is being tried, to fall asleep with it.
template <class SleepSet>
class drowsy {
public:
  void clear() {
    sleep_.clear();
    ran_.clear();
  }
  template <class Dependence>
  void inherit(const drowsy& parent, const event& last, Dependence& depends) {
    sleep_.inherit(parent.sleep_, last, depends);
  }
  [[nodiscard]] bool contains(message_id m) const { return sleep_.contains(m); }
  /// A step was run from here. @return whether it slept: one of a message's
  /// draws, of which another was awake.
  bool note(const event& ran) {
    if (ran_.empty() || ran_.back().label != ran.label) ran_.push_back(ran);
    return sleep_.contains_event(ran.label);
  }
  /// All that can follow from message `m` was explored.
  void put_to_sleep(message_id m) {
    sleep_.insert(m, ran_);
    ran_.clear();
  }
  void stay_awake() { ran_.clear(); }
  /// Writes it down, and takes over what was written (see path_writer).
  template <class Writer>
  void save(Writer& to) const {
    sleep_.save(to);
    save_ran(to);
  }
  template <class Reader>
  void load(Reader& from) {
    sleep_.load(from);
    load_ran(from);
  }
  /// The same of what was run of the message that is being tried.
  template <class Writer>
  void save_ran(Writer& to) const {
    to.list(ran_, [&](const event& e) { to.step(e); });
  }
  template <class Reader>
  void load_ran(Reader& from) {
    ran_.clear();
    from.list([&] { ran_.push_back(from.step()); });
  }
  void take_ran(drowsy& other) { ran_ = std::move(other.ran_); }
  /// Keeps the names in it (see names_in_use).
  template <class Dependence>
  void keep_names(const Dependence& depends, name_keeper& keep) const {
    for (const auto& e : ran_) depends.keep_names(e, keep);
    for (const auto& e : sleep_) {
      depends.keep_names(e.what, keep);
      keep(e.message);
    }
  }

private:
  SleepSet sleep_;
  std::vector<event> ran_;
};

}  // namespace harrier
