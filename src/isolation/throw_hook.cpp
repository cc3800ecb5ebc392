#include "throw_hook.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace harrier {
namespace {

using thrower = void (*)(void*, std::type_info*, void (*)(void*));

constexpr auto name_of_thrower = "__cxa_throw";
constexpr std::size_t most_calls = 128;

#if defined(__x86_64__)
constexpr std::array<std::uint64_t, 2> calls_by_table = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#elif defined(__aarch64__)
constexpr std::array<std::uint64_t, 2> calls_by_table = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#else
constexpr std::array<std::uint64_t, 0> calls_by_table = {};
#endif

struct {
  thrower usual = nullptr;
  std::uintptr_t below = 0;
  std::function<void(thrown_exception)> told;
} hook;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): what replaces a C function is told nothing else
thread_local bool is_watched = false;

/// As text_of_current_exception() has it, before the exception is current.
std::string text_of(void* thrown, const std::type_info* type) {
  constexpr auto other = "an exception that is not derived from std::exception";
#ifdef __GLIBCXX__
  if (typeid(std::exception).__do_catch(type, &thrown, 1)) return static_cast<std::exception*>(thrown)->what();
#else
  static_cast<void>(thrown), static_cast<void>(type);
#endif
  return other;
}

_Unwind_Reason_Code note_call(_Unwind_Context* at, void* to) {
  auto& calls = *static_cast<std::vector<const void*>*>(to);
  int is_before = 0;
  const auto address = _Unwind_GetIPInfo(at, &is_before);
  if (address == 0 || _Unwind_GetCFA(at) >= hook.below || calls.size() == most_calls) return _URC_END_OF_STACK;
  // The address to return to can be that of the next line.
  calls.push_back(reinterpret_cast<const void*>(is_before != 0 ? address : address - 1));
  return _URC_NO_REASON;
}

[[noreturn]] void tell_and_throw(void* thrown, std::type_info* type, void (*destroy)(void*)) {
  if (is_watched) {
    is_watched = false;  // what() may throw, too
    thrown_exception now{text_of(thrown, type), {}};
    _Unwind_Backtrace(note_call, &now.calls);
    hook.told(std::move(now));
    is_watched = true;
  }
  hook.usual(thrown, type, destroy);
  std::terminate();
}

/// The tables of a loaded file by which it calls others.
struct tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> calls;
  std::span<const ElfW(Rela)> others;

  explicit tables(const dl_phdr_info& file) {
    for (std::size_t i = 0; i < file.dlpi_phnum; ++i)
      if (file.dlpi_phdr[i].p_type == PT_DYNAMIC)
        read(reinterpret_cast<const ElfW(Dyn)*>(file.dlpi_addr + file.dlpi_phdr[i].p_vaddr), file.dlpi_addr);
  }

private:
  void read(const ElfW(Dyn) * entry, ElfW(Addr) base) {
    const ElfW(Rela)* first_call = nullptr, *first_other = nullptr;
    std::size_t bytes_of_calls = 0, bytes_of_others = 0;
    // The loader has made addresses of them, but not in what the kernel brings.
    const auto at = [&] { return entry->d_un.d_ptr < base ? base + entry->d_un.d_ptr : entry->d_un.d_ptr; };
    for (; entry->d_tag != DT_NULL; ++entry) switch (entry->d_tag) {
        case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(at()); break;
        case DT_STRTAB: names = reinterpret_cast<const char*>(at()); break;
        case DT_JMPREL: first_call = reinterpret_cast<const ElfW(Rela)*>(at()); break;
        case DT_PLTRELSZ: bytes_of_calls = entry->d_un.d_val; break;
        case DT_RELA: first_other = reinterpret_cast<const ElfW(Rela)*>(at()); break;
        case DT_RELASZ: bytes_of_others = entry->d_un.d_val; break;
        default: break;
      }
    if (first_call != nullptr) calls = {first_call, bytes_of_calls / sizeof(ElfW(Rela))};
    if (first_other != nullptr) others = {first_other, bytes_of_others / sizeof(ElfW(Rela))};
  }
};

void put_into(void** entry, void* what) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(entry) & ~(page - 1);
  if (::mprotect(reinterpret_cast<void*>(start), page, PROT_READ | PROT_WRITE) == 0) *entry = what;
}

int replace_thrower(dl_phdr_info* file, std::size_t /*size*/, void* /*nothing*/) {
  const tables of(*file);
  if (of.symbols == nullptr || of.names == nullptr) return 0;
  for (const auto& all : {of.calls, of.others})
    for (const auto& one : all)
      for (const auto kind : calls_by_table)
        if (ELF64_R_TYPE(one.r_info) == kind &&
            std::string_view(of.names + of.symbols[ELF64_R_SYM(one.r_info)].st_name) == name_of_thrower)
          put_into(reinterpret_cast<void**>(file->dlpi_addr + one.r_offset), reinterpret_cast<void*>(&tell_and_throw));
  return 0;
}

}  // namespace

void tell_of_throws(const void* below, std::function<void(thrown_exception)> told) {
  if (hook.usual != nullptr) return;
  hook.usual = reinterpret_cast<thrower>(::dlsym(RTLD_DEFAULT, name_of_thrower));
  if (hook.usual == nullptr) return;
  hook.below = reinterpret_cast<std::uintptr_t>(below);
  hook.told = std::move(told);
  is_watched = true;
  ::dl_iterate_phdr(replace_thrower, nullptr);
}

}  // namespace harrier
