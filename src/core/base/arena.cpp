#include <harrier/core/arena.hpp>

#include <algorithm>

namespace harrier {

void arena::add_block(std::size_t at_least) {
  const auto size = std::max(at_least, blocks_.empty() ? first_block_size : 2 * blocks_.back().size);
  blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
  select(static_cast<std::uint32_t>(blocks_.size() - 1));
}

void arena::select(std::uint32_t which) {
  block_ = which;
  top_ = blocks_[which].bytes.get();
  end_ = top_ + blocks_[which].size;
}

void* arena::allocate_in_next_block(std::size_t size) {
  // Blocks kept from deeper executions are used again; one too small is skipped and found again by a later rewind.
  auto next = block_ + 1;
  while (next < blocks_.size() && blocks_[next].size < size) ++next;
  if (next < blocks_.size())
    select(next);
  else
    add_block(size);
  auto* start = top_;  // new[] aligns to max_align_t
  top_ += size;
  return start;
}

}  // namespace harrier
