#pragma once

#include <cstdint>
#include <type_traits>

#include <harrier/core/exploration.hpp>

namespace harrier {

/// What becomes of a number that several workers, or the parts of a search, have counted.
enum class put_together : std::uint8_t {
  not_at_all,
  as_sum,
  as_maximum,
};

/// Calls `visit(name, member, how)` for each field of an exploration, by its name in the JSON and in the order there.
/// Whoever writes explorations, reads them, or puts them together goes through this list.
template <class Visit>
void for_each_field(Visit visit) {
  using enum put_together;
  using e = exploration;
  visit("program", &e::program, not_at_all);
  visit("parameters", &e::parameters, not_at_all);
  visit("engine", &e::engine, not_at_all);
  visit("sleep_sets", &e::sleep_sets, not_at_all);
  visit("ordering", &e::ordering, not_at_all);
  visit("delivery", &e::delivery, not_at_all);
  visit("faults", &e::faults, not_at_all);
  visit("with_faults", &e::with_faults, as_sum);
  visit("exhausted", &e::exhausted, not_at_all);
  visit("executions", &e::executions, as_sum);
  visit("blocked", &e::blocked, as_sum);
  visit("transitions", &e::transitions, as_sum);
  visit("max_depth", &e::max_depth, as_maximum);
  visit("actors", &e::actors, as_maximum);
  visit("seconds", &e::seconds, not_at_all);
  visit("peak_rss_mib", &e::peak_rss_mib, not_at_all);
  visit("estimate", &e::estimate, not_at_all);
  visit("jobs", &e::jobs, not_at_all);
  visit("outcomes", &e::outcomes, as_sum);
  visit("assumed_away", &e::assumed_away, as_sum);
  visit("findings", &e::findings, not_at_all);
  visit("warnings", &e::warnings, not_at_all);
  visit("notes", &e::notes, not_at_all);
  visit("advice", &e::advice, not_at_all);
  visit("truncated", &e::truncated, as_sum);
  visit("state_space", &e::states, not_at_all);
  visit("statistics", &e::statistics, not_at_all);
  visit("orders", &e::orders, not_at_all);
  visit("seed", &e::seed, not_at_all);
  visit("draws_executions", &e::draws_executions, not_at_all);
  visit("observers", &e::observers, not_at_all);
  visit("independence", &e::independence, not_at_all);
  visit("stopped_by", &e::stopped_by, not_at_all);
  visit("out_of_timeouts", &e::out_of_timeouts, as_sum);
  visit("points", &e::points, not_at_all);
}

/// The same for those that are numbers and put together: `visit(member, how)`.
template <class Visit>
void for_each_count(Visit visit) {
  for_each_field([&visit](const char* /*name*/, auto member, put_together how) {
    if constexpr (std::is_same_v<decltype(member), std::uint64_t exploration::*>)
      if (how != put_together::not_at_all) visit(member, how);
  });
}

}  // namespace harrier
