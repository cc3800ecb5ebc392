#pragma once

#include <cstdint>
#include <string_view>

#include <src/engine/dpor/wakeup_tree.hpp>

namespace harrier {

/// a1: the delivery of message a to actor 1. It stands for itself only: letters are no names that a system gave.
inline event planned(std::string_view letter_and_actor) {
  return {message_id{static_cast<std::uint32_t>(letter_and_actor[0])},
          {actor_id{static_cast<std::uint32_t>(letter_and_actor[1])}},
          true};
}

}  // namespace harrier
