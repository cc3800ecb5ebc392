#include "global_variables.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>

namespace harrier {
namespace {

constexpr std::size_t largest_remembered = std::size_t{1} << 16;  // of one variable

constexpr std::size_t most_remembered = std::size_t{1} << 22;  // of all

/// The symbols themselves are not kept: they are large.
std::vector<variables::variable> find_variables_of_program() {
  const auto here = executable();
  auto found = variables(here).of_program(here, largest_remembered);
  std::size_t bytes = 0;
  const auto rest = std::find_if(found.begin(), found.end(),
                                 [&](const auto& v) { return (bytes += v.where.size) > most_remembered; });
  found.erase(rest, found.end());
  return found;
}
const std::vector<variables::variable>& variables_of_program() {
  static const auto all = find_variables_of_program();
  return all;
}

using open_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

bool read(const open_file& file, std::size_t offset, void* to, std::size_t size) {
  return std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) == 0 &&
         std::fread(to, 1, size, file.get()) == size;
}

// Between variables there is what sanitizers watch: nothing is called then that they have a hand in.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool are_watched = true;
#elif defined(__has_feature)
constexpr bool are_watched =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
constexpr bool are_watched = false;
#endif

/// Eight bytes anywhere.
using word [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;
[[gnu::no_sanitize("address", "thread", "undefined"), gnu::always_inline]] inline volatile word& word_at(
    char* bytes, std::size_t i) {
  return *reinterpret_cast<volatile word*>(bytes + i);
}
[[gnu::no_sanitize("address", "thread", "undefined"), gnu::always_inline]] inline const volatile word& word_at(
    const volatile char* bytes, std::size_t i) {
  return *reinterpret_cast<const volatile word*>(bytes + i);
}

}  // namespace

loaded executable() {
  loaded found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* out) {
        auto& result = *static_cast<loaded*>(out);
        result.base = object->dlpi_addr;
        std::uintptr_t constant = 0;  // written to by the loader alone
        std::uintptr_t constant_end = 0;
        for (int i = 0; i < object->dlpi_phnum; ++i)
          if (const auto& part = object->dlpi_phdr[i]; part.p_type == PT_GNU_RELRO) {
            constant = object->dlpi_addr + part.p_vaddr;
            constant_end = constant + part.p_memsz;
          }
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_W) == 0) continue;
          auto begin = object->dlpi_addr + part.p_vaddr;
          const auto end = begin + part.p_memsz;
          if (constant <= begin && begin < constant_end) begin = constant_end;
          // NOLINTNEXTLINE(performance-no-int-to-ptr)
          if (begin < end) result.writable.push_back({reinterpret_cast<const char*>(begin), end - begin});
        }
        return 1;  // the executable is the first
      },
      &found);
  return found;
}

variables::variables(const loaded& executable) : base_(executable.base) {
  const open_file file(std::fopen("/proc/self/exe", "rbe"), std::fclose);
  ElfW(Ehdr) head;
  if (file == nullptr || !read(file, 0, &head, sizeof head) || head.e_shentsize != sizeof(ElfW(Shdr))) return;
  std::vector<ElfW(Shdr)> sections(head.e_shnum);
  if (!read(file, head.e_shoff, sections.data(), sections.size() * sizeof sections[0])) return;
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    symbol_count_ = section.sh_size / sizeof symbols_[0];
    symbols_ = std::make_unique_for_overwrite<ElfW(Sym)[]>(symbol_count_);  // NOLINT(modernize-avoid-c-arrays)
    names_size_ = sections[section.sh_link].sh_size;
    names_ = std::make_unique_for_overwrite<char[]>(names_size_);  // NOLINT(modernize-avoid-c-arrays)
    if (!read(file, section.sh_offset, symbols_.get(), symbol_count_ * sizeof symbols_[0]) ||
        !read(file, sections[section.sh_link].sh_offset, names_.get(), names_size_))
      symbol_count_ = 0;
  }
}

std::optional<std::string_view> variables::symbol_at(const char* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address) - base_;
  for (const auto& s : std::span(symbols_.get(), symbol_count_))
    if ((s.st_info & 0xf) == STT_OBJECT && s.st_value <= at && at < s.st_value + s.st_size && s.st_name < names_size_)
      return std::string_view(names_.get() + s.st_name);
  return {};
}

std::vector<variables::variable> variables::of_program(const loaded& executable, std::size_t largest) const {
  std::vector<variable> found;
  const auto guards = guards_of_static_ones();
  for (const auto& s : std::span(symbols_.get(), symbol_count_)) {
    if ((s.st_info & 0xf) != STT_OBJECT || s.st_size == 0 || s.st_size > largest || s.st_name >= names_size_) continue;
    const auto* const begin = reinterpret_cast<const char*>(base_ + s.st_value);  // NOLINT(performance-no-int-to-ptr)
    const bool is_writable = std::any_of(executable.writable.begin(), executable.writable.end(), [&](const place& p) {
      return p.begin <= begin && begin + s.st_size <= p.begin + p.size;
    });
    const std::string_view symbol = names_.get() + s.st_name;
    if (!is_writable || is_no_variable_of_the_program(symbol)) continue;
    const auto guard = symbol.starts_with("_Z") ? guards.find(symbol.substr(2)) : guards.end();
    found.push_back({{begin, s.st_size}, std::string(symbol), guard != guards.end() ? guard->second : nullptr});
  }
  return found;
}

/// By the names of the variables, without `_Z` (Itanium C++ ABI, 5.1.5.1 and 2.8).
std::map<std::string_view, const char*> variables::guards_of_static_ones() const {
  constexpr std::string_view start = "_ZGV";
  std::map<std::string_view, const char*> found;
  for (const auto& s : std::span(symbols_.get(), symbol_count_)) {
    if ((s.st_info & 0xf) != STT_OBJECT || s.st_name >= names_size_) continue;
    const std::string_view symbol = names_.get() + s.st_name;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    if (symbol.starts_with(start)) found[symbol.substr(start.size())] = reinterpret_cast<char*>(base_ + s.st_value);
  }
  return found;
}

bool is_no_variable_of_the_program(std::string_view symbol) {
  constexpr std::string_view of_others[] = {"_ZN7harrier", "_ZZN7harrier", "_ZZNK7harrier", "_ZNSt",       "_ZSt",
                                            "_ZZNSt",      "_ZN3fmt",      "_ZN3tbb",       "_ZN7testing", "_ZN3caf",
                                            "_ZZN3caf",    "_ZZNK3caf",    "_ZN5boost",     "_ZGV",        "__",
                                            "completed.",  "stdout",       "stderr",        "stdin"};
  return std::any_of(std::begin(of_others), std::end(of_others),
                     [&](std::string_view start) { return symbol.starts_with(start); });
}

std::string readable(std::string_view spelling) {
  const std::string symbol(spelling);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? text.get() : symbol;
}

[[gnu::no_sanitize("address", "thread", "undefined")]] void copy_unwatched(const place& from, char* to) {
  if constexpr (!are_watched) {
    std::memcpy(to, from.begin, from.size);
    return;
  }
  const volatile char* const bytes = from.begin;
  std::size_t i = 0;
  for (; i + sizeof(word) <= from.size; i += sizeof(word)) word_at(to, i) = word_at(bytes, i);
  for (; i < from.size; ++i) to[i] = bytes[i];
}
[[gnu::no_sanitize("address", "thread", "undefined")]] std::size_t difference(const place& now, const char* before,
                                                                              std::size_t i) {
  if constexpr (!are_watched)
    if (std::memcmp(now.begin + i, before + i, now.size - i) == 0) return now.size;
  const volatile char* const bytes = now.begin;
  while (i + sizeof(word) <= now.size && word_at(bytes, i) == word_at(before, i)) i += sizeof(word);
  while (i < now.size && bytes[i] == before[i]) ++i;
  return i;
}

global_variables::global_variables() {
  for (const auto& v : variables_of_program()) {
    values_.resize(values_.size() + v.where.size);
    copy_unwatched(v.where, values_.data() + values_.size() - v.where.size);
  }
}

std::vector<std::string> global_variables::changed() const {
  std::vector<std::string> found;
  const auto* before = values_.data();
  for (const auto& v : variables_of_program()) {
    if (difference(v.where, before, 0) != v.where.size) found.push_back(readable(v.symbol));
    before += v.where.size;
  }
  return found;
}

void global_variables::restore() const {
  const auto* before = values_.data();
  for (const auto& v : variables_of_program()) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the executable may write to it
    copy_unwatched({before, v.where.size}, const_cast<char*>(v.where.begin));
    before += v.where.size;
  }
}

}  // namespace harrier
