#pragma once

#include <csignal>
#include <ctime>

namespace harrier::distributed {

/// SIGINT and SIGTERM wait until somebody asks, while it lives: in this thread,
/// and in those that it makes.
class held_signals {
public:
  held_signals() {
    sigemptyset(&ours_);
    sigaddset(&ours_, SIGINT);
    sigaddset(&ours_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;
  ~held_signals() {
    while (take()) {}
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  /// Whether one came; it is then gone.
  [[nodiscard]] bool take() const { return take_within(0); }
  /// Waits for one, or for the end of a child if SIGCHLD is blocked too.
  [[nodiscard]] bool take_within(long milliseconds) const {
    const timespec most{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    return sigtimedwait(&ours_, nullptr, &most) > 0;
  }

private:
  sigset_t ours_, before_;
};

}  // namespace harrier::distributed
