#include "types.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "cursors.hpp"

namespace harrier::clang {
namespace {

/// Classes of the standard library whose objects refer to others, by whatever they are made of.
bool is_a_reference_by_name(const std::string& name) {
  static const std::set<std::string> names = {"any",
                                              "auto_ptr",
                                              "back_insert_iterator",
                                              "basic_string_view",
                                              "coroutine_handle",
                                              "function",
                                              "initializer_list",
                                              "mdspan",
                                              "move_only_function",
                                              "reference_wrapper",
                                              "span",
                                              "unique_ptr",
                                              "weak_ptr",
                                              "_Bit_reference",
                                              "shared_ptr",
                                              "unique_lock",
                                              "lock_guard",
                                              "scoped_lock",
                                              "shared_lock",
                                              "subrange",
                                              "basic_ostream",
                                              "basic_istream",
                                              "basic_iostream",
                                              "exception_ptr",
                                              "polymorphic_allocator"};
  return names.count(name) != 0 || name.find("iterator") != std::string::npos ||
         name.find("_view") != std::string::npos;
}

std::vector<CXCursor> fields_of(CXType t) {
  std::vector<CXCursor> all;
  const auto add = [](CXCursor field, CXClientData data) {
    static_cast<std::vector<CXCursor>*>(data)->push_back(field);
    return CXVisit_Continue;
  };
  Type_visitFields(t, add, &all);
  return all;
}

bool is_in_ranges(CXCursor c) { return qualified_name(c).find("std::ranges::") == 0; }

/// A constructor that a caller's lvalue goes into other than as a constant.
bool binds_lvalues(CXCursor member) {
  if (getCursorKind(member) == CXCursor_FunctionTemplate) {
    const auto type = name_of(getCursorType(member));
    return type.substr(0, type.find('(')) == "void " && type.find('&') != std::string::npos;
  }
  if (getCursorKind(member) != CXCursor_Constructor) return false;
  const int count = Cursor_getNumArguments(member);
  for (int i = 0; i < count; ++i) {
    const auto t = type_of(Cursor_getArgument(member, static_cast<unsigned>(i)));
    if (t.kind == CXType_LValueReference && !is_const(getPointeeType(t))) return true;
  }
  return false;
}

}  // namespace

bool type_facts::ask(CXType t, question q) {
  t = canonical(t);
  if (t.kind != CXType_Record) return look(t, q);
  // Of a class that holds its like, in a vector, the answer is that of all else in it.
  const std::pair key(q, getTypeDeclaration(t).data[0]);
  const auto [known, is_new] = known_.emplace(key, false);
  if (is_new) {
    const bool answer = look_at_class(t, q);
    known_[key] = answer;
    return answer;
  }
  return known->second;
}

bool type_facts::look(CXType t, question q) {
  if (is_array(t)) return ask(getArrayElementType(t), q);
  switch (t.kind) {
    case CXType_Pointer: {
      const auto kind = canonical(getPointeeType(t)).kind;
      return q == question::refers_elsewhere && kind != CXType_FunctionProto && kind != CXType_FunctionNoProto;
    }
    case CXType_LValueReference:
    case CXType_RValueReference: return q != question::changes_when_const;
    case CXType_MemberPointer:
    case CXType_Enum: return false;
    default: return !(t.kind >= CXType_FirstBuiltin && t.kind <= CXType_LastBuiltin && t.kind != CXType_Dependent);
  }
}

bool type_facts::look_at_class(CXType t, question q) {
  const auto declaration = getTypeDeclaration(t);
  const auto name = name_of(declaration);
  if (is_foreign(declaration)) {
    const auto library = outermost_namespace(declaration);
    if (library == "harrier" && (name == "ref" || name == "self")) return false;
    const auto arguments = template_arguments(t);
    if ((library == "std" || library == "__gnu_cxx") && q != question::changes_when_const) {
      if (name == "shared_ptr" && !arguments.empty() && is_const(arguments.front())) return ask(arguments.front(), q);
      if (is_a_reference_by_name(name) || is_in_ranges(declaration)) return true;
    }
    if (library != "std" && library != "harrier" && library != "__gnu_cxx") return true;
    return std::any_of(arguments.begin(), arguments.end(), [&](CXType a) { return ask(a, q); });
  }
  const auto fields = fields_of(t);
  if (name_of(t).find("(lambda at ") != std::string::npos) return !fields.empty() && q != question::takes_by_reference;
  auto definition = getCursorDefinition(declaration);
  if (is_none(definition)) return true;
  const auto changes = [&](CXCursor field) {
    return (q == question::changes_when_const && CXXField_isMutable(field) != 0) || ask(getCursorType(field), q);
  };
  if (std::any_of(fields.begin(), fields.end(), changes)) return true;
  const auto arguments = template_arguments(t);
  if (std::any_of(arguments.begin(), arguments.end(), [&](CXType a) { return ask(a, q); })) return true;
  // What is made of a template has no other members here, only the template itself.
  if (const auto made_of = getSpecializedCursorTemplate(definition);
      !is_none(made_of) && children_of(definition).empty())
    definition = made_of;
  return look_at_members(definition, q);
}

bool type_facts::look_at_members(CXCursor of, question q) {
  for (const auto member : children_of(of)) {
    switch (getCursorKind(member)) {
      case CXCursor_CXXBaseSpecifier:
        if (ask(getCursorType(member), q)) return true;
        break;
      case CXCursor_CXXMethod:
        if (q == question::changes_when_const && CXXMethod_isVirtual(member) != 0) return true;
        break;
      default:
        if (q == question::takes_by_reference && binds_lvalues(member)) return true;
    }
  }
  return false;
}

}  // namespace harrier::clang
