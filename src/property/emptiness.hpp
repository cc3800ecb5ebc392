#pragma once

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "product.hpp"

namespace harrier::internal {

/// No run is accepted, as far as the product was seen.
struct nothing_accepted {};
/// More pairs were found than allowed.
struct too_many_pairs {};
/// It was told that it is enough.
struct stopped_search {};
/// A run that stops in `last` is accepted.
struct accepted_stop {
  product::pair last;
};
/// Every run that begins with one to `last` is accepted.
struct accepted_beginning {
  product::pair last;
};
/// The edges among `pairs`, which are strongly connected, carry all marks.
struct accepted_component {
  std::vector<product::pair> pairs;
};

using search_outcome = std::variant<nothing_accepted, too_many_pairs, stopped_search, accepted_stop, accepted_beginning,
                                    accepted_component>;

/// Searches `p` for an accepted run.
/// @param max_pairs  0: no limit.
/// @param enough  asked often, if there is one: true stops it.
search_outcome find_accepted(product& p, std::size_t max_pairs, const std::function<bool()>& enough = {});

}  // namespace harrier::internal
