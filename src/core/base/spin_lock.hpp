#pragma once

#include <atomic>
#include <thread>

namespace harrier {

/// A lock of one byte, for what is held for some hundred instructions and shares
/// its cache line with what it guards: then whoever takes the lock has that, too.
class spin_lock {
public:
  void lock() {
    while (is_held_.exchange(true, std::memory_order_acquire))
      for (int tries = 0; is_held_.load(std::memory_order_relaxed); ++tries)
        if (tries >= most_tries) std::this_thread::yield();  // who holds it may not be running
  }
  void unlock() { is_held_.store(false, std::memory_order_release); }

private:
  static constexpr int most_tries = 100;

  std::atomic<bool> is_held_ = false;
};

}  // namespace harrier
