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

namespace harrier {
namespace {

constexpr std::size_t most_attempts = 200;
constexpr std::size_t longest = 1'000;  // deliveries
constexpr auto most_time = std::chrono::seconds(2);

bool is_fault(const fate& f) {
  return f.drawn != fate::what::arrives && f.drawn != fate::what::goes_on && f.drawn != fate::what::is_whole &&
         f.drawn != fate::what::stays_cut;
}

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

/// Follows an execution in a system of its own, but for what is left out.
class follower {
public:
  follower(const system& old, system& fresh)
      : old_(old), fresh_(fresh), there_(old.message_count() + 1, no_message), step_there_(old.step_count(), no_step) {
    for (std::size_t i = 0; i < std::min(old.setup_steps(), fresh.setup_steps()); ++i) {
      step_there_[i] = static_cast<step_index>(i);
      know_what_was_sent(static_cast<step_index>(i));
    }
    // What begins the execution was sent by no step.
    for (message_slot m = 1; m <= std::min(old.message_count(), fresh.message_count()); ++m)
      if (old.message_at(m).sent_by == no_step) there_[m] = m;
  }

  void follow(const extra& without) {
    for (auto i = static_cast<step_index>(old_.setup_steps()); i < old_.step_count(); ++i) {
      if (without.at == i && !without.fate_of_step) continue;
      const bool is_stage = old_.step_at(i).kind == step_kind::stage;
      const auto m = is_stage ? come_to_stage() : there_[old_.step_at(i).message];
      if (m == no_message || !can_be_delivered(m)) continue;
      deliver(m, i, without.at == i ? without.fate_of_step : std::nullopt);
      step_there_[i] = fresh_.last_step();
      know_what_was_sent(i);
    }
  }
  void come_to_end() {
    const auto most = fresh_.depth() + longest;
    for (auto m = fresh_.first_deliverable(); m != no_message && fresh_.depth() < most; m = fresh_.first_deliverable())
      fresh_.deliver(first_but_timers(m));
  }

private:
  /// A stage begins when nothing else is left. @return what begins it; no_message if it does not come.
  [[nodiscard]] message_slot come_to_stage() {
    const auto most = fresh_.depth() + longest;
    for (auto m = fresh_.first_deliverable(); m != no_message && fresh_.depth() < most;
         m = fresh_.first_deliverable()) {
      if (fresh_.message_at(m).makes == step_kind::stage) return m;
      fresh_.deliver(first_but_timers(m));
    }
    return no_message;
  }
  [[nodiscard]] bool can_be_delivered(message_slot m) const {
    return fresh_.pending(m) && fresh_.first_deliverable() != no_message && fresh_.deliverable(m);
  }
  [[nodiscard]] message_slot first_but_timers(message_slot first) const {
    for (auto m = first; m != no_message; m = fresh_.next_deliverable(m))
      if (fresh_.message_at(m).makes != step_kind::timeout) return m;
    return first;
  }
  /// The i-th message of a step is the i-th of the one that stands for it.
  void know_what_was_sent(step_index i) {
    const auto at = step_there_[i];
    const auto theirs = fresh_.step_at(at).first_sent;
    const auto ours = old_.step_at(i).first_sent;
    for (auto m = ours; m < old_.sent_end(i) && theirs + (m - ours) < fresh_.sent_end(at); ++m)
      there_[m] = theirs + (m - ours);
  }
  /// Draws what step `i` of the old execution drew, but for one fate.
  void deliver(message_slot m, step_index i, std::optional<std::size_t> without) {
    std::uint64_t code = 0;
    fresh_.deliver(m, code);
    for (std::size_t c = 0; c < fresh_.choices_of(fresh_.last_step()).size(); ++c) {
      const auto wanted = draw_wanted(c, i, without);
      const auto drawn = fresh_.choices_of(fresh_.last_step())[c];
      if (wanted == 0 || wanted >= drawn.arity) continue;
      fresh_.undo();
      code += wanted * drawn.scale;
      fresh_.deliver(m, code);
    }
  }
  [[nodiscard]] std::uint64_t draw_wanted(std::size_t c, step_index i, std::optional<std::size_t> without) const {
    const auto at = fresh_.last_step();
    const auto theirs = fresh_.fates_of(at);
    const auto ours = old_.fates_of(i);
    const auto value_of = [&](std::size_t draw) {
      const auto& choice = old_.choices_of(i)[draw];
      return old_.step_at(i).code / choice.scale % choice.arity;
    };
    const auto there = std::find_if(theirs.begin(), theirs.end(), [c](const fate& f) { return f.draw == c; });
    if (there == theirs.end()) {  // the handler's own
      const bool is_own = c < old_.choices_of(i).size() &&
                          std::none_of(ours.begin(), ours.end(), [c](const fate& f) { return f.draw == c; });
      return is_own ? value_of(c) : 0;
    }
    for (std::size_t f = 0; f < ours.size(); ++f) {
      if (without == f || !is_fate_of_same(ours[f], i, *there, at)) continue;
      return value_of(ours[f].draw);
    }
    return 0;
  }
  [[nodiscard]] bool is_fate_of_same(const fate& ours, step_index i, const fate& theirs, step_index at) const {
    if ((ours.message == no_message) != (theirs.message == no_message) || ours.between != theirs.between) return false;
    if (ours.message == no_message)
      return old_.actor_at(ours.who).id == old_.actor_at(old_.step_at(i).receiver).id
                 ? theirs.who == fresh_.step_at(at).receiver
                 : ours.who - old_.step_at(i).first_created == theirs.who - fresh_.step_at(at).first_created;
    return ours.message - old_.step_at(i).first_sent == theirs.message - fresh_.step_at(at).first_sent;
  }

  const system& old_;
  system& fresh_;
  std::vector<message_slot> there_;     // by message of the old execution
  std::vector<step_index> step_there_;  // by its step
};

class attempt {
public:
  attempt(const finding& of, const program& tested, const options& how) : of_(of), tested_(tested), how_(how) {}

  /// @return the finding without that, if it is still there.
  std::optional<finding> without(const system& old, const extra& what) const {
    const auto fresh = tested_.start(how_.search.delivery);
    fresh->limit_depth(how_.limits.max_depth);
    follower along(old, *fresh);
    along.follow(what);
    if (auto again = found_by(fresh->current_schedule())) return again;
    if (!is_about_the_end()) return std::nullopt;
    along.come_to_end();
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
