#include "cursors.hpp"

#include <fmt/format.h>

namespace harrier::clang {

std::string text(CXString s) {
  const char* const characters = getCString(s);
  std::string result = characters == nullptr ? "" : characters;
  disposeString(s);
  return result;
}

source_place place_of(CXCursor c) {
  CXFile file = nullptr;
  unsigned line = 0;
  getFileLocation(getCursorLocation(c), &file, &line, nullptr, nullptr);
  return {file == nullptr ? std::string() : text(getFileName(file)), line};
}

std::string key_of(CXCursor c) {
  c = getCanonicalCursor(c);
  const auto where = place_of(c);
  return fmt::format("{} {}:{} {}", text(getCursorUSR(c)), where.file, where.line, c.data[0]);
}

std::vector<CXCursor> children_of(CXCursor c) {
  std::vector<CXCursor> all;
  const auto add = [](CXCursor child, CXCursor, CXClientData data) {
    static_cast<std::vector<CXCursor>*>(data)->push_back(child);
    return CXChildVisit_Continue;
  };
  visitChildren(c, add, &all);
  return all;
}

bool is_function(CXCursor c) {
  switch (getCursorKind(c)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction: return true;
    default: return false;
  }
}

bool is_class(CXCursor c) {
  switch (getCursorKind(c)) {
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl: return true;
    default: return false;
  }
}

std::string outermost_namespace(CXCursor c) {
  std::string name;
  for (auto at = getCursorSemanticParent(c); !is_none(at) && getCursorKind(at) != CXCursor_TranslationUnit;
       at = getCursorSemanticParent(at))
    name = getCursorKind(at) == CXCursor_Namespace ? name_of(at) : std::string();
  return name;
}

bool is_foreign(CXCursor c) {
  const auto where = getCursorLocation(c);
  if (Location_isInSystemHeader(where) != 0) return true;
  if (Location_isFromMainFile(where) != 0) return false;
  const auto within = outermost_namespace(c);
  return within == "harrier" || within == "std" ||
         (within.empty() && getCursorKind(c) == CXCursor_Namespace && name_of(c) == "harrier");
}

std::string qualified_name(CXCursor c) {
  std::string name = name_of(c);
  for (auto at = getCursorSemanticParent(c); !is_none(at) && getCursorKind(at) != CXCursor_TranslationUnit;
       at = getCursorSemanticParent(at)) {
    const bool is_unnamed = getCursorKind(at) == CXCursor_Namespace && name_of(at).substr(0, 1) == "(";
    if (is_unnamed || name_of(at).empty()) continue;
    name = (is_class(at) ? text(getCursorDisplayName(at)) : name_of(at)) + "::" + name;
  }
  return name;
}

bool is_array(CXType t) {
  switch (canonical(t).kind) {
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_DependentSizedArray: return true;
    default: return false;
  }
}

bool is_const(CXType t) {
  t = canonical(t);
  while (is_array(t)) {
    if (isConstQualifiedType(t) != 0) return true;
    t = canonical(getArrayElementType(t));
  }
  return isConstQualifiedType(t) != 0;
}

bool is_reference(CXType t) {
  const auto kind = canonical(t).kind;
  return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

bool same_type(CXType a, CXType b) {
  const auto bare = [](CXType t) { return name_of(getUnqualifiedType(canonical(t))); };
  return bare(a) == bare(b);
}

std::vector<CXType> template_arguments(CXType t) {
  std::vector<CXType> all;
  const int count = Type_getNumTemplateArguments(t);
  for (int i = 0; i < count; ++i)
    if (const auto argument = Type_getTemplateArgumentAsType(t, static_cast<unsigned>(i));
        argument.kind != CXType_Invalid)
      all.push_back(argument);
  return all;
}

}  // namespace harrier::clang
