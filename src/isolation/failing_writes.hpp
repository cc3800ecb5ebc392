#pragma once

#include <csignal>

namespace harrier {

/// While it lives, a write to a pipe that nobody reads, or beyond what a file may
/// hold (ulimit -f), fails as on a full disk instead of ending the process: not
/// where somebody decided what SIGPIPE and SIGXFSZ do. What the process executes
/// finds them as they were.
class failing_writes {
public:
  failing_writes();
  failing_writes(const failing_writes&) = delete;
  failing_writes& operator=(const failing_writes&) = delete;
  ~failing_writes();

private:
  struct sigaction of_pipe_ {};
  struct sigaction of_size_ {};
};

/// For a process in which somebody's program is searched: the same for the
/// standard files, which the program did not open, and for what harrier writes. Any
/// other write that such a signal follows ends the process, as it would end the
/// program by itself.
void let_only_own_writes_fail();
/// Whether harrier writes a file there, and nothing of the program's runs.
void note_own_writing(bool begins);

}  // namespace harrier
