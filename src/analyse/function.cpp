#include "function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "callees.hpp"
#include "cursors.hpp"
#include "receivers.hpp"
#include "tree.hpp"
#include "uses.hpp"

namespace harrier::clang {
namespace {

class reader {
public:
  reader(CXCursor definition, type_facts& types) : tree_(definition), uses_(tree_, types), types_(types) {}

  function_facts read() {
    for (std::size_t i = 0; i < tree_.size(); ++i) read(i);
    return std::move(facts_);
  }

private:
  void read(std::size_t i) {
    if (isExpression(tree_.kind(i)) != 0 && is_self(type_of(tree_.cursor(i)))) read_self(i);
    switch (tree_.kind(i)) {
      case CXCursor_MemberRefExpr: read_member(i); break;
      case CXCursor_CXXThisExpr: read_this(i); break;
      case CXCursor_CallExpr: read_call(i); break;
      case CXCursor_DeclRefExpr: read_name(i); break;
      case CXCursor_CXXConstCastExpr:
      case CXCursor_CXXReinterpretCastExpr:
        if (const auto t = type_of(tree_.cursor(i)); !(is_pointer(t) && is_const(getPointeeType(t))) && !is_const(t))
          remark(facts_.any_field_of_any, i, "a cast that takes const away, or makes another type of an object");
        break;
      case CXCursor_CStyleCastExpr:
      case CXCursor_CXXFunctionalCastExpr:
      case CXCursor_CXXStaticCastExpr: read_cast(i); break;
      case CXCursor_GCCAsmStmt:
      case CXCursor_MSAsmStmt: remark(facts_.any_field_of_any, i, "assembly"); break;
      default: break;
    }
  }

  void remark(std::vector<source_remark>& to, std::size_t i, std::string text) const {
    to.push_back({place_of(tree_.cursor(i)), std::move(text)});
  }

  void read_member(std::size_t i) {
    const auto named = getCursorReferenced(tree_.cursor(i));
    if (getCursorKind(named) == CXCursor_VarDecl) return read_variable(i, named);
    if (!tree_.is_of_this(i)) return;
    switch (getCursorKind(named)) {
      case CXCursor_FieldDecl: return read_field(i, named);
      case CXCursor_EnumConstantDecl: return;
      case CXCursor_CXXMethod:
      case CXCursor_ConversionFunction:
      case CXCursor_Destructor:
        facts_.exposes |= is_in_lambda(i);
        if (tree_.call_of(i) == syntax_tree::none && CXXMethod_isStatic(named) == 0)
          remark(facts_.any_field, i, fmt::format("{} is named and not called here", name_of(named)));
        return;
      default: remark(facts_.any_field, i, "a member is named whose function is only known where a template is used");
    }
  }

  void read_field(std::size_t i, CXCursor field) {
    const auto name = name_of(field);
    if (name.empty() || Cursor_isAnonymousRecordDecl(getCursorSemanticParent(field)) != 0)
      return remark(facts_.any_field, i, "a field of a class or union without a name");
    const auto t = getCursorType(field);
    if (types_.refers_elsewhere(t))
      return remark(facts_.any_field, i,
                    fmt::format("field {} may refer to others: it is a {}", name, name_of(getCursorType(field))));
    const auto use = uses_.of(i);
    facts_.fields.push_back({field, use.written || types_.changes_when_const(t), place_of(tree_.cursor(i))});
    facts_.exposes |= use.exposed || is_in_lambda(i);
  }

  void read_this(std::size_t i) {
    bool is_object = false;
    for (auto at = i, p = tree_.parent(i); p != syntax_tree::none; at = p, p = tree_.parent(p)) {
      const auto kind = tree_.kind(p);
      if (kind == CXCursor_UnaryOperator && getCursorUnaryOperatorKind(tree_.cursor(p)) == CXUnaryOperator_Deref) {
        is_object = true;
        continue;
      }
      if (kind == CXCursor_ParenExpr || (kind == CXCursor_UnexposedExpr && tree_.children(p).size() == 1)) continue;
      if (kind == CXCursor_MemberRefExpr && tree_.object(p) == at) return;
      if (kind == CXCursor_LambdaExpr && is_object) return remark(facts_.any_field, i, "the whole object is copied");
      if (kind == CXCursor_LambdaExpr) {  // its body is here, too
        facts_.exposes = true;
        return;
      }
      if (kind == CXCursor_CallExpr) return read_this_in_call(i, p, is_object);
      if (kind == CXCursor_CompoundStmt) return;
      if (kind == CXCursor_ReturnStmt) return remark(facts_.any_field, i, "the whole object is given back");
      if (kind == CXCursor_BinaryOperator)
        return remark(facts_.any_field, i, "a member is named by a pointer, or `this` compared");
      break;
    }
    remark(facts_.any_field, i, is_object ? "the whole object is handed on" : "`this` is handed on");
    facts_.exposes = true;
  }

  void read_this_in_call(std::size_t i, std::size_t call, bool is_object) {
    const auto callee = getCursorReferenced(tree_.cursor(call));
    const auto name = name_of(callee);
    if (is_object && getCursorKind(callee) == CXCursor_Constructor)
      return remark(facts_.any_field, i, "the whole object is copied");
    if (is_object && name == "operator=") return remark(facts_.any_field, i, "the whole object is assigned");
    facts_.exposes = true;
    const auto* const what = is_object ? "the whole object" : "`this`";
    if (is_seen(callee)) return remark(facts_.any_field, i, fmt::format("{} is handed to {}", what, name));
    remark(facts_.any_field, i,
           name.empty() ? fmt::format("{} is handed to a function that is not known here", what)
                        : fmt::format("{} is handed to {}, which is not in this file", what, name));
  }

  [[nodiscard]] bool is_in_lambda(std::size_t i) const {
    return tree_.kind(tree_.function_of(i)) == CXCursor_LambdaExpr;
  }

  void read_cast(std::size_t i) {
    const auto& parts = tree_.children(i);
    const auto from =
        std::find_if(parts.begin(), parts.end(), [&](std::size_t part) { return isExpression(tree_.kind(part)) != 0; });
    if (from == parts.end()) return;
    const auto to_type = type_of(tree_.cursor(i));
    const auto from_type = type_of(tree_.cursor(*from));
    const bool takes_const_away = is_const(from_type) && !is_const(to_type) && to_type.kind != CXType_Void &&
                                  tree_.kind(i) != CXCursor_CXXStaticCastExpr && !is_literal(*from);
    const bool makes_pointer = is_pointer(to_type) && !is_const(getPointeeType(to_type)) &&
                               (tree_.kind(i) != CXCursor_CXXStaticCastExpr || is_pointer(from_type));
    if (takes_const_away || makes_pointer)
      remark(facts_.any_field_of_any, i, "a cast that may take const away, or make another type of an object");
  }

  [[nodiscard]] bool is_literal(std::size_t i) const {
    switch (tree_.kind(tree_.bare(i))) {
      case CXCursor_IntegerLiteral:
      case CXCursor_FloatingLiteral:
      case CXCursor_StringLiteral:
      case CXCursor_CharacterLiteral:
      case CXCursor_CXXBoolLiteralExpr: return true;
      default: return false;
    }
  }

  void read_name(std::size_t i) {
    const auto named = getCursorReferenced(tree_.cursor(i));
    if (getCursorKind(named) == CXCursor_VarDecl) return read_variable(i, named);
    if (is_function(named) && is_seen(named)) facts_.names.push_back(getCursorDefinition(named));
  }

  void read_variable(std::size_t i, CXCursor variable) {
    if (Cursor_hasVarDeclGlobalStorage(variable) == 0 || is_foreign(variable)) return;
    const auto t = type_of(variable);
    const auto to = is_reference(t) ? canonical(getPointeeType(t)) : t;
    if (!is_const(to)) facts_.shared.push_back({name_of(variable), place_of(tree_.cursor(i))});
    // What is constant outside of functions has its value before there is an actor.
    const bool is_local = is_function(getCursorSemanticParent(variable));
    if (!is_local && (is_const(t) || is_reference(t))) return;
    if (!types_.refers_elsewhere(t)) return;
    remark(facts_.any_field_of_any, i, fmt::format("variable {} may refer to fields", name_of(variable)));
    // By that, what is called by a pointer, or is not in the file, may come to the fields, too.
    facts_.unseen.push_back(facts_.any_field_of_any.back());
  }

  /// Somebody who has `self` can send.
  void read_self(std::size_t i) {
    auto p = tree_.parent(i);
    while (p != syntax_tree::none && (tree_.kind(p) == CXCursor_ParenExpr || tree_.kind(p) == CXCursor_UnexposedExpr))
      p = tree_.parent(p);
    if (p == syntax_tree::none) return;
    switch (tree_.kind(p)) {
      case CXCursor_MemberRefExpr: return;
      case CXCursor_LambdaExpr: return;  // its body is here, too
      case CXCursor_VarDecl:
        if (is_reference(getCursorType(tree_.cursor(p))) && Cursor_hasVarDeclGlobalStorage(tree_.cursor(p)) == 0)
          return;
        break;
      case CXCursor_CallExpr: {
        const auto callee = getCursorReferenced(tree_.cursor(p));
        if (is_seen(callee)) return;
        return remark(facts_.any_send, i,
                      is_function(callee)
                          ? fmt::format("self is handed to {}, which is not in this file", name_of(callee))
                          : "self is handed to a function that is not known here");
      }
      default: break;
    }
    remark(facts_.any_send, i, "self is handed on");
  }

  void read_unseen(std::size_t i, CXCursor callee) {
    const bool is_known = is_function(callee);
    if (is_known ? !may_keep(callee) : !may_keep_by_name(tree_, i)) return;
    // Through a pointer to a function, its type says what it takes.
    auto type = canonical(getCursorType(callee));
    if (is_pointer(type) || is_reference(type)) type = canonical(getPointeeType(type));
    const int parameters = getNumArgTypes(type);
    const int count = Cursor_getNumArguments(tree_.cursor(i));
    for (int k = 0; k < count; ++k) {
      auto t = k < parameters ? canonical(getArgType(type, static_cast<unsigned>(k)))
                              : type_of(Cursor_getArgument(tree_.cursor(i), static_cast<unsigned>(k)));
      if (is_reference(t) && is_const(getPointeeType(t))) t = canonical(getPointeeType(t));
      const auto to = is_reference(t) ? canonical(getPointeeType(t)) : t;
      if (is_self(to) || (!types_.refers_elsewhere(t) && !is_open(t))) continue;
      return remark(facts_.unseen, i,
                    fmt::format("{} may keep what it is handed, and use it later",
                                is_known ? name_of(callee) : "what is called here"));
    }
  }

  void read_call(std::size_t i) {
    const auto callee = getCursorReferenced(tree_.cursor(i));
    read_unseen(i, callee);
    const auto member = tree_.callee(i);
    const auto name = member != syntax_tree::none ? name_of_member(tree_, member) : std::string();
    if (member != syntax_tree::none && !tree_.is_of_this(member)) {
      if ((name == "send" || name == "call") && is_self(type_of(tree_.cursor(tree_.object(member)))))
        return read_send(i, member, name == "call");
      if (name == "then" && (is_none(callee) || is_of(callee, "pending_call"))) return read_then(i, member);
    }
    if (!is_function(callee)) return;
    const bool on_this = member != syntax_tree::none && tree_.is_of_this(member) && CXXMethod_isStatic(callee) == 0;
    if (is_seen(callee))
      facts_.calls.push_back({getCursorDefinition(callee), on_this});
    else if (on_this && CXXMethod_isVirtual(callee) != 0)
      remark(facts_.any_field, i, fmt::format("{} is virtual", name_of(callee)));
    else if (on_this)
      remark(facts_.any_field, i, fmt::format("the body of {} is not in this file", name_of(callee)));
  }

  void read_send(std::size_t i, std::size_t member, bool is_call) {
    const auto handlers = tree_.methods_named_by(member);
    if (handlers.empty())
      return remark(facts_.any_send, i, "a message is sent that is only known where a template is used");
    // A template argument may be an expression that chooses.
    for (const auto h : handlers)
      facts_.sends.push_back({h, receiver_of(tree_, i), place_of(tree_.cursor(i)), is_call});
  }

  void read_then(std::size_t i, std::size_t member) {
    function_facts::continued c{{}, tree_.methods_named_by(member), place_of(tree_.cursor(i))};
    const auto request = tree_.bare(tree_.object(member));
    if (tree_.kind(request) == CXCursor_CallExpr && tree_.callee(request) != syntax_tree::none &&
        name_of_member(tree_, tree_.callee(request)) == "call")
      c.callees = tree_.methods_named_by(tree_.callee(request));
    facts_.continuations.push_back(std::move(c));
  }

  syntax_tree tree_;
  use_finder uses_;
  type_facts& types_;
  function_facts facts_;
};

}  // namespace

function_facts facts_of(CXCursor definition, type_facts& types) { return reader(definition, types).read(); }

}  // namespace harrier::clang
