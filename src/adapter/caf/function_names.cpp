#include "function_names.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string_view>

#include "../../core/base/spin_lock.hpp"

namespace harrier::caf_adapter {
namespace {

/// A file's bytes while it is looked at. System calls alone: streams have locks, which might be taken for the
/// program's.
class mapped_file {
public:
  explicit mapped_file(const char* name) {
    const int file = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about {};
    if (::fstat(file, &about) == 0 && about.st_size > 0) {
      size_ = static_cast<std::size_t>(about.st_size);
      begin_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    ::close(file);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
    if (begin_ != MAP_FAILED) ::munmap(begin_, size_);
  }

  /// Empty if the file does not have them all.
  template <class T>
  [[nodiscard]] std::span<const T> at(std::size_t offset, std::size_t count) const {
    if (begin_ == MAP_FAILED || offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0)
      return {};
    return {reinterpret_cast<const T*>(static_cast<const char*>(begin_) + offset), count};
  }

private:
  void* begin_ = MAP_FAILED;
  std::size_t size_ = 0;
};

struct place_in_file {
  std::uintptr_t address;  // in memory
  std::uintptr_t base = 0;
  std::string file = {};
};

/// The file whose code is there.
place_in_file place_of(const void* code) {
  place_in_file found{.address = reinterpret_cast<std::uintptr_t>(code)};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        auto& place = *static_cast<place_in_file*>(to);
        for (const auto& part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
          const auto begin = object->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || place.address < begin || place.address >= begin + part.p_memsz) continue;
          place.base = object->dlpi_addr;
          place.file = *object->dlpi_name != '\0' ? object->dlpi_name : "/proc/self/exe";
          return 1;
        }
        return 0;
      },
      &found);
  return found;
}

/// The whole table of symbols has static functions, too; what was stripped has that of the loader left.
std::string symbol_in_file(const void* code) {
  const auto place = place_of(code);
  if (place.file.empty()) return {};
  const mapped_file file(place.file.c_str());
  const auto head = file.at<ElfW(Ehdr)>(0, 1);
  if (head.empty() || head.front().e_shentsize != sizeof(ElfW(Shdr))) return {};
  const auto sections = file.at<ElfW(Shdr)>(head.front().e_shoff, head.front().e_shnum);
  for (const ElfW(Word) kind : {SHT_SYMTAB, SHT_DYNSYM})
    for (const auto& section : sections) {
      if (section.sh_type != kind || section.sh_link >= sections.size()) continue;
      const auto& of_names = sections[section.sh_link];
      const auto names = file.at<char>(of_names.sh_offset, of_names.sh_size);
      for (const auto& s : file.at<ElfW(Sym)>(section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
        if ((s.st_info & 0xfU) != STT_FUNC || s.st_shndx == SHN_UNDEF || place.base + s.st_value != place.address)
          continue;
        if (s.st_name >= names.size()) continue;
        const std::string_view rest(names.data() + s.st_name, names.size() - s.st_name);
        return std::string(rest.substr(0, rest.find('\0')));
      }
    }
  return {};
}

}  // namespace

const std::string& symbol_of_function(const void* code) {
  static spin_lock one_at_a_time;  // a mutex might be taken for the program's
  static std::map<const void*, std::string> known;
  const std::lock_guard lock(one_at_a_time);
  const auto [of_code, is_new] = known.try_emplace(code);
  if (is_new) of_code->second = symbol_in_file(code);
  return of_code->second;
}

}  // namespace harrier::caf_adapter
