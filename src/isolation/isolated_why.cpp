#include <harrier/isolation/isolated_why.hpp>

#include <algorithm>
#include <chrono>

#include <harrier/core/error.hpp>

#include "../explore/start.hpp"
#include "../explore/why.hpp"
#include "child.hpp"
#include "wire.hpp"

namespace harrier {
namespace {

constexpr int most_children = 20;
constexpr double most_of_a_handler = 3;  // seconds: in an order that nobody asked for; less would be a matter of luck
constexpr std::uint64_t most_memory = 4096;

/// What one child tells.
struct told_by_child {
  explanation why = {};
  bool is_told = false;
  tried_so_far tried = {};
  bool has_tried = false;

  void hear(const json_value& told) {
    if (told.contains("why")) {
      why = explanation_from_wire(told.at("why"));
      is_told = true;
    }
    if (!told.contains("trying")) return;
    const auto& now = told.at("trying");
    tried = {now.at(0).get<std::size_t>(), now.at(1).get<std::size_t>(), now.at(2).get<std::size_t>()};
    has_tried = true;
  }
};

/// The change that was being tried kills the process.
tried_so_far after_death(tried_so_far tried, const finding& found) {
  ++tried.changes;
  ++tried.undecided;
  tried.deliveries += found.schedule.size();
  return tried;
}

}  // namespace

explanation why_isolated(const program& tested, const options& asked, const finding& found, double seconds,
                         const isolation_options& apart) {
  using clock = std::chrono::steady_clock;
  if (!has_a_why(found)) return {};
  const auto how = as_usual_for(tested, asked);
  const auto whole = with_faults(tested, how.search.faults);
  const auto until = clock::now() + std::chrono::duration<double>(seconds);
  tried_so_far tried;
  for (int child = 0; child < most_children; ++child) {
    const auto left = std::chrono::duration<double>(until - clock::now()).count();
    if (left <= 0) return {};
    const watch noted(found.schedule.size());
    told_by_child told;
    const auto end = run_in_child(
        noted, {std::min(apart.handler_limit, most_of_a_handler), left, most_memory},
        {.run =
             [&](const child_voice& tell) {
               const auto why = why_found(noted.watched(whole, true), how, found, tried, [&](const tried_so_far& now) {
                 tell({{"trying", {now.changes, now.deliveries, now.undecided}}});
               });
               tell({{"why", to_wire(why)}});
             },
         .hear = [&](const json_value& line) { told.hear(line); },
         .quiet = true});
    if (told.is_told) return told.why;
    const bool killed = end.way == child_end::how::died || end.way == child_end::how::did_not_end;
    if (!killed || !told.has_tried) return {};
    tried = after_death(told.tried, found);
  }
  return {};
}

std::vector<explanation> whys_isolated(const program& tested, const options& how, const std::vector<finding>& found,
                                       std::size_t most, double seconds, const isolation_options& apart) {
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + std::chrono::duration<double>(seconds);
  std::vector<explanation> all;
  for (const auto& f : found) {
    const auto left = std::chrono::duration<double>(until - clock::now()).count();
    if (all.size() == most || left <= 0) break;
    try {
      all.push_back(why_isolated(tested, how, f, left, apart));
    } catch (const error&) {
      break;
    }
  }
  return all;
}

}  // namespace harrier
