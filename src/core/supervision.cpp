// What is done around a delivery: poll the observer, ask the monitor, and run a
// step twice to see that the handler repeats itself and that undo is exact.
#include <harrier/core/supervision.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/system.hpp>

#include "dependence/step_outcome.hpp"
#include "specifications.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t always_repeated = 1000;        // every one of the first so many deliveries
constexpr std::uint64_t repeated_every = 1021;         // then one in so many; prime, to keep out of step with loops
constexpr std::uint64_t repeated_within = 32;          // steps, of a long execution
constexpr std::uint64_t recalled_repeated_every = 31;  // of those whose handlers need not be called (memoising)
constexpr std::int64_t shortest_poll = 1'000'000;      // nanoseconds
constexpr std::int64_t longest_poll = 10'000'000;
constexpr std::uint64_t most_between_polls = std::uint64_t{1} << 17;
constexpr std::size_t large_configuration = 1000;  // of so many actors and messages undo is not checked unasked

std::int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// How what a step did the second time differs from the first.
std::string in_words(const step_outcome& first, const step_outcome& second) {
  const auto difference = first_difference(first, second);
  if (!difference)
    return "it does the same when watched a third time, but not at first: it depends on something outside the actor";
  const auto& [once, then] = *difference;
  if (once == then) return "each time it " + once + ", but with another value that is not shown";
  return "the first time it " + once + ", the second time it " + then;
}

/// Whom it shows that two lists of system::configuration_parts differ, as the object of a sentence.
std::string first_changed(const system& s, const std::vector<fingerprint>& before,
                          const std::vector<fingerprint>& after) {
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i] == after[i]) continue;
    if (i < s.actor_count()) return "the state of " + s.actor_name(static_cast<actor_slot>(i));
    auto place = i - s.actor_count();
    auto m = s.first_pending();
    while (place-- > 0 && m != no_message) m = s.next_pending(m);
    if (m != no_message) return "the arguments of " + s.actor_name(s.message_at(m).receiver) + "." + s.message_text(m);
  }
  return "the messages under way";
}

}  // namespace

std::string_view to_string(flight_record::asked judge) {
  switch (judge) {
    case flight_record::asked::nobody: return {};
    case flight_record::asked::monitor: return "the monitor";
    case flight_record::asked::may_be_left: return "may_be_left";
    case flight_record::asked::healing: return "what is delivered while it heals";
    case flight_record::asked::specification: return "a predicate of a specification";
  }
  return {};
}

void supervision::being_asked::threw() const {
  const auto who = std::string(to_string(record_.judge));
  try {
    throw;
  } catch (const error&) {  // what it refuses is no failure
    throw;
  } catch (const std::exception& e) {
    throw failure_outside_handlers(who + " threw: " + e.what());
  } catch (...) {
    throw failure_outside_handlers(who + " threw an exception that is not derived from std::exception");
  }
}

supervision::supervision() : polled_at_(nanoseconds()) {}

void supervision::check_determinism(repetition how_often) {
  repetition_ = how_often;
  next_repetition_ = deliveries();
  be_due();
}

void supervision::attach(monitor* judge) {
  monitor_ = judge;
  be_due();
}

void supervision::note_deliveries(flight_record& record, std::span<scheduled> path) {
  record.begun = record_->begun;
  record.ended = record_->ended;
  record_ = &record;
  path_ = path;
}

void supervision::step_flagged(system& s) {
  if (observer_ != nullptr && monitor_ == nullptr) observer_->step_flagged(s);  // else when the monitor has spoken
}

void supervision::step_undone(const system& s) {
  if (monitor_ != nullptr && s.step_count() > s.setup_steps())
    asking(flight_record::asked::monitor, [&] { monitor_->undone(s); });
}

void supervision::ask_monitor(system& s, bool looks_closely) {
  s.running().needs_cleaning = true;  // so that undo tells the monitor
  const auto before = looks_closely ? s.configuration_parts() : std::vector<fingerprint>();
  if (auto broken = asking(flight_record::asked::monitor, [&] { return monitor_->stepped(s); }))
    s.record_finding(std::move(*broken));
  if (looks_closely)
    if (const auto after = s.configuration_parts(); after != before)
      throw system::nondeterminism("the monitor changes " + first_changed(s, before, after) +
                                   ": it must only look at what it judges");
  if (s.running().flagged && observer_ != nullptr) observer_->step_flagged(s);
}

void supervision::poll(system& s) {
  const auto now = nanoseconds();
  const auto passed = now - polled_at_;
  if (passed < shortest_poll) poll_interval_ = std::min(poll_interval_ * 2, most_between_polls);
  if (passed > longest_poll) {  // deliveries may have become a thousand times dearer
    const auto as_now = poll_interval_ * static_cast<std::uint64_t>(longest_poll) / static_cast<std::uint64_t>(passed);
    poll_interval_ = std::max<std::uint64_t>(as_now, 1);
  }
  polled_at_ = now;
  next_poll_ = deliveries() + poll_interval_;
  observer_->poll(s);
}

void supervision::deliver(system& s, message_slot m, std::uint64_t code) {
  s.collect_names(s.names().alternative(s.message_at(m).id, code));
  if (observer_ != nullptr && deliveries() >= next_poll_) poll(s);
  bool is_repeated = false;
  if (repetition_ != repetition::off && deliveries() >= next_repetition_) {
    // Where going back runs all that was before once more, that is compared, too, and costs the square of its length.
    const std::uint64_t all_before = s.guards_are_dear_ ? s.step_count() : 0;
    next_repetition_ = deliveries() + (repetition_ == repetition::all   ? 1
                                       : deliveries() < always_repeated ? 1 + all_before / repeated_within
                                                                        : std::max(repeated_every, 4 * all_before));
    deliver_twice(s, m, code);
    is_repeated = true;
  } else {
    if (s.specifications_ != nullptr) s.specifications_->before_delivery(s, m, s.sent(m), s.points_);
    s.deliver_unwatched(m, code);
  }
  if (monitor_ != nullptr) ask_monitor(s, is_repeated && undo_is_checked(s));
  schedule();
  if (s.specifications_ != nullptr && s.specifications_->scripted() != nullptr) be_due();
}

void supervision::schedule() {
  if (monitor_ != nullptr) return be_due();
  auto next = std::numeric_limits<std::uint64_t>::max();
  if (observer_ != nullptr) next = std::min(next, next_poll_);
  if (repetition_ != repetition::off) next = std::min(next, next_repetition_);
  until_due_ = next > deliveries() ? next - deliveries() : 1;
}

bool supervision::undo_is_checked(const system& s) const {
  const auto pending = s.message_count() - s.step_count();
  return check_undo_ || s.actor_count() + pending <= large_configuration;
}

void supervision::deliver_twice(system& s, message_slot m, std::uint64_t code) {
  const bool checks_undo = undo_is_checked(s);
  const auto before = checks_undo ? s.configuration_parts() : std::vector<fingerprint>();
  auto* const watching = std::exchange(observer_, nullptr);
  auto* const judging = std::exchange(monitor_, nullptr);  // it sees the step once
  const auto run = [&](bool calls_handler) {
    s.is_repeating_ = calls_handler;
    s.was_recalled_ = false;
    if (s.specifications_ != nullptr) s.specifications_->before_delivery(s, m, s.sent(m), s.points_);
    s.deliver_unwatched(m, code);
    s.is_repeating_ = false;
  };
  const auto run_and_take_back = [&](bool calls_handler, auto&& look) {
    run(calls_handler);
    auto seen = look(s);
    s.undo();
    ++repetitions_;
    return seen;
  };

  const auto look = [](const system& then) { return outcome_of_last_step(then); };
  const auto look_closely = [](const system& then) { return outcome_of_last_step(then, true); };
  const auto first = run_and_take_back(false, look);
  const bool was_recalled = s.was_recalled_;
  if (checks_undo)
    if (const auto after = s.configuration_parts(); after != before)
      throw system::nondeterminism(
          "going back over " + s.actor_name(s.message_at(m).receiver) + "." + s.message_text(m) + " does not restore " +
          first_changed(s, before, after) +
          ": a copy of a state, or of an argument, shares something with the original, or what is constant is changed");
  // What is recalled was run twice when it was new.
  const bool is_known = was_recalled && repetition_ != repetition::all && deliveries() < always_repeated &&
                        deliveries() % recalled_repeated_every != 0;
  if (!is_known && run_and_take_back(true, look) != first) {
    const auto once = run_and_take_back(false, look_closely);
    run(true);
    const auto difference = in_words(once, look_closely(s));
    observer_ = watching;
    monitor_ = judging;
    throw system::nondeterminism(s.actor_name(s.message_at(m).receiver) + "." + s.message_text(m) +
                                 (was_recalled
                                      ? " does not do what it did before, in the same state with the same message: "
                                      : " behaves differently when repeated: ") +
                                 difference);
  }
  observer_ = watching;
  monitor_ = judging;
  run(false);
}

}  // namespace harrier
