// A command line that is built without the floor distributed.
#include "explore/broker_options.hpp"

namespace harrier {

const broker_floor* built_in_broker() { return nullptr; }

}  // namespace harrier
