#pragma once

#include <string_view>

namespace harrier {

/// The pages that web/ makes, with `@STORY@` where the story belongs.
std::string_view page_template();
std::string_view explorer_template();

}  // namespace harrier
