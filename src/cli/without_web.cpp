// A command line that is built without the floor web.
#include "explore/page_file.hpp"

namespace harrier {

const page_floor* built_in_page_floor() { return nullptr; }

}  // namespace harrier
