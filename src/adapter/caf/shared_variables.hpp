#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace harrier::caf_adapter {

/// By what of a program's memory its actors may tell each other something without a message, as far as its bytes say
/// that a step has written to it: its variables that are global, or static; and those of its main function, to which
/// others may have references.
///
/// Of the former those of the executable are known for which the linker has left symbols. What they own or point to is
/// not looked at, nor are libraries. Those that are large are looked at in the first steps of a process only.
class shared_variables {
public:
  /// Bytes.
  struct part {
    const char* begin;
    std::size_t size;
  };

  /// Whether a step of this process was seen to write to any.
  [[nodiscard]] static bool is_any_written();

  /// They are now as they are before a step. @param stack  of a main function that waits
  /// @param objects  those on it that change by themselves
  void remember(part stack, std::vector<part> objects);
  /// The next step is not looked at.
  void skip() { is_remembered_ = false; }
  /// Those that are not as they were, if they were remembered, as the program spells them. A static variable of a
  /// function that was made meanwhile is not among them.
  [[nodiscard]] std::vector<std::string> changed() const;

private:
  std::vector<char> values_;
  std::vector<bool> is_made_;  // of the small ones
  std::vector<part> on_stack_;
  bool with_large_ = false;
  bool is_remembered_ = false;
};

}  // namespace harrier::caf_adapter
