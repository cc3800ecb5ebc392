#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

#include <harrier/core/names_in_use.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

#include "../core/archive.hpp"

namespace harrier {

/// The random numbers of one sampled execution. The standard's distributions
/// differ between libraries; a printed seed must mean the same everywhere.
class sampler {
public:
  /// Number `execution` of those of `seed`; it depends on these two alone.
  sampler(std::uint64_t seed, std::uint64_t execution);

  /// Uniform from 0 to n - 1; n is at least 1.
  std::uint64_t below(std::uint64_t n);

private:
  std::mt19937_64 random_;
};

/// Delivers `m` with drawn values, each uniform: takes the step back and makes it
/// again with one more digit drawn, until the handler asks for no further one.
void deliver_drawing(system& s, message_slot m, sampler& random);

/// Samples executions until the watcher stops: `run(i)` runs number i to its end, `first` first,
/// or until the watcher stops, and holds no names after that.
/// @return false, since chance proves nothing, but where nothing can be delivered:
///         that one execution is all there is, and nothing would ever stop it.
template <class Run>
bool sample_executions(search_context& s, std::uint64_t first, Run run) {
  const names_in_use held(s.tested, [](name_keeper&) {});
  for (auto i = first; !s.watcher.stopping(); ++i) {
    run(i);
    if (s.tested.first_deliverable() == no_message) s.watcher.execution_ended(s.tested);
    if (s.tested.depth() == 0) return !s.watcher.stopping();
    while (s.tested.depth() > 0) s.tested.undo();
  }
  return false;
}

/// Executions by number, for several workers: each takes the next few.
/// `Runs` is what runs them for one worker: made from a search_context and
/// `Options`, and called with a number, as in sample_executions.
template <class Runs, class Options>
class shared_samples final : public shared_search {
public:
  shared_samples(const Options& how, std::uint64_t most) : how_(how), most_(most), next_(how.first) {}

  void work(search_context& s) override {
    const names_in_use held(s.tested, [](name_keeper&) {});
    Runs run(s, how_);
    for (std::vector<std::uint64_t> mine; !s.watcher.stopping() && take(mine);) {
      while (!mine.empty() && !s.watcher.stopping()) {
        run(mine.back());
        if (s.tested.first_deliverable() == no_message) {
          s.watcher.execution_ended(s.tested);
          mine.pop_back();
        }
        if (s.tested.depth() == 0 && !s.watcher.stopping()) is_all_ = true;
        while (s.tested.depth() > 0) s.tested.undo();
        if (is_all_) return;
      }
      give_back(mine);
    }
  }
  /// Where nothing can be delivered, one execution is all there is.
  [[nodiscard]] bool is_explored() const override { return is_all_; }
  void save(archive_writer& to) const override {
    to.flag(is_all_);
    to.number(next_);
    to.list(left_, [&](std::uint64_t i) { to.number(i); });
  }
  void load(archive_reader& from) override {
    is_all_ = from.flag();
    next_ = from.number();
    from.list([&] { left_.push_back(from.number()); });
  }

private:
  static constexpr std::uint64_t at_once = 5;  // a block of pct's, see there

  /// The last first.
  bool take(std::vector<std::uint64_t>& mine) {
    const std::lock_guard lock(guard_);
    if (is_all_) return false;
    for (; mine.size() < at_once && !left_.empty(); left_.pop_back()) mine.push_back(left_.back());
    if (!mine.empty()) return std::sort(mine.rbegin(), mine.rend()), true;
    const auto end = most_ == 0 ? next_ + at_once : std::min(next_ - next_ % at_once + at_once, most_);
    for (auto i = end; i-- > next_;) mine.push_back(i);
    next_ = std::max(next_, end);
    return !mine.empty();
  }
  void give_back(std::vector<std::uint64_t>& mine) {
    const std::lock_guard lock(guard_);
    left_.insert(left_.end(), mine.begin(), mine.end());
    mine.clear();
  }

  const Options how_;
  const std::uint64_t most_;
  std::mutex guard_;
  std::atomic<bool> is_all_ = false;
  std::uint64_t next_;
  std::vector<std::uint64_t> left_;  // begun, and not run to their end
};

}  // namespace harrier
