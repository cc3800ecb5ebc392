#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/property/check.hpp>
#include <harrier/property/ltl.hpp>
#include <harrier/protocol/generate.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/lts.hpp>
#include <harrier/protocol/probe.hpp>

namespace harrier::protocol {

/// A run that violates a formula, in words: `worker_0_ SEND Boolean TO worker_1_`.
struct described_lasso {
  std::vector<std::string> prefix;
  std::vector<std::string> cycle;
  lasso_end end = lasso_end::cycle;
};

/// The verdict on one formula.
struct property_verdict {
  std::string formula;
  std::optional<bool> holds;  ///< nothing: a limit cut the search
  std::optional<described_lasso> lasso;
  /// Why "holds" says little, in a sentence: no run counts, or what is claimed
  /// is claimed only of something that never happens. Empty: nothing of that
  /// kind is known (not all is found).
  std::string note;
};

struct property_report {
  std::size_t states = 0;
  std::size_t transitions = 0;
  bool complete = true;               ///< whether these are all
  bool stopped = false;               ///< whether the module's watch stopped the projection: then nothing is known
  std::size_t thrown = 0;             ///< of a module: calls that threw; in liberal mode, messages that would be lost
  bool cached = false;                ///< of a module: whether it had been compiled before
  run_ends ends = run_ends::ignore;   ///< how runs that end were read
  std::optional<bool> infinite_runs;  ///< whether there is a run that never ends; nothing: not known within the limits
  bool no_run_counts = false;         ///< then every formula holds
  std::vector<property_verdict> properties;  ///< in the order of the formulas
  std::vector<diagnostic> warnings;          ///< propositions about roles and types that there are not
};

struct property_options {
  /// Nothing: `finite` where all runs end, else `ignore`, as if the other runs
  /// only paused; so also where a limit leaves open whether all end.
  std::optional<run_ends> ends = {};
  bool fair = false;                   ///< see `check_options`
  std::size_t max_states = 1'000'000;  ///< of the whole space; 0: no limit
  std::size_t max_pairs = check_options().max_pairs;
  std::size_t capacity = 0;  ///< of queues in the liberal modes; 0: no limit but a channel's own
  /// Asked often, if there are these: true ends the building of states, and the search for violations in what was
  /// built.
  std::function<bool()> enough = {};
  std::function<bool()> gives_up = {};
};

/// A formula cannot be used.
class property_error : public harrier::error {
public:
  using harrier::error::error;
};

/// Checks formulas on a transition system; its space is built once.
///
/// A formula that holds is looked at once more: whether it holds because no run
/// counts, or because a part of it that is about single actions is true of none
/// of them, or of all, so that it says nothing of these runs. The verdict stays;
/// `property_verdict::note` says it.
///
/// @throws property_error  one of `formulas` is none, or has a proposition that
///         is about no action; all mistakes are in the message.
[[nodiscard]] property_report check_space(transition_system& space, std::span<const std::string> formulas,
                                          const property_options& options = {});

/// The same on the state space of a module, driven through its own functions.
/// Every violating run is replayed on a fresh module before it is reported.
[[nodiscard]] property_report check_probe(const harrier_probe& probe, std::span<const std::string> formulas,
                                          const property_options& options = {});

/// Where the state space comes from.
enum class checked_thing : std::uint8_t {
  module,      ///< the generated code, compiled
  definition,  ///< the definition, in the reading of the mode
};

/// Checks a session. @throws compiler_error, error
[[nodiscard]] property_report check_session(explored_session& session, std::string_view name,
                                            const generate_options& module, checked_thing what,
                                            std::span<const std::string> formulas,
                                            const property_options& options = {});

/// The same for a session that is needed no more: its graph is freed as soon as
/// possible.
[[nodiscard]] property_report check_session(explored_session&& session, std::string_view name,
                                            const generate_options& module, checked_thing what,
                                            std::span<const std::string> formulas,
                                            const property_options& options = {});

/// The same for a session that was taken apart, which is used up.
/// @pre `module.mode` is `liberal_checked`
[[nodiscard]] property_report check_session(session_parts&& session, std::string_view name,
                                            const generate_options& module, checked_thing what,
                                            std::span<const std::string> formulas,
                                            const property_options& options = {});

/// The answer to one question about a module, for tests.
class module_verdict {
public:
  module_verdict(bool holds, std::string message) : holds_(holds), message_(std::move(message)) {}
  explicit operator bool() const noexcept { return holds_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

  /// To `testing::AssertionResult`, so that `EXPECT_TRUE` shows the message.
  template <class Result>
    requires requires(Result r) { r.failure_message(); }
  operator Result() const {
    Result result(holds_);
    result << message_;
    return result;
  }

private:
  bool holds_;
  std::string message_;
};

/// Whether `formula` holds of every run that the class `Module` allows; the
/// message of a "no" has the run.
[[nodiscard]] module_verdict check_module(const harrier_probe& probe, std::string_view formula,
                                          const property_options& options = {});

/// `EXPECT_TRUE(check(module, "G(\"a SEND *\" -> F \"b RECV *\")"))`; the state of `module` makes no difference.
template <class Module>
  requires requires { typename Module::spec; }
[[nodiscard]] module_verdict check(const Module&, std::string_view formula, const property_options& options = {}) {
  return check_module(*runtime::probing<Module>::table(), formula, options);
}

}  // namespace harrier::protocol
