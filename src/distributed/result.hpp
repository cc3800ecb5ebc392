#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <harrier/report/json.hpp>

#include "../explore/tally.hpp"

namespace harrier::distributed {

/// What became of an item that was tried.
enum class item_fate : std::uint8_t {
  explored,    ///< the only one that has counts and children
  killed,      ///< SIGKILL to the process that explored it; it is tried again
  failed,      ///< it cannot be explored
  untestable,  ///< nor can the program be
};

/// What became of an item. It and its children are one message, so one whole is
/// taken or none of it.
struct item_result {
  std::string item;       ///< its name
  tally::collected seen;  ///< the executions that were run
  std::vector<std::string>
      children;  ///< what is left, as items (bytes): each execution that was not run comes of one of them
  /// What the run's judge has seen of them, as it saves it; empty if there is none.
  std::string judged = {};
  /// Why the run ends with it: the process crashed, say. Empty: it does not.
  std::string ends_run;
  double seconds = 0;  ///< that it took
  item_fate fate = item_fate::explored;
  std::string why = {};  ///< it was not explored
};

[[nodiscard]] json_value to_wire(const tally::collected& seen);
/// @throws json_value::exception, error  it is none.
[[nodiscard]] tally::collected seen_from_wire(const json_value& json);

[[nodiscard]] std::string bytes_of(const item_result& result);
/// @throws error  they are none.
[[nodiscard]] item_result result_from(std::string_view bytes);

/// Adds a finding of which no tally knows.
void add_finding(tally::collected& to, finding found);

}  // namespace harrier::distributed
