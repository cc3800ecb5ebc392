#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <harrier/protocol/ast.hpp>

namespace harrier::protocol::internal {

/// A node that exists once: those that are equal, and written at the same places, are the same pointer. All its
/// children are interned too.
struct interned : node {
  std::size_t hash = 0;
  std::vector<std::string_view> open;  ///< free variables, and `:label` of each `recur` to a loop further out; sorted
  std::uint32_t number = 0;            ///< dense, from 0
  const interned* alike = nullptr;     ///< the same for all that are equal and whose actions are written at one place
  const interned* plain = nullptr;     ///< the same for all that are equal, wherever they are written
};

/// All nodes seen so far, each once.
class interner {
public:
  /// `n`'s children must be interned here.
  const interned* make(node n);
  /// A copy of a tree from elsewhere.
  const interned* take(const node& n);

  /// The body of `loop` with the loop in place of each `recur` to it.
  const interned* unrolled(const interned& loop);

  /// `n` with a variable of its own, a *hole*, in place of each literal and each free variable. Holes are numbered from
  /// the last child to the first, so that those of the body of a loop do not depend on what goes before it.
  ///
  /// @param replaced  gets, by hole, the literal or variable that was there.
  const interned* shape(const interned* n, std::vector<const interned*>& replaced);
  /// The name of a hole; nothing that is written is called so.
  [[nodiscard]] std::string_view hole(std::size_t number);
  [[nodiscard]] static bool is_hole(std::string_view name) { return name[0] == hole_mark; }
  /// @pre `is_hole(name)`
  [[nodiscard]] static std::size_t number_of_hole(std::string_view name);
  /// How many holes there are in `n`. @pre it is a part of a shape
  [[nodiscard]] static std::size_t holes(const interned& n);

  [[nodiscard]] const interned* operator[](std::uint32_t number) const { return &nodes_[number]; }
  /// Whether some action is written at more than one place.
  [[nodiscard]] bool has_twins() const noexcept { return has_twins_; }
  /// How many parts all nodes have together.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  static constexpr char hole_mark = ' ';
  // Children are the same if their representatives are.
  struct likeness {
    const interned* interned::*representative;
    bool with_places;
    std::size_t operator()(const interned* n) const noexcept;
    bool operator()(const interned* a, const interned* b) const noexcept;
  };
  using classes = std::unordered_set<const interned*, likeness, likeness>;

  // Where a node that is the same is, or would be.
  [[nodiscard]] std::size_t slot_of(const interned& n) const noexcept;
  void grow();
  const interned* enrolled(const interned* n, const interned& loop);
  const interned* shape(const interned* n, std::vector<std::string_view>& bound,
                        std::vector<const interned*>& replaced);

  std::deque<interned> nodes_;
  std::size_t size_ = 0;
  bool has_twins_ = false;
  std::deque<std::string> hole_names_;
  static constexpr likeness same_term{&interned::alike, true};
  static constexpr likeness same_anywhere{&interned::plain, false};
  classes alike_{0, same_term, same_term};
  classes plain_{0, same_anywhere, same_anywhere};
  std::vector<std::uint32_t> slots_;  // numbers, a power of two, at most three quarters full
};

[[nodiscard]] inline const interned* child(const node& n, std::size_t index) {
  return static_cast<const interned*>(n.children[index]);
}

}  // namespace harrier::protocol::internal
