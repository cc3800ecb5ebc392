#include "healing.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/core/value_bytes.hpp>

#include "base/mix.hpp"

namespace harrier {
namespace {

/// An execution that goes on from its end, and is taken back.
class healing {
public:
  explicit healing(system& s)
      : s_(s), from_(s.step_count()), watching_(s.watch().observe(nullptr)), were_lifted_(s.lift_timeouts(true)) {
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) note_timer(m);
  }
  healing(const healing&) = delete;
  healing& operator=(const healing&) = delete;
  ~healing() {
    while (s_.step_count() > from_) s_.undo();
    s_.lift_timeouts(were_lifted_);
    s_.watch().observe(watching_);
    s_.watch().made_before(made_);
  }

  /// @return whether there was something to deliver.
  bool go_on() {
    const auto m = next();
    if (m == no_message) return false;
    const auto known = static_cast<message_slot>(s_.message_count());
    if (const auto due = due_.find(m); due != due_.end()) now_ = std::max(now_, due->second);
    deliver(m);
    for (auto sent = known + 1; sent <= s_.message_count(); ++sent) note_timer(sent);
    return true;
  }
  [[nodiscard]] std::size_t made() const { return s_.step_count() - from_; }
  /// What the program checks itself, and the last step was the first of the execution to fail.
  [[nodiscard]] std::optional<record> failed_just_now() const {
    if (made() == 0 || !s_.step_at(s_.last_step()).flagged) return std::nullopt;
    for (const auto& failed : s_.records_of_last_step())
      if (!has_failed_before(failed)) return as_found_here(failed, s_.last_step());
    return std::nullopt;
  }
  /// The same of what a monitor tells only when it is asked for all of it.
  [[nodiscard]] std::optional<record> failed_for_good() const {
    auto* const judge = s_.watch().judge();
    if (judge == nullptr || made() == 0) return std::nullopt;
    for (const auto& failed :
         s_.watch().asking(flight_record::asked::monitor, [&] { return judge->broken_for_good(s_); }))
      if (failed.at != no_step && failed.at >= from_) return as_found_here(failed, failed.at);
    return std::nullopt;
  }
  /// Whether configurations that look alike go on alike: nothing was drawn, and all can be seen.
  [[nodiscard]] bool repeats_itself() const { return drew_nothing_ && saw_all_; }
  /// What decides how it goes on: what the actors are and do, and what is pending, in that order.
  [[nodiscard]] fingerprint seen() {
    value_bytes all;
    for (actor_slot a = 0; a < s_.actor_count(); ++a) {
      const auto& x = s_.actor_at(a);
      all.raw(x.state_of_life);
      x.type->write(x.state, all);
      s_.write_activity(a, all);
    }
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) {
      if (s_.is_void(m)) continue;
      const auto& x = s_.message_at(m);
      const auto due = due_.find(m);
      all.raw(x.receiver);
      all.raw(x.type);
      all.raw(due == due_.end() ? std::int64_t{-1} : due->second - now_);
      x.type->write(x.payload, all);
    }
    saw_all_ = saw_all_ && all.is_all();
    return all.hash_of_all();
  }
  /// `node_1.tick()`, of the first delivery after `begin`, and so on until `end`; no more than can be read.
  void tell(std::size_t begin, std::size_t end, std::vector<std::string>& lines) const {
    constexpr std::size_t most_told = 20;
    const auto skipped = end - begin > most_told ? end - begin - most_told : 0;
    if (skipped > 0) lines.push_back("  " + std::to_string(skipped) + " deliveries, and then");
    for (auto i = begin + skipped; i < end; ++i) lines.push_back("  " + text_of(static_cast<step_index>(from_ + i)));
  }

private:
  void note_timer(message_slot m) {
    if (s_.message_at(m).makes == step_kind::timeout) due_.emplace(m, now_ + s_.delay_of(m));
  }
  [[nodiscard]] std::string text_of(step_index i) const {
    const auto& step = s_.step_at(i);
    const auto by_timer = step.kind == step_kind::timeout ? ", by a timer" : "";
    return s_.actor_name(step.receiver) + "." + s_.message_text(step.message) + by_timer;
  }
  /// As a finding of the execution as a whole: the step is no part of it.
  [[nodiscard]] record as_found_here(record failed, step_index at) const {
    failed.at = no_step;
    if (failed.kind != finding_kind::exception) failed.kind = finding_kind::assertion;
    const auto& step = s_.step_at(at);
    failed.message = "while it heals, in " + s_.actor_name(step.receiver) + "." + s_.message_text(step.message) + ": " +
                     failed.message;
    failed.details.emplace_back("what is delivered after the schedule, fairly and without a fault:");
    tell(0, at + std::size_t{1} - from_, failed.details);
    return failed;
  }
  [[nodiscard]] bool has_failed_before(const record& failed) const {
    for (auto i = s_.setup_steps(); i + 1 < s_.step_count(); ++i) {
      if (!s_.step_at(i).flagged) continue;
      const auto there = s_.records_of_step(i);
      if (std::any_of(there.begin(), there.end(),
                      [&](const record& r) { return r.message == failed.message && r.line == failed.line; }))
        return true;
    }
    return false;
  }
  /// The oldest message; where there is none, the timer that is due first. So nothing waits for ever.
  [[nodiscard]] message_slot next() const {
    auto timer = no_message;
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) {
      if (!s_.deliverable(m)) continue;
      if (s_.message_at(m).makes != step_kind::timeout) return m;
      if (timer == no_message || due_.at(m) < due_.at(timer)) timer = m;
    }
    return timer;
  }
  /// Of what is drawn, nothing befalls anybody, and the program's own draws differ from time to time.
  void deliver(message_slot m) {
    s_.deliver(m);
    ++made_;
    const auto at = s_.last_step();
    const auto draws = s_.choices_of(at);
    const auto fates = s_.fates_of(at);
    std::uint64_t code = 0;
    for (std::uint32_t c = 0; c < draws.size(); ++c) {
      if (std::any_of(fates.begin(), fates.end(), [c](const fate& f) { return f.draw == c; })) continue;
      drew_nothing_ = false;
      random_ = internal::mix(random_, made_);
      code += random_ % draws[c].arity * draws[c].scale;
    }
    if (code == 0) return;
    s_.undo();
    s_.deliver(m, code);
    ++made_;
  }

  system& s_;
  std::size_t from_;
  observer* watching_;
  bool were_lifted_;
  std::map<message_slot, std::int64_t> due_;
  std::int64_t now_ = 0;
  std::size_t made_ = 0;
  std::uint64_t random_ = 1;
  bool drew_nothing_ = true;
  bool saw_all_ = true;
};

/// Lets it heal. @return what is wrong with that; nothing if it comes to `goal` and all checks hold on the way.
std::optional<record> heal(system& s, const healing_check& goal) {
  healing on(s);
  std::map<fingerprint, std::size_t> seen;
  const auto fails = [&](const std::string& why, std::size_t shown_from, const std::string& over_lines) {
    record failed{.kind = finding_kind::assertion,
                  .message = "in the end it does not come about that " + goal.name + ": " + why};
    if (shown_from > 0) {
      failed.details.emplace_back("what is delivered after the schedule, fairly and without a fault:");
      on.tell(0, shown_from, failed.details);
    }
    if (shown_from < on.made()) {
      failed.details.push_back(over_lines);
      on.tell(shown_from, on.made(), failed.details);
    }
    return failed;
  };
  for (;;) {
    if (auto failed = on.failed_just_now()) return failed;
    if (s.discarded()) return std::nullopt;  // it assumes what does not hold: then this is no execution
    const auto made = on.made();
    std::optional<record> failed;
    const bool is_reached = goal.reached(states(s));
    if (!is_reached) {
      const auto [before, is_new] = seen.try_emplace(on.seen(), made);
      if (made == goal.most_deliveries)
        failed = fails("not within " + std::to_string(made) + " fair deliveries without a fault", made, {});
      else if (!is_new && on.repeats_itself())
        failed =
            fails("the same comes again every " +
                      (made - before->second == 1 ? "delivery" : std::to_string(made - before->second) + " deliveries"),
                  before->second,
                  before->second == 0 ? "what is delivered after the schedule, again and again:"
                                      : "and then, again and again:");
      else if (on.go_on())
        continue;
      else
        failed = fails("nothing more can be delivered", made, {});
    }
    auto for_good = on.failed_for_good();
    return for_good ? for_good : failed;
  }
}

}  // namespace

void healing_check::operator()(final_states& end) const {
  // What follows is taken back, so that nobody sees it.
  auto& s = const_cast<system&>(end.system());
  auto failed = s.watch().while_healing([&] { return heal(s, *this); });
  if (failed) end.fail(std::move(*failed));
}

void all_checks::operator()(final_states& end) const {
  for (const auto& check : parts) check(end);
}

bool is_at_rest(const states& all) {
  const auto& s = all.system();
  for (actor_slot a = 0; a < s.actor_count(); ++a) {
    const auto& x = s.actor_at(a);
    if (x.state_of_life == actor::mode::waiting) return false;
    if (x.state_of_life == actor::mode::receiving && x.type->must_end()) return false;
    if (x.state_of_life != actor::mode::gone && !x.type->at_rest(x.state)) return false;
  }
  return true;
}

program converges(program tested, std::string name, std::function<bool(const states&)> reached,
                  std::size_t most_deliveries) {
  tested.finally = both(tested.finally,
                        healing_check{std::move(name), std::move(reached), std::max<std::size_t>(most_deliveries, 1)});
  return tested;
}

}  // namespace harrier
