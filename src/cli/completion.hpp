#pragma once

#include <string>
#include <vector>

#include "cli11.hpp"
#include "explore/chosen_program.hpp"

namespace harrier {

/// The shells that completion_script knows.
[[nodiscard]] const std::vector<std::string>& shells_that_complete();

/// What makes `shell` complete the command of the given name: it asks the
/// binary by `--complete`, so it never knows less than the binary does.
/// @throws error  another shell.
[[nodiscard]] std::string completion_script(const std::string& shell, const std::string& command);

/// What the last of `words` may be completed to, the others standing before it;
/// nothing where a file is wanted, or nobody knows what. `policy=lax` may come
/// as one word or as three.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& app, const catalogue& programs,
                                                   const std::vector<std::string>& words);

}  // namespace harrier
