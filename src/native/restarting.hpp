#pragma once

#include <harrier/native/storage.hpp>

namespace harrier::detail {

/// While it lives, stage_of_restart() of this thread is what it was made with.
class restarting {
public:
  explicit restarting(restart_stage now);
  restarting(const restarting&) = delete;
  restarting& operator=(const restarting&) = delete;
  ~restarting();

private:
  restart_stage before_;
};

}  // namespace harrier::detail
