#pragma once

#include <cstddef>
#include <vector>

#include <harrier/core/finding.hpp>

namespace harrier {

/// Which findings seem to have one cause: they are of one kind, and the same check failed (its file and line), for an
/// actor of the same class; where no line is known, their messages differ in numbers only, and of deadlocks, in how
/// many actors of the same classes wait. It is a guess, by what findings say.
///
/// @return for each cause the places of its findings in `all`, the one with the shortest schedule first; causes are in
/// the order of the first finding of each.
std::vector<std::vector<std::size_t>> causes_of(const std::vector<finding>& all);

}  // namespace harrier
