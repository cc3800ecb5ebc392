#pragma once

#include <string>
#include <string_view>

namespace harrier {

/// Writes `content` to `path`: the whole of it or nothing. It goes to a
/// temporary file in the same folder, is synced, and takes the name by a
/// rename, so a full disk or a kill leaves what was there before. A path that
/// exists and is no regular file (/dev/stdout, a pipe that somebody reads) is written to directly.
/// @throws error saying what failed; no temporary file is left then.
void write_file(const std::string& path, std::string_view content);

/// Finds out early whether write_file(path, ...) could work, without changing
/// what is there. @throws error if not.
void check_writable(const std::string& path);

}  // namespace harrier
