#pragma once

#include <cstddef>
#include <vector>

#include <harrier/core/explanation.hpp>
#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/isolation/isolated_search.hpp>

namespace harrier {

/// Why `found` comes about (docs/findings.md), found out in a child process, which other orders of the deliveries may
/// kill: the search goes on with the next one then.
///
/// @param tested   as it was explored.
/// @param how      with what it was explored; of its limits only that of depth counts.
/// @param seconds  after which nobody waits for it any more.
/// @return no sentence where it is not looked for: a finding of more than 2,000 deliveries, one about the search
/// itself,
///         one whose schedule cannot be repeated; or where the time was over
/// @throws no_child_process
[[nodiscard]] explanation why_isolated(const program& tested, const options& how, const finding& found, double seconds,
                                       const isolation_options& apart = {});

/// The same of the first `most` of `found`, in their order, for `seconds` in all. Fewer if the time is over, or if
/// there can be no child process: what was found is no less found.
[[nodiscard]] std::vector<explanation> whys_isolated(const program& tested, const options& how,
                                                     const std::vector<finding>& found, std::size_t most,
                                                     double seconds, const isolation_options& apart = {});

}  // namespace harrier
