#include "stack_overflow.hpp"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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

}  // namespace

void notice_stack_overflow(bool& overflowed) {
  overflowed_flag = &overflowed;
  constexpr std::size_t size = std::size_t{1} << 16;
  stack_t stack{};
  stack.ss_sp = std::malloc(size);  // never given back: the process ends with it
  stack.ss_size = size;
  if (stack.ss_sp == nullptr || sigaltstack(&stack, nullptr) != 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | static_cast<unsigned>(SA_RESETHAND));
  sigaction(SIGSEGV, &action, nullptr);
}

#endif

}  // namespace harrier
