#include "compare.hpp"

#include <harrier/core/error.hpp>
#include <harrier/ordering/ordering.hpp>

namespace harrier::differential {

namespace {

/// Says what it sees, so that ends that differ in it are different findings.
void tell_states(final_states& end) {
  int sum = 0;
  for (const litmus::node& n : end.all<litmus::node>()) sum += n.state;
  end.check(false, std::to_string(end.alive<litmus::node>().size()) + " of " +
                       std::to_string(end.all<litmus::node>().size()) +
                       " actors are left, and all their states add up to " + std::to_string(sum));
}

}  // namespace

std::string ordering_for(std::uint64_t seed) {
  if (seed % 23 == 7) return "stability";  // seldom: it costs more, and the others differ more from one another
  auto all = ordering_names();
  std::erase(all, "stability");
  return all[seed % all.size()];
}

std::optional<observed> oracle_of(const program& tested, watch_for what, limits largest) {
  try {
    auto oracle = observe_all(tested, true, largest, what);
    if (oracle.how_it_ended == verdict::too_large) return {};
    if (oracle.how_it_ended == verdict::complete && oracle.executions < 2) return {};
    return oracle;
  } catch (const untestable_program&) {
    return {};
  }
}

comparison compare(const litmus::random_program& tables, watch_for what) {
  auto tested = litmus::interpret(tables);
  tested.finally = tell_states;
  return compare(tested, tables.seed, what);
}

comparison compare(const program& tested, std::uint64_t seed, watch_for what, limits largest) {
  comparison result;
  auto oracle = oracle_of(tested, what, largest);
  if (!oracle) return result;
  result.oracle = std::move(*oracle);
  result.fits = true;
  if (result.oracle.how_it_ended == verdict::derailed) {
    result.differences.push_back("exhaustive: went wrong: " + result.oracle.why);
    return result;
  }
  if (result.oracle.ends_differ) result.differences.emplace_back("exhaustive: one trace ended in two configurations");
  if (!result.oracle.aborting.empty() && !what.observers)  // exhaustive alone, and with all orders
    result.differences =
        differences_of_stopping(observe_all(tested, false, largest, {.model = what.model}), result.oracle);
  const bool has_faults = tested.start(what.model)->allowed_faults().any();
  for (auto s : what.observers ? searches_with_observers() : searches()) {
    if (what.model == delivery::mailbox && s.name == "trust in turns") continue;                 // it has no such items
    if (has_faults && what.model == delivery::mailbox && s.name.starts_with("trust")) continue;  // it has none there
    const bool is_filtered = what.model == delivery::mailbox && (s.name == "trust" || s.name == "trust by threads");
    if (is_filtered) s.promises = search::promise::once;
    const auto reduced =
        observe(tested, s, ordering_for(seed), much_larger,
                {.texts = what.texts, .check_undo = what.check_undo, .observers = what.observers, .model = what.model});
    // Under mailbox it runs each class of mailbox-interleaved, of which there may be any number more.
    if (reduced.how_it_ended == verdict::too_large && is_filtered) continue;
    for (auto& line : differences(result.oracle, s, reduced)) result.differences.push_back(std::move(line));
    result.executions[s.name] = reduced.executions;
    result.blocked[s.name] = reduced.blocked;
  }
  return result;
}

std::string difference_in_ends(const observed& oracle, const observed& seen) {
  const auto ends_of = [](const observed& of) {
    std::set<std::uint64_t> ends;
    for (const auto& [key, known] : of.traces) ends.insert(known.end);
    return ends;
  };
  if (seen.how_it_ended != verdict::complete) return "did not come to its end " + seen.why;
  if (seen.findings != oracle.findings) return "other findings";
  if (ends_of(seen) != ends_of(oracle)) return "other ends";
  for (const auto& [key, known] : seen.traces)
    if (known.executions > 1) return "a trace was run twice";
  return {};
}

}  // namespace harrier::differential
