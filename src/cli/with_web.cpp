// What a command line does with --report, in a build with the floor web.
#include <harrier/web/page.hpp>

#include "explore/page_file.hpp"

namespace harrier {

const page_floor* built_in_page_floor() {
  static const page_floor floor{story_of, report_page};
  return &floor;
}

}  // namespace harrier
