#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>

#include <harrier/core/system.hpp>
#include <harrier/engine/stateful.hpp>

namespace harrier {

/// Which fields take how many values, in a sample of the states: when there are
/// too many states, that is where to look.
class growth {
public:
  /// State number `states` is new, and the system is in it.
  void look(const system& s, std::uint64_t states) {
    if (states % every_ == 0) [[unlikely]]
      sample(s);
  }
  void report(stateful_report& into) const;

private:
  void sample(const system& s);

  std::uint64_t every_ = 16;
  std::uint64_t sampled_ = 0;
  std::map<std::string, std::unordered_set<std::uint64_t>> values_;
};

}  // namespace harrier
