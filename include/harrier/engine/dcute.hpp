#pragma once

#include <memory>
#include <string_view>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct dcute_options {
  /// Which actor goes first; see make_ordering.
  std::string_view ordering = "fifo";
};

/// The partial-order reduction of dCUTE: at each point all messages of one
/// actor, and of one further actor each time a send is found that could have
/// overtaken the delivery made there.
///
/// Explores every execution class at least once, many of them more often.
///
/// Several workers run what one runs alone. With an ordering that learns, one of them does it all.
///
/// @par Source  S. Lauterburg: Systematic testing for actor programs, Fig. 2.5;
///      K. Sen, G. Agha: FASE 2006.
std::unique_ptr<shared_search> share_dcute(const dcute_options& how = {});

}  // namespace harrier
