#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <harrier/core/states.hpp>

namespace harrier {

/// A check of an end from which the program is run on, fairly and without faults: see converges(). It is asked of ends
/// that a budget of timers cut, too.
struct healing_check {
  std::string name;
  std::function<bool(const states&)> reached;
  std::size_t most_deliveries;

  void operator()(final_states& end) const;
};

/// Several checks, one after the other.
struct all_checks {
  std::vector<final_check> parts;
  void operator()(final_states& end) const;
};

/// Of a program that knows only when it runs what is to hold: all of that, and what of it converges.
struct checks_known_later {
  void (*all)(final_states&);
  void (*what_converges)(final_states&);

  void operator()(final_states& end) const { all(end); }
};

/// Whether all actors that are there wait for nothing and are at rest.
bool is_at_rest(const states& all);

}  // namespace harrier
