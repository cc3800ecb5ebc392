// The C library and that of C++ are called through these instead. Outside of a run each does what the original does.
#include <sys/time.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <random>

#include "interposed.hpp"
#include "original.hpp"
#include "run_of.hpp"

namespace harrier::caf_adapter {

void interpose() { interpose_caf(); }

namespace {

std::chrono::nanoseconds from(const timespec& t) {
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

}  // namespace

// std::random_device::_M_getval()
unsigned random_value(std::random_device*) HARRIER_STANDS_FOR("_ZNSt13random_device9_M_getvalEv");
unsigned random_value(std::random_device* self) {
  if (run::is_inside()) return run::current()->random();
  static auto* const original = original_of<unsigned(std::random_device*)>("_ZNSt13random_device9_M_getvalEv");
  return original(self);
}

}  // namespace harrier::caf_adapter

using harrier::caf_adapter::original_of;
using harrier::caf_adapter::run;

extern "C" {

__attribute__((visibility("default"))) void __assert_fail(const char* text, const char* file, unsigned line,
                                                          const char* function) noexcept {
  auto* const r = run::is_inside() ? run::current() : nullptr;
  if (r != nullptr) r->fail({.kind = harrier::finding_kind::assertion, .message = text, .file = file, .line = line});
  using original = void(const char*, const char*, unsigned, const char*);
  original_of<original>("__assert_fail")(text, file, line, function);
  std::abort();
}

__attribute__((visibility("default"))) void exit(int status) noexcept {
  if (run::is_inside()) run::current()->exits(status);
  original_of<void(int)>("exit")(status);
  std::abort();
}

__attribute__((visibility("default"))) int nanosleep(const timespec* time, timespec* left) {
  if (run::is_inside()) {
    run::current()->sleep(harrier::caf_adapter::from(*time));
    return 0;
  }
  static auto* const original = original_of<int(const timespec*, timespec*)>("nanosleep");
  return original(time, left);
}

__attribute__((visibility("default"))) int clock_nanosleep(clockid_t which, int flags, const timespec* time,
                                                           timespec* left) {
  if (run::is_inside()) {
    auto& r = *run::current();
    const auto until = harrier::caf_adapter::from(*time);
    r.sleep((flags & TIMER_ABSTIME) != 0 ? until - r.time_told() : until);
    return 0;
  }
  static auto* const original = original_of<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  return original(which, flags, time, left);
}

__attribute__((visibility("default"))) unsigned sleep(unsigned seconds) {
  const timespec time{static_cast<time_t>(seconds), 0};
  return ::nanosleep(&time, nullptr) == 0 ? 0 : seconds;
}

__attribute__((visibility("default"))) int usleep(useconds_t microseconds) {
  const timespec time{static_cast<time_t>(microseconds / 1'000'000),
                      static_cast<long>(microseconds % 1'000'000) * 1000};
  return ::nanosleep(&time, nullptr);
}

__attribute__((visibility("default"))) int rand() noexcept {
  if (run::is_inside()) return static_cast<int>(run::current()->random() & 0x7fffffffU);
  static auto* const original = original_of<int()>("rand");
  return original();
}

__attribute__((visibility("default"))) long random() noexcept {
  if (run::is_inside()) return static_cast<long>(run::current()->random() & 0x7fffffffU);
  static auto* const original = original_of<long()>("random");
  return original();
}

__attribute__((visibility("default"))) long lrand48() noexcept {
  if (run::is_inside()) return static_cast<long>(run::current()->random() & 0x7fffffffU);
  static auto* const original = original_of<long()>("lrand48");
  return original();
}

__attribute__((visibility("default"))) double drand48() noexcept {
  if (run::is_inside()) return static_cast<double>(run::current()->random()) / 4294967296.0;
  static auto* const original = original_of<double()>("drand48");
  return original();
}

__attribute__((visibility("default"))) time_t time(time_t* now) noexcept {
  timespec exactly{};
  ::clock_gettime(CLOCK_REALTIME, &exactly);
  if (now != nullptr) *now = exactly.tv_sec;
  return exactly.tv_sec;
}

__attribute__((visibility("default"))) int gettimeofday(timeval* now, void* zone) noexcept {
  static auto* const original = original_of<int(timeval*, void*)>("gettimeofday");
  if (!run::is_inside()) return original(now, zone);
  timespec exactly{};
  ::clock_gettime(CLOCK_REALTIME, &exactly);
  now->tv_sec = exactly.tv_sec;
  now->tv_usec = exactly.tv_nsec / 1000;
  return 0;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t which, timespec* now) noexcept {
  static auto* const original = original_of<int(clockid_t, timespec*)>("clock_gettime");
  if (!run::is_inside()) return original(which, now);
  const auto time = run::current()->time_told();
  now->tv_sec = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  now->tv_nsec = (time % std::chrono::seconds(1)).count();
  return 0;
}
}
