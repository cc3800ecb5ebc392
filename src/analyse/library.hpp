#pragma once

#include <initializer_list>

#include "libclang.hpp"

/// What functions of the standard library, and of harrier, do with their arguments, as far as their types do not say.
namespace harrier::clang {

/// A function, or a member function of a class, of namespace std.
[[nodiscard]] bool is_std(CXCursor callee, std::initializer_list<const char*> names);
/// Members of containers that hand out what is in them, and do not change it themselves.
[[nodiscard]] bool hands_out_elements(CXCursor callee);
/// Functions that make something of their arguments and do nothing else with them.
[[nodiscard]] bool forwards(CXCursor callee);

}  // namespace harrier::clang
