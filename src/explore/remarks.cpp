#include "remarks.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include <harrier/core/stages.hpp>

#include "engines.hpp"

namespace harrier {
namespace {

/// Whether something is judged only at ends of executions.
bool looks_at_ends(const program& tested, const options& how) {
  const auto initial = tested.start(how.search.delivery);
  const auto* const in = initial->in_stages();
  return in != nullptr ? in->looks_at_ends() : how.judging.finally != nullptr;
}

/// Of a library that does not know harrier.
bool is_foreign(const program& tested, const options& how) {
  return tested.seen != nullptr && !tested.start(how.search.delivery)->shows_changes();
}

bool sends_nothing(const program& tested, const options& how) {
  return tested.start(how.search.delivery)->first_pending() == no_message;
}

std::uint64_t number(const exploration& result, std::string_view name) {
  for (const auto& s : result.statistics)
    if (s.name == name) return static_cast<std::uint64_t>(s.value);
  return 0;
}

/// In how many states ordering stability knew a stable actor; empty: another one was used, or none.
std::string share_of_stable_states(const exploration& result) {
  const auto states = number(result, "states ordered");
  if (states == 0) return {};
  const auto stable = number(result, "states with a stable actor");
  return fmt::format("ordering stability knew a stable actor in {} of {} states ({:.1f} %)", stable, states,
                     100.0 * static_cast<double>(stable) / static_cast<double>(states));
}

/// How many pairs of messages commuted; empty: none was tried.
std::string share_of_commuting_pairs(const exploration& result) {
  const auto tried = number(result, "pairs of messages tried in both orders");
  if (tried == 0) return {};
  return fmt::format(
      "of {} pairs of messages that were tried in both orders, in the states in which they met, {} commuted", tried,
      number(result, "pairs of messages that commuted"));
}

/// What remembering steps came to; empty: no step was done from memory.
std::string share_of_recalled_steps(const exploration& result) {
  const auto recalled = number(result, "steps recalled");
  if (recalled == 0) return {};
  return fmt::format("{} deliveries were done from memory, without a call of their handlers; {} were new (--memoise)",
                     recalled, number(result, "distinct steps remembered"));
}

/// Whether of executions that differ for nobody one was run.
bool leaves_out_what_nobody_can_tell(const exploration& result, const options& how) {
  return result.observers || (how.search.delivery == delivery::mailbox_interleaved && how.limits.budget == 0 &&
                              engine_named(how.search.engine).takes_histories);
}

}  // namespace

bool refuse_if_nothing_was_judged(exploration& result, const program& tested, const options& how) {
  if (!result.exhausted || result.executions > 0 || !result.findings.empty()) return false;
  if (result.assumed_away > 0)
    result.stopped_by = "assumptions that hold in no execution";
  else if (looks_at_ends(tested, how))
    result.stopped_by = "executions that never end";
  result.exhausted = result.stopped_by.empty();
  if (!result.exhausted) result.estimate.reset();
  return !result.exhausted;
}

std::vector<std::string> remarks_on(const exploration& result, const program& tested, const options& how) {
  std::vector<std::string> remarks;
  if (auto share = share_of_stable_states(result); !share.empty()) remarks.push_back(std::move(share));
  if (auto share = share_of_commuting_pairs(result); !share.empty()) remarks.push_back(std::move(share));
  if (auto share = share_of_recalled_steps(result); !share.empty()) remarks.push_back(std::move(share));
  if (result.states && !result.outcomes.empty())
    remarks.emplace_back(
        "engine stateful counts outcomes along the paths it took: others that lead to the same states may have other "
        "outcomes; engine optimal counts all");
  if (result.exhausted && result.faults.any() && result.with_faults == 0)
    remarks.emplace_back(
        "no fault was possible: what the driver sends, and what an actor sends to itself, always arrives, and the "
        "driver does not crash; so this says nothing about faults");
  if (result.exhausted)
    for (const auto& [name, is_reached] : result.points)
      if (!is_reached) remarks.push_back("never happened, in any execution: " + name);
  if (result.executions > 0 && result.out_of_timeouts == result.executions)
    remarks.emplace_back(
        "no end was judged: every execution stopped when the timers of some actor had fired as often as they may "
        "(--timeouts), and whether it would have ended well is not known; what handlers check was judged, and what is "
        "to converge");
  const auto ended = result.executions;
  if (result.exhausted && result.transitions == 0) {
    remarks.emplace_back(sends_nothing(tested, how)
                             ? "the driver sends no message, so there was nothing to explore: nothing was tested"
                             : "nothing that the driver sends can be delivered: nothing was tested");
  } else if (result.exhausted && !result.states && ended == 1 && result.assumed_away == 0) {
    remarks.emplace_back(
        leaves_out_what_nobody_can_tell(result, how)
            ? "there is one execution only: nothing is drawn, and no two messages can come in another order "
              "that makes a difference to anybody"
            : "there is one execution only: no two messages can come in another order, and nothing is drawn");
  }
  // What a library's program assumes is nothing.
  if (result.assumed_away > 0 && is_foreign(tested, how))
    remarks.push_back(fmt::format(
        "{} run and not judged: each actor's messages could come in that order, but no order in which they reach the "
        "queues of all actors gives it",
        result.assumed_away == 1 ? "1 execution was" : fmt::format("{} executions were", result.assumed_away)));
  if (ended > 0) return remarks;
  if (result.truncated > 0)
    remarks.push_back(fmt::format("nothing was judged: no execution came to its end, each was cut after {} deliveries",
                                  result.max_depth));
  else if (result.assumed_away > 0)
    remarks.emplace_back("nothing was judged: every execution was assumed away");
  else if (result.stopped_by == "executions that never end")
    remarks.emplace_back("nothing was judged: no execution comes to its end, so the checks made at the end never ran");
  return remarks;
}

}  // namespace harrier
