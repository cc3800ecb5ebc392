// Global variables are compared before and after each delivery of a sample. Each
// execution is run twice and looked at the second time, when what is initialised
// once has been.
#include "shared_data.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <harrier/core/error.hpp>

#include "../engine/sampling.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t most_executions = 50;
constexpr std::size_t most_deliveries = 2000;
constexpr auto most_time = std::chrono::milliseconds(60);
constexpr std::size_t largest_looked_at = std::size_t{1} << 26;

/// Bytes in memory that the executable may write to.
struct place {
  const char* begin;
  std::size_t size;
};

struct loaded {
  std::vector<place> writable;
  std::uintptr_t base = 0;
};

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
          if (begin < end) result.writable.push_back({reinterpret_cast<const char*>(begin), end - begin});
        }
        return 1;  // the executable is the first
      },
      &found);
  return found;
}

/// The variables of the executable, by the symbols that it was linked with.
class variables {
public:
  explicit variables(std::uintptr_t base) : base_(base) {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    ElfW(Ehdr) head;
    if (!read(file, 0, &head, sizeof head) || head.e_shentsize != sizeof(ElfW(Shdr))) return;
    std::vector<ElfW(Shdr)> sections(head.e_shnum);
    if (!read(file, head.e_shoff, sections.data(), sections.size() * sizeof sections[0])) return;
    for (const auto& section : sections) {
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
      symbols_.resize(section.sh_size / sizeof symbols_[0]);
      names_.resize(sections[section.sh_link].sh_size);
      if (!read(file, section.sh_offset, symbols_.data(), section.sh_size) ||
          !read(file, sections[section.sh_link].sh_offset, names_.data(), names_.size()))
        symbols_.clear();
    }
  }

  /// The symbol of the variable that has the byte at `address`; nothing if there is none.
  [[nodiscard]] std::optional<std::string> symbol_at(const char* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address) - base_;
    for (const auto& s : symbols_)
      if ((s.st_info & 0xf) == STT_OBJECT && s.st_value <= at && at < s.st_value + s.st_size &&
          s.st_name < names_.size())
        return std::string(names_.data() + s.st_name);
    return {};
  }

private:
  static bool read(std::ifstream& file, std::size_t offset, void* to, std::size_t size) {
    file.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(file.read(static_cast<char*>(to), static_cast<std::streamsize>(size)));
  }

  std::uintptr_t base_;
  std::vector<ElfW(Sym)> symbols_;
  std::string names_;
};

/// Of harrier, the standard library, or the compiler.
bool is_no_variable_of_the_program(std::string_view symbol) {
  constexpr std::string_view of_others[] = {"_ZN7harrier", "_ZZN7harrier", "_ZZNK7harrier", "_ZNSt",       "_ZSt",
                                            "_ZZNSt",      "_ZN3fmt",      "_ZN3tbb",       "_ZN7testing", "_ZGV",
                                            "__",          "completed.",   "stdout",        "stderr",      "stdin"};
  return std::any_of(std::begin(of_others), std::end(of_others),
                     [&](std::string_view start) { return symbol.starts_with(start); });
}

std::string readable(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? text.get() : symbol;
}

class comparison {
public:
  comparison() : loaded_(executable()), variables_(loaded_.base) {
    for (auto& part : loaded_.writable) part.size = std::min(part.size, largest_looked_at);
  }

  void remember() {
    copies_.resize(loaded_.writable.size());
    for (std::size_t p = 0; p < copies_.size(); ++p) {
      copies_[p].resize(loaded_.writable[p].size);
      copy(loaded_.writable[p], copies_[p].data());
    }
  }
  /// A variable of the program that is not as it was remembered. What else changed is remembered as it is now.
  std::optional<std::string> changed() {
    for (std::size_t p = 0; p < copies_.size(); ++p) {
      const auto& part = loaded_.writable[p];
      for (std::size_t i = 0; (i = difference(part, copies_[p].data(), i)) < part.size; ++i) {
        const auto symbol = variables_.symbol_at(part.begin + i);
        if (symbol && !is_no_variable_of_the_program(*symbol)) return readable(*symbol);
      }
      copy(part, copies_[p].data());
    }
    return {};
  }

private:
  /// Eight bytes anywhere.
  using word [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;
  [[gnu::no_sanitize("address", "thread", "undefined"), gnu::always_inline]] static volatile word& word_at(
      char* bytes, std::size_t i) {
    return *reinterpret_cast<volatile word*>(bytes + i);
  }
  [[gnu::no_sanitize("address", "thread", "undefined"), gnu::always_inline]] static const volatile word& word_at(
      const volatile char* bytes, std::size_t i) {
    return *reinterpret_cast<const volatile word*>(bytes + i);
  }

  // Between variables there is what sanitizers watch: nothing is called here that they have a hand in.
  [[gnu::no_sanitize("address", "thread", "undefined")]] static void copy(const place& from, char* to) {
    const volatile char* const bytes = from.begin;
    std::size_t i = 0;
    for (; i + sizeof(word) <= from.size; i += sizeof(word)) word_at(to, i) = word_at(bytes, i);
    for (; i < from.size; ++i) to[i] = bytes[i];
  }
  /// Where, from `i` on, they differ first; the size if nowhere.
  [[gnu::no_sanitize("address", "thread", "undefined")]] static std::size_t difference(const place& now,
                                                                                       const char* before,
                                                                                       std::size_t i) {
    const volatile char* const bytes = now.begin;
    while (i + sizeof(word) <= now.size && word_at(bytes, i) == word_at(before, i)) i += sizeof(word);
    while (i < now.size && bytes[i] == before[i]) ++i;
    return i;
  }

  loaded loaded_;
  variables variables_;
  std::vector<std::vector<char>> copies_;
};

/// Runs execution number `i` of the sample; `delivered()` is asked after each delivery whether to go on.
template <class Delivered>
void run_one(system& s, const options& how, std::uint64_t i, Delivered delivered) {
  sampler random(how.seed, i);
  std::vector<message_slot> deliverable;
  for (bool goes_on = true; goes_on;) {
    deliverable.clear();
    for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) deliverable.push_back(m);
    if (deliverable.empty()) break;
    deliver_drawing(s, deliverable[random.below(deliverable.size())], random);
    goes_on = delivered();
  }
  while (s.depth() > 0) s.undo();
}

std::string shared_by(system& s, const options& how) {
  comparison globals;
  std::string found;
  std::size_t deliveries = 0;
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + most_time;
  const auto is_time_left = [&] { return deliveries < most_deliveries && clock::now() < end; };
  for (std::uint64_t i = 0; i < most_executions && found.empty() && is_time_left(); ++i) {
    std::size_t first = 0;
    const auto middle = clock::now() + (end - clock::now()) / 2;
    run_one(s, how, i, [&] { return ++first < most_deliveries && clock::now() < middle; });
    globals.remember();
    run_one(s, how, i, [&] {
      ++deliveries;
      if (const auto variable = globals.changed()) {
        const auto& last = s.step_at(s.last_step());
        found = fmt::format("{}.{} writes to {}", s.actor_name(last.receiver), s.message_text(last.message), *variable);
      }
      return found.empty() && --first > 0 && is_time_left();
    });
  }
  return found;
}

}  // namespace

std::string data_shared_by_executions(const program& tested, const options& how) {
  try {
    auto quiet = how;
    quiet.check_determinism = repetition::off;
    const auto s = start_as_asked(tested, quiet, how.noted);
    return shared_by(*s, how);
  } catch (const untestable_program&) {
    throw;
  } catch (...) {  // the search will tell what it is
    return {};
  }
}

}  // namespace harrier
