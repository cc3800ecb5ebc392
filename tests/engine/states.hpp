#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/observer.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/stateful.hpp>

#include "observed.hpp"

/// What a search for states shows of a program, beside what is found by going
/// everywhere and writing each configuration down.
namespace harrier::differential {

/// How configurations are compared.
enum class comparing : std::uint8_t {
  multisets,  ///< of pending messages
  sequences,  ///< of the messages pending at each actor, in the order sent
};

/// The configuration of `s` as text, in names that are the same however it came about: what each living actor is, what
/// a blocked one has got so far, what is pending.
std::string text_of_state(const system& s, comparing how);

/// All configurations of a program.
struct reached {
  std::set<std::string> states;
  std::set<std::string> final_states;
  std::set<std::string> findings;
  /// Different steps: the configuration, what is delivered there, and what it draws.
  std::set<std::string> steps;
  std::uint64_t ends = 0;  ///< steps that lead to the end of an execution; 1 if there are no steps at all
  bool complete = false;
  bool aborts = false;     ///< some step ends the execution
  bool creates = false;    ///< some step creates an actor
  bool draws = false;      ///< some step draws a value
  bool twins = false;      ///< two messages that differ in nothing could be delivered
  bool ambiguous = false;  ///< a step that ended the execution led where others led too

  /// Whether there is one number of states. Actors are named by the message whose delivery created them, which is no
  /// part of a state: where actors are created, which of several states is met depends on the way.
  [[nodiscard]] bool countable() const { return !creates && !ambiguous; }
};

/// By every order of deliveries.
reached reach_by_every_order(const program& tested, bool past_aborts, std::uint64_t most_deliveries);

/// By every delivery in each different configuration, so also where executions are endless.
reached reach_once(const program& tested, bool past_aborts, comparing how, std::uint64_t most_deliveries);

/// explore_stateful, or a wrong variant of it.
using states_search = bool (*)(search_context&, const stateful_options&, stateful_report&);

/// What a search showed.
struct searched {
  stateful_report report;
  std::set<std::string> findings;
  std::uint64_t transitions = 0;
  std::uint64_t executions = 0;
  verdict how_it_ended = verdict::complete;
  std::string why;  ///< it derailed
};

searched search_states(const program& tested, states_search search, const stateful_options& how,
                       std::uint64_t most_deliveries);

/// Each way in which engine stateful, or `search` in its place, is not what the configurations say.
std::vector<std::string> state_differences(const program& tested, states_search search, std::uint64_t most_deliveries);

}  // namespace harrier::differential
