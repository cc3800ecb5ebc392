#include "state_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace harrier {
namespace {

struct shown_field {
  std::string_view name;
  std::string_view value;
};

/// `commit{round=3, by=node_1}`.
struct shown_object {
  std::string_view class_name;  // may be empty
  std::vector<shown_field> fields;
};

/// Where the literal that begins at `text[at]` with a quote ends, its last quote
/// included; npos if it does not.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const auto quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == quote)
      return at + 1;
  }
  return std::string_view::npos;
}

/// Where the value that begins at `text[at]` ends: at the comma after it, or at
/// the bracket that encloses it. npos if its brackets have no partners.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  constexpr std::string_view opening = "{[(<";
  constexpr std::string_view closing = "}])>";
  std::string open;
  while (at < text.size()) {
    const auto c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_literal(text, at);
      continue;
    }
    if (const auto kind = opening.find(c); kind != std::string_view::npos) {
      open += closing[kind];
    } else if (open.empty() && (c == ',' || c == '}')) {
      return at;
    } else if (closing.find(c) != std::string_view::npos) {
      if (open.empty() || open.back() != c) return std::string_view::npos;
      open.pop_back();
    }
    ++at;
  }
  return std::string_view::npos;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of("{}[]()\"', ") == std::string_view::npos;
}

std::optional<shown_object> object_in(std::string_view text) {
  const auto begin = text.find('{');
  if (begin == std::string_view::npos || !text.ends_with('}')) return std::nullopt;
  shown_object object{text.substr(0, begin), {}};
  if (!object.class_name.empty() && !is_name(object.class_name)) return std::nullopt;
  for (auto at = begin + 1; at < text.size();) {
    const auto equals = text.find('=', at);
    if (equals == std::string_view::npos || !is_name(text.substr(at, equals - at))) return std::nullopt;
    const auto end = end_of_value(text, equals + 1);
    if (end == std::string_view::npos) return std::nullopt;
    object.fields.push_back({text.substr(at, equals - at), text.substr(equals + 1, end - equals - 1)});
    if (text[end] == '}') return end + 1 == text.size() ? std::optional(object) : std::nullopt;
    if (text.substr(end, 2) != ", ") return std::nullopt;
    at = end + 2;
  }
  return std::nullopt;
}

bool have_the_same_fields(const shown_object& a, const shown_object& b) {
  return a.class_name == b.class_name && std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                                                    [](const auto& x, const auto& y) { return x.name == y.name; });
}

constexpr int deepest = 8;  // objects within objects; beyond that they are shown whole

std::string changes(std::string_view before, std::string_view after, int depth) {
  if (depth > deepest) return std::string(after);
  const auto old = object_in(before);
  const auto now = object_in(after);
  if (!old || !now || !have_the_same_fields(*old, *now)) return std::string(after);
  std::string text(now->class_name);
  text += "{..";
  auto separator = " ";
  for (std::size_t i = 0; i < now->fields.size(); ++i) {
    const auto& field = now->fields[i];
    if (old->fields[i].value == field.value) continue;
    text += separator;
    text += field.name;
    text += '=';
    text += changes(old->fields[i].value, field.value, depth + 1);
    separator = ", ";
  }
  text += '}';
  return text.size() < after.size() ? text : std::string(after);
}

}  // namespace

std::string changes_of(std::string_view before, std::string_view after) { return changes(before, after, 1); }

}  // namespace harrier
