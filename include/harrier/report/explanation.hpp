#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/explanation.hpp>
#include <harrier/report/json.hpp>
#include <harrier/report/text.hpp>

namespace harrier {

/// The field `why` of a finding: an object, or null if it was not looked for.
json_value to_json(const explanation& why);

/// Reads what to_json(explanation) gave. @throws error as trace_step_from does.
explanation explanation_from(const json_value& json);

/// A line that says why, and one that tells how the order goes on that passes; nothing if it was not looked for.
std::string to_text(const explanation& why, const text_style& style = {});

/// Everything that people read of an exploration, with `why[i]` below finding number i; there may be fewer.
std::string to_text(const exploration& result, const std::vector<explanation>& why, const text_style& style = {},
                    std::string_view way_on = {});

}  // namespace harrier
