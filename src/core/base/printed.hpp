#pragma once

#include <fmt/format.h>

#include <string>

#include "current_exception.hpp"

namespace harrier {

/// What `print` gives, or why it gives nothing: what prints a state or a message is the user's, and may throw.
template <class Print>
std::string printed(Print print) {
  try {
    return print();
  } catch (...) {
    return fmt::format("<cannot be printed: {}>", text_of_current_exception());
  }
}

}  // namespace harrier
