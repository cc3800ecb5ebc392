#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>

namespace harrier {

/// What a checkpoint is of: the program, the binary, the options. Names and values.
using checkpoint_subject = std::vector<std::pair<std::string, std::string>>;
/// The name under which it has the engine.
inline constexpr std::string_view engine_of_subject = "the engine";
/// And whether observers are told apart: `on` or `off`.
inline constexpr std::string_view observers_of_subject = "whether observers are told apart";

/// Identifies the running executable: the same for a copy of it, another one for
/// another build.
std::string build_of_this_binary();

/// @throws error  something else than a file is at `path`: a folder, a pipe, a device.
void require_place_for_file(const std::string& path);

/// Writes a checkpoint of `subject` to `path`: all of it or nothing. It goes to a
/// file beside it, is synced, and takes the name by a rename, so that a kill or a
/// full disk leaves what was there before.
/// @param content  writes what is to be continued.
/// @throws error naming the file and what failed.
void write_checkpoint(const std::string& path, const checkpoint_subject& subject,
                      const std::function<void(archive_writer&)>& content);

/// Reads the checkpoint in `path`.
/// @throws error  there is none, it is damaged, or it is of another subject: then
///         it says what differs.
void read_checkpoint(const std::string& path, const checkpoint_subject& subject,
                     const std::function<void(archive_reader&)>& content);

/// What the subject of the checkpoint in `path` has under that name; empty: nothing.
/// @throws error  there is none, or it is damaged.
std::string said_by_checkpoint(const std::string& path, std::string_view name);
/// The engine of the checkpoint in `path`. @throws error  there is none, or it is damaged.
std::string engine_of_checkpoint(const std::string& path);

}  // namespace harrier
