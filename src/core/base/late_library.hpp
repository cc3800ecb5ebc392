#pragma once

#include <dlfcn.h>

#include <string>

#include <harrier/core/error.hpp>

namespace harrier {

/// A function of a library that is loaded when one of its is called for the first time, and stays: a binary that is
/// linked to the library loads it, and all that it needs itself, whenever it starts.
///
/// `Library` has static members: `file`; `name`, as in "not the NATS this was built for"; and what is said where it
/// cannot be loaded: `if_missing`, which goes on with a colon and why, and `package`, which has it.
template <class Library, class Function>
class late_function;

/// Its address. @throws error  the library cannot be loaded, or has no function of that name.
template <class Library>
void* find_late_function(const char* name) {
  const auto loaded = [] {
    void* const library = dlopen(Library::file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      throw error(std::string(Library::if_missing) + ": " + dlerror() + " (Debian's package " + Library::package +
                  " has it)");
    return library;
  };
  static void* const library = loaded();
  void* const function = dlsym(library, name);
  if (function == nullptr)
    throw error(std::string(Library::file) + " is not the " + Library::name + " this was built for: " + dlerror());
  return function;
}

template <class Library, class Result, class... Arguments>
class late_function<Library, Result(Arguments...)> {
public:
  explicit constexpr late_function(const char* name) : name_(name) {}
  Result operator()(Arguments... all) const {
    return reinterpret_cast<Result (*)(Arguments...)>(find_late_function<Library>(name_))(all...);
  }

private:
  const char* name_;
};

}  // namespace harrier
