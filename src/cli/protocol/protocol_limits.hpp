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
  /// Whether what is looked for in the states that were built is to be left: by an interrupt, or if it takes as long
  /// again as they were allowed to, or a quarter of their memory more.
  [[nodiscard]] std::function<bool()> gives_up();
  /// The same as `enough` for a projection.
  [[nodiscard]] protocol::projection_watch watch();
  /// What there is too much of, and what allows more; or that it was interrupted.
  [[nodiscard]] std::string why() const;
  /// Whether it was time to stop.
  [[nodiscard]] bool reached() const { return !why_.empty(); }

private:
  std::function<bool()> after(double seconds, double mebibytes);
  [[nodiscard]] double seconds() const;
  void show(std::string_view doing, std::size_t roles_done, std::size_t roles);

  const protocol_choice& choice_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string why_;
  bool is_shown_ = false;
};

}  // namespace harrier
