// A command line that is built without the floor analyse.
#include "analyse_command.hpp"

namespace harrier {

const analyse_floor* built_in_analyser() { return nullptr; }

}  // namespace harrier
