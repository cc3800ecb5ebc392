// The regular expressions of `.replaceFirst`, by backtracking over single-character pieces; the work is counted.
#include <algorithm>

#include "builtins.hpp"

namespace harrier::protocol::internal {
namespace {

struct piece {
  enum class kind : std::uint8_t { one_of, none_of, any, start, end } what = kind::one_of;
  std::string characters;
  std::size_t least = 1;
  bool unbounded = false;
};

constexpr std::string_view digits = "0123456789";

std::string escaped(char c) { return c == 'd' ? std::string(digits) : std::string(1, c); }

piece bracket(std::string_view pattern, std::size_t& i) {
  piece p;
  if (i < pattern.size() && pattern[i] == '^') {
    p.what = piece::kind::none_of;
    ++i;
  }
  for (; i < pattern.size() && pattern[i] != ']'; ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      p.characters += escaped(pattern[++i]);
    } else if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      for (int c = pattern[i]; c <= pattern[i + 2]; ++c) p.characters += static_cast<char>(c);
      i += 2;
    } else {
      p.characters += pattern[i];
    }
  }
  if (i == pattern.size()) throw builtin_failure{"the pattern's `[` is never closed"};
  ++i;
  return p;
}

piece single(std::string_view pattern, std::size_t& i) {
  const char c = pattern[i++];
  if (c == '.') return {piece::kind::any, {}};
  if (c == '^') return {piece::kind::start, {}};
  if (c == '$') return {piece::kind::end, {}};
  if (c == '[') return bracket(pattern, i);
  if (c == '\\' && i < pattern.size()) return {piece::kind::one_of, escaped(pattern[i++])};
  if (std::string_view("(){}|*+?\\").find(c) != std::string_view::npos) {
    throw builtin_failure{"in a pattern, `" + std::string(1, c) + "` is not understood here"};
  }
  return {piece::kind::one_of, std::string(1, c)};
}

struct repeat {
  piece what;
  bool optional = false;
};

std::vector<repeat> pieces_of(std::string_view pattern) {
  std::vector<repeat> result;
  for (std::size_t i = 0; i < pattern.size();) {
    repeat next{single(pattern, i)};
    if (i < pattern.size() && std::string_view("*+?").find(pattern[i]) != std::string_view::npos) {
      const char mark = pattern[i++];
      next.what.least = mark == '+' ? 1 : 0;
      next.what.unbounded = mark != '?';
      next.optional = mark == '?';
    }
    result.push_back(std::move(next));
  }
  return result;
}

struct matcher {
  std::string_view text;
  const std::vector<repeat>& pieces;
  const builtin_context& context;

  bool fits(const piece& p, std::size_t at) const {
    if (at == text.size()) return false;
    const bool named = p.characters.find(text[at]) != std::string::npos;
    return p.what == piece::kind::any ? text[at] != '\n' : p.what == piece::kind::one_of ? named : !named;
  }

  // Where the pieces from `index` on end if they start at `at`; greedy.
  std::size_t end_of(std::size_t index, std::size_t at) const {
    context.spend(1);
    if (index == pieces.size()) return at;
    const auto& [p, optional] = pieces[index];
    if (p.what == piece::kind::start) return at == 0 ? end_of(index + 1, at) : std::string_view::npos;
    if (p.what == piece::kind::end) return at == text.size() ? end_of(index + 1, at) : std::string_view::npos;
    std::size_t count = 0;
    while ((count < 1 || p.unbounded) && fits(p, at + count)) ++count;
    for (;; --count) {
      if (count < p.least) return std::string_view::npos;
      if (const auto end = end_of(index + 1, at + count); end != std::string_view::npos) return end;
      if (count == 0) return std::string_view::npos;
    }
  }
};

}  // namespace

std::string replace_first(std::string_view text, std::string_view pattern, std::string_view by,
                          const builtin_context& context) {
  if (pattern.size() > 100) throw builtin_failure{"a pattern may have 100 characters"};
  const auto pieces = pieces_of(pattern);
  const matcher search{text, pieces, context};
  for (std::size_t start = 0; start <= text.size(); ++start) {
    if (const auto end = search.end_of(0, start); end != std::string_view::npos) {
      return std::string(text.substr(0, start)).append(by).append(text.substr(end));
    }
  }
  return std::string(text);
}

}  // namespace harrier::protocol::internal
