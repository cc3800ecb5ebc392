#pragma once

#include <string>

namespace harrier::tables {

/// The table of docs/algorithms/README.md: some subjects with each engine, as
/// Markdown. Each search runs in a process of its own, so that its time and
/// memory can be told, and for at most `seconds`.
std::string compare_engines(double seconds);

}  // namespace harrier::tables
