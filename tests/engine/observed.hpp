#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/observer.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>

/// What a search shows of a program: its traces and its findings, in names that
/// are the same in every search.
///
/// Names are made here from the executions alone (who sent what as the how
/// manieth), not taken from harrier::identities, so that a mistake there is seen
/// too. They are 64-bit hashes; texts are made only on demand.
namespace harrier::differential {

using name = std::uint64_t;

/// One delivery sequence an actor: all that a maximal execution is, up to the
/// order of independent deliveries.
struct trace {
  std::map<name, std::vector<name>> deliveries;  ///< by actor; events, so draws count
  std::set<name> aborting;                       ///< which of them ended their actor by a failure

  bool operator==(const trace&) const = default;
};

/// Whether `shorter` can be had from `longer` by leaving out the last deliveries of some actors.
bool is_prefix(const trace& shorter, const trace& longer);
/// `t` without those of its aborting deliveries that are not `kept`.
trace with_one_abort(const trace& t, name kept);

/// What the executions of a program contain; whatever is 0 or false did not happen.
struct features {
  bool refused_then_taken = false;  ///< a guard, or a call, that a later delivery opened again
  bool refused_for_ever = false;    ///< a pending message whose receiver lives
  bool left_over_at_dead = false;   ///< a pending message whose receiver is gone
  bool call_to_dead = false;        ///< and it is a request: the caller waits for ever
  bool deadlock = false;
  bool created = false;       ///< an explored delivery created an actor
  bool created_took = false;  ///< which took a message
  bool destroyed = false;
  bool drew = false;
  bool drew_after_race = false;  ///< the drawing delivery was not the first of its receiver
  bool replied = false;          ///< a reply was delivered
  bool callee_failed = false;    ///< and it was an exception
  bool then_replied = false;
  bool overtook_reply = false;  ///< a message waited for a reply to be taken, and came after it
  bool aborted = false;
  bool aborted_twice = false;        ///< in one execution
  bool finding_after_abort = false;  ///< of another actor
  bool same_name_elsewhere = false;  ///< one message name, two receivers
  bool twins = false;                ///< two messages that differ in nothing but their name

  void operator|=(const features& other);
};
/// Each feature's name and how to read it.
std::vector<std::pair<const char*, bool features::*>> feature_list();

/// Why an exploration was not looked at to its end.
enum class verdict : std::uint8_t { complete, too_large, derailed };

/// All that one search of one program showed.
struct observed {
  struct seen_trace {
    std::uint64_t executions = 0;
    std::uint64_t end = 0;  ///< stands for the configuration at its end
  };
  std::map<std::uint64_t, seen_trace> traces;  ///< by a hash of the trace
  std::vector<trace> aborting;                 ///< those with an aborting delivery
  std::set<std::uint64_t> findings;
  std::map<std::uint64_t, std::string> texts;  ///< of traces and findings, if asked for
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  verdict how_it_ended = verdict::complete;
  std::string why;           ///< it derailed
  bool ends_differ = false;  ///< one trace ended in two configurations
  features shown;
};

/// One of the searches that are compared.
struct search {
  std::string name;
  /// What each trace may cost.
  enum class promise : std::uint8_t {
    covers,   ///< at least one execution
    once,     ///< exactly one, and others given up
    optimal,  ///< exactly one, none given up
  } promises = promise::covers;
  bool takes_ordering = true;
  bool (*run)(system&, observer&, std::string_view ordering) = nullptr;
  /// In place of `run`, for a search that starts systems of its own beside `first`.
  bool (*run_several)(const program& tested, system& first, observer&, std::string_view ordering) = nullptr;
};

/// Traces as for watch_for::observers, each once.
const std::vector<search>& searches_with_observers();

/// Executions are cut there, those of wrong searches.
inline constexpr std::size_t deepest = 1000;

/// dcute, persistent, transdpor (these two with sleep sets too), source, optimal, optimal by several cursors, by
/// workers in turns and in threads, trust by several searches and in threads, and trust.
const std::vector<search>& searches();

struct limits {
  std::uint64_t executions = 3000;  ///< blocked ones included
  std::uint64_t transitions = 100'000;
};
struct watch_for {
  bool texts = false;
  bool features = false;
  bool check_undo = false;
  /// Deliveries that do nothing are in no order among themselves: traces are of what is left.
  bool observers = false;
  delivery model = delivery::unordered;
};

/// Runs `s` on a fresh system of `tested`.
observed observe(const program& tested, const search& s, std::string_view ordering, limits most, watch_for what = {});
/// Calls `run` with a fresh system of `tested`, for a search that is none of those.
observed observe(const program& tested, const std::function<void(system&, observer&)>& run, limits most,
                 watch_for what = {});

/// The oracle: every order of deliveries. With `past_aborts` a step that ends the
/// execution ends its actor only, as it does in the reductions.
observed observe_all(const program& tested, bool past_aborts, limits most, watch_for what = {});

/// Each way in which `reduced` is not what `oracle` says, a line each; empty if it is.
std::vector<std::string> differences(const observed& oracle, const search& s, const observed& reduced);

/// The same for the two oracles: what stopping at the first failure shows, and
/// what going on with the others does. See docs/differential.md.
std::vector<std::string> differences_of_stopping(const observed& stopping, const observed& going_on);

/// A line of a handler that the search could not run as it wanted: only a wrong search gets there.
struct derailed {
  std::string why;
};

}  // namespace harrier::differential
