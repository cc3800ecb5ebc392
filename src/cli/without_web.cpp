// A command line that is built without the floor web.
#include "explore/page_file.hpp"
#include "web_command.hpp"

namespace harrier {

const page_floor* built_in_page_floor() { return nullptr; }

const explorer_floor* built_in_explorer() { return nullptr; }

}  // namespace harrier
