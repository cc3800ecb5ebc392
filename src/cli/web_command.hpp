#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/chosen_program.hpp"
#include "explore/explore_request.hpp"

namespace harrier {

/// What `harrier web` was asked for.
struct asked_explorer {
  std::string binary;  ///< as the user called it
  std::string program;
  std::vector<std::string> parameters;
  options how;
  isolation_options apart;
  std::uint16_t port = 0;  ///< 0: any that is free
};

/// What a command line does with `web` if it was built with the floor web.
struct explorer_floor {
  /// Serves the page until a signal comes, or the terminal is closed. @return the exit status.
  int (*run)(const asked_explorer& asked, const catalogue& programs);
};

/// That of this build; null: it has none. with_web.cpp or without_web.cpp.
const explorer_floor* built_in_explorer();

}  // namespace harrier
