#pragma once

#include <memory>
#include <string_view>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct transdpor_options {
  /// Which actor goes first; see make_ordering.
  std::string_view ordering = "fifo";
  /// Combined soundly: a sleeping message neither enters a backtrack set nor
  /// freezes the point.
  bool sleep_sets = false;
};

/// TransDPOR: dynamic partial-order reduction that uses the transitivity of
/// races. A point to which a message was added takes no further one until that
/// message is explored.
///
/// Explores every execution class at least once, never more executions than
/// the same algorithm without freezing.
///
/// Several workers run what one runs alone. With an ordering that learns, one of them does it all.
///
/// @par Source  S. Tasharofi et al.: TransDPOR, FMOODS/FORTE 2012, Fig. 2.
std::unique_ptr<shared_search> share_transdpor(const transdpor_options& how = {});

}  // namespace harrier
