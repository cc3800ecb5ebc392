#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

#include "engines.hpp"

namespace harrier {

/// What of a program, and of who judges it, decides how it can be searched.
struct program_facts {
  /// It was started; else nothing is objected to that depends on what follows.
  bool are_known = false;
  /// It goes on by itself once nothing can be delivered (stages.hpp).
  bool has_stages = false;
  /// Its actors share memory, as far as an adapter has seen by now (program::seen).
  bool shares_memory = false;
  /// What is to hold of it looks at several actors at once (system::looks_at_several).
  bool looks_at_several = false;
  /// Something is to hold between two deliveries, of one actor or of several.
  bool looks_at_configurations = false;
  /// Whether a delivery changed anything can be seen: it is not behind an adapter.
  bool shows_changes = true;
  /// Messages can be lost, and actors crash (system::can_be_befallen).
  bool can_be_befallen = true;
  /// What its handlers did can be remembered (search_options::memoise).
  bool can_be_remembered = true;
  /// What may befall its messages and actors, whether that was asked for or the program itself allows it.
  harrier::faults faults = {};
  /// Why who judges it needs every order; empty: one of each class will do (monitor::order_dependence).
  std::string needs_every_order = {};
};

/// It is started to find out. What it throws is thrown.
program_facts facts_of(const program& tested, const options& how);
/// The same of one that is started as `how` says.
program_facts facts_of(system& initial, const options& how);

/// Who is to search.
enum class searched_by : std::uint8_t { this_process, a_broker };

/// Why what was asked for cannot be had.
struct objection_to_search {
  std::string says;         ///< what does not go with what, why, and the nearest that does: no capital, no full stop
  bool of_sharing = false;  ///< one worker that writes nothing down could do it
  std::string note = {};    ///< what is then told of it
};

/// How a program is searched: `options`, with nothing left open but what trials decide.
struct search_plan {
  /// Null: trials say which (engine auto, pick_engine.hpp).
  const named_engine* engine = nullptr;
  /// Why engine auto takes it; empty: nobody asks, or it was named.
  std::string because = {};
  /// The engine tells observers apart, or finds out that they commute as others do (independence::semantic).
  bool tells_observers = false;
  /// By what the engine takes two deliveries to one actor to be independent.
  harrier::independence independence = independence::receiver;
  /// Several workers, or something is written down or resumed.
  bool is_shared = false;
};

/// What comes of asking.
struct resolution {
  search_plan plan = {};                             ///< of no meaning where there are objections
  std::vector<objection_to_search> objections = {};  ///< all there are
};

/// What goes with what: the one place that decides it, before anything is run. docs/combinations.md shows all of it.
resolution resolve(const program_facts& facts, const options& how, searched_by who = searched_by::this_process);

/// @throws error  all objections, if there are any.
search_plan require_plan(const program_facts& facts, const options& how, searched_by who = searched_by::this_process);

/// What of it says when two deliveries to one actor are independent, of `engine` in the search, or the part of one,
/// that `tested` is in.
/// @throws error  all objections to that.
search_plan require_independence(engine_choice engine, const system& tested, const options& how);

/// What of `plan` a result of its search has: what was taken to be independent.
void say(const search_plan& plan, exploration& result);

/// Whether several workers search, or something is written down or resumed.
bool is_shared(const options& how);

}  // namespace harrier
