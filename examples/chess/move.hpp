#pragma once

#include <string>

namespace chess_example {

/// One turn; `last` ends the game.
struct move {
  std::string squares;
  bool last = false;
};

}  // namespace chess_example
