#pragma once

#include <string>
#include <vector>

namespace harrier {

/// The words as a line that a shell takes for just these words: those that need
/// it are quoted. Printable.
std::string command_line(const std::vector<std::string>& words);

/// In single quotes: one word to a shell, whatever is in it.
std::string quoted_for_shell(const std::string& word);

/// `text` with the commands `harrier explore ...` in it called as `binary` was.
std::string as_called(std::string text, const std::string& binary);

}  // namespace harrier
