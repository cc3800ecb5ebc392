#include "fiber.hpp"

#include <sys/mman.h>

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

// What an exception in flight is kept in, of each thread: a fiber has its own (Itanium C++ ABI, 2.2.2).
extern "C" void* __cxa_get_globals() noexcept;  // NOLINT(bugprone-reserved-identifier)

namespace harrier::caf_adapter {
namespace {

namespace context = boost::context;

constexpr std::size_t stack_bytes = std::size_t{8} << 20;  // as a thread has; pages are taken when touched
constexpr std::size_t guard_bytes = 4096;

/// Stacks of this thread that nobody is on.
class stack_pool {
public:
  stack_pool() = default;
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;
  ~stack_pool() {
    for (auto* const base : free_) release(base);
  }

  context::stack_context take() {
    auto* const base = free_.empty() ? map() : free_.back();
    if (!free_.empty()) free_.pop_back();
    context::stack_context made;
    made.size = stack_bytes;
    made.sp = static_cast<std::byte*>(base) + stack_bytes;
    return made;
  }
  void give_back(const context::stack_context& used) {
    auto* const base = static_cast<std::byte*>(used.sp) - used.size;
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(base + guard_bytes, stack_bytes - guard_bytes);
#endif
    free_.push_back(base);
  }

private:
  static void* map() {
    auto* const base =
        ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    ::mprotect(base, guard_bytes, PROT_NONE);
#if defined(__SANITIZE_ADDRESS__)
    __lsan_register_root_region(static_cast<std::byte*>(base) + guard_bytes, stack_bytes - guard_bytes);
#endif
    return base;
  }
  static void release(void* base) {
#if defined(__SANITIZE_ADDRESS__)
    __lsan_unregister_root_region(static_cast<std::byte*>(base) + guard_bytes, stack_bytes - guard_bytes);
#endif
    ::munmap(base, stack_bytes);
  }

  std::vector<void*> free_;
};

stack_pool& pool() {
  thread_local stack_pool of_this_thread;
  return of_this_thread;
}

thread_local fiber* running_fiber = nullptr;

struct exceptions_in_flight {
  void* caught;
  unsigned uncaught;
};

}  // namespace

struct fiber::state {
  enum class at : unsigned char { waiting, done, abandoned };

  std::function<void()> body;
  context::stack_context stack;
  alignas(context::fiber) std::byte inside[sizeof(context::fiber)];  // not destroyed where it would unwind the stack
  context::fiber* outside = nullptr;
  exceptions_in_flight exceptions{};
  at where = at::waiting;
  const char* waits_at = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack = nullptr;
  void* fake_stack_outside = nullptr;
  const void* bottom_outside = nullptr;
  std::size_t size_outside = 0;
#endif

#if defined(__SANITIZE_ADDRESS__)
  /// The part of the stack that is in use: a handle is the place where the switch away from it ended.
  [[nodiscard]] std::vector<std::byte> in_use() const {
    static_assert(sizeof(context::fiber) == sizeof(const std::byte*));
    const std::byte* from = nullptr;
    std::memcpy(&from, inside, sizeof from);
    return {from, static_cast<const std::byte*>(stack.sp)};
  }
#endif

  context::fiber& handle() { return *std::launder(reinterpret_cast<context::fiber*>(inside)); }

  void exchange_exceptions() { std::swap(exceptions, *static_cast<exceptions_in_flight*>(__cxa_get_globals())); }
  void enters() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, &bottom_outside, &size_outside);
#endif
  }
  void leaves(at to) {
    where = to;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(to == at::waiting ? &fake_stack : nullptr, bottom_outside, size_outside);
#endif
  }
};

namespace {

#if defined(__SANITIZE_ADDRESS__)
/// What an abandoned fiber holds was meant to be left there, and is no leak as long as somebody refers to it. Its stack
/// itself would be 8 MiB of which each is looked through.
void keep_referring(std::vector<std::byte> stack) {
  static auto& one_at_a_time = *new std::mutex();  // neither is destroyed before leaks are looked for
  static auto& left = *new std::vector<std::vector<std::byte>>();
  const std::lock_guard lock(one_at_a_time);
  left.push_back(std::move(stack));
}
#endif

/// The stacks are the pool's.
struct lent {
  static void deallocate(context::stack_context&) noexcept {}
};

}  // namespace

fiber::fiber(std::function<void()> body) : state_(std::make_unique<state>()) {
  state_->body = std::move(body);
  state_->stack = pool().take();
  const context::preallocated where(state_->stack.sp, state_->stack.size, state_->stack);
  ::new (state_->inside) context::fiber(std::allocator_arg, where, lent{}, [s = state_.get()](context::fiber&& back) {
    s->enters();
    s->outside = &back;
    s->body();
    s->leaves(state::at::done);
    return std::move(back);
  });
}

fiber::~fiber() {
  auto& s = *state_;
  const bool is_empty = s.where == state::at::done;
  if (is_empty) s.handle().~fiber();
  pool().give_back(s.stack);
#if defined(__SANITIZE_ADDRESS__)
  if (!is_empty) keep_referring(s.in_use());
#endif
}

bool fiber::is_done() const { return state_->where == state::at::done; }

fiber* fiber::running() { return running_fiber; }

void fiber::resume() {
  auto& s = *state_;
  running_fiber = this;
  s.exchange_exceptions();
#if defined(__SANITIZE_ADDRESS__)
  auto* const base = static_cast<std::byte*>(s.stack.sp) - s.stack.size;
  __sanitizer_start_switch_fiber(&s.fake_stack_outside, base + guard_bytes, s.stack.size - guard_bytes);
#endif
  s.handle() = std::move(s.handle()).resume();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(s.fake_stack_outside, nullptr, nullptr);
#endif
  s.exchange_exceptions();
  running_fiber = nullptr;
}

std::pair<const char*, std::size_t> fiber::stack() const {
  if (state_->waits_at == nullptr) return {};
  return {state_->waits_at, static_cast<std::size_t>(static_cast<const char*>(state_->stack.sp) - state_->waits_at)};
}

void fiber::wait() {
  state_->waits_at = static_cast<const char*>(__builtin_frame_address(0));
  state_->leaves(state::at::waiting);
  *state_->outside = std::move(*state_->outside).resume();
  state_->enters();
}

void fiber::abandon() {
  state_->leaves(state::at::abandoned);
  *state_->outside = std::move(*state_->outside).resume();
  std::abort();  // nobody resumes it
}

}  // namespace harrier::caf_adapter
