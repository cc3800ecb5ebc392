#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace harrier {

/// In which orders the messages of one actor may be taken. Each model but the
/// first is *selective*: an earlier message holds a later one back only while
/// the receiver would take it (its guard accepts it, and the receiver waits for
/// no reply), as in Erlang, Akka and CAF.
enum class delivery : std::uint8_t {
  unordered,  ///< in any
  fifo,       ///< those of one sender in the order in which it sent them
  causal,     ///< one whose sending happens before that of another comes first; a handler sends one after the other
  mailbox,    ///< in the order sent; all sends of one macro-step are made at once, when it ends
  /// In the order in which they arrived. The sends of one macro-step arrive one
  /// after the other in its order, those of other actors in between; an actor
  /// takes nothing before all that it sent has arrived.
  mailbox_interleaved,
};

/// As on the command line: `mailbox-interleaved`.
std::string_view to_string(delivery model);

/// All of them, the default first.
std::vector<delivery> delivery_models();

/// The model called `name`. @throws error if there is none.
delivery delivery_of(std::string_view name);

}  // namespace harrier
