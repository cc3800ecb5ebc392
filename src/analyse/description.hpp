#pragma once

#include <algorithm>
#include <vector>

#include <harrier/analyse/analyse.hpp>

#include "function.hpp"

namespace harrier::clang {

/// What a handler does, with all that it calls.
struct handler_summary {
  std::vector<function_facts::touched> fields;
  std::vector<function_facts::sent> sends;
  std::vector<named_access> shared;
  std::vector<source_remark> any_field;
  std::vector<source_remark> any_send;
};

/// Appends what is not there yet.
inline void add_new(std::vector<source_remark>& to, const std::vector<source_remark>& from) {
  for (const auto& r : from)
    if (std::find(to.begin(), to.end(), r) == to.end()) to.push_back(r);
}

/// In words, each field and message once, and as a declaration.
/// @param declared_at  where the handler has a declaration already; null: nowhere.
[[nodiscard]] analysed_handler describe(CXCursor handler, const handler_summary& all, const source_place* declared_at);

}  // namespace harrier::clang
