#pragma once

#include <string>

#include <harrier/core/finding.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// The last step of `system` as a person reads it. What cannot be printed, since what prints it throws, says so.
trace_step describe_last_step(const system& system);

/// The message that `next` delivers, as a step without its outcome. @pre it was sent
trace_step describe_next(const system& system, const scheduled& next);

/// A record as one line: `assertion: two reads agree (server.cpp:12)`.
std::string to_line(const record& record);

}  // namespace harrier
