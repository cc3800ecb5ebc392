#pragma once

#include <string>
#include <string_view>

namespace harrier {

/// When text for people is coloured.
enum class colours { automatic, always, never };

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

  /// Whether what say() writes is to be coloured: `automatic` is so on a terminal
  /// that can, unless NO_COLOR is set (https://no-color.org).
  [[nodiscard]] bool is_coloured(colours wanted) const;

  /// Text for people; what is in it must be printable. Files below the current
  /// folder are named from there. The first that cannot be written is said on
  /// standard error, and nothing is written after it: see conclude_console.
  void say(const std::string& text) const;
  /// The same with all names as they are, for commands.
  void say_exactly(const std::string& text) const;

private:
  int reserved_ = -1;
};

/// Text on standard error, where it is said what goes wrong. What cannot be written there is lost.
void say_aside(const std::string& text);

/// Whatever was said from now on counts for conclude_console.
void begin_console();
/// All that was said is written, or its loss was said. @return the exit status, `otherwise` if nothing was lost
int conclude_console(int otherwise);

/// Fills the places of standard files that are closed, so that no file which is
/// opened later gets one and is written into: input is empty, writing to standard
/// output fails, and what goes to standard error is lost.
void hold_standard_files();

}  // namespace harrier
