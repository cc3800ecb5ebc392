#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <harrier/core/message.hpp>

namespace harrier {

/// What may befall a program's messages on their way, and how often at most: none of it, unless said.
///
/// Each budget is one of a channel: of all that one actor sends to another. (One for the whole program would make all
/// actors dependent on one another.) What the driver sends begins an execution, and what an actor sends to itself
/// leaves it by no network: both always arrive.
struct faults {
  /// How many messages may be lost. A lost reply leaves its caller waiting.
  std::uint64_t lose = 0;
  /// How many messages may arrive twice. A request that does is handled twice and answered once; a reply never does.
  std::uint64_t duplicate = 0;

  [[nodiscard]] bool any() const { return *this != faults{}; }
  bool operator==(const faults&) const = default;
};

/// What there is to know of one kind of fault, whoever asks for it, writes it down or tells of it.
struct fault_kind {
  std::string_view name;   ///< of the option, and in JSON: `lose`
  std::string_view about;  ///< `messages of each channel ... may be lost`
  std::string_view done;   ///< what was done to a message: `lost`
  std::string_view told;   ///< `is lost`
  std::uint64_t faults::*budget;
};
/// All of them, in the order of fate::what from its second value on.
std::span<const fault_kind> fault_kinds();

/// What became of a message to which something could happen.
///
/// Fates are drawn at the end of the step that sent the message, as values of `choose` are, by which every engine,
/// schedule and checkpoint knows them: to lose a message when it is sent or just before it would be delivered makes no
/// difference to any actor, and of all those moments this one is there once.
struct fate {
  enum class what : std::uint8_t { arrives, is_lost, comes_twice };
  step_index at;
  message_slot message;
  what drawn;
  /// Of one that comes twice: the second message, which is never taken before the first, since nobody could tell.
  message_slot second = no_message;
};

}  // namespace harrier
