#pragma once

#include <cstdint>
#include <string_view>

#include <harrier/core/finding.hpp>

namespace harrier {

/// Who sees that there is a finding: that decides how it is looked for in a replay, and what can be done with it.
enum class finding_origin : std::uint8_t {
  a_step,       ///< a step records it: a check, an exception
  an_end,       ///< the end of an execution: who is left waiting, what is left over
  a_monitor,    ///< a property is judged
  the_process,  ///< it died, or did not come back
  the_search,   ///< a handler is not what a search relies on (is_of_the_search)
};

/// A new kind is a line in finding.cpp, where its name is, too.
finding_origin origin_of(finding_kind kind);

/// Of the search: what its handlers did all the same where it is not found again, and why it ends the search.
std::string_view looked_right(finding_kind kind);
std::string_view ends_search_as(finding_kind kind);

}  // namespace harrier
