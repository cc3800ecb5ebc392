#include "leave_out.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "follower.hpp"
#include "minimise.hpp"
#include "plan.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::size_t longest_way = 1'000;  // deliveries, as for minimise()

options that_run_once(options how) {
  how.judging.check_determinism = repetition::off;
  how.judging.check_undo = false;
  return how;
}

/// A change, and what it makes of the schedule.
using change = std::pair<left_out, std::optional<plan>>;

/// Those to one step. A timer counts after the faults.
void add_extras(const system& old, std::size_t place, std::vector<change>& changes) {
  const auto i = first_step(old) + static_cast<step_index>(place);
  const auto fates = old.fates_of(i).size();
  for (std::size_t f = 0; f < fates; ++f)
    changes.emplace_back(left_out{left_out::what::extra, 0, place, f}, without_fate(old, i, f));
  changes.emplace_back(left_out{left_out::what::extra, 0, place, fates}, without_timeout(old, i));
}
void add_draws(const system& old, std::size_t place, std::vector<change>& changes) {
  const auto i = first_step(old) + static_cast<step_index>(place);
  for (std::size_t draw = 0; draw < old.choices_of(i).size(); ++draw)
    for (std::size_t how = 0; how < ways_to_draw_lower; ++how)
      changes.emplace_back(left_out{left_out::what::draw, 0, place, draw * ways_to_draw_lower + how},
                           drawing_lower(old, i, draw, how));
}

/// All from `begin` on, in their order. The last delivery of the schedule is not one of the steps.
std::vector<change> changes_of(const system& old, const left_out& begin) {
  const auto count = static_cast<std::size_t>(old.step_count() - first_step(old));
  std::vector<change> changes;
  for (std::size_t place = 0; place < count; ++place) add_extras(old, place, changes);
  for (auto width = (count + 1) / 2; width > 0; width /= 2)
    for (std::size_t from = 0; from < count; from += width)
      changes.emplace_back(left_out{left_out::what::deliveries, width, from, 0}, without_steps(old, from, width));
  for (std::size_t late = 1; late < count; ++late)
    changes.emplace_back(left_out{left_out::what::overtaking, 0, late, 0}, before_younger(old, late));
  for (std::size_t place = 0; place < count; ++place) add_draws(old, place, changes);
  std::erase_if(changes, [&](const change& c) { return c.first < begin || !c.second; });
  return changes;
}

/// The last delivery of `way`, if it can still be made. With which draws it ends the process is not known before.
void deliver_last(system& fresh, follower& along, const scheduled& last, const std::function<void()>& trying) {
  const auto m = along.find_alike_of(last.message);
  if (!along.can_be_delivered(m)) return;
  trying();
  fresh.deliver(m);
  std::uint64_t codes = 1;
  for (const auto& choice : fresh.choices_of(fresh.last_step())) codes *= choice.arity;
  if (last.code == 0 || last.code >= codes) return;
  fresh.undo();
  fresh.deliver(m, last.code);
}

}  // namespace

void leave_out(const program& tested, const options& how, const schedule& way, const left_out& begin,
               const std::function<void(const left_out&, bool is_last)>& trying) {
  const auto once = that_run_once(how);
  const auto old = tested.start(how.search.delivery);
  if (!old->shows_changes() || way.size() > longest_way) return;
  old->run({way.begin(), way.end() - 1});
  const auto least = effort_so_far(*old);
  const auto attempt = [&](const left_out& now, const plan& what) {
    trying(now, false);
    const auto fresh = start_as_asked(tested, once);
    follower along(*old, *fresh);
    for (const auto i : what.steps) make_happen(what, i, along);
    if (now.kind != left_out::what::nothing && effort_so_far(*fresh) >= least) return;
    deliver_last(*fresh, along, way.back(), [&] { trying(now, true); });
  };
  if (begin.kind == left_out::what::nothing) return attempt(begin, plan_of(*old));
  for (const auto& [now, what] : changes_of(*old, begin)) attempt(now, *what);
}

}  // namespace harrier
