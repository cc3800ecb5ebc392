#pragma once

#include <sys/resource.h>

/// Calls `call` while no file can be opened, so no pipe to a child either. It
/// must not ask for an object's type: the sanitizer needs a pipe to answer.
template <class Call>
void without_files(Call call) {
  struct limit {
    limit() {
      getrlimit(RLIMIT_NOFILE, &before);
      const rlimit none{0, before.rlim_max};
      setrlimit(RLIMIT_NOFILE, &none);
    }
    limit(const limit&) = delete;
    limit& operator=(const limit&) = delete;
    ~limit() { setrlimit(RLIMIT_NOFILE, &before); }
    rlimit before{};
  };
  const limit now;
  call();
}
