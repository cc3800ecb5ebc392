#pragma once

#include <string_view>

namespace harrier {

/// The page that web/ makes, with `@STORY@` where the story belongs.
std::string_view page_template();

}  // namespace harrier
