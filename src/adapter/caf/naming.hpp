#pragma once

#include <caf/all.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "version.hpp"

namespace harrier::caf_adapter {

/// What a person calls `a`: CAF's own name for its class, if it has one, or that class, or the function by which it was
/// started.
std::string class_name_of(const caf::local_actor& a);

/// What a message is called without its arguments: its first atom, or its type. It lives as long as the program.
std::string_view kind_of(caf::mailbox_element& m, caf::actor_system& in);

/// `add(1, 2)`
std::string text_of(caf::mailbox_element& m, std::string_view kind);

/// `(1, 2)`
std::string text_of(const message_content& content);

/// What who has sent a message may go on using, and who gets it, too.
enum class shared_memory : std::uint8_t {
  none,
  in_order,  ///< in promises alone: what is done with these is ordered
  any        ///< pointers, and what CAF cannot look into
};
shared_memory memory_shared_by(caf::mailbox_element& m);

/// Whether whoever has sent it need not refer to `who`, who gets it: word of an end, to whom watches or is linked.
bool is_from_a_stranger(caf::mailbox_element& m, const caf::actor_addr& who);

/// The actor of whose end an exit message is; null if it is another message.
const caf::actor_control_block* source_of_exit(caf::mailbox_element& m);

}  // namespace harrier::caf_adapter
