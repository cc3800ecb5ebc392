#pragma once

#include <string>

#include <harrier/explore/options.hpp>

namespace harrier {

/// One line on the terminal that is written over again and again; nothing if
/// standard error is no terminal.
class progress_line {
public:
  explicit progress_line(bool wanted);
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line() { clear(); }

  void show(const progress& so_far, const std::string& more = {});
  /// Takes the line away, so that other text can follow.
  void clear();

private:
  bool on_terminal_;
  bool is_shown_ = false;
};

/// `1,200 executions, 5.3 M deliveries (2.1 M/s), depth 17, 3 s; about 31 % of an estimated 3,900 executions, 7 s to
/// go`.
std::string line_about(const progress& so_far);

}  // namespace harrier
