#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/fingerprint.hpp>

namespace harrier {

/// Findings of one search, each by what makes it the same finding in another.
struct known_findings {
  const std::vector<finding>& all;
  const std::map<fingerprint, std::size_t>& places;
};

/// @name Shorter schedules
/// What a search meets that goes through the nearest states first is met by a shortest schedule. That is so for
/// findings that are a matter of the states alone: others (a monitor's, a crash) are never looked for there, and stay
/// as they are.
/// @{

/// The length of the longest schedule of those that are; 0 if there are none.
std::size_t longest_of_states(const std::vector<finding>& all);
/// Whether all of those that are, of `wanted`, were met.
bool has_all_of_states(const known_findings& met, const known_findings& wanted);
/// Takes over the schedules that are shorter where they were met.
void take_shortest(std::vector<finding>& all, const std::map<fingerprint, std::size_t>& places,
                   const known_findings& met);

/// @}

}  // namespace harrier
