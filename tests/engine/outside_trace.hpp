#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/core/system.hpp>

#include "../litmus/random_program.hpp"

/// An execution in terms that neither harrier nor the outside oracle made: who
/// took what, and what that led to. Each tells its executions so, with numbers
/// of its own for messages and actors; texts have causal names only.
namespace harrier::differential::outside {

inline constexpr int nobody = -1;
inline constexpr int nothing = -1;
inline constexpr int driver = 0;

/// One message was taken: a macro-step.
struct event {
  int actor = driver;
  int message = nothing;
  std::vector<std::uint64_t> drawn;
  std::vector<int> sent;
  std::vector<int> created;
  int findings = 0;
  bool failed = false;  ///< it ended its actor; what it sent is lost
};

/// The local state of an actor that follows the tables.
struct body {
  int role = 0;
  int state = 0;
  int fuel = 0;
  std::array<int, litmus::acquaintances> knows = {nobody, nobody, nobody};
};

enum class life : std::uint8_t { open, waiting, gone };

/// What became of an actor.
struct fate {
  life mode = life::open;
  int awaited = nothing;
  body local;
};

struct execution {
  std::vector<int> receivers;     ///< by message
  std::vector<int> from_outside;  ///< the messages that start the driver, in order
  std::vector<event> events;
  std::size_t explored = 0;  ///< the first event that is no part of the set-up
  std::vector<int> put;      ///< with mailboxes that are interleaved: what entered one, in order, explored
  std::vector<int> lost;     ///< messages that were lost on their way
  std::vector<fate> ends;    ///< by actor
};

/// The trace of an execution and its end as text, the same for all executions of
/// one trace: for each actor what it took, what it drew, what it found, and what
/// became of it. Under the models with mailboxes also what entered each in which order.
std::string text_of(const execution& told, delivery model);

/// The execution that a system of litmus::interpret is at the end of.
execution told_by(const system& s);

}  // namespace harrier::differential::outside
