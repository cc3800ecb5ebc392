#pragma once

#include <stdexcept>

#include <harrier/core/system.hpp>

namespace harrier {

/// A handler did what it is declared not to do. what() says which messages of which
/// actor show it, and how; the step in question is the last one of the system.
class wrong_declaration : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Looks whether step `i` sent what its handler, that of message `of`, is declared to send, if that
/// is declared. Replies are not: who asked gets one. O(1) for a step that sent nothing.
/// @throws wrong_declaration naming both messages
void check_declared_sends(const system& s, step_index i, message_slot of);

}  // namespace harrier
