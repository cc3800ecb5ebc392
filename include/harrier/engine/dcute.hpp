#pragma once

#include <string_view>

#include <harrier/engine/search_context.hpp>

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
/// @return whether the search came to its end.
/// @par Source  S. Lauterburg: Systematic testing for actor programs, Fig. 2.5;
///      K. Sen, G. Agha: FASE 2006.
bool explore_dcute(search_context& s, const dcute_options& how = {});

}  // namespace harrier
