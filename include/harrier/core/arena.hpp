#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace harrier {

/// Memory that is given back in the reverse order in which it was taken, as an
/// execution is undone: allocation is a bump, going back is one assignment.
/// Addresses stay valid until rewound past. Runs no constructors or destructors.
class arena {
public:
  /// A place to go back to.
  struct mark {
    std::byte* top;
    std::uint32_t block;
  };

  arena() { add_block(first_block_size); }
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// `size` bytes aligned to `alignment`, at most alignof(std::max_align_t).
  void* allocate(std::size_t size, std::size_t alignment) {
    auto* start = align(top_, alignment);
    if (start + size > end_) [[unlikely]]
      return allocate_in_next_block(size);
    top_ = start + size;
    return start;
  }

  [[nodiscard]] mark here() const { return {top_, block_}; }

  /// Gives back everything taken since `m` was here().
  void rewind(mark m) {
    if (m.block != block_) [[unlikely]]
      select(m.block);
    top_ = m.top;
  }

private:
  static constexpr std::size_t first_block_size = std::size_t{64} * 1024;
  struct block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
  };

  static std::byte* align(std::byte* p, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return p + ((alignment - address % alignment) & (alignment - 1));
  }
  void* allocate_in_next_block(std::size_t size);
  void add_block(std::size_t at_least);
  void select(std::uint32_t which);

  std::byte* top_ = nullptr;
  std::byte* end_ = nullptr;
  std::uint32_t block_ = 0;
  std::vector<block> blocks_;
};

}  // namespace harrier
