#include "minimise.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/explain/explain.hpp>
#include <harrier/replay/replay.hpp>

#include "../core/finding_origin.hpp"
#include "follower.hpp"
#include "limits.hpp"
#include "plan.hpp"

namespace harrier {
namespace {

constexpr double attempts_a_second = 500;
constexpr std::size_t longest = 1'000;  // deliveries

std::size_t extras_of(const system& s, step_index i) {
  const auto fates = s.fates_of(i);
  return static_cast<std::size_t>(std::count_if(fates.begin(), fates.end(), is_fault)) +
         (s.step_at(i).kind == step_kind::timeout ? 1 : 0);
}

/// Deliveries before which something was sent that came later, or never. Timers do not count, nor what is no message.
std::size_t overtakings_in(const system& s) {
  std::vector<bool> is_past(s.message_count() + 1, false);
  for (message_slot m = 1; m <= s.message_count(); ++m)
    is_past[m] = s.message_at(m).makes == step_kind::timeout || s.message_at(m).makes == step_kind::stage;
  message_slot oldest = 1;
  std::size_t count = 0;
  for (step_index i = 0; i < s.step_count(); ++i) {
    const auto m = s.step_at(i).message;
    while (oldest < m && is_past[oldest]) ++oldest;
    if (i >= first_step(s) && oldest < m && !is_past[m]) ++count;
    is_past[m] = true;
  }
  return count;
}

/// What was found, and an execution that shows it.
class attempts {
public:
  attempts(finding& found, const program& tested, const options& how, const patience& with)
      : found_(found),
        tested_(tested),
        how_(how),
        with_(with),
        left_(with.attempts),
        least_(effort_of(found.schedule, tested, how)) {
    run_again();
  }

  /// What the program throws outside its handlers, where it is asked something, is of no step: whether it would be
  /// asked in another execution is not known.
  [[nodiscard]] bool is_of_an_execution() const {
    const bool is_of_a_step = origin_of(found_.kind) == finding_origin::a_step;
    const bool is_of_the_end = found_.kind == finding_kind::assertion && found_.actor.empty();
    return !is_of_a_step || is_of_the_end || is_in_last_step(*old_);
  }
  [[nodiscard]] const system& old() const { return *old_; }
  [[nodiscard]] bool is_shortest() const { return found_.is_shortest && least_.extras == 0; }
  [[nodiscard]] bool is_over() const {
    return left_ == 0 || std::chrono::steady_clock::now() > with_.until || with_.is_over();
  }

  /// @return whether it shows the finding with less effort, and was taken
  bool takes(const plan& other) {
    if (is_over()) return false;
    --left_;
    const auto fresh = tested_.start(how_.search.delivery);
    fresh->limit_depth(how_.limits.max_depth);
    follower along(*old_, *fresh);
    follow(other, along, *fresh);
    if (!is_at_an_end() && is_taken(fresh->current_schedule())) return true;
    if (!is_at_an_end() && (!is_about_the_end() || fresh->first_deliverable() == no_message)) return false;
    along.come_to_end(longest);
    return fresh->first_deliverable() == no_message && is_taken(fresh->current_schedule());
  }

private:
  /// What is found where nothing more can be delivered is not there before: what is to happen some time may still come.
  [[nodiscard]] bool is_at_an_end() const { return old_->first_deliverable() == no_message && !is_in_last_step(*old_); }

  void run_again() {
    old_ = tested_.start(how_.search.delivery);
    old_->run(found_.schedule);
  }

  void follow(const plan& p, follower& along, const system& fresh) const {
    for (const auto i : p.steps) {
      if (old_->step_at(i).kind == step_kind::stage && !along.come_to_stage(longest)) continue;
      make_happen(p, i, along);
      if (is_in_last_step(fresh)) return;
    }
  }

  [[nodiscard]] bool is_it(const record& r) const { return r.message == found_.message && r.kind == found_.kind; }
  [[nodiscard]] bool is_in_last_step(const system& s) const {
    if (found_.actor.empty() || s.depth() == 0 || !s.step_at(s.last_step()).flagged) return false;
    const auto records = s.records_of_last_step();
    return std::any_of(records.begin(), records.end(), [this](const record& r) { return is_it(r); });
  }

  bool is_taken(schedule way) {
    if (way.empty()) return false;
    const auto needs = effort_of(way, tested_, how_);
    if (needs >= least_) return false;
    auto again = found_;
    again.trace.clear();
    again.details.clear();
    again.schedule = std::move(way);
    if (!occurs(again)) return false;
    again.trace.clear();
    again.details = std::move(found_.details);
    again.is_shortest = found_.is_shortest && again.schedule.size() <= found_.schedule.size();
    found_ = std::move(again);
    least_ = needs;
    run_again();
    found_.details = explained_anew();
    return true;
  }

  [[nodiscard]] bool is_about_the_end() const {
    return origin_of(found_.kind) == finding_origin::an_end || found_.actor.empty();
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

  /// What explains it, of an execution that ends in another way than the one in which it was found.
  [[nodiscard]] std::vector<std::string> explained_anew() const {
    if (found_.kind == finding_kind::deadlock)
      return describe_deadlock(*old_, look_at_end(*old_, how_.judging.ends()).stuck).details;
    if (!found_.actor.empty() && old_->depth() > 0)
      for (const auto& r : old_->records_of_last_step())
        if (is_it(r)) return r.details;
    if (!found_.actor.empty() || !tested_.finally) return found_.details;
    for (auto& failed : check_end(*old_, tested_.finally))
      if (is_it(failed)) return std::move(failed.details);
    return found_.details;
  }

  finding& found_;
  const program& tested_;
  const options& how_;
  const patience& with_;
  std::size_t left_;
  effort least_;
  system_handle old_;
};

bool takes(attempts& tried, const std::optional<plan>& other) { return other && tried.takes(*other); }

/// What befell somebody in step `i`, each fate by itself, and the firing of a timer.
bool leaves_out_extra_of(attempts& tried, step_index i) {
  for (std::size_t f = 0; f < tried.old().fates_of(i).size(); ++f)
    if (takes(tried, without_fate(tried.old(), i, f))) return true;
  return takes(tried, without_timeout(tried.old(), i));
}

/// @return whether any was left out, here and below: whether there was a better schedule, which `tried` has now.
bool leaves_out_extras(attempts& tried) {
  bool any = false;
  for (auto i = first_step(tried.old()); i < tried.old().step_count();)
    if (leaves_out_extra_of(tried, i))
      any = true;
    else
      ++i;
  return any;
}

bool leaves_out_deliveries(attempts& tried) {
  if (tried.is_shortest()) return false;
  bool any = false;
  for (auto width = plan_of(tried.old()).steps.size() / 2; width > 0; width /= 2)
    for (std::size_t from = 0; !tried.is_over();) {
      const auto other = without_steps(tried.old(), from, width);
      if (!other) break;
      if (tried.takes(*other))
        any = true;
      else
        from += width;
    }
  return any;
}

bool delivers_in_order(attempts& tried) {
  bool any = false;
  for (std::size_t late = 1; late < plan_of(tried.old()).steps.size() && !tried.is_over(); ++late)
    any = takes(tried, before_younger(tried.old(), late)) || any;
  return any;
}

/// One of the draws of step `i`.
bool draws_lower_in(attempts& tried, step_index i) {
  for (std::size_t draw = 0; draw < tried.old().choices_of(i).size(); ++draw)
    for (std::size_t how = 0; how < ways_to_draw_lower; ++how)
      if (takes(tried, drawing_lower(tried.old(), i, draw, how))) return true;
  return false;
}

bool draws_lower(attempts& tried) {
  bool any = false;
  for (auto i = first_step(tried.old()); i < tried.old().step_count() && !tried.is_over();)
    if (draws_lower_in(tried, i))
      any = true;
    else
      ++i;
  return any;
}

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

}  // namespace

effort effort_so_far(const system& s) {
  effort all{.deliveries = s.depth(), .overtakings = overtakings_in(s)};
  for (auto i = first_step(s); i < s.step_count(); ++i) {
    all.extras += extras_of(s, i);
    for (std::size_t draw = 0; draw < s.choices_of(i).size(); ++draw)
      if (is_own_draw(s, i, draw)) all.drawn += value_drawn(s, i, draw);
  }
  return all;
}

effort effort_of(const schedule& way, const program& tested, const options& how) {
  const auto s = tested.start(how.search.delivery);
  s->run(way);
  auto all = effort_so_far(*s);
  all.deliveries = way.size();
  return all;
}

patience patience_of(const options& how, std::size_t findings) {
  using clock = std::chrono::steady_clock;
  const auto given = how.limits.most_seconds();
  const auto seconds =
      given > 0 ? std::min(how.judging.minimise, seconds_to_conclude(given) / 2) : how.judging.minimise;
  const auto share = seconds / static_cast<double>(std::max<std::size_t>(findings, 1));
  return {.attempts = static_cast<std::size_t>(std::ceil(share * attempts_a_second)),
          .until = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(share))};
}

void minimise(finding& found, const program& tested, const options& how, const patience& with) {
  try {
    if (!can_be_looked_for(found, *tested.start(how.search.delivery), how)) return;
    attempts tried(found, tested, how, with);
    if (!tried.is_of_an_execution()) return;
    while (leaves_out_extras(tried) || leaves_out_deliveries(tried) || delivers_in_order(tried) || draws_lower(tried)) {
    }
  } catch (...) {  // it is shown as far as that was done
    return;
  }
}

}  // namespace harrier
