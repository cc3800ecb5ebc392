#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <harrier/protocol/ast.hpp>

namespace harrier::protocol::internal {

/// A node that exists once: terms that are equal, and whose actions are written at the same places, are the same
/// pointer. All its children are interned too.
struct interned : node {
  std::size_t hash = 0;
  std::vector<std::string_view> open;  ///< free variables, and `:label` of each `recur` to a loop further out; sorted
  std::uint32_t number = 0;            ///< dense, from 0
  const interned* plain = nullptr;     ///< the same for all terms that are equal, wherever they are written
};

/// All terms seen so far, each once; positions, but for those of actions, are those of the first one seen.
class interner {
public:
  /// `n`'s children must be interned here.
  const interned* make(node n);
  /// A copy of a tree from elsewhere.
  const interned* take(const node& n);

  struct replacement {
    std::map<std::string_view, value> variables;
    const interned* loop = nullptr;  ///< what `recur` goes back to, if not null: its label and body are used
  };
  /// `n` with variables and recurs replaced where they are free.
  const interned* substitute(const interned* n, const replacement& by);

  [[nodiscard]] const interned* operator[](std::uint32_t number) const { return &nodes_[number]; }
  /// Whether some action is written at more than one place.
  [[nodiscard]] bool has_twins() const noexcept { return has_twins_; }
  /// How many parts all terms have together.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  // What an action is, without its place.
  struct hash_of_action {
    std::size_t operator()(const interned* n) const noexcept { return n->hash; }
  };
  struct same_action {
    bool operator()(const interned* a, const interned* b) const noexcept { return is_like(*a, *b); }
  };
  static bool is_like(const interned& a, const interned& b) noexcept;
  // Where a term that is the same is, or would be.
  [[nodiscard]] std::size_t slot_of(const interned& n) const noexcept;
  void grow();
  const interned* plain_of(const interned& n);

  std::deque<interned> nodes_;
  std::size_t size_ = 0;
  bool has_twins_ = false;
  std::unordered_set<const interned*, hash_of_action, same_action> actions_;
  std::vector<std::uint32_t> slots_;  // numbers, a power of two, at most three quarters full
};

[[nodiscard]] inline const interned* child(const node& n, std::size_t index) {
  return static_cast<const interned*>(n.children[index]);
}

}  // namespace harrier::protocol::internal
