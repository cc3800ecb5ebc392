#pragma once

#include <cstddef>
#include <string>

#include "tree.hpp"

/// What is known of a function that is called.
namespace harrier::clang {

/// The class harrier::self.
[[nodiscard]] bool is_self(CXType t);
/// A member function of the class `of` of harrier's.
[[nodiscard]] bool is_of(CXCursor method, const char* of);
/// A body that can be read: what is called here is what runs.
[[nodiscard]] bool is_seen(CXCursor function);
/// Whether it is neither seen nor known to forget what it is given.
[[nodiscard]] bool may_keep(CXCursor callee);
/// The same of a call that is decided where a template is used, of all that it may be as far as is known here.
[[nodiscard]] bool may_keep_by_name(const syntax_tree& tree, std::size_t call);
/// The name of a member that is named here, also of one that is decided where a template is used.
[[nodiscard]] std::string name_of_member(const syntax_tree& tree, std::size_t member);

}  // namespace harrier::clang
