#pragma once

#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

/// One function for each file of this folder: the catalogue's line about it.
namespace harrier::subjects {

catalogue_entry registry();
catalogue_entry server();

}  // namespace harrier::subjects
