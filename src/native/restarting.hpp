#pragma once

namespace harrier::detail {

/// While it lives, is_restarting() of this thread is what it was made with.
class restarting {
public:
  explicit restarting(bool is_so);
  restarting(const restarting&) = delete;
  restarting& operator=(const restarting&) = delete;
  ~restarting();

private:
  bool before_;
};

}  // namespace harrier::detail
