// Explicit-state search breadth first, by several workers.
//
// D1  Level by level: nobody begins with a state while one that is nearer to the
//     start is not done, so that the first finding has a shortest schedule
//     whoever makes it. A level is cut into stretches; who ends its last one puts
//     what all found into the order in which one worker would have found it, and
//     cuts the next level, while the others wait.
// D2  A state is in the level in which it was found first, as by one worker; by
//     which of several shortest ways is a matter of who was faster.
#pragma once

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/engine/stateful.hpp>

#include "../item_pool.hpp"
#include "breadth_first_states.hpp"
#include "states_in_common.hpp"

namespace harrier {

/// What the workers have in common. `Visited` is shared_visited_set, or a wrong one.
template <class Visited = shared_visited_set>
class common_levels {
public:
  using found = ways_to_states::found;

  /// So many states are taken at once, at most.
  static constexpr std::uint32_t longest_stretch = 64;

  explicit common_levels(const stateful_options& how) : seen(how) { unfinished.put({ways_to_states::start, 0}); }

  /// Only changed while one worker has something to do.
  [[nodiscard]] const ways_to_states& ways() const { return ways_; }

  /// A stretch is done, but for `left`. @param more  what was found there, which is taken.
  void put(const stretch_of_states& left, std::vector<found>& more) {
    {
      const std::lock_guard lock(guard_);
      found_.insert(found_.end(), more.begin(), more.end());
      more.clear();
      if (left.next >= left.end && --open_ == 0) return next_level();
    }
    if (left.next < left.end) unfinished.put(left);
  }

  /// @pre nobody works
  void save(archive_writer& to) const {
    seen.save(to);
    const auto write = [&](const found& x) {
      to.number(x.how.from);
      to.number(x.how.message);
      to.number(x.code);
    };
    to.number(ways_.size());
    for (auto i = ways_to_states::start + 1; i < ways_.size(); ++i) write({ways_[i], ways_.code_of(i)});
    to.list(found_, write);
    to.number(unfinished.size());
    unfinished.for_each([&](const stretch_of_states& s) {
      for (const auto n : {std::uint64_t{s.next}, std::uint64_t{s.end}, s.made, s.code}) to.number(n);
    });
  }
  /// @pre nobody has worked yet
  void load(archive_reader& from) {
    seen.load(from);
    const auto read = [&] {
      found x{};
      x.how.from = static_cast<std::uint32_t>(from.number());
      x.how.message = static_cast<message_slot>(from.number());
      x.code = from.number();
      return x;
    };
    for (auto n = from.number(); n > 1; --n) ways_.add(read());
    from.list([&] { found_.push_back(read()); });
    unfinished.clear();
    from.list([&] {
      stretch_of_states s{};
      s.next = static_cast<std::uint32_t>(from.number());
      s.end = static_cast<std::uint32_t>(from.number());
      s.made = from.number();
      s.code = from.number();
      unfinished.put(s);
    });
    open_ = unfinished.size();
  }

  states_in_common<Visited> seen;
  item_pool<stretch_of_states> unfinished;

private:
  void next_level() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const found& a, const found& b) { return a.how.from < b.how.from; });
    const auto first = ways_.size();
    for (const auto& x : found_) ways_.add(x);
    found_.clear();
    const auto end = ways_.size();
    open_ = (end - first + longest_stretch - 1) / longest_stretch;
    for (auto at = first; at < end; at += longest_stretch) unfinished.put({at, std::min(end, at + longest_stretch)});
  }

  ways_to_states ways_;
  std::mutex guard_;
  std::vector<found> found_;  // in this level so far
  std::size_t open_ = 1;      // stretches of this level that are not done
};

/// One of those who explore states together.
template <class Visited = shared_visited_set>
class level_worker : breadth_first_states<state_search_of_worker<Visited>> {
  using base = breadth_first_states<state_search_of_worker<Visited>>;

public:
  level_worker(search_context& s, common_levels<Visited>& common, stateful_report& report)
      : base(s, common.seen, report), common_(common) {}
  using base::complete_report;
  using base::go_home;
  using base::stopping;

  /// Does as much as it can of what another left.
  void take(stretch_of_states next) {
    const bool is_beginning = next.end == 0;
    if (is_beginning && base::begin()) next.end = 1;
    base::expand(common_.ways(), next);
    common_.put(next, base::found_);
  }

private:
  common_levels<Visited>& common_;
};

template <class Visited = shared_visited_set>
class shared_breadth_first final : public search_in_common<common_levels<Visited>> {
  using base = search_in_common<common_levels<Visited>>;
  using base::common_;
  using base::counts_;

public:
  explicit shared_breadth_first(const stateful_options& how) : base(how) {}

  void work(search_context& s) override {
    join_search_of_states(s, common_.seen, counts_);
    const workforce::shift present(common_.unfinished.workers);
    stateful_report counts;
    level_worker<Visited> worker(s, common_, counts);
    for (stretch_of_states next{}; !worker.stopping() && common_.unfinished.take(next, s);) worker.take(next);
    worker.go_home();
    counts_.add(counts, worker);
  }

  [[nodiscard]] stateful_report report() const override {
    auto all = base::report();
    all.bytes += common_.ways().bytes();
    return all;
  }
};

}  // namespace harrier
