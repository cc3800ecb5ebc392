#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace harrier {

/// Causal name of a message: "the k-th send of the step that delivered p".
/// Dense, and the same in every interleaving of one `identities`.
enum class message_id : std::uint32_t {};

/// Causal name of an actor: "the k-th creation of the step that delivered p".
/// Dense, and the same in every interleaving of one `identities`.
enum class actor_id : std::uint32_t {};

/// No actor: what an empty reference holds.
inline constexpr actor_id no_actor{0xffffffff};

/// Interns causal names to dense integers.
///
/// Names form a trie: below each message are the messages that its delivery
/// sends and the actors that it creates, in order. A handler that draws a value
/// (`self.choose`) makes its delivery several events; the *alternatives* of a
/// message are names of their own, so that what they send is told apart.
///
/// Names are never forgotten: memory grows with the number of different names
/// met, not with executions. All operations are amortised O(1).
class identities {
public:
  /// What was there before the first step; parent of the driver's messages.
  static constexpr message_id origin{0};

  identities();

  /// Name of the first message sent by the delivery of `step`.
  message_id first_sent(message_id step) {
    const auto known = messages_[index(step)].first_sent;
    return known != none ? message_id{known} : add_sent(step, 0, messages_[index(step)].first_sent);
  }

  /// Name of the message sent next after `sibling` by the same delivery.
  message_id next_sent(message_id sibling) {
    const auto known = messages_[index(sibling)].next_sent;
    return known != none ? message_id{known} : add_next_sent(sibling);
  }

  /// Name of the first actor created by the delivery of `step`.
  actor_id first_created(message_id step);

  /// Name of the actor created next after `sibling` by the same delivery.
  actor_id next_created(actor_id sibling);

  /// The delivery of `message` in which the handler's draws encode to `code`
  /// (see step::code); `message` itself for code 0.
  message_id alternative(message_id message, std::uint64_t code);

  /// The message of which `label` is an alternative; `label` itself otherwise.
  [[nodiscard]] message_id message_of(message_id label) const { return message_id{messages_[index(label)].base}; }

  /// The draws of `label`; 0 unless it is an alternative.
  [[nodiscard]] std::uint64_t code_of(message_id label) const { return messages_[index(label)].code; }

  /// The delivery that sends `message`.
  [[nodiscard]] message_id sender_of(message_id message) const { return message_id{messages_[index(message)].parent}; }

  /// The place of `message` among the sends of its delivery, from 0.
  [[nodiscard]] std::uint32_t ordinal_of(message_id message) const { return messages_[index(message)].ordinal; }

  /// Number of message names so far; every message_id is below it.
  [[nodiscard]] std::size_t message_count() const { return messages_.size(); }

  /// Number of actor names so far; every actor_id but no_actor is below it.
  [[nodiscard]] std::size_t actor_count() const { return actors_.size(); }

private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct message_node {
    std::uint32_t parent, ordinal;
    std::uint32_t base;
    std::uint32_t first_sent = none, next_sent = none, first_created = none;
    std::uint64_t code = 0;
  };
  struct actor_node {
    std::uint32_t parent;
    std::uint32_t next_created = none;
  };
  struct alternative_key {
    std::uint32_t message;
    std::uint64_t code;
    bool operator==(const alternative_key&) const = default;
  };
  struct alternative_hash {
    std::size_t operator()(const alternative_key& key) const noexcept {
      return (key.code + 1) * 0x9e3779b97f4a7c15U ^ (key.message * 0xc2b2ae3d27d4eb4fU);
    }
  };

  static std::uint32_t index(message_id id) { return static_cast<std::uint32_t>(id); }
  message_id add_sent(message_id parent, std::uint32_t ordinal, std::uint32_t& link);
  message_id add_next_sent(message_id sibling);

  std::vector<message_node> messages_;
  std::vector<actor_node> actors_;
  std::unordered_map<alternative_key, message_id, alternative_hash> alternatives_;
};

}  // namespace harrier
