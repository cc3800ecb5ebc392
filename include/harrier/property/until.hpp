#pragma once

#include <string_view>

#include <harrier/core/script.hpp>

namespace harrier {

/// For specified() or a test's specify(): an execution is not followed further once a formula of temporal logic, of its
/// actions as for ltl_monitor, is certain to hold, whatever comes later:
///
///     harrier::follow_until_formula("F(\"server_0 RECV lock\" & F \"server_0 SEND refused\")")
///
/// It is about one actor, which is there before the first delivery, and about nothing but the order of what that actor
/// takes and sends: what a property has to be to be judged under a reduction. That actor takes nothing more then, as
/// follow_until() of an event says. A formula that only the end of an execution can decide, such as `G ...`, ends none.
/// @throws error  it is no formula, or no proposition; where the program starts: it is about something else
/// @par Complexity  of each delivery to that actor O(its actions * subformulas)
specification follow_until_formula(std::string_view formula);

}  // namespace harrier
