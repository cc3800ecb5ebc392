// What a system does besides delivering: poll its observer, and run a step
// twice to see that the handler repeats itself and that undo is exact.
#include <algorithm>
#include <utility>

#include <harrier/core/system.hpp>

namespace harrier {
namespace {

constexpr std::uint64_t always_repeated = 1000;  // every one of the first so many deliveries
constexpr std::uint64_t repeated_every = 1021;   // then one in so many; prime, to keep out of step with loops
constexpr auto shortest_poll = std::chrono::milliseconds(1);
constexpr auto longest_poll = std::chrono::milliseconds(10);
constexpr std::uint64_t most_between_polls = std::uint64_t{1} << 17;

/// What a step did, to be compared with what it did the other time.
struct outcome {
  struct sending {
    actor_slot receiver;
    const message_type* type;
    fingerprint payload;
    bool operator==(const sending&) const = default;
  };
  struct creation {
    const actor_type* type;
    fingerprint state;
    bool operator==(const creation&) const = default;
  };

  fingerprint state;
  actor::mode mode = actor::mode::open;
  bool aborted = false;
  std::vector<sending> sends;
  std::vector<creation> creates;
  std::vector<std::uint64_t> arities;
  std::vector<std::string> records;
  bool operator==(const outcome&) const = default;
};

outcome outcome_of_last_step(const system& s) {
  const auto i = s.step_count() - 1;
  const auto& step = s.step_at(i);
  const auto& receiver = s.actor_at(step.receiver);
  outcome o;
  o.state = receiver.type->hash(receiver.state);
  o.mode = receiver.state_of_life;
  o.aborted = step.aborted;
  for (auto m = step.first_sent; m < s.sent_end(i); ++m) {
    const auto& x = s.message_at(m);
    o.sends.push_back({x.receiver, x.type, x.type->hash(x.payload)});
  }
  for (auto a = step.first_created; a < s.created_end(i); ++a)
    o.creates.push_back({s.actor_at(a).type, s.actor_at(a).type->hash(s.actor_at(a).state)});
  for (const auto& c : s.choices_of(i)) o.arities.push_back(c.arity);
  if (step.flagged)
    for (const auto& r : s.records_of_last_step()) o.records.push_back(r.message);
  return o;
}

/// The same, as lines for a person, in the order in which they are compared.
std::vector<std::string> lines_of_last_step(const system& s) {
  const auto i = s.step_count() - 1;
  const auto& step = s.step_at(i);
  std::vector<std::string> lines;
  for (auto m = step.first_sent; m < s.sent_end(i); ++m)
    lines.push_back("sends " + s.message_text(m) + " to " + s.actor_name(s.message_at(m).receiver));
  for (auto a = step.first_created; a < s.created_end(i); a += s.slots_an_actor())
    lines.push_back("creates " + s.actor_name(a) + s.state_text(a));
  for (const auto& c : s.choices_of(i)) lines.push_back("chooses among " + std::to_string(c.arity));
  if (step.flagged)
    for (const auto& r : s.records_of_last_step()) lines.push_back("reports '" + r.message + "'");
  const auto mode = s.actor_at(step.receiver).state_of_life;
  lines.emplace_back(mode == actor::mode::waiting ? "waits for a reply"
                     : mode == actor::mode::gone  ? "ends the actor"
                                                  : "ends");
  lines.push_back("leaves " + s.actor_name(step.receiver) + s.state_text(step.receiver));
  return lines;
}

std::string first_difference(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  const auto common = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < common; ++i)
    if (first[i] != second[i]) return "the first time it " + first[i] + ", the second time it " + second[i];
  return "it does the same when watched a third time, but not at first: it depends on something outside the actor";
}

}  // namespace

void system::check_determinism(repetition how_often) {
  repetition_ = how_often;
  next_repetition_ = deliveries();
  until_watch_ = 1;
}

void system::attach(monitor* judge) {
  monitor_ = judge;
  until_watch_ = 1;
}

void system::ask_monitor() {
  auto& last = steps_.back();
  last.needs_cleaning = true;  // so that undo tells the monitor
  const bool was_flagged = last.flagged;
  if (auto broken = monitor_->stepped(*this)) {
    record_finding(std::move(*broken));
    if (!was_flagged) report_flagged_step();
  }
}

void system::deliver_watched(message_slot m, std::uint64_t code) {
  if (observer_ != nullptr && deliveries() >= next_poll_) {
    const auto now = std::chrono::steady_clock::now();
    const auto passed = now - polled_at_;
    if (passed < shortest_poll) poll_interval_ = std::min(poll_interval_ * 2, most_between_polls);
    if (passed > longest_poll) poll_interval_ = std::max<std::uint64_t>(poll_interval_ / 2, 1);
    polled_at_ = now;
    next_poll_ = deliveries() + poll_interval_;
    observer_->poll(*this);
  }
  if (repetition_ != repetition::off && deliveries() >= next_repetition_) {
    next_repetition_ =
        deliveries() + (repetition_ == repetition::all || deliveries() < always_repeated ? 1 : repeated_every);
    deliver_twice(m, code);
  } else {
    deliver_unwatched(m, code);
  }
  if (monitor_ != nullptr) ask_monitor();
  schedule_watch();
}

void system::schedule_watch() {
  if (monitor_ != nullptr) {
    until_watch_ = 1;
    return;
  }
  auto next = std::numeric_limits<std::uint64_t>::max();
  if (observer_ != nullptr) next = std::min(next, next_poll_);
  if (repetition_ != repetition::off) next = std::min(next, next_repetition_);
  until_watch_ = next > deliveries() ? next - deliveries() : 1;
}

void system::deliver_twice(message_slot m, std::uint64_t code) {
  const auto before = check_undo_ ? configuration() : fingerprint{};
  auto* const watching = std::exchange(observer_, nullptr);
  auto* const judging = std::exchange(monitor_, nullptr);  // it sees the step once
  const auto run_and_take_back = [&](auto&& look) {
    deliver_unwatched(m, code);
    auto seen = look(*this);
    undo();
    ++repetitions_;
    return seen;
  };

  const auto first = run_and_take_back(outcome_of_last_step);
  if (check_undo_ && configuration() != before)
    throw nondeterminism("going back over " + actor_name(messages_[m].receiver) + "." + message_text(m) +
                         " does not restore the configuration: a state's copy shares something with the original");
  if (const auto second = run_and_take_back(outcome_of_last_step); first != second) {
    const auto third = run_and_take_back(lines_of_last_step);
    deliver_unwatched(m, code);
    const auto difference = first_difference(third, lines_of_last_step(*this));
    observer_ = watching;
    monitor_ = judging;
    throw nondeterminism(actor_name(messages_[m].receiver) + "." + message_text(m) +
                         " behaves differently when repeated: " + difference);
  }
  observer_ = watching;
  deliver_unwatched(m, code);
  monitor_ = judging;
}

}  // namespace harrier
