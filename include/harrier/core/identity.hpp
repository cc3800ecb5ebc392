#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <harrier/core/fingerprint.hpp>

namespace harrier {

/// Causal name of a message: "the k-th send of the step that delivered p".
/// Dense, and the same in every interleaving of one `identities`. It means
/// nothing outside: what leaves a search is a portable name (identities::name_of)
/// or a causal path (identities::path_of).
enum class message_id : std::uint32_t {};

/// Causal name of an actor: "the k-th creation of the step that delivered p".
/// Dense, and the same in every interleaving of one `identities`.
enum class actor_id : std::uint32_t {};

/// No actor: what an empty reference holds.
inline constexpr actor_id no_actor{0xffffffff};

class name_keeper;

/// Gives actors numbers, for several `identities` in which one actor is to have
/// one actor_id. Any thread may call it.
class actor_numbers {
public:
  /// The number of the actor with that portable name: a new one, if it has none.
  std::uint32_t of(fingerprint actor);
  /// The same, if it has `number` or can have it: then true.
  bool claim(fingerprint actor, std::uint32_t number);
  /// The names, by number.
  [[nodiscard]] std::vector<fingerprint> all() const;

private:
  mutable std::mutex guard_;
  std::map<fingerprint, std::uint32_t> numbers_;
};

/// Interns causal names to dense integers.
///
/// Names form a trie: below each message are the messages that its delivery
/// sends and the actors that it creates, in order. A handler that draws a value
/// (`self.choose`) makes its delivery several events; the *alternatives* of a
/// message are names of their own, so that what they send is told apart.
///
/// A name stays until `collect` gives it back, with which nobody but a system
/// has to do: see names_in_use. All other operations are amortised O(1), but
/// name_of and path_of, which cost the length of the causal chain the first
/// time, or every time.
class identities {
public:
  /// What was there before the first step; parent of the driver's messages.
  static constexpr message_id origin{0};

  identities();

  /// Name of the first message sent by the delivery of `step`.
  message_id first_sent(message_id step) {
    const auto known = messages_[index(step)].first_sent;
    return known != none ? message_id{known} : add_first_sent(step);
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

  /// Actors have the numbers from now on that `common` gives them. Names then stay.
  /// @return false if those that are known have others there; then nothing is done.
  bool number_actors_by(std::shared_ptr<actor_numbers> common);

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

  /// @name What is the same in every process
  /// @{

  /// 128 bits that name the message, or the event if `label` is an alternative:
  /// made of the causal path alone, so the same for every search of the program,
  /// in every process. Two that are different have the same name with a
  /// probability of about 2^-128.
  [[nodiscard]] fingerprint name_of(message_id label) const;
  [[nodiscard]] fingerprint name_of(actor_id actor) const;
  /// The same, to be read: `0.2~3.1` is the second message sent by the delivery,
  /// with draws 3, of the third message that was sent by the delivery of the
  /// first message from outside. O(length of the path) characters.
  [[nodiscard]] std::string path_of(message_id label) const;
  /// What actors can be ordered by: a number made of the causal path alone. What
  /// the driver (or a test's body) creates comes first, in the order of creation;
  /// all else after it, what one delivery creates side by side and in that order.
  /// Two that are different have the same number with a probability of about
  /// 2^-42, or if one delivery creates more than a million. O(1)
  [[nodiscard]] std::uint64_t order_of(actor_id actor) const { return actors_[index(actor)].order; }
  /// @}

  /// Every message_id in use is below it.
  [[nodiscard]] std::size_t message_count() const { return messages_.size(); }

  /// Every actor_id in use but no_actor is below it.
  [[nodiscard]] std::size_t actor_count() const { return actors_.size(); }

  /// @name Giving back
  /// @{

  /// Whether there are so many names that it is worth to look which are needed.
  [[nodiscard]] bool is_full() const { return messages_.size() - free_messages_.size() >= limit_; }
  /// Gives back all names but those kept, those from which these come, and
  /// earlier siblings. O(names there were).
  void collect(const name_keeper& kept);
  /// @}

private:
  friend class name_keeper;
  static constexpr std::uint32_t none = 0xffffffff;
  /// Below that a table of names is smaller than what a search needs besides.
  static constexpr std::size_t least_limit = std::size_t{1} << 15;
  struct message_node {
    std::uint32_t parent, ordinal;
    std::uint32_t base;
    std::uint32_t first_sent = none, next_sent = none, first_created = none;
    std::uint64_t code = 0;
  };
  struct actor_node {
    std::uint32_t parent, ordinal;
    std::uint32_t next_created = none;
    std::uint64_t order = 0;
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
  static std::uint32_t index(actor_id id) { return static_cast<std::uint32_t>(id); }
  message_id add_first_sent(message_id step);
  message_id add_next_sent(message_id sibling);
  std::uint32_t add(const message_node& node);
  actor_id add_actor(std::uint32_t parent, std::uint32_t ordinal);
  [[nodiscard]] std::uint64_t order_below(std::uint32_t parent, std::uint32_t ordinal) const;

  std::vector<message_node> messages_;
  std::vector<actor_node> actors_;
  std::unordered_map<alternative_key, message_id, alternative_hash> alternatives_;
  std::vector<std::uint32_t> free_messages_, free_actors_;
  std::size_t limit_ = least_limit;
  std::shared_ptr<actor_numbers> numbers_;  // null: actors are numbered as they come
  mutable std::vector<fingerprint> names_;  // by message; 0 where it was not asked for
};

/// Which names are needed on: told by all that hold some, when names are given
/// back.
class name_keeper {
public:
  explicit name_keeper(const identities& names)
      : names_(names), messages_(names.messages_.size(), false), actors_(names.actors_.size(), false) {}

  /// Keeps that name and those it comes from.
  void operator()(message_id label);
  void operator()(actor_id actor);

private:
  friend class identities;

  const identities& names_;
  std::vector<bool> messages_, actors_;
};

}  // namespace harrier
