#include "heap_blocks.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <new>

#include "run_of.hpp"
#include "threads.hpp"

namespace harrier::caf_adapter {
namespace {

constexpr auto gone = static_cast<std::size_t>(-1);
constexpr std::size_t first_places = 4096;  // a power of two

/// The table's own memory is not the program's.
class own_memory {
public:
  own_memory() {
    while (is_taken_.test_and_set(std::memory_order_acquire)) {}
    is_in_ = true;
  }
  own_memory(const own_memory&) = delete;
  own_memory& operator=(const own_memory&) = delete;
  ~own_memory() {
    is_in_ = false;
    is_taken_.clear(std::memory_order_release);
  }
  static bool is_in() { return is_in_; }

private:
  static inline std::atomic_flag is_taken_ = ATOMIC_FLAG_INIT;
  static inline thread_local bool is_in_ = false;
};

struct range {
  std::uintptr_t first = 0, last = 0;
  [[nodiscard]] bool has(const void* code) const {
    const auto at = reinterpret_cast<std::uintptr_t>(code);
    return first <= at && at < last;
  }
};

/// Of the object whose code that is.
range code_around(const void* code) {
  struct search {
    std::uintptr_t at;
    range found;
  } looks{reinterpret_cast<std::uintptr_t>(code), {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        auto& s = *static_cast<search*>(out);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const auto begin = info->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || s.at < begin || begin + part.p_memsz <= s.at) continue;
          s.found = {begin, begin + part.p_memsz};
          return 1;
        }
        return 0;
      },
      &looks);
  return looks.found;
}

const range& own_code() {
  static const auto it = code_around(reinterpret_cast<const void*>(&code_around));
  return it;
}

/// The executable is the first of the objects.
const range& code_of_executable() {
  static const auto it = [] {
    range found;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
              *static_cast<range*>(out) = {info->dlpi_addr + part.p_vaddr,
                                           info->dlpi_addr + part.p_vaddr + part.p_memsz};
          }
          return 1;
        },
        &found);
    return found;
  }();
  return it;
}

constexpr std::uint32_t before_main = static_cast<std::uint32_t>(-1);

}  // namespace

heap_blocks& heap_blocks::all() {
  alignas(heap_blocks) static std::byte memory[sizeof(heap_blocks)];  // never destroyed: others give back after that
  static auto* const the_one = new (memory) heap_blocks;
  return *the_one;
}

bool heap_blocks::is_apart() { return own_code().first != code_of_executable().first; }

void heap_blocks::taken(void* begin, std::size_t size, const void* caller) {
  if (has_ended_ || begin == nullptr || own_memory::is_in()) return;
  const bool is_inside = run::is_inside() && run::current() != nullptr;
  if (!is_inside && (any_run_ || !code_of_executable().has(caller))) return;
  if (own_code().has(caller)) return;
  const auto by = is_inside ? run::current()->running() : before_main;
  const own_memory mine;
  add({static_cast<const char*>(begin), size, ++serial_, by, threads::is_in_caf(caller)});
}

void heap_blocks::given_back(const void* begin) noexcept {
  if (used_ == 0 || begin == nullptr || own_memory::is_in()) return;
  const own_memory mine;
  if (table_.empty()) return;
  auto& at = table_[place_of(begin)];
  if (at.begin == begin) at.size = gone;
}

void heap_blocks::begin_run() {
  const own_memory mine;
  any_run_ = true;
  if (used_ == 0) return;
  std::vector<block> before;
  before.swap(table_);
  used_ = 0;
  for (const auto& b : before)
    if (b.begin != nullptr && b.size != gone && b.by == before_main) add(b);
}

void heap_blocks::end() {
  if (has_ended_.exchange(true)) return;
  const own_memory mine;
  table_.clear();
  used_ = 0;
}

/// Multiplied by the golden ratio, as Knuth does; blocks lie 16 bytes apart at least.
std::size_t heap_blocks::place_of(const void* begin) const {
  const auto key = (reinterpret_cast<std::uintptr_t>(begin) >> 4U) * std::uint64_t{0x9e3779b97f4a7c15};
  auto at = (key >> 20U) & (table_.size() - 1);
  while (table_[at].begin != nullptr && table_[at].begin != begin) at = (at + 1) & (table_.size() - 1);
  return at;
}

void heap_blocks::add(const block& b) {
  if (table_.empty() || used_ * 4 > table_.size() * 3) grow();
  auto& at = table_[place_of(b.begin)];
  if (at.begin == nullptr) ++used_;
  at = b;
}

/// Or not, if most are gone.
void heap_blocks::grow() {
  std::size_t there = 0;
  for (const auto& b : table_) there += b.begin != nullptr && b.size != gone ? 1 : 0;
  std::vector<block> before(table_.empty()              ? first_places
                            : there * 2 > table_.size() ? table_.size() * 2
                                                        : table_.size());
  before.swap(table_);
  used_ = 0;
  for (const auto& b : before) {
    if (b.begin == nullptr || b.size == gone) continue;
    table_[place_of(b.begin)] = b;
    ++used_;
  }
}

std::vector<heap_blocks::block> heap_blocks::known() const {
  const own_memory mine;
  std::vector<block> found;
  found.reserve(used_);
  for (const auto& b : table_)
    if (b.begin != nullptr && b.size != gone) found.push_back(b);
  return found;
}

bool heap_blocks::is_there(const block& b) const {
  if (table_.empty()) return false;
  const own_memory mine;
  const auto& at = table_[place_of(b.begin)];
  return at.begin == b.begin && at.size == b.size && at.serial == b.serial;
}

}  // namespace harrier::caf_adapter
