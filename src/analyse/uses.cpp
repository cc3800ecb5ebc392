#include "uses.hpp"

#include <algorithm>

#include "cursors.hpp"
#include "library.hpp"

namespace harrier::clang {
namespace {

/// Of a function or a lambda.
CXType result_of(CXCursor f) {
  if (getCursorKind(f) != CXCursor_LambdaExpr) return canonical(getCursorResultType(f));
  for (const auto member : children_of(getTypeDeclaration(getCursorType(f))))
    if (name_of(member) == "operator()") return canonical(getCursorResultType(member));
  return {CXType_Unexposed, {}};
}

bool is_plain(CXType t) {
  const auto kind = canonical(t).kind;
  return kind != CXType_Record && !is_array(t) && !is_reference(t) && !is_open(t);
}

}  // namespace

struct use_finder::step {
  bool ended = false;
  object_use use = {};
  std::size_t at = 0;
  what is = what::object;

  static step reads() { return {.ended = true}; }
  static step writes() { return {.ended = true, .use = {.written = true, .exposed = true}}; }
  static step assigns() { return {.ended = true, .use = {.written = true}}; }
  static step becomes(std::size_t at, what is) { return {.at = at, .is = is}; }
};

object_use use_finder::of(std::size_t expression) const {
  auto now = step::becomes(expression, what::object);
  while (!now.ended) {
    const auto t = type_of(tree_.cursor(now.at));
    const bool is_constant = is_const(now.is == what::pointer ? getPointeeType(t) : t);
    now = is_constant ? step::reads() : outwards(now.at, now.is);
  }
  return now.use;
}

use_finder::step use_finder::outwards(std::size_t i, what is) const {
  const auto p = tree_.parent(i);
  if (p == syntax_tree::none) return step::writes();
  switch (tree_.kind(p)) {
    case CXCursor_ParenExpr: return step::becomes(p, is);
    case CXCursor_UnexposedExpr: return conversion(i, is);
    case CXCursor_MemberRefExpr: return member(i);
    case CXCursor_CallExpr: return call(i, is);
    case CXCursor_VarDecl:
    case CXCursor_UnexposedDecl: return variable(p, is);
    case CXCursor_CXXForRangeStmt: return loop(i);
    case CXCursor_BinaryOperator: return binary(i, is);
    case CXCursor_UnaryOperator: return unary(i, is);
    case CXCursor_CompoundAssignOperator: return step::assigns();
    case CXCursor_InitListExpr: return initialiser(i);
    case CXCursor_ArraySubscriptExpr: return is == what::pointer ? step::becomes(p, what::object) : step::writes();
    case CXCursor_ConditionalOperator: return tree_.place(i) == 0 ? step::reads() : step::becomes(p, is);
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXFunctionalCastExpr: {
      const auto t = type_of(tree_.cursor(p));
      return t.kind == CXType_Void || is_const(t) ? step::reads() : step::writes();
    }
    // A lambda's own names of what it captures are looked at where they are used.
    case CXCursor_LambdaExpr: return step::reads();
    case CXCursor_ReturnStmt: {
      const auto result = result_of(tree_.cursor(tree_.function_of(p)));
      return (is_reference(result) || is_pointer(result)) && is_const(getPointeeType(result)) ? step::reads()
                                                                                              : step::writes();
    }
    case CXCursor_CompoundStmt:
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
    case CXCursor_UnexposedStmt: return step::reads();  // what is given back by co_return is an argument, too
    default: return step::writes();
  }
}

/// Whether what stands there is kept under a name, or given back, as the object that it is.
bool use_finder::is_bound_by(std::size_t i) const {
  const auto p = tree_.parent(i);
  if (p == syntax_tree::none) return true;
  switch (tree_.kind(p)) {
    case CXCursor_VarDecl:
    case CXCursor_UnexposedDecl: return is_reference(getCursorType(tree_.cursor(p)));
    case CXCursor_ReturnStmt: {
      const auto result = result_of(tree_.cursor(tree_.function_of(p)));
      return is_reference(result) || is_open(result);
    }
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr: return is_bound_by(p);
    case CXCursor_CallExpr: return is_open(getCursorType(tree_.cursor(p)));
    default: return false;
  }
}

use_finder::step use_finder::conversion(std::size_t i, what is) const {
  const auto p = tree_.parent(i);
  const auto& parts = tree_.children(p);
  if (parts.size() == 2 && tree_.kind(parts.front()) == CXCursor_MemberRef) {  // {.field = value}
    const auto field = getCursorType(getCursorReferenced(tree_.cursor(parts.front())));
    return types_.takes_by_reference(field) ? step::writes() : step::reads();
  }
  if (parts.size() != 1) return step::writes();
  const auto from = type_of(tree_.cursor(i));
  const auto to = type_of(tree_.cursor(p));
  if (is == what::pointer) {
    if (to.kind == CXType_Bool) return step::reads();
    return is_pointer(to) ? step::becomes(p, is) : step::writes();
  }
  if (is_array(from))
    return is_pointer(to) ? step::becomes(p, what::pointer) : is_array(to) ? step::becomes(p, is) : step::writes();
  if (is_record(from)) return is_record(to) ? step::becomes(p, is) : step::writes();
  if (!is_plain(from) || !same_type(from, to)) return step::writes();
  // Of such a type this makes a value of it, unless it only marks the end of a full expression, or makes it constant.
  return is_bound_by(p) ? step::becomes(p, is) : step::reads();
}

/// Whether the result of a call may be a way to its object, and is not dropped.
bool use_finder::gives_reference(std::size_t call) const {
  const auto callee = getCursorReferenced(tree_.cursor(call));
  if (!types_.refers_elsewhere(getCursorResultType(callee))) return false;
  auto p = tree_.parent(call);
  while (p != syntax_tree::none && tree_.kind(p) == CXCursor_UnexposedExpr) p = tree_.parent(p);
  return p == syntax_tree::none || tree_.kind(p) != CXCursor_CompoundStmt;
}

use_finder::step use_finder::method(CXCursor callee, std::size_t call) const {
  if (CXXMethod_isStatic(callee) != 0 || CXXMethod_isConst(callee) != 0) return step::reads();
  if (!hands_out_elements(callee)) return gives_reference(call) ? step::writes() : step::assigns();
  return step::becomes(call, is_pointer(getCursorType(tree_.cursor(call))) ? what::pointer : what::object);
}

use_finder::step use_finder::member(std::size_t i) const {
  const auto p = tree_.parent(i);
  const auto named = getCursorReferenced(tree_.cursor(p));
  switch (getCursorKind(named)) {
    case CXCursor_FieldDecl: return step::becomes(p, what::object);
    case CXCursor_VarDecl:
    case CXCursor_EnumConstantDecl: return step::reads();
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction: {
      const auto call = tree_.call_of(p);
      return call != syntax_tree::none ? method(named, call) : step::writes();
    }
    default: return step::writes();
  }
}

use_finder::step use_finder::call(std::size_t i, what is) const {
  const auto p = tree_.parent(i);
  const auto callee = getCursorReferenced(tree_.cursor(p));
  if (!is_function(callee)) return step::writes();
  const int count = Cursor_getNumArguments(tree_.cursor(p));
  unsigned number = 0;
  while (static_cast<int>(number) < count &&
         !is_same_expression(Cursor_getArgument(tree_.cursor(p), number), tree_.cursor(i)))
    ++number;
  if (static_cast<int>(number) >= count) return step::writes();
  // An operator that is a member has its object for the first argument.
  const bool is_method = getCursorKind(callee) == CXCursor_CXXMethod;
  if (is_method && tree_.callee(p) == syntax_tree::none && CXXMethod_isStatic(callee) == 0)
    return number == 0 ? method(callee, p) : argument(i, is, callee, number - 1);
  return argument(i, is, callee, number);
}

use_finder::step use_finder::argument(std::size_t i, what is, CXCursor callee, unsigned number) const {
  const auto p = tree_.parent(i);
  if (static_cast<int>(number) >= Cursor_getNumArguments(callee)) return step::writes();
  const auto parameter = type_of(Cursor_getArgument(callee, number));
  if (is == what::pointer) {
    if (!is_pointer(parameter) || !is_const(getPointeeType(parameter))) return step::writes();
    return step::reads();
  }
  if (is_reference(parameter) && is_const(getPointeeType(parameter))) return step::reads();
  if (parameter.kind != CXType_LValueReference) return step::writes();
  if (is_std(callee, {"as_const"})) return step::reads();
  if (is_std(callee, {"get"})) return step::becomes(p, what::object);
  if (!forwards(callee)) return step::writes();
  // What is made of it is made by a constructor of a class that the call's types name.
  bool may_be_changed = false;
  const int arguments = Cursor_getNumArguments(callee);
  for (int k = 0; k < arguments; ++k) {
    auto t = type_of(Cursor_getArgument(callee, static_cast<unsigned>(k)));
    if (is_reference(t)) t = canonical(getPointeeType(t));
    may_be_changed = may_be_changed || types_.takes_by_reference(t);
  }
  for (const auto t : types_named_by(p)) may_be_changed = may_be_changed || types_.takes_by_reference(t);
  return may_be_changed ? step::writes() : step::reads();
}

/// Of a call: the class of its object, or of what it gives; of the actor that it creates; and the parameters of the
/// handler that it names.
std::vector<CXType> use_finder::types_named_by(std::size_t call) const {
  const auto result = type_of(tree_.cursor(call));
  const auto callee = tree_.callee(call);
  if (callee == syntax_tree::none) return {result};
  auto all = name_of(getTypeDeclaration(result)) == "ref" ? template_arguments(result) : std::vector<CXType>();
  if (const auto object = tree_.object(callee); object != syntax_tree::none)
    all.push_back(type_of(tree_.cursor(object)));
  for (const auto handler : tree_.methods_named_by(callee)) {
    const int count = Cursor_getNumArguments(handler);
    for (int k = 0; k < count; ++k) {
      const auto t = type_of(Cursor_getArgument(handler, static_cast<unsigned>(k)));
      all.push_back(is_reference(t) ? canonical(getPointeeType(t)) : t);
    }
  }
  return all;
}

object_use use_finder::of_variable(std::size_t declaration) const {
  if (std::find(followed_.begin(), followed_.end(), declaration) != followed_.end()) return {};
  followed_.push_back(declaration);
  std::vector<CXCursor> names = {tree_.cursor(declaration)};
  for (const auto child : tree_.children(declaration))
    if (tree_.kind(child) == CXCursor_UnexposedDecl) names.push_back(tree_.cursor(child));
  object_use all;
  for (std::size_t i = 0; i < tree_.size(); ++i) {
    if (tree_.kind(i) != CXCursor_DeclRefExpr) continue;
    const auto named = getCursorReferenced(tree_.cursor(i));
    if (std::any_of(names.begin(), names.end(), [&](CXCursor c) { return equalCursors(c, named) != 0; })) all |= of(i);
  }
  followed_.pop_back();
  return all;
}

use_finder::step use_finder::variable(std::size_t declaration, what is) const {
  const auto c = tree_.cursor(declaration);
  const auto t = type_of(c);
  if (is == what::pointer) return is_pointer(t) && is_const(getPointeeType(t)) ? step::reads() : step::writes();
  if (!is_reference(t)) return step::writes();
  if (is_const(getPointeeType(t))) return step::reads();
  if (getCursorKind(c) == CXCursor_VarDecl && Cursor_hasVarDeclGlobalStorage(c) != 0) return step::writes();
  return {.ended = true, .use = of_variable(declaration)};
}

use_finder::step use_finder::loop(std::size_t i) const {
  const auto p = tree_.parent(i);
  const auto& parts = tree_.children(p);
  const auto variable = std::find_if(parts.begin(), parts.end(), [&](std::size_t part) {
    return tree_.kind(part) == CXCursor_VarDecl || tree_.kind(part) == CXCursor_UnexposedDecl;
  });
  if (variable == parts.end() || *variable > i) return step::writes();
  const auto range = type_of(tree_.cursor(i));
  const bool is_known = is_array(range) || (is_record(range) && is_foreign(getTypeDeclaration(range)));
  if (!is_known) return step::writes();
  const auto t = type_of(tree_.cursor(*variable));
  if (is_reference(t))
    return is_const(getPointeeType(t)) ? step::reads() : step{.ended = true, .use = of_variable(*variable)};
  return types_.refers_elsewhere(t) ? step::writes() : step::reads();
}

use_finder::step use_finder::binary(std::size_t i, what is) const {
  const auto p = tree_.parent(i);
  const bool is_left = tree_.place(i) == 0;
  switch (getCursorBinaryOperatorKind(tree_.cursor(p))) {
    case CXBinaryOperator_Comma: return is_left ? step::reads() : step::becomes(p, is);
    case CXBinaryOperator_Add:
    case CXBinaryOperator_Sub:
      if (is != what::pointer) return step::writes();
      return is_pointer(getCursorType(tree_.cursor(p))) ? step::becomes(p, is) : step::reads();
    case CXBinaryOperator_EQ:
    case CXBinaryOperator_NE:
    case CXBinaryOperator_LT:
    case CXBinaryOperator_GT:
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GE: return is == what::pointer ? step::reads() : step::writes();
    case CXBinaryOperator_Assign: return is == what::object && is_left ? step::assigns() : step::writes();
    default: return step::writes();
  }
}

use_finder::step use_finder::unary(std::size_t i, what is) const {
  const auto p = tree_.parent(i);
  switch (getCursorUnaryOperatorKind(tree_.cursor(p))) {
    case CXUnaryOperator_AddrOf: return is == what::object ? step::becomes(p, what::pointer) : step::writes();
    case CXUnaryOperator_Deref: return is == what::pointer ? step::becomes(p, what::object) : step::writes();
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec: return step::assigns();
    default: return step::writes();
  }
}

/// libclang shows a braced list as it was written, without what converts or copies its elements.
use_finder::step use_finder::initialiser(std::size_t i) const {
  const auto p = tree_.parent(i);
  const auto t = type_of(tree_.cursor(p));
  // A reference may be initialised by braces, too.
  if (tree_.children(p).size() == 1 && same_type(t, type_of(tree_.cursor(i)))) return step::becomes(p, what::object);
  if (is_record(t) && name_of(getTypeDeclaration(t)) == "initializer_list") {
    const auto of = template_arguments(t);
    return of.size() == 1 && !types_.takes_by_reference(of.front()) ? step::reads() : step::writes();
  }
  const bool is_known = is_record(t) || is_array(t) || is_plain(t);
  return is_known && t.kind != CXType_Void && !types_.takes_by_reference(t) ? step::reads() : step::writes();
}

}  // namespace harrier::clang
