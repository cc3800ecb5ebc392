#pragma once

#include <functional>
#include <string>

#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

/// What the files of this folder share.
namespace harrier::subjects::zoo {

/// What is written here as `variant=buggy|fixed`.
enum class variant { buggy, fixed };

/// A program of the zoo, which brings its network, its faults and its specification with it: `explore NAME` finds the
/// bug, `explore NAME variant=fixed` explores the repaired program completely.
/// @param name   after the system that had the bug: `riak-pool`
/// @param about  one line: what goes wrong
catalogue_entry entry(std::string name, std::string about, std::function<program(variant)> make);

/// `tested` on a network that delivers so unless the command line says otherwise.
program over(delivery model, program tested);

}  // namespace harrier::subjects::zoo
