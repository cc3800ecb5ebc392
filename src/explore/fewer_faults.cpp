#include "fewer_faults.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/explain/explain.hpp>
#include <harrier/replay/replay.hpp>

#include "../core/finding_origin.hpp"
#include "follower.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_attempts = 200;
constexpr std::size_t longest = 1'000;  // deliveries
constexpr auto most_time = std::chrono::seconds(2);

/// Something that a schedule may do without: what befell somebody in a step, or the firing of a timer.
struct extra {
  step_index at;
  /// Which of the step's fates; none: the step itself.
  std::optional<std::size_t> fate_of_step;
};

std::vector<extra> extras_of(const system& s) {
  std::vector<extra> all;
  for (auto i = static_cast<step_index>(s.setup_steps()); i < s.step_count(); ++i) {
    const auto fates = s.fates_of(i);
    for (std::size_t f = 0; f < fates.size(); ++f)
      if (is_fault(fates[f])) all.push_back({i, f});
    if (s.step_at(i).kind == step_kind::timeout) all.push_back({i, std::nullopt});
  }
  return all;
}

/// Makes happen in `along` what `old` did, but for what is left out.
void follow(const system& old, follower& along, const extra& without) {
  for (auto i = static_cast<step_index>(old.setup_steps()); i < old.step_count(); ++i) {
    if (without.at == i && !without.fate_of_step) continue;
    if (old.step_at(i).kind == step_kind::stage && !along.come_to_stage(longest)) continue;
    along.deliver_as(i, without.at == i ? without.fate_of_step : std::nullopt);
  }
}

class attempt {
public:
  attempt(const finding& of, const program& tested, const options& how) : of_(of), tested_(tested), how_(how) {}

  /// @return the finding without that, if it is still there.
  std::optional<finding> without(const system& old, const extra& what) const {
    const auto fresh = tested_.start(how_.search.delivery);
    fresh->limit_depth(how_.limits.max_depth);
    follower along(old, *fresh);
    follow(old, along, what);
    if (auto again = found_by(fresh->current_schedule())) return again;
    if (!is_about_the_end()) return std::nullopt;
    along.come_to_end(longest);
    return found_by(fresh->current_schedule());
  }

private:
  std::optional<finding> found_by(schedule way) const {
    auto again = of_;
    again.trace.clear();
    again.details.clear();
    again.schedule = std::move(way);
    return occurs(again) ? std::optional(std::move(again)) : std::nullopt;
  }
  [[nodiscard]] bool is_about_the_end() const {
    return origin_of(of_.kind) == finding_origin::an_end || of_.actor.empty();
  }
  /// @param again  its trace is made.
  bool occurs(finding& again) const {
    complete(again, tested_, {.delivery = how_.search.delivery, .depth_limit = how_.limits.max_depth});
    if (again.trace.size() != again.schedule.size()) return false;
    replay_listener nobody;
    const auto judge = how_.judging.by != nullptr ? how_.judging.by->another() : nullptr;
    return replay(tested_,
                  {.finding = again,
                   .delivery = how_.search.delivery,
                   .ends = how_.judging.ends(),
                   .finally = how_.judging.finally,
                   .judge = judge.get(),
                   .depth_limit = how_.limits.max_depth},
                  nobody)
               .way == replay_end::how::found_again;
  }

  const finding& of_;
  const program& tested_;
  const options& how_;
};

bool can_be_looked_for(const finding& found, const system& initial, const options& how) {
  if (found.schedule.empty() || found.schedule.size() > longest || !initial.shows_changes()) return false;
  switch (origin_of(found.kind)) {
    case finding_origin::a_step:
    case finding_origin::an_end: return true;
    case finding_origin::a_monitor: return how.judging.by != nullptr && how.judging.by->another() != nullptr;
    case finding_origin::the_process:
    case finding_origin::the_search: return false;
  }
  return false;
}

/// What explains it, of an execution that ends in another way than the one in which it was found.
std::vector<std::string> explained_anew(const finding& found, system& ended, const program& tested,
                                        const options& how) {
  if (found.kind == finding_kind::deadlock)
    return describe_deadlock(ended, look_at_end(ended, how.judging.ends()).stuck).details;
  const auto is_it = [&](const record& r) { return r.message == found.message && r.kind == found.kind; };
  if (!found.actor.empty() && ended.depth() > 0)
    for (const auto& r : ended.records_of_last_step())
      if (is_it(r)) return r.details;
  if (!found.actor.empty() || !tested.finally) return found.details;
  for (auto& failed : check_end(ended, tested.finally))
    if (is_it(failed)) return std::move(failed.details);
  return found.details;
}

}  // namespace

void leave_out_faults(finding& found, const program& tested, const options& how) {
  const auto until = std::chrono::steady_clock::now() + most_time;
  std::size_t attempts = 0;
  try {
    if (!can_be_looked_for(found, *tested.start(how.search.delivery), how)) return;
    for (bool is_better = true; is_better;) {
      is_better = false;
      const auto old = tested.start(how.search.delivery);
      old->run(found.schedule);
      const auto extras = extras_of(*old);
      const attempt now(found, tested, how);
      for (const auto& what : extras) {
        if (++attempts > most_attempts || std::chrono::steady_clock::now() > until) return;
        auto fewer = now.without(*old, what);
        if (!fewer) continue;
        const auto there = tested.start(how.search.delivery);
        there->run(fewer->schedule);
        if (extras_of(*there).size() >= extras.size()) continue;
        fewer->details = explained_anew(found, *there, tested, how);
        fewer->is_shortest = found.is_shortest && fewer->schedule.size() <= found.schedule.size();
        fewer->trace.clear();
        found = std::move(*fewer);
        is_better = true;
        break;
      }
    }
  } catch (...) {  // it is shown as far as that was done
    return;
  }
}

}  // namespace harrier
