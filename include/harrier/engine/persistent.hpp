#pragma once

#include <memory>
#include <string_view>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct persistent_options {
  /// Which actor goes first; see make_ordering.
  std::string_view ordering = "fifo";
  bool sleep_sets = false;
};

/// Dynamic partial-order reduction with persistent sets of whole actors.
///
/// Explores every execution class at least once. With sleep sets each complete
/// execution is of another class, and what is wasted are executions given up
/// (observer::execution_blocked).
///
/// Several workers run what one runs alone. With an ordering that learns, one of them does it all.
///
/// @par Source  S. Lauterburg: Systematic testing for actor programs, Fig. 2.4,
///      after C. Flanagan, P. Godefroid, POPL 2005; sleep sets: P. Godefroid,
///      1996.
std::unique_ptr<shared_search> share_persistent(const persistent_options& how = {});

}  // namespace harrier
