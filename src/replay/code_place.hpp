#pragma once

#include <string>

namespace harrier {

/// Where code of this process stands, the same in every process that runs it: `/usr/bin/bank+0x12f0`, a file and an
/// address in it, as `addr2line` takes it. Empty for null, and where no file has it.
std::string place_of_code(const void* code);

}  // namespace harrier
