#pragma once

#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/ordering/ordering.hpp>

namespace harrier {

/// The points of a depth-first search, one for each state on the current path,
/// kept when left so that their memory is used again.
template <class Point>
class point_stack {
public:
  Point& push() {
    if (size_ == points_.size()) points_.emplace_back();
    return points_[size_++];
  }
  void pop() { --size_; }
  Point& back() { return points_[size_ - 1]; }
  /// The point in which the step at depth `i` (from 0) was taken.
  Point& operator[](std::size_t i) { return points_[i]; }
  const Point& operator[](std::size_t i) const { return points_[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Writes all, calling `write(point)` for each.
  template <class Writer, class Write>
  void save(Writer& to, Write write) const {
    to.number(size_);
    for (std::size_t i = 0; i < size_; ++i) write(points_[i]);
  }
  /// Reads what `save` wrote, calling `read(point)`, which sets all of it.
  template <class Reader, class Read>
  void load(Reader& from, Read read) {
    size_ = 0;
    from.list([&] { read(push()); });
  }

private:
  std::vector<Point> points_;
  std::size_t size_ = 0;
};

/// Lets a step that ends the execution end its actor only, while a reduction
/// runs: nothing that follows can depend on it, and a reduction runs independent
/// steps in one order only, so what others do must be looked at though it comes
/// later. (See system::go_on_after_abort.)
class past_aborts {
public:
  explicit past_aborts(system& s) : system_(s), was_on_(s.go_on_after_abort(true)) {}
  ~past_aborts() { system_.go_on_after_abort(was_on_); }
  past_aborts(const past_aborts&) = delete;
  past_aborts& operator=(const past_aborts&) = delete;

private:
  system& system_;
  bool was_on_;
};

/// Says how the path branches (see search_context::branches), while a search runs
/// that tries each message with all its draws, one after the other.
class told_branches {
public:
  /// @param at_point  branching of the point at depth i.
  template <class AtPoint>
  told_branches(search_context& context, AtPoint at_point) : context_(context) {
    context.branches = [&s = context.tested, at_point](std::vector<branching>& list) {
      list.clear();
      for (std::size_t i = 0; i < s.depth(); ++i) {
        list.push_back(at_point(i));
        const auto f = static_cast<step_index>(s.setup_steps() + i);
        for (const auto& c : s.choices_of(f)) {
          const auto value = s.step_at(f).code / c.scale % c.arity;
          list.push_back({value + 1, c.arity - 1 - value});
        }
      }
    };
  }
  ~told_branches() { context_.branches = nullptr; }
  told_branches(const told_branches&) = delete;
  told_branches& operator=(const told_branches&) = delete;

private:
  search_context& context_;
};

/// The deliverable messages of the state `s` is in, arranged.
inline void list_deliverable(const system& s, ordering& arranged, std::vector<message_slot>& list) {
  list.clear();
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) list.push_back(m);
  arranged.arrange(s, list);
}

}  // namespace harrier
