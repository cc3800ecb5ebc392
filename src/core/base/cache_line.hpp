#pragma once

#include <cstddef>

namespace harrier {

/// Bytes that threads take from each other as a whole: what one of them writes
/// often is kept that far from what others read. Not the library's constant,
/// which may differ between the files of one program.
inline constexpr std::size_t cache_line = 64;

}  // namespace harrier
