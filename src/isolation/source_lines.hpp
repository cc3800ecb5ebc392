#pragma once

#include <map>
#include <string>
#include <vector>

#include <harrier/core/finding.hpp>

namespace harrier {

/// Where handlers stand in the program's sources, as the current folder calls them: `bank.cpp:42`. Asked of `addr2line`
/// (of binutils, which compilers bring along), once for each executable file; each answer is kept.
class source_lines {
public:
  /// Asks for all handlers of these steps at once.
  void learn(const std::vector<trace_step>& steps);
  /// Of the handler that took it; empty where that is not known: no information for debuggers, no `addr2line`, a
  /// message that no function of the program's takes.
  [[nodiscard]] std::string of(const trace_step& step) const;

private:
  std::map<std::string, std::string> known_;  // by trace_step::handler
};

/// A line of the sources, and the function that it belongs to.
struct line_of_code {
  std::string function;  ///< as C++ writes it: `shelf::take(int)`
  std::string line;      ///< `/home/ann/shelf.cpp:42`, or as the compiler was called with it
};

/// The lines in which calls stand, with those of functions that the compiler has put into others.
class inlined_lines {
public:
  /// Asks for all of them at once. @param places  as trace_step::handler has them; any other has no lines.
  explicit inlined_lines(const std::vector<std::string>& places);
  /// The innermost first. What is not known is left out.
  [[nodiscard]] const std::vector<line_of_code>& of(const std::string& place) const;

private:
  std::map<std::string, std::vector<line_of_code>> known_;
};

/// `/a/b/../c.cpp:42` as it is called from the current folder; empty for what names no line.
[[nodiscard]] std::string line_seen_from_here(std::string line);

}  // namespace harrier
