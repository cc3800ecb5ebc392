#pragma once

#include <ctime>

namespace harrier {

/// What this thread has used of a processor, which does not depend on what else the machine does. Less than a
/// microsecond a call.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace harrier
