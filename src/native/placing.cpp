#include <fmt/format.h>

#include <harrier/core/error.hpp>
#include <harrier/native/placing.hpp>

namespace harrier::detail {
namespace {

/// `deliveries 3 to 6`: those that recorded it.
std::string interval_of(const told_operation& o) {
  const auto begun = o.invoked_after == 0 ? std::string("before the first delivery")
                                          : fmt::format("invoked in delivery {}", o.invoked_after);
  if (!o.returned_after) return begun + ", not returned";
  if (*o.returned_after == 0) return begun;
  return fmt::format("{}, returned in delivery {}", begun, *o.returned_after);
}

std::string line_of(const told_operation& o, bool is_in_time) {
  auto line = fmt::format("{}: {}", o.by, o.call);
  if (!o.returned.empty()) line += " = " + o.returned;
  if (is_in_time) return fmt::format("{} ({})", line, interval_of(o));
  return o.returned_after ? line : line + " (not returned)";
}

std::string answers(const told_history& told) {
  return fmt::format("{}{}", fmt::join(told.could_return, " or "), told.could_return_more ? ", or something else" : "");
}

}  // namespace

std::vector<bool> free_of_blame(const std::vector<std::size_t>& in_turn,
                                const std::function<placed(const std::vector<bool>& free)>& can_be_placed) {
  std::vector<bool> free(in_turn.size());
  // What could not be left out before cannot be once more is: to leave out more only makes it easier to place the rest.
  for (const auto i : in_turn) {
    free[i] = true;
    if (can_be_placed(free) != placed::no) free[i] = false;
  }
  return free;
}

record record_of(const told_history& told) {
  record all{.kind = finding_kind::assertion, .message = fmt::format("'{}' is not {}", told.name, told.criterion)};
  std::size_t others = 0;
  for (const auto& o : told.operations)
    if (o.is_free)
      ++others;
    else
      all.details.push_back(line_of(o, told.is_in_time));
  if (told.culprit < told.operations.size()) {
    const auto& o = told.operations[told.culprit];
    all.message += fmt::format(": {} of {} returned {}", o.call, o.by, o.returned);
    all.details.push_back(
        fmt::format("in each order of these in which all others return what they did, {} of {} returns {}", o.call,
                    o.by, answers(told)));
  } else {
    all.details.emplace_back("no order of these is one in which all but one of them return what they did");
  }
  if (others > 0)
    all.details.push_back(fmt::format("{} other operation{} cannot explain it, whatever {} did, at whatever time",
                                      others, others == 1 ? "" : "s", others == 1 ? "it" : "they"));
  return all;
}

void misrecorded(const std::string& why) { throw error("a history is not recorded well: " + why); }

}  // namespace harrier::detail
