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
  void ask(const std::string& file, const std::vector<std::string>& places);

  std::map<std::string, std::string> known_;  // by trace_step::handler
};

}  // namespace harrier
