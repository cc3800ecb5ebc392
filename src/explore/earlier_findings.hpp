#pragma once

#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Whether what an earlier search found, which knew less of the program, is found again by what is known now.
bool occurs_again(const finding& f, const program& tested, const options& asked);

/// What is said of a finding that is not, if the search that knew more was stopped before it had seen all.
std::string note_of_lost(const finding& f);

}  // namespace harrier
