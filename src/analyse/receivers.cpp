#include "receivers.hpp"

#include "callees.hpp"
#include "cursors.hpp"

namespace harrier::clang {
namespace {

class receiver_words {
public:
  explicit receiver_words(const syntax_tree& tree) : tree_(tree) {}

  [[nodiscard]] std::string describe(std::size_t i) const {
    i = tree_.bare(i);
    const auto named = getCursorReferenced(tree_.cursor(i));
    switch (tree_.kind(i)) {
      case CXCursor_DeclRefExpr:
        if (getCursorKind(named) == CXCursor_ParmDecl) return "argument " + name_of(named);
        return describe_variable(named);
      case CXCursor_MemberRefExpr:
        return getCursorKind(named) == CXCursor_FieldDecl && tree_.is_of_this(i) ? "field " + name_of(named)
                                                                                 : "actor " + name_of(named);
      case CXCursor_CallExpr: {
        const auto& parts = tree_.children(i);
        if (getCursorKind(named) == CXCursor_Constructor && parts.size() == 1) return describe(parts.front());
        if (is_of(named, "self") && name_of(named) == "create") return "an actor that it creates";
        if (is_of(named, "self") && name_of(named) == "me") return "itself";
        // Of what is part of a container, that.
        if (tree_.callee(i) != syntax_tree::none && !tree_.is_of_this(tree_.callee(i)))
          return in(describe(tree_.object(tree_.callee(i))));
        for (const auto part : parts)
          if (isExpression(tree_.kind(part)) != 0) return in(describe(part));
        return "an actor";
      }
      default: return "an actor";
    }
  }

private:
  [[nodiscard]] static std::string in(const std::string& what) {
    return what.find("field ") == 0 || what.find("argument ") == 0 || what.find("actor ") == 0 ? "an actor in " + what
                                                                                               : what;
  }

  /// What it was given when it was declared, if that says more than its name.
  [[nodiscard]] std::string describe_variable(CXCursor variable) const {
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (equalCursors(tree_.cursor(i), variable) == 0) continue;
      auto p = tree_.parent(i);
      if (p != syntax_tree::none && tree_.kind(p) == CXCursor_UnexposedDecl) p = tree_.parent(p);  // a binding's
      if (p != syntax_tree::none && tree_.kind(p) == CXCursor_CXXForRangeStmt)
        for (const auto part : tree_.children(p))
          if (part > i && isExpression(tree_.kind(part)) != 0) return in(describe(part));
      for (const auto part : tree_.children(i)) {
        const auto value = tree_.bare(part);
        if (tree_.kind(value) != CXCursor_CallExpr) continue;
        const auto text = describe(value);
        if (text == "itself" || text == "an actor that it creates") return text;
      }
    }
    return "actor " + name_of(variable);
  }

  const syntax_tree& tree_;
};

}  // namespace

std::string receiver_of(const syntax_tree& tree, std::size_t call) {
  const auto argument = Cursor_getArgument(tree.cursor(call), 0);
  for (const auto child : tree.children(call))
    if (is_same_expression(tree.cursor(child), argument)) return receiver_words(tree).describe(child);
  return "an actor";
}

}  // namespace harrier::clang
