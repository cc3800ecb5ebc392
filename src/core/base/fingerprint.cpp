#include <harrier/core/fingerprint.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace harrier {

fingerprint hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed) {
  const auto hash = XXH3_128bits_withSeed(bytes, size, seed);
  return {hash.low64, hash.high64};
}

}  // namespace harrier
