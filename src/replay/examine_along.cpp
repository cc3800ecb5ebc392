#include "examine_along.hpp"

namespace harrier {

void examine_along(system& fresh, const schedule& planned, const about_to_call& tell) {
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const auto m = planned[i].message;
    if (i + 1 == planned.size() && fresh.pending(m)) examine_copy_before(fresh, m, tell);
    try {
      fresh.run({planned[i]});
    } catch (...) {
      break;  // a guard, say, on the way: it is asked where it stands
    }
  }
  examine_all(fresh, tell);
}

}  // namespace harrier
