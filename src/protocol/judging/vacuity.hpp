#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/property/ltl.hpp>
#include <harrier/property/model.hpp>

namespace harrier::protocol::internal {

/// By state: whether a run that never ends goes on from there. A state that was not expanded counts as an end.
[[nodiscard]] std::vector<bool> going_on_for_ever(const state_space& space);

/// The part of a formula that says nothing of the runs at hand: it is true of none of their actions, or of all.
struct untried_formula {
  std::string part;   ///< as formulas are written
  bool is_ever_true;  ///< whether it is true of all; else of none
};

/// Why `holds` says little of `f`: a part of it that is about single actions has the same truth in all of them, and
/// that alone makes `f`, or what it claims beside other things, true; something else is said there that is not tried.
/// `G("a SEND" -> F "b SEND")` is such a formula where a never sends; `G !"a SEND"` is not, that is its claim.
///
/// Not all such formulas are found: parts are looked at one at a time, those of at most 32 operators and propositions.
/// Formulas of more than 2,000 different ones are not looked at.
///
/// @param actions  how many different ones the runs have
/// @param holds    whether a proposition is true of an action, from 0 on
[[nodiscard]] std::optional<untried_formula> untried(
    const formula& f, std::size_t actions, const std::function<bool(std::size_t action, std::string_view atom)>& holds);

}  // namespace harrier::protocol::internal
