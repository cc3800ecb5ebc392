#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "outside_trace.hpp"

/// The outside oracle's own reading of the tables of litmus::random_program:
/// actors are structs, messages a vector, and a configuration is copied whole.
/// Nothing of harrier's core or of its native kit is used.
namespace harrier::differential::outside {

inline constexpr std::size_t most_messages = 256;

/// Thrown if an execution has more.
struct too_many_messages {};

enum class content : std::uint8_t { set_up, test, meet, plain, request, answer, failure };

struct packet {
  int kind = 0;
  int value = 0;
  int fuel = 0;
  int names = nobody;
};

struct message {
  content what = content::plain;
  int from = nobody;
  int to = driver;
  packet said{};
  std::array<int, litmus::acquaintances> introduces{};  ///< of meet
  int answers = nothing;                                ///< of an answer or a failure: the request
  bool taken = false;
  bool lost = false;                  ///< the step that sent it failed
  std::bitset<most_messages> past{};  ///< the messages whose sending came causally before its own
  int since = nothing;                ///< when it came into the queue of its receiver; nothing: it has not yet
};

/// A handler on its way through its actions.
struct course {
  const std::vector<litmus::action>* actions = nullptr;
  std::size_t next = 0;
  packet said{};
  int drawn = -1;
  int request = nothing;  ///< to be answered at its end
  bool is_coroutine = false;
};

struct actor {
  body local;
  life mode = life::open;
  // While it waits for a reply:
  int awaited = nothing;
  bool catches = false;
  course suspended;
  // What its last step sent and is not yet in its receiver's queue; it takes nothing before it is done with that.
  std::vector<int> in_hand;
  bool is_sending = false;
  int sending_since = nothing;       ///< since when it could put the next of it there, or be done
  std::bitset<most_messages> known;  ///< messages sent causally before what it sends next
};

struct configuration {
  std::vector<actor> actors;
  std::vector<message> messages;
  execution told;
  int clock = 0;
};

/// The driver alone, and nothing sent.
configuration beginning();

/// Sends the driver what starts it.
void send_from_outside(configuration& c, content what);

/// Whether the receiver's guard lets `m` pass.
bool is_accepted(const litmus::random_program& tables, const configuration& c, const message& m);

/// A value drawn in a step.
struct draw {
  std::uint64_t among = 0;
  std::uint64_t value = 0;
};

/// The receiver of message `m` takes it: its handler runs to its end or to its
/// next wait. It draws what `script` says and then zeros. What it sends is left in its hands.
/// @return all that was drawn.
std::vector<draw> take(const litmus::random_program& tables, configuration& c, int m,
                       const std::vector<std::uint64_t>& script);

}  // namespace harrier::differential::outside
