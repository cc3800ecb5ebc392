#pragma once

#include <sys/types.h>

#include <functional>

#include <harrier/report/json.hpp>

namespace harrier {

/// Does jobs in processes of their own for a process that has several threads, which therefore had better not fork:
/// what another thread holds locked would stay so in the child. A helper that has one thread does it instead; it is
/// forked before there are any others, and each job from it.
class workshop {
public:
  using teller = std::function<void(const json_value&)>;
  /// Runs in the process of the job. `is_wanted`: whether somebody still listens. What it throws is told as
  /// `{"error": ...}`.
  using work = std::function<void(const json_value& job, const teller& tell, const std::function<bool()>& is_wanted)>;

  /// @pre this process has one thread. @throws error  no process can be had.
  explicit workshop(const work& done);
  workshop(const workshop&) = delete;
  workshop& operator=(const workshop&) = delete;
  ~workshop();

  /// Has `job` done, and hears what is told of it, until `hear` says that it is not wanted any more, or it is done. Any
  /// thread may call this.
  /// @throws error  it could not be begun.
  void have_done(const json_value& job, const std::function<bool(const json_value&)>& hear) const;

  /// Ends the helper and all jobs at once: whoever waits for one hears no more of it.
  void end();

private:
  int control_;
  pid_t helper_;
};

}  // namespace harrier
