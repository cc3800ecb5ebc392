#pragma once

#include <array>
#include <string_view>

#include <harrier/engine/exhaustive.hpp>

#include <src/engine/field_parts.hpp>
#include <src/engine/optimal.hpp>

#include "cells.hpp"
#include "compare.hpp"
#include "turns.hpp"

namespace harrier::differential {

/// A search of a program, by one of several ways to run the same algorithm.
using cells_search = bool (*)(const program& tested, system& s, observer& watcher, std::string_view ordering);

template <class Parts>
bool by_one(const program& /*tested*/, system& s, observer& watcher, std::string_view ordering) {
  search_context context{s, watcher};
  return search_optimally<Parts>(context, {.ordering = ordering});
}

/// By one cursor, by several in turns, and by workers in turns.
inline constexpr std::array<cells_search, 3> searches_of_cells = {by_one<field_parts>, search_in_turns<field_parts>,
                                                                  search_by_workers<field_parts>};

/// Programs with more executions than that are left out.
inline constexpr std::uint64_t largest_of_cells = 2'000;

inline seen_cells every_order(const program& tested, cell_kind kind, delivery model) {
  return observe_cells(tested, kind, model, largest_of_cells, [](system& s, observer& watcher) {
    search_context context{s, watcher};
    return explore_exhaustive(context);
  });
}

inline seen_cells seen_by(cells_search search, const program& tested, cell_kind kind, delivery model,
                          std::uint64_t seed) {
  return observe_cells(tested, kind, model, 15 * largest_of_cells,
                       [&](system& s, observer& watcher) { return search(tested, s, watcher, ordering_for(seed)); });
}

}  // namespace harrier::differential
