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

std::size_t byte_queue::put(std::string_view bytes) {
  const auto at = put_.load(std::memory_order_relaxed);
  const auto count = std::min<std::size_t>(bytes.size(), size - (at - taken_.load(std::memory_order_acquire)));
  for (std::size_t i = 0; i < count; ++i) bytes_[(at + i) % size] = bytes[i];
  put_.store(at + count, std::memory_order_release);
  return count;
}

std::size_t byte_queue::take(std::span<char> to) {
  const auto at = taken_.load(std::memory_order_relaxed);
  const auto count = std::min<std::size_t>(to.size(), put_.load(std::memory_order_acquire) - at);
  for (std::size_t i = 0; i < count; ++i) to[i] = bytes_[(at + i) % size];
  taken_.store(at + count, std::memory_order_release);
  return count;
}

watch::watch(std::uint64_t depth, std::size_t workers) {
  const auto count = static_cast<std::size_t>(std::min(depth, most_noted / workers));
  // A record is written at each delivery: none shares a cache line with another's.
  constexpr auto line = std::size_t{128};
  const auto aligned = [](std::size_t size) { return (size + line - 1) / line * line; };
  const auto head = aligned(sizeof(noted_in_child));
  const auto each = aligned(sizeof(flight_record)) + aligned(count * sizeof(scheduled));
  size_ = head + workers * each;
  memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED)
    throw no_child_process(std::string("no memory to note what a child process delivers, up to max_depth: ") +
                           std::strerror(errno));
  noted_ = ::new (memory_) noted_in_child;
  for (std::size_t i = 0; i < workers; ++i) {
    auto* const at = static_cast<std::byte*>(memory_) + head + i * each;
    auto* const record = i == 0 ? &noted_->first : ::new (at) flight_record;
    workers_.push_back({record, {reinterpret_cast<scheduled*>(at + aligned(sizeof(flight_record))), count}});
  }
}

watch::~watch() { munmap(memory_, size_); }

program watch::watched(program inner, bool notes_first) const {
  auto finally = inner.finally;
  const auto usual = inner.usual_delivery;
  auto seen = inner.seen;
  return {[inner = std::move(inner), notes_first, this](delivery model) {
            const bool is_first = noted_->asked++ == 0;
            auto system = inner.start(model);
            if (!is_first)
              system->watch().note_deliveries(noted_->later, {});
            else if (notes_first)
              system->watch().note_deliveries(noted_->first, path());
            ++noted_->started;
            return system;
          },
          std::move(finally), usual, std::move(seen)};
}

void watch::about_to(const outside_handlers* call) const {
  auto& note = noted_->call;
  const auto write = [](auto& place, std::string_view text) {
    const auto length = std::min(text.size(), place.size() - 1);
    std::copy_n(text.data(), length, place.data());
    place[length] = '\0';
  };
  ++note.number;
  write(note.what, call == nullptr ? "" : call->what);
  write(note.actor, call == nullptr ? "" : call->actor);
  note.depth = call == nullptr ? 0 : call->depth;
  ++note.number;
}

std::optional<outside_handlers> watch::call_under_way() const {
  const auto& note = noted_->call;
  if (note.number % 2 != 0 || note.what[0] == '\0') return std::nullopt;
  return outside_handlers{note.what.data(), note.actor.data(), note.depth};
}

void watch::keep_from_forks() const { madvise(memory_, size_, MADV_DONTFORK); }

bool watch::in_handler() const {
  const volatile auto& n = *noted_;
  if (n.asked != n.started) return true;
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (is_in_handler(i)) return true;
  return is_open(noted_->later);
}

bool watch::is_in_handler(std::size_t worker) const {
  const volatile auto& record = *workers_[worker].record;
  return !record.search_is_over && is_open(*workers_[worker].record);
}

bool watch::in_unnoted_path() const { return !noted_->first.search_is_over && is_open(noted_->later); }

bool watch::before_first_message() const {
  const volatile auto& n = *noted_;
  return n.started == 0;
}

schedule watch::schedule_so_far(std::size_t worker) const {
  const auto& [record, path] = workers_[worker];
  if (record->depth > path.size()) return {};
  return {path.begin(), path.begin() + record->depth};
}

}  // namespace harrier
