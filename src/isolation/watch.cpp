#include "watch.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <harrier/isolation/isolated_search.hpp>

namespace harrier {
namespace {

constexpr std::uint64_t most_noted = std::uint64_t{1} << 26;  // 1 GiB, of which only what is used is ever there

bool is_open(const flight_record& record) {
  const volatile auto& r = record;  // the child writes it
  return r.begun != r.ended;
}

}  // namespace

watch::watch(std::uint64_t depth) {
  const auto count = static_cast<std::size_t>(std::min(depth, most_noted));
  constexpr auto head = (sizeof(noted_in_child) + alignof(scheduled) - 1) / alignof(scheduled) * alignof(scheduled);
  size_ = head + count * sizeof(scheduled);
  memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED)
    throw no_child_process(std::string("no memory to note what a child process delivers, up to max_depth: ") +
                           std::strerror(errno));
  noted_ = ::new (memory_) noted_in_child;
  path_ = {reinterpret_cast<scheduled*>(static_cast<std::byte*>(memory_) + head), count};
}

watch::~watch() { munmap(memory_, size_); }

program watch::watched(program inner, bool notes_first) const {
  return {[inner = std::move(inner), notes_first, this](delivery model) {
    const bool is_first = noted_->asked++ == 0;
    auto system = inner.start(model);
    if (!is_first)
      system->watch().note_deliveries(noted_->later, {});
    else if (notes_first)
      system->watch().note_deliveries(noted_->first, path_);
    ++noted_->started;
    return system;
  }};
}

bool watch::in_handler() const {
  const volatile auto& n = *noted_;
  if (n.asked != n.started) return true;
  return (!n.first.search_is_over && is_open(noted_->first)) || is_open(noted_->later);
}

bool watch::in_unnoted_path() const { return !noted_->first.search_is_over && is_open(noted_->later); }

bool watch::before_first_message() const {
  const volatile auto& n = *noted_;
  return n.started == 0;
}

schedule watch::schedule_so_far() const {
  const auto depth = noted_->first.depth;
  if (depth > path_.size()) return {};
  return {path_.begin(), path_.begin() + depth};
}

}  // namespace harrier
