#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harrier {

/// Bytes in memory that the executable may write to.
struct place {
  const char* begin;
  std::size_t size;
};

/// The executable, as it was loaded.
struct loaded {
  std::vector<place> writable;
  std::uintptr_t base = 0;
};
loaded executable();

/// @name Memory as it is, between variables too, where sanitizers watch
/// @{
void copy_unwatched(const place& from, char* to);
/// Where, from `i` on, they differ first; the size if nowhere.
std::size_t difference(const place& now, const char* before, std::size_t i);
/// @}

/// The variables of the executable, by the symbols that it was linked with.
class variables {
public:
  explicit variables(const loaded& executable);

  /// The symbol of the variable that has the byte at `address`; nothing if there is none.
  [[nodiscard]] std::optional<std::string_view> symbol_at(const char* address) const;
  /// The program's own variables that can be written to, but for those larger than `largest`.
  struct variable {
    place where;
    std::string symbol;
    const char* is_made = nullptr;  // of a static one of a function: where it says so, 0 until then
  };
  [[nodiscard]] std::vector<variable> of_program(const loaded& executable, std::size_t largest) const;

private:
  [[nodiscard]] std::map<std::string_view, const char*> guards_of_static_ones() const;

  std::uintptr_t base_;
  // Not zeroed before they are read into, which would take longer than a small search.
  std::unique_ptr<ElfW(Sym)[]> symbols_;  // NOLINT(modernize-avoid-c-arrays)
  std::size_t symbol_count_ = 0;
  std::unique_ptr<char[]> names_;  // NOLINT(modernize-avoid-c-arrays)
  std::size_t names_size_ = 0;
};

/// Whether it is of harrier, the standard library, or the compiler.
bool is_no_variable_of_the_program(std::string_view symbol);
/// As a program spells it.
std::string readable(std::string_view spelling);

/// The values that the program's own variables had at one time: global ones, and static ones. What they point to is not
/// looked at, nor are libraries; an executable without symbols has none that are known.
class global_variables {
public:
  /// As they are now. The first in a process reads the symbols, which takes some milliseconds.
  global_variables();

  /// Those that are not now as they were then.
  [[nodiscard]] std::vector<std::string> changed() const;
  /// Gives each the bytes that it had. What it owns is not restored: for a process that looks at what comes of it, and
  /// ends.
  void restore() const;

private:
  std::vector<char> values_;
};

}  // namespace harrier
