#pragma once

#include <tbb/concurrent_queue.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

#include "workforce.hpp"

namespace harrier {

/// Work items that share nothing: what the workers of a search have left to each
/// other. Items go first in, first out, since what was given first is mostly the
/// most.
template <class Item>
class item_pool {
public:
  void put(Item item) {
    items_.push(std::move(item));
    ++count_;
    workers.tell();
  }
  /// The worker of `s`, in its shift, takes an item, once there is one.
  /// @return false if there will be none, or its watcher stops.
  bool take(Item& item, search_context& s) {
    for (;;) {
      if (s.watcher.stopping()) return false;
      if (items_.try_pop(item)) return --count_, true;
      std::unique_lock lock(workers.guard);
      if (!workers.wait(lock, s, [this] { return count_ != 0; })) return false;
    }
  }
  /// Calls `visit(item)` for each. @pre nobody works
  template <class Visit>
  void for_each(Visit visit) const {
    for (auto i = items_.unsafe_begin(); i != items_.unsafe_end(); ++i) visit(*i);
  }
  /// @pre nobody works
  void clear() {
    items_.clear();
    count_ = 0;
  }
  /// @pre nobody works
  [[nodiscard]] std::size_t size() const { return count_; }

  workforce workers;

private:
  tbb::concurrent_queue<Item> items_;
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace harrier
