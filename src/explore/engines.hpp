#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What a monitor may rely on (judging_options::by).
enum class judged : std::uint8_t {
  every_order,  ///< the executions themselves: all of them are run, or any may be drawn
  one_order,    ///< what the executions of a class have in common: see monitor::order_dependence
  nothing,      ///< a configuration is looked at once, whatever led to it: no monitor can be used
};

/// What an engine is to search, and how.
struct search_request {
  const program& tested;  ///< to start other systems of it
  system& initial;        ///< one that is in its initial configuration, or begins where a stage does
  const options& how;
  /// Of those that never end by themselves: the number of the execution to begin with, and before which to end; 0:
  /// never.
  std::uint64_t first = 0;
  std::uint64_t most = 0;
  made_by who = made_by::one;
};

/// An engine as users know it: its name, what it can do, and how to run it.
struct named_engine {
  std::string_view name;
  /// What a monitor may rely on.
  judged judges = judged::one_order;
  /// It can be asked for sleep sets (search_options::sleep_sets).
  bool takes_sleep_sets = false;
  /// Which actor goes first matters to it (search_options::ordering).
  bool takes_ordering = false;
  /// It can tell observers apart (search_options::observers). What else it decides independence by: named_independence.
  bool takes_observers = false;
  /// It compares states (state_options::comparison and what goes with it).
  bool compares_states = false;
  /// It draws executions: it never ends by itself and needs a limit.
  bool endless = false;
  /// Several others, one after the other, some of which draw.
  bool joins_others = false;
  [[nodiscard]] bool draws() const { return endless || joins_others; }
  /// It goes on until it has been everywhere, if nothing stops it.
  bool searches_all = true;
  /// It can be told how deep bugs are (search_options::bug_depth), or how many
  /// deviations it may make (search_options::delays).
  bool takes_bug_depth = false;
  bool takes_delays = false;
  /// Under delivery::mailbox_interleaved it runs one of the executions in which actors take the same, if it can
  /// (can_run_histories).
  bool takes_histories = false;
  /// It can search where dependence is not decided at the receiver alone.
  bool takes_mailbox = true;
  /// There it can be run stage by stage as it can elsewhere.
  bool takes_mailbox_in_stages = true;
  /// It can search where a step touches memory that actors share.
  bool takes_shared_memory = true;
  /// It can be shared by several workers (search_options::jobs), and by those of a broker.
  bool takes_jobs = false;
  /// Not if its ordering learns from the whole search: what is explored depends on what was learnt by then.
  bool takes_learning_with_jobs = true;
  /// Why it cannot be, if there is more to say of it.
  std::string_view no_jobs_because = {};
  bool takes_broker = false;
  /// Why its coming to an end proves nothing; empty if it does.
  std::string_view warning = {};
  /// By as many workers at a time as takes_jobs says. What the request refers to outlives the search.
  std::unique_ptr<shared_search> (*search)(const search_request&) = nullptr;
};

/// Runs several engines within limit_options::budget (portfolio.hpp): nobody can name it,
/// so that it is not without one.
extern const named_engine portfolio_engine;

/// Whether it can be written down, or also be shared by several jobs.
inline bool can_share(const named_engine& e, bool by_several_jobs) { return e.takes_jobs || !by_several_jobs; }

/// The engines that can.
std::vector<std::string> engines_that_share(bool by_several_jobs);
/// Those of which `capability` is true.
std::vector<std::string> engines_that(bool named_engine::*capability);

/// Whether engine trust can run what is asked for by histories: one execution for each way in which actors take
/// messages, whatever the order in which they arrive (delivery::mailbox_interleaved). Starts `tested`.
bool can_run_histories(const program& tested, const options& how);

/// The ordering that decides which actor goes first; empty: the engine has no choice.
std::string ordering_used(const options& how);

/// Null: no engine has that name.
const named_engine* find_engine(std::string_view name);
/// @pre it is not engine auto
const named_engine& engine_named(engine_choice chosen);

}  // namespace harrier
