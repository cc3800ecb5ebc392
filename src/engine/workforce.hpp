#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include <harrier/engine/search_context.hpp>

#include "../core/base/cache_line.hpp"

namespace harrier {

/// The workers of a shared search: who has something to do, and who waits for it.
class workforce {
public:
  /// While it lives, a worker has something to do, and may leave more to others.
  class shift {
  public:
    explicit shift(workforce& all) : all_(all) {
      const std::lock_guard lock(all_.guard);
      is_first_ = all_.working_++ == 0;
    }
    ~shift() {
      const std::lock_guard lock(all_.guard);
      --all_.working_;
      all_.changed_.notify_all();
    }
    shift(const shift&) = delete;
    shift& operator=(const shift&) = delete;

    /// Whether nobody else had something to do when it began.
    [[nodiscard]] bool is_first() const { return is_first_; }

  private:
    workforce& all_;
    bool is_first_ = false;
  };

  /// The worker of `s`, in its shift, has nothing to do: waits until there is
  /// something, `lock` being held when that is asked, and on return.
  /// @return false if there will be nothing, or its watcher stops.
  template <class HasWork>
  bool wait(std::unique_lock<std::mutex>& lock, search_context& s, HasWork has_work) {
    --working_;
    try {
      while (!has_work() && working_ != 0 && !s.watcher.stopping()) {
        waiting_ = true;
        changed_.wait_for(lock, between_polls);
        lock.unlock();
        s.watcher.poll(s.tested);
        lock.lock();
      }
    } catch (...) {
      lock.lock();  // polling threw: its shift ends as any other
      ++working_;
      throw;
    }
    ++working_;
    waiting_ = false;  // who waits besides says so again: nobody is to give what nobody waits for
    return has_work() && !s.watcher.stopping();
  }
  /// There may be something to do. May be called without the lock.
  void tell() {
    if (waiting_.exchange(false)) changed_.notify_all();
  }
  /// Whether somebody waits who was not told of anything since.
  [[nodiscard]] bool is_anyone_waiting() const { return waiting_.load(std::memory_order_relaxed); }

  /// What the workers share is looked at and changed by who holds it.
  mutable std::mutex guard;

private:
  static constexpr auto between_polls = std::chrono::milliseconds(5);

  std::condition_variable changed_;
  std::uint32_t working_ = 0;
  alignas(cache_line) std::atomic<bool> waiting_ = false;  // read before each step, written hardly ever
};

}  // namespace harrier
