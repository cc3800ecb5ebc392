#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// In which order states are explored.
enum class search_order : std::uint8_t {
  depth_first,
  breadth_first,  ///< nearest first: the first finding has a shortest schedule
};

/// When two states are taken for the same.
enum class state_comparison : std::uint8_t {
  none,       ///< never: every order of deliveries is run
  exact,      ///< same actors by (causal) name, each in the same local state, and the same messages pending
  canonical,  ///< the same up to which is which of the actors of interchangeable classes
  /// Exact, but messages to one receiver are compared in the order in which
  /// they were sent, and ends of executions are never taken for the same: what
  /// Basset measured as "Actor Comp.".
  as_measured,
};

/// Where states are compared.
enum class step_size : std::uint8_t {
  little,  ///< after each delivery
  big,     ///< only where more than one thing can be done next, and at ends
};

/// How states are remembered.
enum class visited_states : std::uint8_t {
  compacted,  ///< 96 bits of each: two may be taken for one, how many is estimated
  exact,      ///< whole, equal parts stored once: none is missed
};

struct stateful_options {
  search_order search = search_order::depth_first;
  state_comparison comparison = state_comparison::exact;
  step_size steps = step_size::little;
  /// Leave out deliveries whose effects are covered by an earlier branch. All
  /// states are reached all the same. Only depth first, and where dependence
  /// is a matter of the receiver and the names of actors stay.
  bool sleep_sets = true;
  visited_states visited = visited_states::compacted;
  /// Actors that are gone are part of a state, as they were left: somebody looks at them.
  bool gone_actors = false;
  /// Stop after so many states; 0: no limit.
  std::uint64_t max_states = 0;
  /// Names of classes that are interchangeable though they do not say so.
  std::vector<std::string> interchangeable = {};
};

/// What grows with the states: a field of a class of actors.
struct growing_field {
  std::string name;                ///< `client.log`, or `messages pending`
  std::uint64_t different_values;  ///< in the states sampled
};

struct stateful_report {
  std::uint64_t states = 0;
  /// Those of them in which nothing can be delivered.
  std::uint64_t final_states = 0;
  /// Deliveries that led to a state seen before.
  std::uint64_t revisits = 0;
  /// Steps of the longest path, by the given step size.
  std::uint64_t depth = 0;
  /// Taken by what is remembered of states.
  std::uint64_t bytes = 0;
  /// How many states are expected to have been missed.
  double expected_misses = 0;
  /// The fields with most values, first the one with most; and of how many states.
  std::vector<growing_field> growing;
  std::uint64_t sampled_states = 0;
};

/// Why states cannot be searched so under that delivery model, in words; empty
/// if they can.
std::string objection(const stateful_options& how, delivery model);

/// Whether sleep sets lose nothing and save something, in such a search:
/// dependence is a matter of the receiver alone, names of actors stay, and
/// contents are not taken for one another.
bool may_sleep(stateful_options how, delivery model);

/// A search for states.
class shared_states : public shared_search {
public:
  /// What all workers that are done have counted, and those before `load`. States
  /// and final states are those that one worker finds, and without sleep sets so
  /// are the deliveries, the ends told to observers, and the revisits. The longest
  /// path is that which one of them happened to take. What grows is of the states
  /// seen since `load`.
  [[nodiscard]] virtual stateful_report report() const = 0;
};

/// Explores every reachable state, each once: explicit-state model checking.
///
/// Every delivery possible in a state is made (unless it sleeps), so handlers'
/// findings and ends of executions are found; an execution is told of for each
/// way of arriving at an end, not for each order of deliveries. Terminates if
/// there are finitely many states, also when executions are endless.
///
/// Sleep sets are stored with the states (S1): a state found again with fewer
/// deliveries asleep is gone through again for those only.
///
/// By several workers each state is gone through by one of them, but for what several
/// have to do there; breadth first they are in the same level, and how a state was
/// reached is a matter of who was faster. Of states that are compared up to which actor
/// is which, more than one form may be met, so that their number may differ a little.
/// What work() throws: error, if there is an objection under the
/// system's delivery model, or if the system's actors are known under other numbers
/// than those of the other workers' systems, as they may be if it has run something
/// else before.
///
/// @par Source  P. Godefroid: Partial-order methods for the verification of
///      concurrent systems, LNCS 1032, 1996, section 6 (sleep sets with
///      state matching); S. Lauterburg, dissertation 2011, section 3.5.
std::unique_ptr<shared_states> share_stateful(const stateful_options& how, made_by who = made_by::several);

}  // namespace harrier
