#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

#include "workforce.hpp"

namespace harrier {

/// Work items that share nothing: what the workers of a search have left to each
/// other. First in, first out, since what was given first is mostly the most.
///
/// Items are put here only while somebody waits for one, or when a worker stops:
/// a few in a second. So the lock under which workers wait anyway will do.
template <class Item>
class item_pool {
public:
  void put(Item item) {
    const std::lock_guard lock(workers.guard);
    items_.push_back(std::move(item));
    workers.tell();
  }
  /// The worker of `s`, in its shift, takes an item, once there is one.
  /// @return false if there will be none, or its watcher stops.
  bool take(Item& item, search_context& s) {
    std::unique_lock lock(workers.guard);
    if (items_.empty() && !workers.wait(lock, s, [this] { return !items_.empty(); })) return false;
    if (s.watcher.stopping()) return false;
    item = std::move(items_.front());
    items_.pop_front();
    return true;
  }
  /// Calls `visit(item)` for each. @pre nobody works
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& item : items_) visit(item);
  }
  /// @pre nobody works
  void clear() { items_.clear(); }
  /// @pre nobody works
  [[nodiscard]] std::size_t size() const { return items_.size(); }

  workforce workers;

private:
  std::deque<Item> items_;
};

}  // namespace harrier
