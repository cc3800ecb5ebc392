#include "stack_overflow.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HARRIER_UNDER_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HARRIER_UNDER_SANITIZER
#endif
#endif

namespace harrier {

#if defined(HARRIER_UNDER_SANITIZER) || !(defined(__x86_64__) || defined(__aarch64__))

void notice_stack_overflow(bool&) {}
void notice_stack_overflow_in_thread() {}

#else
namespace {

// A signal handler has no other way to what it must set.
bool* overflowed_flag = nullptr;

std::uintptr_t stack_pointer(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#else
  return context.uc_mcontext.sp;
#endif
}

/// The fault's address is near the stack pointer: a push or a new frame failed.
/// SA_RESETHAND has put the default action back; the instruction faults again.
void on_fault(int, siginfo_t* info, void* context) {
  constexpr std::uintptr_t near = 1U << 16;
  const auto top = stack_pointer(*static_cast<const ucontext_t*>(context));
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  *overflowed_flag = at + near > top && at < top + near;
}

/// Another stack for this thread's signal handlers.
class other_stack {
public:
  other_stack() {
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = size;
    is_used_ = sigaltstack(&stack, nullptr) == 0;
  }
  other_stack(const other_stack&) = delete;
  other_stack& operator=(const other_stack&) = delete;
  ~other_stack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (is_used_) sigaltstack(&none, nullptr);
  }
  [[nodiscard]] bool is_used() const { return is_used_; }

private:
  static constexpr std::size_t size = std::size_t{1} << 16;
  std::unique_ptr<std::byte[]> memory_ = std::make_unique<std::byte[]>(size);
  bool is_used_;
};

bool has_other_stack() {
  thread_local const other_stack mine;
  return mine.is_used();
}

}  // namespace

void notice_stack_overflow_in_thread() { has_other_stack(); }

void notice_stack_overflow(bool& overflowed) {
  overflowed_flag = &overflowed;
  if (!has_other_stack()) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | static_cast<unsigned>(SA_RESETHAND));
  sigaction(SIGSEGV, &action, nullptr);
}

#endif

}  // namespace harrier
