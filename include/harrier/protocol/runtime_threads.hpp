#pragma once

// Locks and the like of generated modules: what the standard has, without the headers that it is in, which take ten
// times as long to compile as all of a module.

#include <pthread.h>
#include <time.h>

#include <cstdint>

namespace harrier::runtime {

class mutex {
public:
  mutex() { pthread_mutex_init(&handle_, nullptr); }
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() { pthread_mutex_destroy(&handle_); }
  void lock() { pthread_mutex_lock(&handle_); }
  void unlock() { pthread_mutex_unlock(&handle_); }

private:
  friend class bell;
  pthread_mutex_t handle_;
};

class guard {
public:
  explicit guard(mutex& held) : held_(held) { held_.lock(); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;
  ~guard() { held_.unlock(); }

private:
  mutex& held_;
};

/// Threads wait here until it rings.
class bell {
public:
  bell() {
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&handle_, &steady);
    pthread_condattr_destroy(&steady);
  }
  bell(const bell&) = delete;
  bell& operator=(const bell&) = delete;
  ~bell() { pthread_cond_destroy(&handle_); }
  /// @pre this thread holds `held`; so it does afterwards.
  void wait(mutex& held) { pthread_cond_wait(&handle_, &held.handle_); }
  /// The same until `when` on the steady clock.
  void wait_until(mutex& held, const timespec& when) { pthread_cond_timedwait(&handle_, &held.handle_, &when); }
  void ring() { pthread_cond_broadcast(&handle_); }
  /// @pre at most one thread waits.
  void ring_for_one() { pthread_cond_signal(&handle_); }

private:
  pthread_cond_t handle_;
};

/// A number that several threads count with.
class counter {
public:
  explicit counter(std::uint32_t value = 0) : value_(value) {}
  counter(const counter&) = delete;
  counter& operator=(const counter&) = delete;
  /// @return what it is then.
  std::uint32_t add(std::uint32_t more) { return __atomic_add_fetch(&value_, more, __ATOMIC_ACQ_REL); }
  std::uint32_t subtract(std::uint32_t less) { return __atomic_sub_fetch(&value_, less, __ATOMIC_ACQ_REL); }
  void set(std::uint32_t value) { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }

private:
  std::uint32_t value_;
};

/// Orders nothing but itself.
class flag {
public:
  flag() = default;
  flag(const flag&) = delete;
  flag& operator=(const flag&) = delete;
  [[nodiscard]] bool is_set() const { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  /// @return what it was.
  bool set(bool value = true) { return __atomic_exchange_n(&value_, value, __ATOMIC_RELAXED); }

private:
  bool value_ = false;
};

// How long a call waits, besides `wait_limit`. `waits`: it does at all; `for_ever`: nothing else ends it.
struct no_wait {
  static constexpr bool waits = false;
  static constexpr bool for_ever = false;
  template <class Wake>
  struct nothing {
    ~nothing() {}  // not trivial: it is meant to be there, unused
  };
  template <class Wake>
  [[nodiscard]] nothing<Wake> when_stopped(const Wake&) const {
    return {};
  }
};

struct no_limit {
  static constexpr bool waits = true;
  static constexpr bool for_ever = true;
  template <class Wake>
  [[nodiscard]] no_wait::nothing<Wake> when_stopped(const Wake&) const {
    return {};
  }
  [[nodiscard]] static bool is_over() { return false; }
  static void wait(bell& alarm, mutex& held) { alarm.wait(held); }
};

}  // namespace harrier::runtime
