#pragma once

#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/isolation/isolated_search.hpp>

namespace harrier {

/// Finds out where exceptions that left handlers were thrown: sets finding::file and finding::line, as the current
/// folder calls the file, to the innermost line that is neither the standard library's nor harrier's. What a call
/// throws and its caller does not catch has the line of the first throw. Schedules are repeated for that, in a child
/// process.
///
/// Others of `found` stay as they are, and so do those of which that is not known: without information for debuggers or
/// `addr2line`, with a standard library that is linked statically, or where the time was over.
///
/// @param tested   as it was explored.
/// @param how      with what it was explored.
/// @param most     of the exceptions, the first so many.
/// @param seconds  that it may take.
void find_throws(std::vector<finding>& found, const program& tested, const options& how, std::size_t most,
                 double seconds, const isolation_options& apart = {});

}  // namespace harrier
