#pragma once

#include <string_view>

#include <harrier/engine/search_context.hpp>

#include <src/engine/optimal.hpp>

#include "cells.hpp"

namespace harrier::differential {

template <class Parts>
bool by_one(const program& /*tested*/, system& s, observer& watcher, std::string_view ordering) {
  search_context context{s, watcher};
  return search_optimally<Parts>(context, {.ordering = ordering});
}

}  // namespace harrier::differential
