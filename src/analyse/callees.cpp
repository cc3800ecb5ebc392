#include "callees.hpp"

#include <vector>

#include "cursors.hpp"

namespace harrier::clang {
namespace {

/// One that the compiler makes: it copies.
bool is_made(CXCursor callee) { return place_of(callee) == place_of(getCursorSemanticParent(callee)); }

}  // namespace

bool is_self(CXType t) {
  t = canonical(t);
  return is_record(t) && name_of(getUnqualifiedType(t)) == "harrier::self";
}

bool is_of(CXCursor method, const char* of) {
  return outermost_namespace(method) == "harrier" && is_foreign(method) &&
         name_of(getCursorSemanticParent(method)) == of;
}

bool is_seen(CXCursor function) {
  return is_function(function) && !is_foreign(function) && !is_none(getCursorDefinition(function)) &&
         (getCursorKind(function) != CXCursor_CXXMethod || CXXMethod_isVirtual(function) == 0);
}

bool may_keep(CXCursor callee) {
  if (!is_function(callee)) return true;
  if (is_seen(callee)) return false;
  const auto library = outermost_namespace(callee);
  if (is_foreign(callee) && (library == "std" || library == "harrier" || library == "__gnu_cxx")) return false;
  if (!is_foreign(callee) || !library.empty()) return !is_made(callee);
  const auto name = name_of(callee);
  for (const auto* of_c :
       {"mem", "str", "printf", "fprintf", "snprintf", "scanf", "sscanf", "puts", "qsort", "operator", "__builtin_"})
    if (name.find(of_c) == 0) return false;
  return true;
}

bool may_keep_by_name(const syntax_tree& tree, std::size_t call) {
  auto to_see = tree.children(call);
  if (const auto member = tree.callee(call); member != syntax_tree::none) to_see = tree.children(member);
  bool is_named = false;
  for (const auto i : to_see) {
    const auto named = tree.bare(i);
    if (tree.kind(named) != CXCursor_OverloadedDeclRef && tree.kind(named) != CXCursor_DeclRefExpr) continue;
    const auto candidates = getCursorReferenced(tree.cursor(named));
    if (getCursorKind(candidates) != CXCursor_OverloadedDeclRef) continue;
    is_named = true;
    const unsigned count = getNumOverloadedDecls(candidates);
    for (unsigned k = 0; k < count; ++k) {
      const auto one = getOverloadedDecl(candidates, k);
      const bool is_seen_template =
          getCursorKind(one) == CXCursor_FunctionTemplate && (is_foreign(one) || !is_none(getCursorDefinition(one)));
      if (!is_seen_template && may_keep(one)) return true;
    }
  }
  return !is_named;
}

std::string name_of_member(const syntax_tree& tree, std::size_t member) {
  for (const auto child : tree.children(member))
    if (tree.kind(child) == CXCursor_OverloadedDeclRef) return name_of(tree.cursor(child));
  return name_of(tree.cursor(member));
}

}  // namespace harrier::clang
