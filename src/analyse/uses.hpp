#pragma once

#include <cstddef>
#include <vector>

#include "tree.hpp"
#include "types.hpp"

namespace harrier::clang {

/// What happens to an object where a function names it.
struct object_use {
  bool written = false;  ///< or handed to what may write it
  /// A reference or pointer to it is handed on, which may outlive the handler.
  bool exposed = false;

  object_use& operator|=(object_use other) {
    written |= other.written;
    exposed |= other.exposed;
    return *this;
  }
};

/// Follows the expression that names an object outwards, for as long as that still is the object, or
/// part of it, or a pointer to it: until it is read as a value, bound to a constant, or something
/// else, which then counts as a write.
class use_finder {
public:
  use_finder(const syntax_tree& tree, type_facts& types) : tree_(tree), types_(types) {}

  [[nodiscard]] object_use of(std::size_t expression) const;

private:
  enum class what { object, pointer };
  /// Where the object is now, or what became of it.
  struct step;

  [[nodiscard]] step outwards(std::size_t i, what is) const;
  [[nodiscard]] step conversion(std::size_t i, what is) const;
  [[nodiscard]] step member(std::size_t i) const;
  [[nodiscard]] step call(std::size_t i, what is) const;
  [[nodiscard]] step argument(std::size_t i, what is, CXCursor callee, unsigned number) const;
  [[nodiscard]] step method(CXCursor callee, std::size_t call) const;
  [[nodiscard]] step variable(std::size_t i, what is) const;
  [[nodiscard]] step loop(std::size_t i) const;
  [[nodiscard]] step binary(std::size_t i, what is) const;
  [[nodiscard]] step unary(std::size_t i, what is) const;
  [[nodiscard]] step initialiser(std::size_t i) const;
  [[nodiscard]] object_use of_variable(std::size_t declaration) const;
  [[nodiscard]] bool gives_reference(std::size_t call) const;
  [[nodiscard]] bool is_bound_by(std::size_t i) const;
  [[nodiscard]] std::vector<CXType> types_named_by(std::size_t call) const;

  const syntax_tree& tree_;
  type_facts& types_;
  mutable std::vector<std::size_t> followed_;  ///< variables whose uses are being looked at
};

}  // namespace harrier::clang
