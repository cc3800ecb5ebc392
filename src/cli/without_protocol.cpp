// The extensions of a command line that is built without the floor protocol.
#include "extensions.hpp"

namespace harrier {

const extensions& built_in_extensions() {
  static const extensions none;
  return none;
}

}  // namespace harrier
