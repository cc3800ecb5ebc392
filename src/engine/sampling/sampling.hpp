#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/names_in_use.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// std::mt19937_64, seeded by a std::seed_seq of these four: the same numbers. Making one takes a third of the time,
/// and what is not asked for is not computed; an execution that is sampled needs a few of the 312 numbers of a round.
class twister {
public:
  explicit twister(const std::array<std::uint32_t, 4>& seeds);

  std::uint64_t operator()();
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

private:
  static constexpr std::size_t size = 312;
  std::array<std::uint64_t, size> state_;
  std::size_t next_ = 0;
};

/// The random numbers of one sampled execution. The standard's distributions
/// differ between libraries; a printed seed must mean the same everywhere.
class sampler {
public:
  /// Number `execution` of those of `seed`; it depends on these two alone.
  sampler(std::uint64_t seed, std::uint64_t execution);

  /// Uniform from 0 to n - 1; n is at least 1.
  std::uint64_t below(std::uint64_t n);

private:
  twister random_;
};

/// Delivers `m` with drawn values, each uniform: takes the step back and makes it
/// again with one more digit drawn, until the handler asks for no further one.
/// @param random  a sampler, or what has its below().
template <class Random>
void deliver_drawing(system& s, message_slot m, Random& random) {
  s.deliver(m);
  std::uint64_t code = 0;
  for (std::size_t drawn = 0;;) {
    const auto choices = s.choices_of(s.last_step());
    if (drawn >= choices.size()) return;
    const auto& c = choices[drawn++];
    code += random.below(c.arity) * c.scale;
    if (code == s.step_at(s.last_step()).code) continue;
    s.undo();
    s.deliver(m, code);
  }
}

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

/// An execution that may have been begun before: the same, with the same draws, so
/// of its first deliveries everybody was told, and they were counted.
class begun_execution final : public observer {
public:
  begun_execution(search_context& s, std::uint64_t made_before)
      : search_(s), made_before_(made_before), start_(s.tested.watch().deliveries()) {
    if (made_before_ > 0) search_.tested.watch().observe(this);
  }
  begun_execution(const begun_execution&) = delete;
  begun_execution& operator=(const begun_execution&) = delete;
  ~begun_execution() override {
    if (made_before_ > 0) search_.tested.watch().observe(&search_.watcher);
  }
  /// It is left where it is. @return how many deliveries were made of it
  std::uint64_t leave() {
    const auto made = this->made();
    search_.tested.watch().made_before(std::min(made, made_before_));
    return std::max(made, made_before_);
  }

  void step_flagged(system& s) override {
    if (made() > made_before_) search_.watcher.step_flagged(s);
  }
  void poll(system& s) override { search_.watcher.poll(s); }
  void execution_ended(system&) override {}
  void execution_blocked(system&) override {}

private:
  [[nodiscard]] std::uint64_t made() const { return search_.tested.watch().deliveries() - start_; }

  search_context& search_;
  const std::uint64_t made_before_;
  const std::uint64_t start_;
};

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
    for (std::vector<unfinished> mine; !s.watcher.stopping() && take(mine);) {
      while (!mine.empty() && !s.watcher.stopping()) {
        {
          begun_execution this_one(s, mine.back().made);
          run(mine.back().number);
          mine.back().made = this_one.leave();
        }
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
    to.list(left_, [&](const unfinished& left) {
      to.number(left.number);
      to.number(left.made);
    });
  }
  void load(archive_reader& from) override {
    is_all_ = from.flag();
    next_ = from.number();
    from.list([&] {
      const auto number = from.number();
      left_.push_back({number, from.number()});
    });
  }

private:
  static constexpr std::uint64_t at_once = 5;  // a block of pct's, see there

  struct unfinished {
    std::uint64_t number;
    std::uint64_t made = 0;  ///< deliveries; it was begun, and left
  };

  /// The last first.
  bool take(std::vector<unfinished>& mine) {
    const std::lock_guard lock(guard_);
    if (is_all_) return false;
    for (; mine.size() < at_once && !left_.empty(); left_.pop_back()) mine.push_back(left_.back());
    const auto is_later = [](const unfinished& a, const unfinished& b) { return a.number > b.number; };
    if (!mine.empty()) return std::sort(mine.begin(), mine.end(), is_later), true;
    const auto end = most_ == 0 ? next_ + at_once : std::min(next_ - next_ % at_once + at_once, most_);
    for (auto i = end; i-- > next_;) mine.push_back({i});
    next_ = std::max(next_, end);
    return !mine.empty();
  }
  void give_back(std::vector<unfinished>& mine) {
    const std::lock_guard lock(guard_);
    left_.insert(left_.end(), mine.begin(), mine.end());
    mine.clear();
  }

  const Options how_;
  const std::uint64_t most_;
  std::mutex guard_;
  std::atomic<bool> is_all_ = false;
  std::uint64_t next_;
  std::vector<unfinished> left_;
};

}  // namespace harrier
