#pragma once

#include <string>
#include <vector>

#include "../both_versions.hpp"
#include "tables.hpp"

namespace caf_tables {

constexpr auto of_caf = HARRIER_CAF_1 != 0 ? version::caf_1 : version::caf_0_17;

/// What each actor of one run has heard so far: each writes its own.
using heard = std::vector<std::string>;

/// Something that takes a while, for actors that CAF itself runs; null: nothing.
using pause = void (*)();

/// Makes the actors, and tells them what main has to tell.
/// @return they, who end if they are told to (caf::exit_msg)
std::vector<caf::actor> start(caf::actor_system& system, const tables& of, heard& all, pause between = nullptr);

}  // namespace caf_tables
