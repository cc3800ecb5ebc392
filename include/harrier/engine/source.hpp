#pragma once

#include <memory>
#include <string_view>

#include <harrier/core/independence.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

struct source_options {
  /// Which actor goes first; see make_ordering.
  std::string_view ordering = "fifo";
  /// independence::semantic: two messages of one actor that have the same effect in both
  /// orders, in the state it is in, commute there (semantic_dependence). Only of a system
  /// that shows_changes(), under unordered, fifo or causal delivery. Others are not decided here.
  harrier::independence independence = independence::receiver;
};

/// Source-DPOR: dynamic partial-order reduction with source sets and sleep
/// sets. Each execution class is run to its end exactly once; what is wasted
/// are executions given up (observer::execution_blocked). Memory is linear in
/// the length of an execution.
///
/// With independence::semantic no class is run twice, and of those that lead into one
/// another by exchanging messages that commute at least one is; more executions are given up.
/// What was tried is remembered, up to a million pairs.
///
/// Several workers run what one runs alone; with independence::semantic each tries for itself whether messages
/// commute, so some deliveries are made more often. With an ordering that learns, one of them does it all.
///
/// @par Source  P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
///      partial order reduction, POPL 2014, Algorithm 1.
std::unique_ptr<shared_search> share_source(const source_options& how = {});

}  // namespace harrier
