#pragma once

#include <cstdint>
#include <istream>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/dependence.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

// Slots are given in the order of sending and creating, so they mean the same in every system of the program that took
// the path; names are private to a system, and written as slots.

/// Writes what is held at the points of the path at whose end a system is.
template <class Dependence>
class path_writer : public archive_writer {
public:
  /// @param actors  the number of them where who reads it will be, if that is not the end of the path
  path_writer(std::ostream& to, const system& s, const Dependence& depends,
              std::size_t actors = std::numeric_limits<std::size_t>::max())
      : archive_writer(to), system_(s), depends_(depends), actors_(actors) {}

  void slots(const std::vector<std::uint32_t>& all) {
    list(all, [this](std::uint32_t slot) { number(slot); });
  }
  /// A step that was taken, or that sleeps, at a point of the path: its message was
  /// sent by then.
  void step(const event& e) {
    const auto m = system_.slot_of(system_.names().message_of(e.label));
    HARRIER_INVARIANT(m != no_message, "what sleeps or was tried at a point had been sent before it");
    number(m);
    number(system_.names().code_of(e.label));
    number(system_.slot_of(e.touched.receiver));
    // Those that are not there only the step itself would create, so until it was
    // taken no other step touches them.
    std::vector<actor_slot> there;
    for (const auto a : depends_.members(e.touched.touches))
      if (system_.exists(a) && system_.slot_of(a) < actors_) there.push_back(system_.slot_of(a));
    slots(there);
    flag(e.one_of_several);
  }

private:
  const system& system_;
  const Dependence& depends_;
  const std::size_t actors_;
};

/// Reads what a path_writer wrote, in a system that is at the end of the same path, or further on.
template <class Dependence>
class path_reader : public archive_reader {
public:
  path_reader(std::istream& from, system& s, Dependence& depends)
      : archive_reader(from), system_(s), depends_(depends) {}

  std::uint32_t slot() { return static_cast<std::uint32_t>(number()); }
  void slots(std::vector<std::uint32_t>& all) {
    all.clear();
    list([&] { all.push_back(slot()); });
  }
  event step() {
    event e;
    const auto m = system_.message_at(slot()).id;
    e.label = system_.names().alternative(m, number());
    e.touched.receiver = system_.actor_at(slot()).id;
    std::vector<actor_id> touched;
    list([&] { touched.push_back(system_.actor_at(slot()).id); });
    e.touched.touches = depends_.number(std::move(touched));
    e.one_of_several = flag();
    return e;
  }
  [[nodiscard]] const system& tested() const { return system_; }

private:
  system& system_;
  Dependence& depends_;
};

}  // namespace harrier
