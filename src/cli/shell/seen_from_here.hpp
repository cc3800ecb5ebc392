#pragma once

#include <filesystem>
#include <system_error>
#include <utility>

#include <harrier/report/ci.hpp>

namespace harrier {

/// An exploration or a finding, with its source files as they are called from the current folder, as who reads it does.
template <class Found>
Found seen_from_here(Found found) {
  std::error_code ignored;
  return with_files_from(std::move(found), std::filesystem::current_path(ignored).string());
}

inline trace_step seen_from_here(const trace_step& step) {
  finding alone;
  alone.trace = {step};
  return seen_from_here(std::move(alone)).trace.front();
}

}  // namespace harrier
