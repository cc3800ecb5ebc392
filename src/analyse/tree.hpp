#pragma once

#include <cstddef>
#include <vector>

#include "libclang.hpp"

namespace harrier::clang {

/// A function as libclang shows it, with the way up. What is not evaluated (sizeof), and
/// the members of local classes, are not in it.
class syntax_tree {
public:
  static constexpr std::size_t none = ~std::size_t{0};

  struct node {
    CXCursor cursor;
    std::size_t parent;
    std::vector<std::size_t> children = {};
  };

  explicit syntax_tree(CXCursor root);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const node& operator[](std::size_t i) const { return nodes_[i]; }
  [[nodiscard]] CXCursor cursor(std::size_t i) const { return nodes_[i].cursor; }
  [[nodiscard]] CXCursorKind kind(std::size_t i) const { return getCursorKind(nodes_[i].cursor); }
  [[nodiscard]] std::size_t parent(std::size_t i) const { return nodes_[i].parent; }
  [[nodiscard]] const std::vector<std::size_t>& children(std::size_t i) const { return nodes_[i].children; }
  /// Where among its parent's children.
  [[nodiscard]] std::size_t place(std::size_t i) const;
  /// Of a call of a member by its name: that name (MemberRefExpr).
  [[nodiscard]] std::size_t callee(std::size_t call) const;
  /// The call of a member that is named here.
  [[nodiscard]] std::size_t call_of(std::size_t member) const;
  /// Whose member is named here; none: this object's, which is not said.
  [[nodiscard]] std::size_t object(std::size_t member) const;
  /// Whether a member that is named here is one of the function's own object.
  [[nodiscard]] bool is_of_this(std::size_t member) const;
  /// Member functions that are named anywhere in it.
  [[nodiscard]] std::vector<CXCursor> methods() const;
  /// Member functions among the template arguments of a member that is named here: `send<&cell::put>`.
  [[nodiscard]] std::vector<CXCursor> methods_named_by(std::size_t member) const;
  /// The same without the parentheses, and the conversions that do not show, around it.
  [[nodiscard]] std::size_t bare(std::size_t i) const;
  /// The innermost lambda or function that it is in.
  [[nodiscard]] std::size_t function_of(std::size_t i) const;

private:
  std::vector<node> nodes_;
};

}  // namespace harrier::clang
