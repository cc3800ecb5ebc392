#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <harrier/report/json.hpp>

#include "../by_hand/explorable.hpp"
#include "cli11.hpp"

namespace harrier {

/// Where a page is served.
struct page_service {
  std::string binary;       ///< as the user called it
  std::uint16_t port = 0;   ///< 0: any that is free
  std::string replay = {};  ///< the command that replays a trace, but for the file's name
};

/// What do_job() does, in a process of its own (workshop::work).
using page_jobs = std::function<void(const json_value& job, const std::function<void(const json_value&)>& tell,
                                     const std::function<bool()>& is_wanted)>;

/// `--port`.
void bind_page(CLI::App& line, page_service& where);

/// What a command line does with `web` if it was built with the floor web.
struct explorer_floor {
  /// Serves the page until a signal comes, or the terminal is closed. @return the exit status.
  int (*run)(const page_jobs& done, const page_service& where);
};

/// That of this build; null: it has none. with_web.cpp or without_web.cpp.
const explorer_floor* built_in_explorer();

/// @throws error  `floor` is null: this build has no page.
void check_page(const explorer_floor* floor);

/// @throws error  `floor` is null: this build has no page.
int serve_page(const explorer_floor* floor, const explorable& what, page_service where);

}  // namespace harrier
