#include <harrier/core/printable.hpp>

#include <algorithm>
#include <cstdint>

namespace harrier {
namespace {

/// One character of a text: its bytes, and what they stand for.
struct character {
  std::size_t bytes;
  char32_t code;
  bool is_valid;
};

constexpr character no_character{1, 0, false};

/// The character that begins at `text`, which is not empty. No other form of a
/// character than the shortest is valid, nor is half a surrogate pair.
character first_of(std::string_view text) {
  const auto at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto lead = at(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return no_character;
  auto code = static_cast<char32_t>(lead & (0x7F >> bytes));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xC0) != 0x80) return no_character;
    code = code << 6 | (at(i) & 0x3F);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || is_surrogate) return no_character;
  return {bytes, code, true};
}

/// Whether a terminal or an editor would act on it instead of showing it.
bool steers(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F)  // the controls
         || c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069)                  // direction
         || c == 0x2028 || c == 0x2029 || c == 0xFEFF  // line and paragraph ends, byte order
      ;
}

std::string in_hex(char32_t number, std::size_t digits) {
  std::string text(digits, '0');
  for (auto i = digits; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 0xF];
  return text;
}

std::string escape_of(char32_t c, bool before_a_digit) {
  switch (c) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    case '\0': return before_a_digit ? "\\x00" : "\\0";
    default: return c < 0x80 ? "\\x" + in_hex(c, 2) : "\\u" + in_hex(c, 4);
  }
}

/// `text` with escapes for what steers, what is no UTF-8, and each of `also`;
/// those of `except` stay.
std::string escaped(std::string_view text, std::string_view also, std::string_view except) {
  std::string result;
  result.reserve(text.size());
  const auto stays = [also](char c) { return c >= ' ' && c <= '~' && also.find(c) == std::string_view::npos; };
  for (;;) {
    const auto run = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), stays) - text.begin());
    result += text.substr(0, run);  // most of most texts
    text.remove_prefix(run);
    if (text.empty()) return result;
    const auto c = first_of(text);
    const auto rest = text.substr(c.bytes);
    if (!c.is_valid) {
      result += "\\x" + in_hex(static_cast<unsigned char>(text.front()), 2);
    } else if (c.bytes == 1 && also.find(text.front()) != std::string_view::npos) {
      result += '\\';
      result += text.front();
    } else if (steers(c.code) && (c.bytes != 1 || except.find(text.front()) == std::string_view::npos)) {
      result += escape_of(c.code, !rest.empty() && rest.front() >= '0' && rest.front() <= '9');
    } else {
      result += text.substr(0, c.bytes);
    }
    text = rest;
  }
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, {}, {}); }

std::string printable_lines(std::string_view text) { return escaped(text, {}, "\n"); }

std::string literal_of(std::string_view text) { return '"' + escaped(text, "\"\\", {}) + '"'; }

std::string literal_of(char c) { return '\'' + escaped({&c, 1}, "'\\", {}) + '\''; }

}  // namespace harrier
