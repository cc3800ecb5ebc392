#pragma once

#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>

#include "libclang.hpp"

/// What is asked of libclang's cursors and types, in values of C++.
namespace harrier::clang {

/// Takes the string over.
[[nodiscard]] std::string text(CXString s);
[[nodiscard]] inline std::string name_of(CXCursor c) { return text(getCursorSpelling(c)); }
[[nodiscard]] inline std::string name_of(CXType t) { return text(getTypeSpelling(t)); }
/// The same for all declarations of one thing, another for each thing: what is local may share its USR with others.
/// Ordered as far as there is an order that is the same in each run.
[[nodiscard]] std::string key_of(CXCursor c);

[[nodiscard]] source_place place_of(CXCursor c);
[[nodiscard]] std::vector<CXCursor> children_of(CXCursor c);
[[nodiscard]] inline bool is_none(CXCursor c) { return isInvalid(getCursorKind(c)) != 0; }

/// Whether two cursors stand for one expression. equalCursors asks for the way on which they were reached, too.
[[nodiscard]] inline bool is_same_expression(CXCursor a, CXCursor b) { return a.data[1] == b.data[1]; }

/// A function with a body, a constructor or an operator, or what is made of such a template.
[[nodiscard]] bool is_function(CXCursor c);
[[nodiscard]] bool is_class(CXCursor c);
/// Of the standard library, of another library that is installed, or of harrier.
[[nodiscard]] bool is_foreign(CXCursor c);
/// `std` or `harrier`, or what else the outermost namespace of a declaration is called; empty outside of any.
[[nodiscard]] std::string outermost_namespace(CXCursor c);
/// `bank::account`: names of namespaces and classes, without those that have no name.
[[nodiscard]] std::string qualified_name(CXCursor c);

[[nodiscard]] inline CXType canonical(CXType t) { return getCanonicalType(t); }
[[nodiscard]] inline CXType type_of(CXCursor c) { return getCanonicalType(getCursorType(c)); }
/// Of an array: whether its elements are.
[[nodiscard]] bool is_const(CXType t);
[[nodiscard]] bool is_array(CXType t);
[[nodiscard]] bool is_reference(CXType t);
[[nodiscard]] inline bool is_pointer(CXType t) { return canonical(t).kind == CXType_Pointer; }
[[nodiscard]] inline bool is_record(CXType t) { return canonical(t).kind == CXType_Record; }
/// A type that may be anything until a template is used.
[[nodiscard]] inline bool is_open(CXType t) {
  return canonical(t).kind == CXType_Unexposed || canonical(t).kind == CXType_Dependent;
}
/// The same type, const or not.
[[nodiscard]] bool same_type(CXType a, CXType b);
[[nodiscard]] std::vector<CXType> template_arguments(CXType t);

}  // namespace harrier::clang
