#include "healing.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <harrier/core/program.hpp>

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
  [[nodiscard]] std::size_t made() const { return made_; }
  /// Whether nothing was drawn on the way: then equal configurations go on alike.
  [[nodiscard]] bool drew_nothing() const { return drew_nothing_; }
  /// What is pending and what the actors are, whatever came before.
  [[nodiscard]] fingerprint seen() const {
    fingerprint sum;
    for (actor_slot a = 0; a < s_.actor_count(); ++a) {
      const auto& x = s_.actor_at(a);
      const auto state = x.type->hash(x.state);
      const std::uint64_t words[] = {state.low, state.high, a, static_cast<std::uint64_t>(x.state_of_life)};
      sum += hash_bytes(words, sizeof words);
    }
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) {
      if (s_.is_void(m)) continue;
      const auto& x = s_.message_at(m);
      const auto content = x.type->hash(x.payload);
      const auto due = due_.find(m);
      const auto left = due == due_.end() ? 0 : static_cast<std::uint64_t>(due->second - now_) + 1;
      const std::uint64_t words[] = {content.low, content.high, x.receiver, left};
      sum += hash_bytes(words, sizeof words);
    }
    return sum;
  }
  /// `node_1.tick(), node_2.vote(3)`, the last ones.
  [[nodiscard]] std::string last(std::size_t most) const {
    std::string text;
    const auto count = std::min(most, s_.step_count() - from_);
    for (auto i = s_.step_count() - count; i < s_.step_count(); ++i) {
      const auto& step = s_.step_at(i);
      text += (text.empty() ? "" : ", ") + s_.actor_name(step.receiver) + "." + s_.message_text(step.message);
    }
    return text;
  }

private:
  void note_timer(message_slot m) {
    if (s_.message_at(m).makes == step_kind::timeout) due_.emplace(m, now_ + s_.delay_of(m));
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
};

constexpr std::size_t most_shown = 8;

/// Why it does not come to `goal`; empty if it does.
std::string why_not(system& s, const healing_check& goal) {
  healing on(s);
  std::map<fingerprint, std::size_t> seen;
  for (std::size_t i = 0;; ++i) {
    if (goal.reached(states(s))) return {};
    const auto after =
        i == 0 ? std::string() : ", after " + std::to_string(i) + " deliveries: ... " + on.last(most_shown);
    if (i == goal.most_deliveries)
      return "not within " + std::to_string(i) + " fair deliveries without a fault: ... " + on.last(most_shown);
    if (const auto [before, is_new] = seen.try_emplace(on.seen(), i); !is_new && on.drew_nothing())
      return "the same comes again every " + std::to_string(i - before->second) +
             " deliveries: " + on.last(std::min(most_shown, i - before->second));
    if (!on.go_on()) return "nothing more can be delivered" + after;
  }
}

}  // namespace

void healing_check::operator()(final_states& end) const {
  // What follows is taken back, so that nobody sees it.
  const auto why = why_not(const_cast<system&>(end.system()), *this);
  if (why.empty()) return;
  end.fail({.kind = finding_kind::assertion, .message = "in the end it does not come about that " + name + ": " + why});
}

void all_checks::operator()(final_states& end) const {
  for (const auto& check : parts) check(end);
}

bool is_at_rest(const states& all) {
  const auto& s = all.system();
  for (actor_slot a = 0; a < s.actor_count(); ++a) {
    const auto& x = s.actor_at(a);
    if (x.state_of_life == actor::mode::waiting) return false;
    if (x.state_of_life == actor::mode::open && !x.type->at_rest(x.state)) return false;
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
