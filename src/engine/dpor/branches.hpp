#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include <harrier/core/archive.hpp>

#include "../workforce.hpp"
#include "backtracking.hpp"

namespace harrier {

/// The branches of a tree that several workers explore (see shared_depth_first.hpp), and the tree itself as the first
/// of them: what is left of each, or what came of it. All but is_followed is looked at and changed under workers.guard.
struct shared_branches {
  using number = std::uint64_t;

  struct branch {
    /// Where it is to be begun or continued, while nobody is at work on it; nothing: in the initial configuration.
    std::string left;
    bool is_begun = false;
    bool is_explored = false;
    /// What it found out about points outside, and what ran of its first message: once it is explored.
    plan_log outside = {};
    std::string ran = {};
    /// The branch that it is from has come to where this one is next, and was left there: who explores this one goes on
    /// with that one.
    std::atomic<bool> is_followed = false;
    number follower = 0;
    std::string following = {};
  };

  shared_branches() { add({}); }

  /// One more, to be begun.
  number add(std::string left) {
    all[next].left = std::move(left);
    waiting.push_back(next);
    return next++;
  }
  /// Nobody begins it any more. @return whether somebody has, before
  bool take_back(number n) {
    const auto place = std::find(waiting.begin(), waiting.end(), n);
    if (place == waiting.end() || all.at(n).is_begun) return false;
    waiting.erase(place);
    all.erase(n);
    return true;
  }
  void save(archive_writer& to) const {
    to.number(next);
    to.text(learnt);
    to.list(waiting, [&](number n) { to.number(n); });
    to.list(all, [&](const auto& numbered) {
      const auto& [n, b] = numbered;
      to.number(n);
      to.text(b.left);
      to.flag(b.is_begun);
      to.flag(b.is_explored);
      b.outside.save(to);
      to.text(b.ran);
      to.flag(b.is_followed);
      to.number(b.follower);
      to.text(b.following);
    });
  }
  void load(archive_reader& from) {
    next = from.number();
    learnt = from.text();
    waiting.clear();
    from.list([&] { waiting.push_back(from.number()); });
    all.clear();
    from.list([&] {
      auto& b = all[from.number()];
      b.left = from.text();
      b.is_begun = from.flag();
      b.is_explored = from.flag();
      b.outside.load(from);
      b.ran = from.text();
      b.is_followed = from.flag();
      b.follower = from.number();
      b.following = from.text();
    });
  }

  workforce workers;
  std::map<number, branch> all;
  std::deque<number> waiting;  // for a worker
  number next = 0;
  std::string learnt;  // by an ordering that learns: then there is one branch, and one worker at a time
};

}  // namespace harrier
