#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/ends.hpp>

#include "limits.hpp"
#include "start.hpp"

namespace harrier {

/// A short search that finds out what a program is like: it counts, and stops
/// after some executions, after so many deliveries that some should have ended,
/// at a finding, or at a limit. What it sees is not reported.
class trial final : public observer {
public:
  struct bounds {
    std::uint64_t executions = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t deliveries = std::numeric_limits<std::uint64_t>::max();
    bool goes_on_after_finding = false;
  };

  trial(const options& how, limits& shared, bounds most, bool counts_takers = false)
      : how_(how), limits_(shared), most_(most), counts_takers_(counts_takers) {}

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
    stopping_ = stopping_ || limits_.stopped() || s.watch().deliveries() >= most_.deliveries;
  }
  void execution_ended(system& s) override {
    if (s.truncated())
      ++cut_;
    else if (!s.aborted() && ends_badly(s))
      found_ = true;
    if (counts_takers_) count_takers(s);
    longest_ = std::max(longest_, s.depth());
    stopping_ = ++executions_ >= most_.executions || stopping_ || found_;
  }
  void execution_blocked(system&) override {}

  [[nodiscard]] bool found() const { return found_; }
  /// That came to an end, and that the depth limit cut.
  [[nodiscard]] std::uint64_t ended() const { return executions_ - cut_; }
  [[nodiscard]] std::uint64_t cut() const { return cut_; }
  /// The deliveries of the longest execution that came to an end.
  [[nodiscard]] std::size_t longest() const { return longest_; }
  /// The actor that took most messages of the last execution, and its share of them, if that was to be counted.
  [[nodiscard]] const std::string& busiest() const { return busiest_; }
  [[nodiscard]] double share() const { return share_; }

private:
  [[nodiscard]] bool ends_badly(const system& s) const {
    if (how_.finally && !check_end(s, how_.finally).empty()) return true;
    const auto end = look_at_end(s, how_);
    return !end.stuck.empty() || (how_.undelivered == undelivered::error && !end.undelivered.empty());
  }
  void count_takers(const system& s) {
    std::unordered_map<actor_slot, std::size_t> taken;
    std::size_t most = 0;
    for (auto i = s.setup_steps(); i < s.step_count(); ++i) {
      const auto count = ++taken[s.step_at(i).receiver];
      if (count <= most) continue;
      most = count;
      busiest_ = s.actor_name(s.step_at(i).receiver);
    }
    share_ = s.depth() == 0 ? 0 : static_cast<double>(most) / static_cast<double>(s.depth());
  }

  const options& how_;
  limits& limits_;
  bounds most_;
  bool counts_takers_;
  std::uint64_t executions_ = 0;
  std::uint64_t cut_ = 0;
  std::size_t longest_ = 0;
  bool found_ = false;
  std::string busiest_;
  double share_ = 0;
  progress told_;
};

/// A system for a trial of `tested`.
inline system_handle start_trial(const program& tested, const options& how, trial& watcher) {
  auto s = start_as_asked(tested, how, how.noted);
  s->watch().observe(&watcher);
  return s;
}

}  // namespace harrier
