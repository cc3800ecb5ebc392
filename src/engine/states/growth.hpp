#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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
  /// Takes over what `other` has seen, of states that are not among its own.
  void join(const growth& other);

private:
  using values = std::unordered_set<std::uint64_t>;
  struct field {
    std::string name;
    values* taken;
  };
  /// Messages of one name.
  struct kind {
    values* counts = nullptr;
    std::uint64_t pending = 0;  // in the state that is looked at
  };

  void sample(const system& s);
  values& taken_by(const actor_type& type, std::size_t place, const std::string& name);
  kind& kind_of(const system& s, message_slot m);

  std::uint64_t every_ = 16;
  std::uint64_t sampled_ = 0;
  std::map<std::string, values> values_;
  // To find what is in `values_` without writing its name first.
  std::unordered_map<const actor_type*, std::vector<field>> fields_;  // in the order in which they were told
  std::unordered_map<const message_type*, kind*> kinds_;              // if all messages of the type have one name
  std::map<std::string, kind> kinds_by_name_;
};

}  // namespace harrier
