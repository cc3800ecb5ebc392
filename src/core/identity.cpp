#include <harrier/core/identity.hpp>

namespace harrier {

identities::identities() { messages_.push_back({.parent = 0, .ordinal = 0, .base = 0}); }

message_id identities::add_sent(message_id parent, std::uint32_t ordinal, std::uint32_t& link) {
  const auto name = static_cast<std::uint32_t>(messages_.size());
  link = name;  // before push_back, which may move what `link` refers to
  messages_.push_back({.parent = index(parent), .ordinal = ordinal, .base = name});
  return message_id{name};
}

message_id identities::add_next_sent(message_id sibling) {
  auto& node = messages_[index(sibling)];
  return add_sent(message_id{node.parent}, node.ordinal + 1, node.next_sent);
}

actor_id identities::first_created(message_id step) {
  auto& link = messages_[index(step)].first_created;
  if (link == none) {
    link = static_cast<std::uint32_t>(actors_.size());
    actors_.push_back({.parent = index(step)});
  }
  return actor_id{link};
}

actor_id identities::next_created(actor_id sibling) {
  auto& node = actors_[static_cast<std::uint32_t>(sibling)];
  if (node.next_created != none) return actor_id{node.next_created};
  const auto name = static_cast<std::uint32_t>(actors_.size());
  node.next_created = name;
  actors_.push_back({.parent = node.parent});
  return actor_id{name};
}

message_id identities::alternative(message_id message, std::uint64_t code) {
  if (code == 0) return message;
  const auto [entry, is_new] =
      alternatives_.try_emplace({index(message), code}, message_id{static_cast<std::uint32_t>(messages_.size())});
  if (is_new) {
    const auto& node = messages_[index(message)];
    messages_.push_back({.parent = node.parent, .ordinal = node.ordinal, .base = index(message), .code = code});
  }
  return entry->second;
}

}  // namespace harrier
