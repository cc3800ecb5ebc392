#pragma once

#include <memory>
#include <string_view>

#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct source_options {
  /// Which actor goes first; see make_ordering.
  std::string_view ordering = "fifo";
};

/// Source-DPOR: dynamic partial-order reduction with source sets and sleep
/// sets. Each execution class is run to its end exactly once; what is wasted
/// are executions given up (observer::execution_blocked). Memory is linear in
/// the length of an execution.
///
/// @return whether the search came to its end.
/// @par Source  P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
///      partial order reduction, POPL 2014, Algorithm 1.
bool explore_source(search_context& s, const source_options& how = {});

/// The same as a search that can be written down. One worker at a time may call
/// its work().
std::unique_ptr<shared_search> share_source(const source_options& how = {});

}  // namespace harrier
