#pragma once

#include <string>
#include <string_view>

namespace harrier::internal {

inline std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

}  // namespace harrier::internal
