#include "code_place.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace harrier {
namespace {

/// What runs, by its own name: the loader has none for it.
const std::string& this_executable() {
  static const std::string name = [] {
    std::error_code failed;
    const auto file = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::string() : file.string();
  }();
  return name;
}

}  // namespace

std::string place_of_code(const void* code) {
  Dl_info about{};
  link_map* of = nullptr;
  if (code == nullptr || ::dladdr1(code, &about, reinterpret_cast<void**>(&of), RTLD_DL_LINKMAP) == 0 || of == nullptr)
    return {};
  const std::string file = of->l_name == nullptr || *of->l_name == '\0' ? this_executable() : of->l_name;
  return file.empty() ? file : fmt::format("{}+{:#x}", file, reinterpret_cast<std::uintptr_t>(code) - of->l_addr);
}

}  // namespace harrier
