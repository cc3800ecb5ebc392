#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/core/supervision.hpp>

namespace harrier {

/// Where a worker of a search notes its deliveries, for a process that watches
/// this one; see supervision::note_deliveries. `path` has room for max_depth.
struct noted_deliveries {
  flight_record* record = nullptr;
  std::span<scheduled> path = {};
};

/// What ties a search to a process that watches the one it is in, or to signals (telling_options::wiring).
struct search_wiring {
  /// Of each worker, the first one first, who also notes what is run beside the search. The others note nothing.
  std::vector<noted_deliveries> workers = {};
  /// Called in each thread that searches beside the caller's, before anything else; may be empty.
  std::function<void()> begin_thread = {};
  /// Called before and after what may take a while and is no search: whether it begins; may be empty.
  std::function<void(bool begins)> on_writing = {};

  [[nodiscard]] noted_deliveries of_worker(std::size_t number) const {
    return number < workers.size() ? workers[number] : noted_deliveries{};
  }
};

}  // namespace harrier
