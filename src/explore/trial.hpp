#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>
#include <harrier/replay/ends.hpp>

#include "limits.hpp"
#include "start.hpp"

namespace harrier {

/// A short search that finds out what a program is like: it counts, and stops
/// after some executions, after so many deliveries that some should have ended,
/// at a finding, or at a limit. What it sees is not reported.
class trial final : public observer {
public:
  static constexpr auto no_bound = std::numeric_limits<std::uint64_t>::max();
  struct bounds {
    std::uint64_t executions = no_bound;
    std::uint64_t deliveries = no_bound;
    bool goes_on_after_finding = false;
  };

  /// Deliveries to one actor, one right after the other, that could have come in the other order.
  struct neighbours {
    std::uint64_t all = 0;
    std::uint64_t of_one_sender = 0;
  };

  trial(const options& how, limits& shared, bounds most, bool counts_neighbours = false)
      : how_(how), ends_(how.judging.ends()), limits_(shared), most_(most), counts_neighbours_(counts_neighbours) {}

  void step_flagged(system&) override {
    found_ = true;
    stopping_ = stopping_ || !most_.goes_on_after_finding;
  }
  void poll(system& s) override {
    limits_.poll({.executions = executions_,
                  .transitions = s.watch().deliveries(),
                  .depth = s.depth(),
                  .findings = 0,
                  .seconds = 0},
                 told_);
    stopping_ = stopping_ || limits_.stopped() || s.watch().deliveries() >= most_in_mid_execution();
  }
  void execution_ended(system& s) override {
    if (s.truncated())
      ++cut_;
    else if (!s.aborted() && ends_badly(s))
      found_ = true;
    if (counts_neighbours_) count_neighbours(s);
    longest_ = std::max(longest_, s.depth());
    const bool is_enough = ++executions_ >= most_.executions || s.watch().deliveries() >= most_.deliveries;
    stopping_ = stopping_ || is_enough || (found_ && !most_.goes_on_after_finding);
  }
  void execution_blocked(system& s) override {
    ++blocked_;
    stopping_ = stopping_ || s.watch().deliveries() >= most_.deliveries;
  }

  [[nodiscard]] bool found() const { return found_; }
  /// That came to an end, and that the depth limit cut.
  [[nodiscard]] std::uint64_t ended() const { return executions_ - cut_; }
  [[nodiscard]] std::uint64_t cut() const { return cut_; }
  /// The deliveries of the longest execution that came to an end.
  [[nodiscard]] std::size_t longest() const { return longest_; }
  /// That were given up as redundant.
  [[nodiscard]] std::uint64_t blocked() const { return blocked_; }
  /// If they were to be counted.
  [[nodiscard]] const neighbours& exchangeable() const { return exchangeable_; }

private:
  [[nodiscard]] bool ends_badly(const system& s) const {
    if (how_.judging.finally && !check_end(s, how_.judging.finally).empty()) return true;
    const auto end = look_at_end(s, ends_);
    return !end.stuck.empty() || (how_.judging.undelivered == undelivered::error && !end.undelivered.empty());
  }
  /// Who polls, and when, is a matter of time: what ends between two executions is to end there, the same each time.
  [[nodiscard]] std::uint64_t most_in_mid_execution() const {
    const bool ends_soon = how_.limits.max_depth < most_.deliveries && most_.deliveries < no_bound;
    return ends_soon ? most_.deliveries + how_.limits.max_depth : most_.deliveries;
  }
  void count_neighbours(const system& s) {
    const auto sender = [&](message_slot m) {
      const auto by = s.sender_of(m);
      return by == no_step ? actor_slot{0} : s.step_at(by).receiver;
    };
    for (auto i = static_cast<step_index>(s.setup_steps()); i < s.step_count(); ++i) {
      const auto& later = s.step_at(i);
      if (later.kind != step_kind::delivery || !s.is_explored(later.previous)) continue;
      const auto by = s.sender_of(later.message);
      if ((by != no_step && by >= later.previous) || !s.was_deliverable(later.message, later.previous)) continue;
      ++exchangeable_.all;
      if (sender(later.message) == sender(s.step_at(later.previous).message)) ++exchangeable_.of_one_sender;
    }
  }

  const options& how_;
  end_rules ends_;
  limits& limits_;
  bounds most_;
  bool counts_neighbours_;
  std::uint64_t executions_ = 0;
  std::uint64_t cut_ = 0;
  std::size_t longest_ = 0;
  bool found_ = false;
  std::uint64_t blocked_ = 0;
  neighbours exchangeable_;
  progress told_;
};

/// A system for a trial of `tested`.
inline system_handle start_trial(const program& tested, const options& how, trial& watcher) {
  auto s = start_as_asked(tested, how);
  s->watch().observe(&watcher);
  return s;
}

}  // namespace harrier
