// What a command line does with --report and `web`, in a build with the floor web.
#include <harrier/web/page.hpp>

#include "explore/page_file.hpp"
#include "web/serve.hpp"
#include "web_command.hpp"

namespace harrier {

const page_floor* built_in_page_floor() {
  static const page_floor floor{story_of, report_page};
  return &floor;
}

const explorer_floor* built_in_explorer() {
  static const explorer_floor floor{serve_explorer};
  return &floor;
}

}  // namespace harrier
