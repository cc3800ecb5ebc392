#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <harrier/engine/trust.hpp>
#include <harrier/report/json.hpp>

/// Items as they go over the wire: several graphs in one, since they share most of their executions.
namespace harrier::distributed {

/// What one worker explores at a time: graphs that share nothing, last first.
using bundle = std::vector<trust_item>;

/// Each graph as what it has in common with the one before it, and the rest.
[[nodiscard]] json_value to_json(const bundle& graphs);
/// @throws error  it is none.
[[nodiscard]] bundle bundle_from(const json_value& json);

/// CBOR.
[[nodiscard]] std::string bytes_of(const json_value& json);
/// @throws error  they are none.
[[nodiscard]] json_value json_from(std::string_view bytes);

/// What somebody sent as JSON, if it is not so deep that it would take long to say that it is wrong.
/// @return discarded: it is none.
[[nodiscard]] json_value json_of_text(std::string_view text);

/// The name of an item: made of its bytes, so the same wherever it is made.
/// 32 hexadecimal digits.
[[nodiscard]] std::string name_of(std::string_view bytes);

}  // namespace harrier::distributed
