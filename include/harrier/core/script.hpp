#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <harrier/core/specification.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// One line of a script, for specified() or a test's specify(): an event comes after another one, and everything else
/// is explored as ever.
///
///     harrier::specified(tested, {harrier::pin("counter_0.add#2 after client_1.crash")})
///
/// Of each execution in which the first event happens the second one has happened before; all others are left out, and
/// count as assumed away (docs/scripts.md). An event is ACTOR.MESSAGE, as a trace has it: a delivery to an actor that
/// is there before the first delivery, of a message of that name, or of that whole text (`add(2)`, `vote{term=1}`);
/// #N is the Nth of these, and without it the first is meant. `ACTOR.crash` is a crash (faults::crash), which only the
/// second event can be. Whether the first event ever happens in what is explored is a point of the result
/// (exploration::points).
/// @throws error  it is no such line; where the program starts, there is no such actor
specification pin(std::string_view line);

/// For specified() or a test's specify(): an execution is not followed further once that event, written as those of
/// pin() are, has happened. Its actor takes nothing more then, and what it sent when it happened does not arrive; what
/// others do regardless of that is explored as ever. How such an execution ends is not judged. Whether the event ever
/// happens is a point of the result (exploration::points).
/// @throws error  as pin()
specification follow_until(std::string_view event);

/// Until when an actor is followed.
struct followed_until {
  /// Whether actor `a` of `s`, which has just taken something, or lately, is there. It depends on nothing but what that
  /// actor took, sent and is, and stays so while it takes nothing.
  std::function<bool(const system& s, actor_slot a)> is_there = nullptr;
  /// Throws an error if it cannot be asked of the program that begins so. Null: of any.
  std::function<void(const system& initial)> check = nullptr;
};

/// For specified() or a test's specify(): as follow_until() of an event, for each actor that takes something after
/// which `when` says that it is there. How one is made of a formula is in property/until.hpp, of what an actor is in
/// native/until.hpp.
/// @param what  as it is told: `each execution was followed until WHAT`
specification follow_until(std::string what, followed_until when);

/// For specified() or a test's specify(): only executions are judged that come through that: an event, written as those
/// of pin() are, or a point that the program names (self::cover). Others count as assumed away, and nothing that
/// happens in them is a finding, but a crash of the whole process. Of a search in which no execution comes through it
/// nothing was judged, and it is not complete.
specification keep_through(std::string_view event_or_point);

}  // namespace harrier
