#pragma once

#include <string>

namespace harrier::caf_adapter {

/// The symbol of the function that begins at `code`, as a linker spells it: of any file that is loaded. Empty if it has
/// none, since that file was stripped, say.
const std::string& symbol_of_function(const void* code);

}  // namespace harrier::caf_adapter
