// The extensions of a command line that is built without the floor protocol.
#include "caf_command.hpp"
#include "extensions.hpp"

namespace harrier {

const extensions& built_in_extensions() {
  static const extensions all{.traces = {{is_caf_trace, replay_caf}}};
  return all;
}

}  // namespace harrier
