#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/lts.hpp>
#include <harrier/protocol/probe.hpp>

namespace harrier::protocol {

/// What a run moves through.
struct run_space {
  std::unique_ptr<transition_system> steps;
  /// Whether a run may be left in that state, if nothing is possible there.
  std::function<bool(state_id)> may_end;
};

/// A protocol as a program under test, so that whatever explores or replays
/// programs does so with protocols.
///
/// It is one actor called `name`. For each action that was possible in some
/// state of the run one message waits; it can be delivered where the action is
/// possible. Delivering it takes the action, of several targets one that is
/// chosen. So all actions depend on one another: any engine is right, and none
/// saves anything. An end at which `may_end` says no is a deadlock.
///
/// @param fresh  gives the same space each time, in its initial state, sharing
///               nothing with the others.
[[nodiscard]] program make_program(const std::string& name, const std::function<run_space()>& fresh);

/// A module, driven through its own functions. Of a strict module a run may end
/// where the session may; of others, when all roles have finished.
///
/// @param probe     must outlive the program.
/// @param capacity  given to the module: see the modes.
[[nodiscard]] program make_program(const std::string& name, const harrier_probe& probe, std::size_t capacity = 0);

/// A session as it is defined.
[[nodiscard]] program make_program(std::shared_ptr<const specification> definitions, std::string_view session,
                                   const std::vector<value>& arguments);

/// `program_of<protocols::chess>("chess")`
template <class Module>
[[nodiscard]] program program_of(const std::string& name, std::size_t capacity = 0) {
  return make_program(name, *runtime::probing<Module>::table(), capacity);
}

/// The names that the actions of such a program use.
[[nodiscard]] const alphabet& names_of(const system& program);
/// The action that message `m` of such a program stands for.
[[nodiscard]] const action& action_of(const system& program, message_slot m);

}  // namespace harrier::protocol
