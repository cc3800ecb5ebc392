#include "earlier_findings.hpp"

#include <fmt/format.h>

#include <exception>

#include <harrier/replay/replay.hpp>

#include "start.hpp"

namespace harrier {

bool occurs_again(const finding& f, const program& tested, const options& asked) {
  const auto how = as_usual_for(tested, asked);
  try {
    auto fresh = tested.start(how.search.delivery);
    replay_listener nobody;
    const auto end = replay(*fresh,
                            {.finding = f,
                             .delivery = how.search.delivery,
                             .faults = how.search.faults,
                             .facts = tested.seen->facts(),
                             .ends = how.judging.ends(),
                             .finally = both(tested.finally, how.judging.finally),
                             .depth_limit = how.limits.max_depth},
                            nobody);
    return end.way == replay_end::how::found_again && fresh->can_be();
  } catch (const std::exception&) {  // it cannot be followed any more
    return false;
  }
}

std::string note_of_lost(const finding& f) {
  return fmt::format(
      "a search that knew less of the program found {} ({}), which does not occur again by its schedule; this one was "
      "stopped before it had seen all",
      to_string(f.kind), f.message);
}

}  // namespace harrier
