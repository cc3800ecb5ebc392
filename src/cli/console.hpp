#pragma once

#include <string>
#include <string_view>

namespace harrier {

/// Where text for people goes: standard output, or standard error once
/// reserve_stdout() was called.
class console {
public:
  console() = default;
  console(const console&) = delete;
  console& operator=(const console&) = delete;
  ~console();

  /// Keeps standard output for one machine-readable text. Whatever else is
  /// printed from now on, by the program under test too, goes to standard error.
  void reserve_stdout();
  /// Writes to the standard output that was reserved. @throws error if it fails.
  void write_reserved(std::string_view text) const;

  /// Text for people. Files below the current folder are named from there.
  /// @throws error if it cannot be written.
  void say(const std::string& text) const;

private:
  int reserved_ = -1;
};

}  // namespace harrier
