#include "nats.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <harrier/core/error.hpp>

namespace harrier::distributed {
namespace {

/// It stays: its threads may run until the end.
void* loaded_library() {
  void* const library = dlopen(HARRIER_LIBNATS, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw error(fmt::format(
        "--broker needs NATS, whose library cannot be loaded: {} (Debian's package libnats3.4 has it)", dlerror()));
  return library;
}

}  // namespace

void* nats_function(const char* name) {
  static void* const library = loaded_library();
  void* const function = dlsym(library, name);
  if (function == nullptr)
    throw error(fmt::format("{} is not the NATS this was built for: {}", HARRIER_LIBNATS, dlerror()));
  return function;
}

}  // namespace harrier::distributed
