#pragma once

#include <cstddef>
#include <string>

#include "tree.hpp"

namespace harrier::clang {

/// Whom a call of `send` or `call` is for, in words: `field next`, `argument who`, `itself`.
[[nodiscard]] std::string receiver_of(const syntax_tree& tree, std::size_t call);

}  // namespace harrier::clang
