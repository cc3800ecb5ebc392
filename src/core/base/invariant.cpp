#include <harrier/core/invariant.hpp>

#include <cstdio>
#include <cstdlib>

namespace harrier::internal {

void invariant_failed(const char* condition, const char* lemma, const char* file, int line) noexcept {
  std::fprintf(stderr, "harrier: internal error at %s:%d: %s (%s)\n", file, line, lemma, condition);
  std::abort();
}

}  // namespace harrier::internal
