#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <harrier/protocol/checked.hpp>

#include "protocol.hpp"

namespace harrier {

/// When to stop building states or a projection, counted from when it is made;
/// and, on a terminal, a line that says how far a projection is.
class protocol_limits {
public:
  /// @param choice  must outlive this object.
  explicit protocol_limits(const protocol_choice& choice) : choice_(choice) {}
  protocol_limits(const protocol_limits&) = delete;
  protocol_limits& operator=(const protocol_limits&) = delete;
  ~protocol_limits();

  /// Whether it is time to stop, for what asks often.
  [[nodiscard]] std::function<bool()> enough();
  /// The same for a projection.
  [[nodiscard]] protocol::projection_watch watch();
  /// What there is too much of, and what allows more.
  [[nodiscard]] std::string why() const;

private:
  [[nodiscard]] double seconds() const;
  void show(std::string_view doing, std::size_t roles_done, std::size_t roles);

  const protocol_choice& choice_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string why_;
  bool is_shown_ = false;
};

}  // namespace harrier
