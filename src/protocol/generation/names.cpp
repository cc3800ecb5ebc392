#include "names.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace harrier::protocol::internal {
namespace {

bool is_keyword(std::string_view word) {
  static const std::set<std::string_view> all{
      "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
      "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
      "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
      "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
      "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
      "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
      "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
      "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
      "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
      "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
      "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
      "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
      "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
      "xor_eq"};
  return all.contains(word);
}

// What the module's tables are called, and what they need from outside.
bool is_taken(std::string_view word) {
  static const std::set<std::string_view> all{
      "role",  "message",       "roles",         "types",      "kind",   "actions", "steps",  "first",
      "start", "lines",         "definition",    "may_end_in", "std",    "harrier", "queues", "receivers",
      "title", "message_names", "several_lines", "machines",   "phases", "rooms"};
  return all.contains(word);
}

// What the users of a module call: neither it nor a message can be called so.
bool is_interface(std::string_view word) {
  static const std::set<std::string_view> all{
      "at",         "take",           "send",      "recv",          "recv_any",   "close",  "try_send",
      "try_recv",   "try_recv_any",   "try_close", "try_handshake", "leave",      "cancel", "waiting",
      "unreceived", "has_left",       "depart",    "perform",       "may_end",    "save",   "load",
      "spec",       "chooses_sender", "received",  "endpoint",      "participant"};
  return all.contains(word);
}

void reject_twins(const std::vector<std::string>& cpp, const std::vector<std::string>& names, std::string_view kind,
                  const std::string& file, std::vector<diagnostic>& diagnostics) {
  std::map<std::string, std::string> seen;
  for (std::size_t i = 0; i < cpp.size(); ++i) {
    const auto [place, is_new] = seen.emplace(cpp[i], names[i]);
    if (is_new) continue;
    diagnostics.push_back({severity::error,
                           file,
                           {},
                           std::string(kind),
                           fmt::format("{} and {} are both `{}` in C++", place->second, names[i], cpp[i]),
                           "different names or types"});
  }
}

std::string default_type(std::string_view simple) {
  if (simple == "Boolean") return "bool";
  if (simple == "Integer") return "int";
  if (simple == "Long") return "long";
  if (simple == "Double") return "double";
  return {};
}

}  // namespace

std::string identifier(std::string_view text) {
  auto result = escaped(text);
  if (result.empty() || (result[0] >= '0' && result[0] <= '9')) result.insert(0, "p_");
  return is_keyword(result) || is_taken(result) ? result + "_" : result;
}

cpp_names names_in_cpp(std::string_view session, const alphabet& names, const type_mapping& mapping,
                       const std::string& file, std::vector<diagnostic>& diagnostics) {
  cpp_names result;
  result.module = identifier(session);
  if (is_interface(result.module)) result.module += '_';
  for (const auto& role : names.roles()) result.roles.push_back(identifier(role));
  const auto name_of = [&](std::string_view message) {
    auto name = identifier(message);
    if (is_interface(name)) name += '_';
    if (name == result.module || name == result.module + "_tables" || name == result.module + "_values") {
      name += "_message";
    }
    return name;
  };
  std::map<std::string, int> uses;  // of names, in full or not
  std::vector<std::string> all;
  for (const auto& type : names.types()) {
    const auto simple = std::string(simple_name(type));
    const auto full = mapping.types.find(type);
    const auto mapped = full != mapping.types.end() ? full : mapping.types.find(simple);
    all.push_back(name_of(type));
    result.types.push_back(
        {all.back(), mapped != mapping.types.end() ? mapped->second : default_type(simple), name_of(simple)});
    ++uses[all.back()];
    if (simple != type) ++uses[result.types.back().shortened];
  }
  for (auto& type : result.types) {
    if (type.shortened == type.name || uses[type.shortened] > 1) type.shortened.clear();
  }
  reject_twins(result.roles, names.roles(), "roles", file, diagnostics);
  reject_twins(all, names.types(), "types of messages", file, diagnostics);
  return result;
}

}  // namespace harrier::protocol::internal
