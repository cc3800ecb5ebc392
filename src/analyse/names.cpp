#include "names.hpp"

#include <fmt/format.h>

#include "cursors.hpp"

namespace harrier::clang {
namespace {

std::string without(std::string text, const std::string& what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) text.erase(at, what.size());
  return text;
}

bool is_hidden(CXCursor member) {
  const auto access = getCXXAccessSpecifier(member);
  return access == CX_CXXPrivate || access == CX_CXXProtected;
}

/// Why a class cannot be named at namespace scope; empty if it can.
std::string why_unnamable(CXCursor of) {
  for (auto at = of; !is_none(at) && getCursorKind(at) != CXCursor_TranslationUnit; at = getCursorSemanticParent(at)) {
    if (getCursorKind(at) == CXCursor_Namespace) continue;
    if (!is_class(at)) return fmt::format("{} is a local class", name_of(of));
    if (!is_none(getSpecializedCursorTemplate(at))) return fmt::format("{} is a class template", name_of(at));
    if (Cursor_isAnonymousRecordDecl(at) != 0 || name_of(at).find('(') != std::string::npos)
      return "its class has no name";
    if (is_hidden(at)) return fmt::format("{} is private", name_of(at));
  }
  return {};
}

}  // namespace

bool is_overloaded(CXCursor method) {
  int count = 0;
  for (const auto member : children_of(getCursorDefinition(getCursorSemanticParent(method))))
    if ((getCursorKind(member) == CXCursor_CXXMethod || getCursorKind(member) == CXCursor_FunctionTemplate) &&
        name_of(member) == name_of(method))
      ++count;
  return count > 1;
}

std::string parameters_of(CXCursor method) {
  std::string text;
  const int count = Cursor_getNumArguments(method);
  for (int i = 0; i < count; ++i) {
    const auto type = name_of(type_of(Cursor_getArgument(method, static_cast<unsigned>(i))));
    if (i == 0 && type == "harrier::self &") continue;
    text += (text.empty() ? "" : ", ") + without(type, "(anonymous namespace)::");
  }
  return text;
}

outside_name name_of_handler(CXCursor method) {
  const auto of = getCursorSemanticParent(method);
  if (auto why = why_unnamable(of); !why.empty()) return {{}, std::move(why)};
  if (is_hidden(method)) return {{}, fmt::format("{} is private", name_of(method))};
  if (!is_none(getSpecializedCursorTemplate(method))) return {{}, fmt::format("{} is a template", name_of(method))};
  const auto pointer = fmt::format("&{}::{}", qualified_name(of), name_of(method));
  if (!is_overloaded(method)) return {pointer, {}};
  for (const auto member : children_of(getCursorDefinition(of)))
    if (getCursorKind(member) == CXCursor_CXXMethod && name_of(member) == name_of(method) &&
        key_of(member) != key_of(method) && parameters_of(member) == parameters_of(method))
      return {{}, fmt::format("another {} has the same parameters", name_of(method))};
  return {fmt::format("harrier::overload<{}>({})", parameters_of(method), pointer), {}};
}

outside_name name_of_field(CXCursor field, CXCursor of) {
  const auto name = name_of(field);
  if (is_hidden(field)) return {{}, fmt::format("field {} is private", name)};
  if (Cursor_isBitField(field) != 0) return {{}, fmt::format("field {} is a bit-field", name)};
  for (const auto base : children_of(getCursorDefinition(of)))
    if (getCursorKind(base) == CXCursor_CXXBaseSpecifier && is_hidden(base) &&
        key_of(getCursorSemanticParent(field)) != key_of(of))
      return {{}, fmt::format("field {} is one of a private base class", name)};
  if (is_reference(getCursorType(field))) return {{}, fmt::format("field {} is a reference", name)};
  if (auto why = why_unnamable(of); !why.empty()) return {{}, std::move(why)};
  return {fmt::format("&{}::{}", qualified_name(of), name), {}};
}

}  // namespace harrier::clang
