// What a program's code waits for that is no message: another thread, a condition variable, a future. Strands are no
// threads, so whoever waits for what another strand will do must let that run.
#include "threads.hpp"

#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "../../core/base/spin_lock.hpp"
#include "original.hpp"
#include "run.hpp"

namespace harrier::caf_adapter::threads {
namespace {

std::atomic<int> running = 0;
std::atomic<int> waiting = 0;        // of these, for what another thread or an actor does
std::atomic<bool> was_told = false;  // one that waits, and will go on
constexpr std::uint64_t unknown = ~std::uint64_t{0};
std::atomic<std::uint64_t> actors_used_by = 0;  // which program's thread; 0: none
thread_local std::uint64_t begun_by = unknown;  // which program
spin_lock of_who_stays;                         // a mutex might be taken for the program's
std::vector<std::uint64_t> one_stays_of;        // which programs

struct begun {
  void* (*function)(void*);
  void* argument;
  std::uint64_t by;
};

class counted {
public:
  counted() = default;
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --running; }
};

void* run_it(void* what) {
  const counted until_its_end;
  const auto it = *std::unique_ptr<begun>(static_cast<begun*>(what));
  begun_by = it.by;
  return it.function(it.argument);
}

/// What the system calls time, whatever the program is told.
timespec soon() {
  static auto* const tell = original_of<int(clockid_t, timespec*)>("clock_gettime");
  timespec t{};
  tell(CLOCK_MONOTONIC, &t);
  t.tv_nsec += 2'000'000;
  if (t.tv_nsec < 1'000'000'000) return t;
  t.tv_nsec -= 1'000'000'000;
  ++t.tv_sec;
  return t;
}

void nap() {
  static auto* const sleep = original_of<int(const timespec*, timespec*)>("nanosleep");
  constexpr timespec millisecond{0, 1'000'000};
  sleep(&millisecond, nullptr);
}

}  // namespace

bool any() { return running > 0; }

namespace {

/// While one of the program's own threads waits without a time limit.
class waits {
public:
  waits() {
    if (is_own()) ++waiting;
  }
  waits(const waits&) = delete;
  waits& operator=(const waits&) = delete;
  ~waits() {
    if (is_own()) --waiting;
  }
};

bool all_wait() { return waiting >= running; }

/// Whether one of them may go on by itself, so that it can be waited for. One that was told of what it waits for takes
/// a while until it does.
bool any_goes_on() {
  const int enough = was_told.exchange(false) ? 300 : 10;
  for (int i = 0; i < enough; ++i, nap()) {
    if (!any()) return false;
    if (!all_wait()) return true;
  }
  return false;
}

void tell_of_what_is_waited_for() {
  if (waiting > 0) was_told = true;
}

}  // namespace

bool is_own() { return begun_by != unknown; }

void wait_for_them(std::uint64_t program) {
  static std::atomic<int> naps_left = 5000;
  for (int i = 0; i < 1000 && any() && !all_wait() && actors_used_by != program && naps_left > 0; ++i, --naps_left)
    nap();
}

void note_use_of_actors() { actors_used_by = begun_by; }

void stay() {
  {
    const std::lock_guard lock(of_who_stays);
    one_stays_of.push_back(begun_by);
  }
  note_use_of_actors();
  if (is_own()) --running;  // nobody need wait for it
  while (true) nap();
}

namespace {

/// Whether one stays that a run of `program` has begun, or nobody knows who.
bool any_stays(std::uint64_t program) {
  const std::lock_guard lock(of_who_stays);
  return std::any_of(one_stays_of.begin(), one_stays_of.end(), [=](auto p) { return p == program || p == unknown; });
}

}  // namespace

bool any_is_left_alone(std::uint64_t program, bool is_left) {
  if (is_left) wait_for_them(program);  // most end by themselves
  return any_stays(program) || (is_left && any());
}

bool have_used_actors(std::uint64_t program) {
  auto by = actors_used_by.load();
  return (by == program || by == unknown) && actors_used_by.compare_exchange_strong(by, 0);
}

namespace {

/// Of code of a program's that is about to wait for another thread.
void look_at_threads() {
  if (have_used_actors(run::current()->program())) run::current()->reject_threads();
}

int begin(pthread_t* thread, const pthread_attr_t* how, void* (*function)(void*), void* argument) {
  static auto* const original =
      original_of<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  const bool is_inside = run::is_inside() && !run::current()->is_making_system();
  const auto by = is_inside ? run::current()->program() : begun_by;
  if (by == unknown) return original(thread, how, function, argument);
  auto what = std::make_unique<begun>(begun{function, argument, by});
  ++running;
  const int status = original(thread, how, run_it, what.get());
  if (status == 0)
    static_cast<void>(what.release());
  else
    --running;
  return status;
}

int join(pthread_t thread, void** result) {
  static auto* const original = original_of<int(pthread_t, void**)>("pthread_join");
  if (!run::is_inside()) return original(thread, result);
  while (true) {
    if (const int status = ::pthread_tryjoin_np(thread, result); status != EBUSY) return status;
    look_at_threads();
    if (any_goes_on() || !any()) {  // one whose function has returned ends by itself, too
      nap();
      continue;
    }
    if (const int status = ::pthread_tryjoin_np(thread, result); status != EBUSY) return status;
    run::current()->reject_waiting_threads();
  }
}

using limit = std::optional<caf::actor_clock::time_point>;

/// Another strand of this thread holds it, not another thread, which will let it go by itself: other runs have some.
bool is_held_by_a_strand(const pthread_mutex_t& mutex) {
  const volatile auto& owner = mutex.__data.__owner;  // glibc's
  return owner == ::gettid();
}

int try_to_lock(pthread_mutex_t* mutex) {
  static auto* const original = original_of<int(pthread_mutex_t*)>("pthread_mutex_trylock");
  return original(mutex);
}

/// @return as pthread_mutex_lock, or ETIMEDOUT
int lock(pthread_mutex_t* mutex, bool is_the_programs, const limit& until = {}) {
  if (run::current()->takes_lock_of_caf()) is_the_programs = false;
  if (is_the_programs) run::current()->use_memory_at(mutex);
  static auto* const original = original_of<int(pthread_mutex_t*)>("pthread_mutex_lock");
  while (true) {
    if (const int status = try_to_lock(mutex); status != EBUSY) {
      if (status == 0 && is_the_programs) run::current()->holds_mutex(mutex);
      return status;
    }
    if (is_held_by_a_strand(*mutex)) {
      if (!run::current()->wait_for_change(mutex, until)) return ETIMEDOUT;
    } else if (any()) {
      nap();
      look_at_threads();
    } else {
      return original(mutex);
    }
  }
}

/// Whether the running strand's code may go on with it: 0; or EBUSY if it is another's.
int try_to_lock(pthread_mutex_t* mutex, bool is_the_programs) {
  if (is_the_programs) run::current()->tries_lock(), run::current()->use_memory_at(mutex);
  const int status = try_to_lock(mutex);
  if (status == 0 && is_the_programs) run::current()->holds_mutex(mutex);
  return status;
}

/// A lock that some share, and one has alone (std::shared_mutex).
using try_lock = int(pthread_rwlock_t*);

try_lock* try_for_some() {
  static auto* const original = original_of<try_lock>("pthread_rwlock_tryrdlock");
  return original;
}
try_lock* try_for_one() {
  static auto* const original = original_of<try_lock>("pthread_rwlock_trywrlock");
  return original;
}

int try_to_share(pthread_rwlock_t* lock, try_lock* try_it, bool is_the_programs) {
  if (is_the_programs) run::current()->use_memory_at(lock);
  const int status = try_it(lock);
  if (status == 0 && is_the_programs) run::current()->holds_mutex(lock);
  return status;
}
/// @return as pthread_rwlock_wrlock, or ETIMEDOUT
int share(pthread_rwlock_t* lock, try_lock* try_it, bool is_the_programs, const limit& until = {}) {
  while (true) {
    if (const int status = try_to_share(lock, try_it, is_the_programs); status != EBUSY) return status;
    const volatile auto& writer = lock->__data.__cur_writer;  // glibc's
    // Who reads is not known: without threads of the program's own, strands do.
    if (writer == ::gettid() || (writer == 0 && !any())) {
      if (!run::current()->wait_for_change(lock, until)) return ETIMEDOUT;
    } else {
      nap();
      look_at_threads();
    }
  }
}

/// @return 0, or ETIMEDOUT
int wait(pthread_cond_t* signal, pthread_mutex_t* held, const limit& until) {
  static auto* const wait_until =
      original_of<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>("pthread_cond_clockwait");
  if (any_goes_on()) {
    const auto short_while = soon();
    wait_until(signal, held, CLOCK_MONOTONIC, &short_while);
    look_at_threads();
    return 0;
  }
  ::pthread_mutex_unlock(held);
  bool is_in_time = false;
  try {
    is_in_time = run::current()->wait_for_change(signal, until);
  } catch (...) {
    static_cast<void>(try_to_lock(held));  // those whose stack this is will unlock it
    throw;
  }
  lock(held, true);
  return is_in_time ? 0 : ETIMEDOUT;
}

/// @return false if `until` came first
bool wait(const unsigned* word, unsigned while_it_is, const limit& until) {
  const volatile auto& now = *word;
  while (now == while_it_is) {
    look_at_threads();
    if (any_goes_on())
      nap();
    else if (now == while_it_is && !run::current()->wait_for_change(word, until))
      return false;
  }
  return true;
}

limit limit_of(std::chrono::nanoseconds since_epoch) { return run::current()->time_told_as(since_epoch); }
limit limit_of(const timespec& t) {
  return limit_of(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
}

}  // namespace

bool is_in_caf(const void* code) {
  struct range {
    std::uintptr_t first = 0, last = 0;
  };
  static const auto library = [] {
    range of_caf;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* found) {
          if (std::string_view(info->dlpi_name).find("/libcaf_core.so") == std::string_view::npos) return 0;
          auto& all = *static_cast<range*>(found);
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
              all = {info->dlpi_addr + part.p_vaddr, info->dlpi_addr + part.p_vaddr + part.p_memsz};
          }
          return 1;
        },
        &of_caf);
    return of_caf;
  }();
  const auto at = reinterpret_cast<std::uintptr_t>(code);
  return library.first <= at && at < library.last;
}
}  // namespace harrier::caf_adapter::threads

namespace {

using harrier::caf_adapter::original_of;
using harrier::caf_adapter::run;
namespace threads = harrier::caf_adapter::threads;

}  // namespace

#define HARRIER_STANDS_FOR(symbol) asm(symbol) __attribute__((visibility("default"), used))

// std::__atomic_futex_unsigned_base: what a std::future waits by

using seconds = std::chrono::seconds;
using nanoseconds = std::chrono::nanoseconds;

bool wait_for_future(void*, unsigned*, unsigned, bool, seconds, nanoseconds) HARRIER_STANDS_FOR(
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_"
    "ILl1ELl1000000000EEEE");
bool wait_for_future(void* self, unsigned* word, unsigned while_it_is, bool has_limit, seconds s, nanoseconds ns) {
  if (run::is_inside()) return threads::wait(word, while_it_is, has_limit ? threads::limit_of(s + ns) : std::nullopt);
  static auto* const original = original_of<bool(void*, unsigned*, unsigned, bool, seconds, nanoseconds)>(
      "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
      "IlS3_ILl1ELl1000000000EEEE");
  if (has_limit) return original(self, word, while_it_is, has_limit, s, ns);
  const threads::waits until_it_is_told;
  return original(self, word, while_it_is, has_limit, s, ns);
}

// std::__atomic_futex_unsigned_base::_M_futex_notify_all(unsigned*)
void notify_of_future(unsigned*) HARRIER_STANDS_FOR("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");
void notify_of_future(unsigned* word) {
  if (run::is_inside()) run::current()->tell_of_change(word), threads::tell_of_what_is_waited_for();
  static auto* const original =
      original_of<void(unsigned*)>("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");
  if (!run::is_inside() || threads::any()) original(word);
}

bool wait_for_future_by_steady_clock(void*, unsigned*, unsigned, bool, seconds, nanoseconds) HARRIER_STANDS_FOR(
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_"
    "IlS3_ILl1ELl1000000000EEEE");
bool wait_for_future_by_steady_clock(void* self, unsigned* word, unsigned while_it_is, bool has_limit, seconds s,
                                     nanoseconds ns) {
  if (run::is_inside()) return threads::wait(word, while_it_is, has_limit ? threads::limit_of(s + ns) : std::nullopt);
  static auto* const original = original_of<bool(void*, unsigned*, unsigned, bool, seconds, nanoseconds)>(
      "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEEN"
      "S2_IlS3_ILl1ELl1000000000EEEE");
  return original(self, word, while_it_is, has_limit, s, ns);
}

extern "C" {

__attribute__((visibility("default"))) int pthread_create(pthread_t* thread, const pthread_attr_t* how,
                                                          void* (*function)(void*), void* argument) {
  return threads::begin(thread, how, function, argument);
}

__attribute__((visibility("default"))) int pthread_join(pthread_t thread, void** result) {
  return threads::join(thread, result);
}

__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (run::is_inside()) return threads::lock(mutex, !threads::is_in_caf(__builtin_return_address(0)));
  static auto* const original = original_of<int(pthread_mutex_t*)>("pthread_mutex_lock");
  return original(mutex);
}

__attribute__((visibility("default"))) int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (run::is_inside()) return threads::try_to_lock(mutex, !threads::is_in_caf(__builtin_return_address(0)));
  return threads::try_to_lock(mutex);
}

__attribute__((visibility("default"))) int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  if (run::is_inside()) return threads::lock(mutex, true, threads::limit_of(*until));
  static auto* const original = original_of<int(pthread_mutex_t*, const timespec*)>("pthread_mutex_timedlock");
  return original(mutex, until);
}

__attribute__((visibility("default"))) int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                                                   const timespec* until) {
  if (run::is_inside()) return threads::lock(mutex, true, threads::limit_of(*until));
  static auto* const original =
      original_of<int(pthread_mutex_t*, clockid_t, const timespec*)>("pthread_mutex_clocklock");
  return original(mutex, clock, until);
}

__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  static auto* const original = original_of<int(pthread_mutex_t*)>("pthread_mutex_unlock");
  if (run::is_inside()) run::current()->is_about_to_unlock(mutex);
  const int status = original(mutex);
  if (run::is_inside()) run::current()->lets_go_of_mutex(mutex);
  if (run::is_inside() && run::current()->any_waits_for_change()) run::current()->tell_of_change(mutex);
  return status;
}

__attribute__((visibility("default"))) int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (!run::is_inside()) return threads::try_for_some()(lock);
  run::current()->tries_lock();
  return threads::try_to_share(lock, threads::try_for_some(), !threads::is_in_caf(__builtin_return_address(0)));
}

__attribute__((visibility("default"))) int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (!run::is_inside()) return threads::try_for_one()(lock);
  run::current()->tries_lock();
  return threads::try_to_share(lock, threads::try_for_one(), !threads::is_in_caf(__builtin_return_address(0)));
}

__attribute__((visibility("default"))) int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  static auto* const original = original_of<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  if (!run::is_inside()) return original(lock);
  return threads::share(lock, threads::try_for_some(), !threads::is_in_caf(__builtin_return_address(0)));
}

__attribute__((visibility("default"))) int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  static auto* const original = original_of<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  if (!run::is_inside()) return original(lock);
  return threads::share(lock, threads::try_for_one(), !threads::is_in_caf(__builtin_return_address(0)));
}

__attribute__((visibility("default"))) int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                                                      const timespec* until) {
  static auto* const original =
      original_of<int(pthread_rwlock_t*, clockid_t, const timespec*)>("pthread_rwlock_clockrdlock");
  if (!run::is_inside()) return original(lock, clock, until);
  return threads::share(lock, threads::try_for_some(), true, threads::limit_of(*until));
}

__attribute__((visibility("default"))) int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                                                      const timespec* until) {
  static auto* const original =
      original_of<int(pthread_rwlock_t*, clockid_t, const timespec*)>("pthread_rwlock_clockwrlock");
  if (!run::is_inside()) return original(lock, clock, until);
  return threads::share(lock, threads::try_for_one(), true, threads::limit_of(*until));
}

__attribute__((visibility("default"))) int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) {
  static auto* const original = original_of<int(pthread_rwlock_t*, const timespec*)>("pthread_rwlock_timedrdlock");
  if (!run::is_inside()) return original(lock, until);
  return threads::share(lock, threads::try_for_some(), true, threads::limit_of(*until));
}

__attribute__((visibility("default"))) int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) {
  static auto* const original = original_of<int(pthread_rwlock_t*, const timespec*)>("pthread_rwlock_timedwrlock");
  if (!run::is_inside()) return original(lock, until);
  return threads::share(lock, threads::try_for_one(), true, threads::limit_of(*until));
}

__attribute__((visibility("default"))) int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  static auto* const original = original_of<int(pthread_rwlock_t*)>("pthread_rwlock_unlock");
  if (run::is_inside()) run::current()->is_about_to_unlock(lock);
  const int status = original(lock);
  if (run::is_inside()) run::current()->lets_go_of_mutex(lock);
  if (run::is_inside() && run::current()->any_waits_for_change()) run::current()->tell_of_change(lock);
  return status;
}

__attribute__((visibility("default"))) int pthread_cond_signal(pthread_cond_t* signal) {
  if (run::is_inside() && !threads::is_in_caf(__builtin_return_address(0)))
    run::current()->tell_of_change(signal);  // to all: others may wake without a reason, too
  threads::tell_of_what_is_waited_for();
  static auto* const original = original_of<int(pthread_cond_t*)>("pthread_cond_signal");
  return original(signal);
}

__attribute__((visibility("default"))) int pthread_cond_broadcast(pthread_cond_t* signal) {
  if (run::is_inside() && !threads::is_in_caf(__builtin_return_address(0))) run::current()->tell_of_change(signal);
  threads::tell_of_what_is_waited_for();
  static auto* const original = original_of<int(pthread_cond_t*)>("pthread_cond_broadcast");
  return original(signal);
}

/// A promise is kept by it: whoever looks at the future finds that there, without a call that could be seen.
__attribute__((visibility("default"))) int pthread_once(pthread_once_t* once, void (*function)()) {
  if (run::is_inside() && *once == PTHREAD_ONCE_INIT && !threads::is_in_caf(__builtin_return_address(0))) {
    // What std::call_once is to call is the thread's; another strand may call something meanwhile.
    auto* const callable = std::__once_callable;
    auto* const call = std::__once_call;
    run::current()->use_memory_of_all();
    std::__once_callable = callable;
    std::__once_call = call;
  }
  static auto* const original = original_of<int(pthread_once_t*, void (*)())>("pthread_once");
  return original(once, function);
}

__attribute__((visibility("default"))) int pthread_cond_wait(pthread_cond_t* signal, pthread_mutex_t* held) {
  if (run::is_inside()) return threads::wait(signal, held, std::nullopt);
  static auto* const original = original_of<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
  const threads::waits until_it_is_told;
  return original(signal, held);
}

__attribute__((visibility("default"))) int pthread_cond_timedwait(pthread_cond_t* signal, pthread_mutex_t* held,
                                                                  const timespec* until) {
  if (run::is_inside()) return threads::wait(signal, held, threads::limit_of(*until));
  static auto* const original =
      original_of<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait");
  return original(signal, held, until);
}

__attribute__((visibility("default"))) int pthread_cond_clockwait(pthread_cond_t* signal, pthread_mutex_t* held,
                                                                  clockid_t clock, const timespec* until) {
  if (run::is_inside()) return threads::wait(signal, held, threads::limit_of(*until));
  static auto* const original =
      original_of<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>("pthread_cond_clockwait");
  return original(signal, held, clock, until);
}
}
