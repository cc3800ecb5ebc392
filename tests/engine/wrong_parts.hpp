#pragma once

#include <string>
#include <utility>

#include <src/engine/dpor/parts.hpp>

#include "mutants.hpp"

/// What a test puts into an algorithm in place of its parts: the right parts
/// with one deliberate mistake. The members of the parts are bound when the
/// algorithm is compiled, so a wrong class only hides those it gets wrong.
namespace harrier::mutants {

template <class Dependence>
class guarded_sequence : public wakeup_sequence<Dependence> {
public:
  using wakeup_sequence<Dependence>::wakeup_sequence;

  template <class Before>
  auto& shorten(Before before) {
    return not_empty(wakeup_sequence<Dependence>::shorten(before));
  }
};

template <class Dependence, class Sequence = guarded_sequence<Dependence>>
class guarded_tree : public exploration_tree<Dependence> {
public:
  using exploration_tree<Dependence>::exploration_tree;
  using sequence = Sequence;
};

/// The right parts. What a wrong one among them leads to that cannot be is
/// noticed, not undefined.
struct guarded_parts {
  using dependence = harrier::dependence;
  using sleep_set = harrier::sleep_set;
  template <class Dependence>
  using tree = guarded_tree<Dependence>;

  static void deliver(system& s, message_slot m, std::uint64_t code) { deliver_if_possible(s, m, code); }
  static void deliver_event(system& s, message_id label) { deliver_event_if_possible(s, label); }
  static void require(bool condition, const char* lemma) { require_of_mutant(condition, lemma); }
};

template <class Wrong>
struct with_dependence : guarded_parts {
  using dependence = Wrong;
};

template <template <class> class Wrong>
struct with_tree : guarded_parts {
  template <class Dependence>
  using tree = Wrong<Dependence>;
};

template <template <class> class Wrong>
struct with_sequence : guarded_parts {
  template <class Dependence>
  using tree = guarded_tree<Dependence, Wrong<Dependence>>;
};

template <class Wrong>
struct with_sleep_set : guarded_parts {
  using sleep_set = Wrong;
};

/// An algorithm put together wrongly.
struct wrong_search {
  std::string name;
  std::string change;
  delivery model = delivery::unordered;

  [[nodiscard]] differential::mutant run_as(std::string engine, differential::search::promise promises,
                                            bool (*run)(system&, observer&, std::string_view)) const {
    return {{name, promises, true, run}, std::move(engine), change, model};
  }
};

}  // namespace harrier::mutants
