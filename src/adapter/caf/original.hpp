#pragma once

#include <dlfcn.h>

#include <cstdlib>

namespace harrier::caf_adapter {

/// What is called where `symbol` is not interposed.
template <class Function>
Function* original_of(const char* symbol) {
  auto* const found = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, symbol));
  if (found == nullptr) std::abort();  // CAF is linked statically, or not the version that this was built for
  return found;
}

}  // namespace harrier::caf_adapter
