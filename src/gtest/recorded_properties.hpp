#pragma once

#include <sys/types.h>

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace harrier {

/// Carries what RecordProperty() said of the running test in the process in which
/// its body runs to the one in which it is reported. What was said last of a
/// property holds, as in any test.
class recorded_properties {
public:
  /// Of the running test, in the process that reports it, before the other begins.
  recorded_properties();

  /// To be called after each run of the body, wherever that is. O(properties)
  void look();
  /// Records what was said elsewhere.
  void tell() const;

private:
  struct close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  const pid_t owner_;
  std::unique_ptr<std::FILE, close> file_;  // both processes have it open; null: there is no room for one
  std::mutex guard_;
  std::map<std::string, std::string> known_;
};

}  // namespace harrier
