// The operators new and delete of a program that `harrier caf` explores: they do what they did, and note it.
//
// They stand in the library that is loaded before the program, and not in the adapter, so that a program which has the
// adapter in it keeps its own.
#include <cstddef>
#include <new>

#include "../adapter/caf/heap_blocks.hpp"
#include "../adapter/caf/original.hpp"

namespace {

using harrier::caf_adapter::original_of;

void* noted(void* taken, std::size_t size, const void* caller) {
  harrier::caf_adapter::heap_blocks::all().taken(taken, size, caller);
  return taken;
}

void note(const void* given_back) noexcept { harrier::caf_adapter::heap_blocks::all().given_back(given_back); }

}  // namespace

// A program may have operators of its own: these are weak, so those are called, and nothing is known. Sanitizers have
// theirs, each of which is called for itself.
#define HARRIER_OPERATOR __attribute__((visibility("default"), used, weak))

HARRIER_OPERATOR void* operator new(std::size_t size) {
  static auto* const original = original_of<void*(std::size_t)>("_Znwm");
  return noted(original(size), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new[](std::size_t size) {
  static auto* const original = original_of<void*(std::size_t)>("_Znam");
  return noted(original(size), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new(std::size_t size, const std::nothrow_t& how) noexcept {
  static auto* const original = original_of<void*(std::size_t, const std::nothrow_t&)>("_ZnwmRKSt9nothrow_t");
  return noted(original(size, how), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new[](std::size_t size, const std::nothrow_t& how) noexcept {
  static auto* const original = original_of<void*(std::size_t, const std::nothrow_t&)>("_ZnamRKSt9nothrow_t");
  return noted(original(size, how), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new(std::size_t size, std::align_val_t by) {
  static auto* const original = original_of<void*(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t");
  return noted(original(size, by), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new[](std::size_t size, std::align_val_t by) {
  static auto* const original = original_of<void*(std::size_t, std::align_val_t)>("_ZnamSt11align_val_t");
  return noted(original(size, by), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new(std::size_t size, std::align_val_t by, const std::nothrow_t& how) noexcept {
  static auto* const original =
      original_of<void*(std::size_t, std::align_val_t, const std::nothrow_t&)>("_ZnwmSt11align_val_tRKSt9nothrow_t");
  return noted(original(size, by, how), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void* operator new[](std::size_t size, std::align_val_t by, const std::nothrow_t& how) noexcept {
  static auto* const original =
      original_of<void*(std::size_t, std::align_val_t, const std::nothrow_t&)>("_ZnamSt11align_val_tRKSt9nothrow_t");
  return noted(original(size, by, how), size, __builtin_return_address(0));
}
HARRIER_OPERATOR void operator delete(void* memory) noexcept {
  static auto* const original = original_of<void(void*)>("_ZdlPv");
  note(memory);
  original(memory);
}
HARRIER_OPERATOR void operator delete[](void* memory) noexcept {
  static auto* const original = original_of<void(void*)>("_ZdaPv");
  note(memory);
  original(memory);
}
HARRIER_OPERATOR void operator delete(void* memory, std::size_t size) noexcept {
  static auto* const original = original_of<void(void*, std::size_t)>("_ZdlPvm");
  note(memory);
  original(memory, size);
}
HARRIER_OPERATOR void operator delete[](void* memory, std::size_t size) noexcept {
  static auto* const original = original_of<void(void*, std::size_t)>("_ZdaPvm");
  note(memory);
  original(memory, size);
}
HARRIER_OPERATOR void operator delete(void* memory, const std::nothrow_t& how) noexcept {
  static auto* const original = original_of<void(void*, const std::nothrow_t&)>("_ZdlPvRKSt9nothrow_t");
  note(memory);
  original(memory, how);
}
HARRIER_OPERATOR void operator delete[](void* memory, const std::nothrow_t& how) noexcept {
  static auto* const original = original_of<void(void*, const std::nothrow_t&)>("_ZdaPvRKSt9nothrow_t");
  note(memory);
  original(memory, how);
}
HARRIER_OPERATOR void operator delete(void* memory, std::align_val_t by) noexcept {
  static auto* const original = original_of<void(void*, std::align_val_t)>("_ZdlPvSt11align_val_t");
  note(memory);
  original(memory, by);
}
HARRIER_OPERATOR void operator delete[](void* memory, std::align_val_t by) noexcept {
  static auto* const original = original_of<void(void*, std::align_val_t)>("_ZdaPvSt11align_val_t");
  note(memory);
  original(memory, by);
}
HARRIER_OPERATOR void operator delete(void* memory, std::size_t size, std::align_val_t by) noexcept {
  static auto* const original = original_of<void(void*, std::size_t, std::align_val_t)>("_ZdlPvmSt11align_val_t");
  note(memory);
  original(memory, size, by);
}
HARRIER_OPERATOR void operator delete[](void* memory, std::size_t size, std::align_val_t by) noexcept {
  static auto* const original = original_of<void(void*, std::size_t, std::align_val_t)>("_ZdaPvmSt11align_val_t");
  note(memory);
  original(memory, size, by);
}
HARRIER_OPERATOR void operator delete(void* memory, std::align_val_t by, const std::nothrow_t& how) noexcept {
  static auto* const original =
      original_of<void(void*, std::align_val_t, const std::nothrow_t&)>("_ZdlPvSt11align_val_tRKSt9nothrow_t");
  note(memory);
  original(memory, by, how);
}
HARRIER_OPERATOR void operator delete[](void* memory, std::align_val_t by, const std::nothrow_t& how) noexcept {
  static auto* const original =
      original_of<void(void*, std::align_val_t, const std::nothrow_t&)>("_ZdaPvSt11align_val_tRKSt9nothrow_t");
  note(memory);
  original(memory, by, how);
}
