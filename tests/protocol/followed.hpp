#pragma once

#include <thread>
#include <vector>

/// A number that remembers which threads moved it.
struct followed {
  int value = 0;
  std::vector<std::thread::id> moved_by = {};

  followed() = default;
  explicit followed(int v) : value(v) {}
  followed(followed&& other) noexcept : value(other.value), moved_by(std::move(other.moved_by)) {
    moved_by.push_back(std::this_thread::get_id());
  }
  followed& operator=(followed&& other) noexcept {
    value = other.value;
    moved_by = std::move(other.moved_by);
    moved_by.push_back(std::this_thread::get_id());
    return *this;
  }
};
