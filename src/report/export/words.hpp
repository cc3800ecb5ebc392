#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/explanation.hpp>
#include <harrier/report/diagram.hpp>

namespace harrier {

/// That of finding i; empty if it is not known.
inline const explanation& explanation_of(std::size_t i, const std::vector<explanation>& why) {
  static const explanation none;
  return i < why.size() ? why[i] : none;
}

/// At most `most` bytes of `text`, and how much is left out.
std::string shortened(const std::string& text, std::size_t most);

/// `text` with each byte as `escape(byte)` gives it, or as it is where that gives an empty string.
template <class Escape>
std::string escaped_by(std::string_view text, Escape escape) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto other = escape(c);
    if (other.empty())
      result += c;
    else
      result += other;
  }
  return result;
}

/// Letters and digits of ASCII, a space, and `_.,()=`: what no format takes for anything but text.
bool is_plain(char c);

/// Puts `by` in place of each `what`. In time linear in the text if there are few.
void replace_each(std::string& text, std::string_view what, std::string_view by);

/// `set(5)`, `give_up() by a timer`
std::string words_of(const diagram::arrow& message);

/// What is shown of an event beside its message and what befell messages that it sent: `creates logger_2`, its choices,
/// its state if that is news, and what was found.
std::vector<std::string> remarks_of(const diagram::event& event);

}  // namespace harrier
