#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/explanation.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/report/json.hpp>

/// What a child process tells the one that watches it: each line of the pipe is
/// one JSON value.
namespace harrier {

/// With trace_step::handler, which no file has: the processes have the same code at the same places.
json_value to_wire(const trace_step& step);
trace_step step_from_wire(const json_value& json);
json_value to_wire(const explanation& why);
explanation explanation_from_wire(const json_value& json);
json_value to_wire(const finding& found);
json_value to_wire(const exploration& result);
finding finding_from_wire(const json_value& json);
exploration exploration_from_wire(const json_value& json);

/// Tells `result` in lines of which none is long, however long its traces are:
/// whoever hears it can do something else in between.
void tell_in_parts(exploration result, const std::function<void(const json_value&)>& tell);

/// Puts together what was told in parts.
class exploration_in_parts {
public:
  /// @return whether `told` was a part.
  bool hear(const json_value& told);
  /// All of it, once its last part was heard.
  [[nodiscard]] std::optional<exploration>& whole() { return whole_; }

private:
  std::vector<finding> findings_, warnings_;
  std::map<std::string, std::uint64_t> outcomes_;
  std::optional<exploration> whole_;
};

}  // namespace harrier
