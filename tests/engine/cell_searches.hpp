#pragma once

#include <string_view>

#include <harrier/engine/search_context.hpp>

#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/shared_depth_first.hpp>
#include <src/engine/dpor/source.hpp>

#include "cells.hpp"

namespace harrier::differential {

template <class Parts>
bool by_one(const program& /*tested*/, system& s, observer& watcher, std::string_view ordering) {
  search_context context{s, watcher};
  return search_optimally<Parts>(context, {.ordering = ordering});
}

template <class Parts>
bool by_source_sets(system& s, observer& watcher, std::string_view ordering) {
  search_context context{s, watcher};
  return explore_alone(context, share_depth_first<Parts, source>(ordering));
}

}  // namespace harrier::differential
