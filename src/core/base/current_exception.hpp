#pragma once

#include <exception>
#include <string>

namespace harrier {

/// In a catch block: what the exception says.
inline std::string text_of_current_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is not derived from std::exception";
  }
}

}  // namespace harrier
