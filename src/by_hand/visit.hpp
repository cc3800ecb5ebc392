#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/report/json.hpp>

#include "explorable.hpp"

namespace harrier {

/// A delivery as a page names it: as trace files do.
struct asked_step {
  std::string id;          ///< trace_step::id
  std::uint64_t code = 0;  ///< step::code
};

/// The list `[{"id": "1.0", "code": 0}, ...]`; a code may be missing. @throws error  it is none.
std::vector<asked_step> asked_steps_from(const json_value& json);
json_value to_json(const std::vector<asked_step>& steps);

/// `made`, begun where `steps` lead: what is searched and counted begins there.
program begun_after(const explorable& of, const std::vector<asked_step>& steps);

/// What there is after `steps`, found out in a child process:
/// - `"steps"`     what was delivered, from number `from` on: trace steps, with `"code"` and trace_step::handler;
/// - `"state"`     where that leads: `"actors"`, each with name, state and mode, `"pending"`, each with `"id"` and
///                 whether it can be delivered, `"findings"` of the last step or of the end, `"end"` (how the execution
///                 ends here; null: it does not), `"same"` (equal for equal configurations);
/// - `"outcomes"`  if the last step drew: one for each combination of draws, with `"code"`, `"choices"`, `"faults"`;
/// - `"impossible"`  instead of a state: `"step"` (from 0) cannot be made, and `"why"`;
/// - `"crashed"`   instead of a state: `"step"` killed the process or does not end, `"what"` it did, and the delivery
/// as a
///                 trace step, `"last"`.
/// @param is_wanted  asked several times a second: whether to go on.
/// @throws error  the program cannot be run; it is not wanted any more.
json_value visit(const explorable& of, const std::vector<asked_step>& steps, std::size_t from,
                 const std::function<bool()>& is_wanted);

/// Visits all that can come after `steps`, depth first, in a child process, and tells of each delivery by
/// `{"nodes": [{"parent": .., "id": .., "code": .., "receiver": .., "message": .., "same": ..}, ...]}`. Nodes are
/// numbered from 1 as they are told; parent 0 is where it begins. What was reached before, in the same configuration,
/// is not gone on from. Last, `{"visited": N}` with `"complete"`, or `"crashed"` as visit() has it, with the steps from
/// the beginning.
/// @param depth  deliveries from there on
/// @param most   deliveries in all
void visit_all(const explorable& of, const std::vector<asked_step>& steps, std::size_t depth, std::size_t most,
               const std::function<void(const json_value&)>& tell, const std::function<bool()>& is_wanted);

}  // namespace harrier
