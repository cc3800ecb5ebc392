// Algorithms whose backtrack set is a list, tried from its front: what they plan comes to its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "backtracking.hpp"
#include "sleep_set.hpp"

namespace harrier {

template <class SleepSet>
struct listed_point : sleepy_point<SleepSet> {
  std::vector<message_slot> backtrack;  // in the order added; those before `position` are done
  std::size_t position = 0;

  template <class Writer>
  void save(Writer& to) const {
    to.slots(backtrack);
    to.number(position);
    this->sleep.save(to);
  }
  template <class Reader>
  void load(Reader& from) {
    from.slots(backtrack);
    position = static_cast<std::size_t>(from.number());
    this->sleep.load(from);
  }
};

/// @tparam Point  a listed_point with what else the algorithm keeps
template <class Point, class Dependence>
class listed_backtracking : public backtracking<Point, Dependence> {
  using base = backtracking<Point, Dependence>;

public:
  /// @param sleep_sets  whether what was tried at a point sleeps there, and below it until it is woken
  listed_backtracking(system& s, observer& watcher, ordering& arranged, happens_before& order, Dependence& depends,
                      bool sleep_sets = true)
      : base(s, watcher, arranged, order, depends), sleep_sets_(sleep_sets) {}

  void tried(message_slot m) {
    auto& p = points_.back();
    ++p.position;
    if (sleep_sets_)
      p.sleep.put_to_sleep(system_.message_at(m).id);
    else
      p.sleep.stay_awake();
  }
  [[nodiscard]] branching branching_at(std::size_t i) const {
    const auto& p = points_[i];
    return {p.position + 1, p.backtrack.size() - p.position - 1};
  }

protected:
  using base::depends_;
  using base::points_;
  using base::system_;

  /// The point of a state that is reached for the first time. What else than the list it keeps is that of an old one.
  Point& push_point() {
    auto& p = points_.push();
    p.backtrack.clear();
    p.position = 0;
    p.sleep.clear();
    if (sleep_sets_ && system_.depth() > 0)
      p.sleep.inherit(points_.before_last().sleep, depends_.last_event(), depends_);
    return p;
  }
  /// The first of these messages that does not sleep at `p`; no_message: none.
  [[nodiscard]] message_slot first_awake(const Point& p, std::span<const message_slot> deliverable) const {
    const auto found = std::find_if(deliverable.begin(), deliverable.end(),
                                    [&](message_slot m) { return !p.sleep.contains(system_.message_at(m).id); });
    return found != deliverable.end() ? *found : no_message;
  }

  const bool sleep_sets_;
};

/// Where nothing is ever taken from the list again: such an algorithm can be shared (B in shared_depth_first.hpp).
template <class Point, class Dependence>
class growing_backtracking : public listed_backtracking<Point, Dependence> {
  using base = listed_backtracking<Point, Dependence>;

public:
  using base::base;

  /// B: what is planned stays so, and what comes after it is added behind it.
  [[nodiscard]] message_slot certain(std::size_t depth, std::size_t n) const {
    const auto& p = points_[depth];
    return p.position + n < p.backtrack.size() && this->knows_sleepers(depth, n) ? p.backtrack[p.position + n]
                                                                                 : no_message;
  }
  [[nodiscard]] Point branch(std::size_t depth, std::size_t n) const {
    const auto& p = points_[depth];
    Point root;
    root.backtrack = {p.backtrack[p.position + n]};
    if (!base::sleep_sets_) return root;
    root.sleep = p.sleep;
    this->put_to_sleep(root.sleep, std::span(p.backtrack).subspan(p.position, n));
    return root;
  }

protected:
  using base::points_;
};

}  // namespace harrier
