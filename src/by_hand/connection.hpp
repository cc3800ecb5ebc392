#pragma once

#include <string_view>

/// What the processes that do jobs for a page do with the socket over which a job comes.
namespace harrier {

/// @return whether the other end has taken all of it.
bool write_all(int to, std::string_view what);

/// Whether the other end is there.
bool is_listened_to(int over);

}  // namespace harrier
