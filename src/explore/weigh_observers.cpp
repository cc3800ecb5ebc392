#include "weigh_observers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include <harrier/core/observer.hpp>

#include "../core/base/mix.hpp"
#include "../core/dependence/observing_dependence.hpp"
#include "../engine/sampling/sampling.hpp"
#include "by_stages.hpp"
#include "engines.hpp"
#include "limits.hpp"
#include "observers.hpp"
#include "start.hpp"

namespace harrier {
namespace {

// All of it is less than a hundredth of a search that takes a tenth of a second, and a thirtieth of any process.
constexpr std::uint64_t most_executions = 12;
constexpr std::uint64_t least_executions = 2;
constexpr std::uint64_t enough_neighbours = 48;
constexpr std::uint64_t most_deliveries = 4'000;
constexpr std::uint64_t longest_execution = 500;
/// Of a search that is smaller nobody asks how it could have been smaller.
constexpr std::uint64_t many_executions = 1'000;

/// Counts neighbours among the deliveries of each actor.
class weighing final : public observer {
public:
  weighing(const system& s, limits& until) : dependence_(s), until_(until) {}

  /// The last step was taken, and stays.
  void take_in(const system& s) {
    const auto i = s.last_step();
    observes_.resize(i + std::size_t{1});
    observes_[i] = dependence_.touched_by_last_step() == observing_dependence::observed;
  }
  void step_flagged(system& /*s*/) override {}
  void execution_blocked(system& /*s*/) override {}
  void poll(system& /*s*/) override {
    until_.poll({}, told_);
    stopping_ = stopping_ || until_.stopped();
  }
  void execution_ended(system& s) override {
    ++seen_.executions;
    for (auto i = static_cast<step_index>(s.setup_steps()); i < s.step_count(); ++i) count(s, i);
    stopping_ = stopping_ || seen_.free > 0 || has_seen_enough() || s.watch().deliveries() >= most_deliveries;
  }

  [[nodiscard]] const weighed_observers& seen() const { return seen_; }

private:
  [[nodiscard]] bool has_seen_enough() const {
    return seen_.executions >= most_executions ||
           (seen_.executions >= least_executions && seen_.neighbours >= enough_neighbours);
  }
  void count(const system& s, step_index i) {
    const auto before = s.step_at(i).previous;
    if (!s.is_explored(before)) return;
    ++seen_.neighbours;
    // An observer sends nothing, so that it can happen before its neighbour by the order of a queue alone.
    if (observes_[i] && observes_[before] && !s.comes_first_in_queue(s.step_at(before).message, s.step_at(i).message))
      ++seen_.free;
  }

  observing_dependence dependence_;
  limits& until_;
  progress told_;
  std::vector<bool> observes_;  // by step
  weighed_observers seen_;
};

/// Random numbers, always the same: making a sampler takes as long as a hundred deliveries.
class draws {
public:
  std::uint64_t below(std::uint64_t n) {
    last_ = internal::mix(last_, ++drawn_);
    return last_ % n;
  }

private:
  std::uint64_t last_ = 0;
  std::uint64_t drawn_ = 0;
};

/// An execution in which each delivery is drawn.
void run_one(system& s, weighing& watcher, draws& random, std::vector<message_slot>& deliverable) {
  while (!watcher.stopping()) {
    deliverable.clear();
    for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) deliverable.push_back(m);
    if (deliverable.empty()) return;
    deliver_drawing(s, deliverable[random.below(deliverable.size())], random);
    watcher.take_in(s);
  }
}

/// Whether nobody says of observers what is to be done, and `how` is of an engine that could tell them apart.
bool is_open(const options& how) {
  const bool is_asked =
      how.search.observers || how.search.independence != independence::receiver || !how.kept.resume.empty();
  return !is_asked && (how.search.engine.is_automatic() || engine_named(how.search.engine).takes_observers);
}

}  // namespace

std::optional<weighed_observers> weigh_observers(const program& tested, const options& how) {
  if (!is_open(how)) return std::nullopt;
  auto plain = how;
  plain.told.on_progress = nullptr;
  plain.limits.max_executions = 0;
  plain.limits.max_depth = std::min(how.limits.max_depth, longest_execution);
  plain.judging.check_determinism = repetition::off;
  plain.judging.check_undo = false;
  plain.search.memoise = memoising::off;
  limits until(plain, 0);
  const auto s = start_as_asked(tested, plain);
  if (has_stages(*s) || !are_observers_told(*s, how)) return std::nullopt;
  weighing watcher(*s, until);
  s->watch().observe(&watcher);
  draws random;
  std::vector<message_slot> deliverable;
  search_context search{*s, watcher};
  sample_executions(search, 0, [&](std::uint64_t) { run_one(*s, watcher, random, deliverable); });
  return watcher.seen();
}

void tell(const weighed_observers& seen, exploration& result) {
  result.statistics.push_back({"neighbours looked at for observers", static_cast<double>(seen.neighbours)});
  result.statistics.push_back({"neighbours that observe", static_cast<double>(seen.free)});
  if (seen.pay() || result.executions < many_executions) return;
  result.notes.push_back(fmt::format(
      "observers were not told apart, which is faster: in {} random executions none of {} deliveries that came right "
      "after another one to the same actor changed nothing, as that did (--observers on tells them apart)",
      seen.executions, seen.neighbours));
}

}  // namespace harrier
