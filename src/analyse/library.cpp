#include "library.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "cursors.hpp"

namespace harrier::clang {

bool hands_out_elements(CXCursor callee) {
  static const std::set<std::string> classes = {"array", "basic_string",   "deque", "forward_list", "list", "optional",
                                                "queue", "priority_queue", "stack", "vector",       "pair", "tuple"};
  static const std::set<std::string> members = {"operator*", "operator->", "operator[]", "at",   "back",
                                                "front",     "top",        "value",      "data", "get"};
  const auto of = getCursorSemanticParent(callee);
  if (outermost_namespace(callee) != "std" || members.count(name_of(callee)) == 0) return false;
  const auto name = name_of(of);
  return classes.count(name) != 0 || ((name == "map" || name == "unordered_map") && name_of(callee) == "at");
}

bool is_std(CXCursor callee, std::initializer_list<const char*> names) {
  if (outermost_namespace(callee) != "std") return false;
  const auto name = name_of(callee);
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

bool forwards(CXCursor callee) {
  if (is_std(callee, {"emplace", "emplace_back", "emplace_front", "emplace_hint", "try_emplace", "insert_or_assign",
                      "make_pair", "make_tuple", "make_optional", "make_unique", "make_shared", "push_back", "insert",
                      "assign", "operator="}))
    return true;
  const auto of = getCursorSemanticParent(callee);
  if (getCursorKind(callee) == CXCursor_Constructor && outermost_namespace(of) == "std") {
    const auto name = name_of(of);
    return name == "optional" || name == "pair" || name == "tuple" || name == "variant";
  }
  if (outermost_namespace(callee) != "harrier" || !is_foreign(callee)) return false;
  const auto name = name_of(callee);
  return (name_of(of) == "self" && (name == "send" || name == "create" || name == "call")) ||
         (name_of(of) == "tracked" && name == "operator=") || name == "return_value";
}

}  // namespace harrier::clang
