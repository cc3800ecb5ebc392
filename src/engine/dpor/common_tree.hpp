#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>

#include "../workforce.hpp"
#include "exploration_tree.hpp"
#include "names_of_cursor.hpp"

namespace harrier {

/// The upper part of an exploration that several workers share: the tree with
/// portable names, of which each worker runs a branch by itself where nothing
/// slept (see worker_tree).
///
/// What it inherits may be called by one thread at a time: who holds `workers.guard`.
/// With nobody at work it can be written down.
template <template <class> class Tree = exploration_tree, class Relation = portable_dependence>
class common_tree : public Tree<Relation> {
  using base = Tree<Relation>;

public:
  using base::root;
  using typename base::node_id;

  common_tree() : base(relation) {}

  /// A branch of `n` that somebody has begun already, and is in.
  node_id adopt(node_id n, const portable_event& step, bool is_whole, bool is_draw) {
    const auto child = base::take(n, step);
    auto& c = base::at(child);
    c.is_whole = is_whole;
    c.is_last_word = is_whole || (base::at(n).branches == child && base::at(n).is_last_word);
    c.is_draw = is_draw;
    return child;
  }
  /// `e` sleeps at `n`, too.
  void put_to_sleep(node_id n, const portable_event& e) { base::at(n).asleep.push_back(e); }
  /// The first `count` of those that sleep at `n` are doubtful (T5).
  void doubt(node_id n, std::uint32_t count) { base::at(n).doubts.count = count; }
  /// Plans at `n` what `from` has planned in `list`, after what is planned there.
  template <class Plans, class List, class Told>
  void plan_all(node_id n, List& list, Plans& from, Told told) {
    base::plans_.adopt(base::at(n).todo, list, from, told);
  }
  [[nodiscard]] bool is_whole(node_id n) const { return base::at(n).is_whole; }
  [[nodiscard]] bool anything_planned() const { return base::plans_.size() > 0; }

  void save(archive_writer& to) const {
    const auto write_event = [&](const portable_event& e) {
      to.hash(e.label.message);
      to.number(e.label.code);
      to.hash(e.touched.receiver);
      relation.write(e.touched.touches, to);
      to.flag(e.one_of_several);
    };
    to.flag(base::is_begun_);
    to.number(base::most_planned_);
    if constexpr (base::draws_are_apart) to.flag(base::any_drew_);
    std::vector<node_id> unwritten{root};
    while (!unwritten.empty()) {  // a node before its branches
      const auto n = unwritten.back();
      unwritten.pop_back();
      const auto& x = base::at(n);
      write_event(x.step);
      for (const bool is : {x.is_whole, x.is_last_word, x.is_draw}) to.flag(is);
      to.number(x.taken);
      to.list(x.asleep, write_event);
      if constexpr (base::planned_may_sleep) to.number(x.doubts.count);
      base::plans_.walk(
          x.todo,
          [&](const portable_event& step, bool) {
            to.flag(true);
            write_event(step);
          },
          [&] { to.flag(false); });
      to.flag(false);
      std::vector<node_id> branches;
      for (auto k = x.branches; k != base::none; k = base::at(k).next) branches.push_back(k);
      to.number(branches.size());
      unwritten.insert(unwritten.end(), branches.rbegin(), branches.rend());
    }
  }

  /// @pre nothing was explored yet
  void load(archive_reader& from) {
    const auto read_event = [&] {
      portable_event e;
      e.label.message = from.hash();
      e.label.code = from.number();
      e.touched.receiver = from.hash();
      e.touched.touches = relation.read(from);
      e.one_of_several = from.flag();
      return e;
    };
    base::is_begun_ = from.flag();
    base::most_planned_ = static_cast<std::size_t>(from.number());
    if constexpr (base::draws_are_apart) base::any_drew_ = from.flag();
    std::vector<std::pair<node_id, std::uint64_t>> parents;  // and how many of their branches are to come
    std::vector<std::pair<node_id, std::uint32_t>> all_taken;
    do {
      auto n = root;
      if (!parents.empty()) {
        --parents.back().second;
        n = base::take(parents.back().first, {});
        base::at(n).cursors = 0;
      }
      base::at(n).step = read_event();
      for (auto* is : {&base::at(n).is_whole, &base::at(n).is_last_word, &base::at(n).is_draw}) *is = from.flag();
      const auto taken = static_cast<std::uint32_t>(from.number());
      from.list([&] { base::at(n).asleep.push_back(read_event()); });
      if constexpr (base::planned_may_sleep) base::at(n).doubts.count = static_cast<std::uint32_t>(from.number());
      base::plans_.read(
          base::at(n).todo, [&] { return from.flag(); }, read_event);
      parents.emplace_back(n, from.number());
      all_taken.emplace_back(n, taken);
      while (!parents.empty() && parents.back().second == 0) parents.pop_back();
    } while (!parents.empty());
    for (const auto& [n, taken] : all_taken) base::at(n).taken = taken;
  }

  workforce workers;
  Relation relation;
};

}  // namespace harrier
