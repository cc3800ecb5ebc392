#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <harrier/core/system.hpp>

#include "cells.hpp"
#include "histories.hpp"
#include "observed.hpp"
#include "states.hpp"

namespace harrier::differential {

/// An engine with one deliberate change: with a wrong part, or with a change of
/// its text, which mutants.py makes.
struct mutant {
  search wrong;
  std::string engine;  ///< of which it is a variant
  std::string change;  ///< in words
  delivery model = delivery::unordered;

  friend std::ostream& operator<<(std::ostream& out, const mutant& m) { return out << m.wrong.name; }
};

/// Those with a mistake.
const std::vector<mutant>& all_mutants();
/// Those in which the change must make no difference.
const std::vector<mutant>& all_variants();

/// Engine stateful with one mistake.
struct state_mutant {
  std::string name;
  std::string change;  ///< in words
  states_search run = nullptr;

  friend std::ostream& operator<<(std::ostream& out, const state_mutant& m) { return out << m.name; }
};

const std::vector<state_mutant>& all_state_mutants();

/// The search by histories with one mistake.
struct history_mutant {
  std::string name;
  std::string change;  ///< in words
  history_search run;

  friend std::ostream& operator<<(std::ostream& out, const history_mutant& m) { return out << m.name; }
};

const std::vector<history_mutant>& all_history_mutants();

/// A search that tells fields apart with one mistake, and of which programs to see it by.
struct cell_mutant {
  const char* name;
  cells_search wrong;
  cell_kind kind = cell_kind::tracked;
  delivery model = delivery::unordered;
  std::uint64_t first_seed = 1;  ///< of the programs on which it is tried

  friend std::ostream& operator<<(std::ostream& out, const cell_mutant& m) { return out << m.name; }
};
/// The same of one that tries whether messages commute.
struct semantic_mutant {
  const char* name;
  semantic_search wrong;
  delivery model = delivery::unordered;

  friend std::ostream& operator<<(std::ostream& out, const semantic_mutant& m) { return out << m.name; }
};

const std::vector<cell_mutant>& all_field_mutants();
const std::vector<semantic_mutant>& all_semantic_mutants();

/// Where the parts of the mutants are put together.
struct mutants_made {
  std::vector<mutant> mutants, variants;
  std::vector<state_mutant> states;
  std::vector<history_mutant> histories;
};
void add_wrong_dependences(mutants_made& all);
void add_wrong_trees(mutants_made& all);
void add_wrong_workers(mutants_made& all);

}  // namespace harrier::differential

namespace harrier::mutants {

/// What mutants call to deliver.
inline void deliver_if_possible(system& s, message_slot m, std::uint64_t code) {
  if (m == no_message || !s.pending(m) || !s.deliverable(m))
    throw differential::derailed{"it wanted to deliver what could not be"};
  s.deliver(m, code);
}

inline void deliver_event_if_possible(system& s, message_id label) {
  deliver_if_possible(s, s.slot_of(s.names().message_of(label)), s.names().code_of(label));
}

template <class Sequence>
Sequence& not_empty(Sequence& sequence) {
  if (sequence.empty()) throw differential::derailed{"it wanted to plan nothing"};
  return sequence;
}

inline void require_of_mutant(bool condition, const char* lemma) {
  if (!condition) throw differential::derailed{lemma};
}

}  // namespace harrier::mutants
