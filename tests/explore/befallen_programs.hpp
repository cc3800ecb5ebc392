#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/program.hpp>

/// Random programs of actors that arm and cancel timers, call one another, keep something, and crash; and every
/// execution of theirs, on a network that loses and doubles messages, by
/// the definitions of these, in terms of what happens at which moment: no code of harrier's, which draws what happens
/// at the ends of steps.
namespace harrier::befallen {

/// `call`: asks another for an answer, with a limit: an answer adds one to what is lost, none adds two.
enum class verb : std::uint8_t { send, add_lost, add_kept, arm, cancel, sync, call };
inline constexpr int verbs = 7;

struct action {
  verb what = verb::send;
  int to = 0;       ///< an actor
  int kind = 0;     ///< of message
  int if_odd = -1;  ///< only if the sum of what the actor keeps and loses is odd (1) or even (0); -1: always
};

inline constexpr int kinds = 3;

struct kick_off {
  int to;
  int kind;
};

struct tables {
  int actors = 2;
  int fuel = 2;
  bool keeps = false;  ///< one number of each actor survives, so that it restarts; else it stays away
  std::array<std::array<std::vector<action>, kinds>, 3> rules;  ///< by actor and kind
  std::vector<kick_off> kicks;
};

tables make_random(std::uint64_t seed);
std::string to_text(const tables& t);

/// They must outlive it.
program interpret(const tables& t);

/// What each actor took, in order, and what befell it, or what it sent.
using outcome = std::string;

/// Of the execution at whose end `s` is.
outcome outcome_of(const system& s);

struct by_definition {
  std::set<outcome> outcomes;
  bool is_too_large = false;
};
by_definition everything(const tables& t, delivery model, const faults& may_happen, std::size_t most_steps);

}  // namespace harrier::befallen
