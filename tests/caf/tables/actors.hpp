#pragma once

#include <caf/all.hpp>
#include <string>
#include <vector>

#include "tables.hpp"

namespace caf_tables {

/// What each actor of one run has heard so far: each writes its own.
using heard = std::vector<std::string>;

/// Something that takes a while, for actors that CAF itself runs; null: nothing.
using delay = void (*)();

/// Makes the actors, and tells them what main has to tell.
/// @return they, who end if they are told to (caf::exit_msg)
std::vector<caf::actor> start(caf::actor_system& system, const tables& of, heard& all, delay between = nullptr);

}  // namespace caf_tables
