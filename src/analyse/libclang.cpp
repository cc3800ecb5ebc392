#include "libclang.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <harrier/core/error.hpp>

namespace harrier::clang {
namespace {

/// It stays: LLVM does not like to be unloaded.
void* loaded_library() {
  void* const library = dlopen(HARRIER_LIBCLANG, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw error(fmt::format("analyse needs libclang, which cannot be loaded: {} (Debian's package libclang1-19 has it)",
                            dlerror()));
  return library;
}

}  // namespace

void* function_of_libclang(const char* name) {
  static void* const library = loaded_library();
  void* const function = dlsym(library, name);
  if (function == nullptr)
    throw error(fmt::format("{} is not the libclang this was built for: {}", HARRIER_LIBCLANG, dlerror()));
  return function;
}

}  // namespace harrier::clang
