#include "cell_searches.hpp"

#include <harrier/engine/exhaustive.hpp>

#include <src/engine/dpor/field_parts.hpp>
#include <src/engine/dpor/persistent.hpp>
#include <src/engine/dpor/semantic_parts.hpp>

#include "compare.hpp"
#include "turns.hpp"

namespace harrier::differential {
namespace {

constexpr std::uint64_t largest = 2'000;  // programs with more executions are left out

}  // namespace

const std::array<cells_search, 3> searches_of_cells = {by_one<field_parts>, search_in_turns<field_parts>,
                                                       search_by_workers<field_parts>};

namespace {

bool by_persistent_sets(system& s, observer& watcher, std::string_view ordering) {
  search_context context{s, watcher};
  return explore_alone(context, share_depth_first<semantic_parts, persistent_search>(ordering, true));
}

}  // namespace

const std::array<semantic_search, 2> searches_that_try = {by_source_sets<semantic_parts>, by_persistent_sets};

seen_cells every_order(const program& tested, cell_kind kind, delivery model) {
  return observe_cells(tested, kind, model, largest, [](system& s, observer& watcher) {
    search_context context{s, watcher};
    return explore_alone(context, share_exhaustive(made_by::one));
  });
}

seen_cells seen_by(cells_search search, const program& tested, cell_kind kind, delivery model, std::uint64_t seed) {
  return observe_cells(tested, kind, model, 15 * largest,
                       [&](system& s, observer& watcher) { return search(tested, s, watcher, ordering_for(seed)); });
}

seen_cells seen_by(semantic_search search, const program& tested, cell_kind kind, delivery model, std::uint64_t seed) {
  return observe_cells(tested, kind, model, 15 * largest,
                       [&](system& s, observer& watcher) { return search(s, watcher, ordering_for(seed)); });
}

}  // namespace harrier::differential
