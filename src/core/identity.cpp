#include <harrier/core/identity.hpp>

#include <algorithm>
#include <utility>

namespace harrier {
namespace {

/// What is hashed for a name, beside the name it comes from.
enum class kind_of_name : std::uint64_t { message = 1, alternative = 2, actor = 3 };

fingerprint name_below(fingerprint parent, kind_of_name kind, std::uint64_t number) {
  const std::uint64_t words[] = {parent.low, parent.high, static_cast<std::uint64_t>(kind), number};
  return hash_bytes(words, sizeof words);
}

}  // namespace

std::uint32_t actor_numbers::of(fingerprint actor) {
  const std::lock_guard lock(guard_);
  return numbers_.try_emplace(actor, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

bool actor_numbers::claim(fingerprint actor, std::uint32_t number) {
  const std::lock_guard lock(guard_);
  if (number > numbers_.size()) return false;
  const auto [known, is_new] = numbers_.try_emplace(actor, number);
  if (!is_new || number + 1 == numbers_.size()) return known->second == number;
  numbers_.erase(known);
  return false;
}

std::vector<fingerprint> actor_numbers::all() const {
  const std::lock_guard lock(guard_);
  std::vector<fingerprint> names(numbers_.size());
  for (const auto& [name, number] : numbers_) names[number] = name;
  return names;
}

identities::identities() { messages_.push_back({.parent = 0, .ordinal = 0, .base = 0}); }

std::uint32_t identities::add(const message_node& node) {
  if (free_messages_.empty()) {
    messages_.push_back(node);
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const auto name = free_messages_.back();
  free_messages_.pop_back();
  messages_[name] = node;
  if (name < names_.size()) names_[name] = {};
  return name;
}

message_id identities::add_first_sent(message_id step) {
  const auto name = add({.parent = index(step), .ordinal = 0, .base = 0});
  messages_[name].base = messages_[index(step)].first_sent = name;
  return message_id{name};
}

message_id identities::add_next_sent(message_id sibling) {
  const auto& before = messages_[index(sibling)];
  const auto name = add({.parent = before.parent, .ordinal = before.ordinal + 1, .base = 0});
  messages_[name].base = messages_[index(sibling)].next_sent = name;
  return message_id{name};
}

std::uint64_t identities::order_below(std::uint32_t parent, std::uint32_t ordinal) const {
  constexpr int bits_of_ordinal = 20;
  constexpr auto greatest = (std::uint64_t{1} << bits_of_ordinal) - 1;
  constexpr auto created_by_a_handler = std::uint64_t{1} << 62;
  const bool is_from_outside = messages_[parent].parent == index(origin);
  const auto family = is_from_outside ? std::uint64_t{messages_[parent].ordinal} << bits_of_ordinal
                                      : created_by_a_handler + (name_of(message_id{parent}).low >> 2 & ~greatest);
  return family + std::min<std::uint64_t>(ordinal, greatest);
}

actor_id identities::add_actor(std::uint32_t parent, std::uint32_t ordinal) {
  const actor_node node{.parent = parent, .ordinal = ordinal, .order = order_below(parent, ordinal)};
  if (numbers_ != nullptr) {
    const auto number = numbers_->of(name_below(name_of(message_id{parent}), kind_of_name::actor, ordinal));
    if (number >= actors_.size()) actors_.resize(std::size_t{number} + 1, {.parent = none, .ordinal = 0});
    actors_[number] = node;
    return actor_id{number};
  }
  if (free_actors_.empty()) {
    actors_.push_back(node);
    return actor_id{static_cast<std::uint32_t>(actors_.size() - 1)};
  }
  const auto name = free_actors_.back();
  free_actors_.pop_back();
  actors_[name] = node;
  return actor_id{name};
}

actor_id identities::first_created(message_id step) {
  const auto known = messages_[index(step)].first_created;
  if (known != none) return actor_id{known};
  const auto name = add_actor(index(step), 0);
  messages_[index(step)].first_created = index(name);
  return name;
}

actor_id identities::next_created(actor_id sibling) {
  const auto before = actors_[index(sibling)];
  if (before.next_created != none) return actor_id{before.next_created};
  const auto name = add_actor(before.parent, before.ordinal + 1);
  actors_[index(sibling)].next_created = index(name);
  return name;
}

bool identities::number_actors_by(std::shared_ptr<actor_numbers> common) {
  if (numbers_ == common) return true;
  if (numbers_ != nullptr || !free_actors_.empty()) return false;
  for (std::uint32_t i = 0; i < actors_.size(); ++i)
    if (!common->claim(name_of(actor_id{i}), i)) return false;
  numbers_ = std::move(common);
  return true;
}

message_id identities::alternative(message_id message, std::uint64_t code) {
  if (code == 0) return message;
  const auto [entry, is_new] = alternatives_.try_emplace({index(message), code});
  if (is_new) {
    const auto& node = messages_[index(message)];
    entry->second =
        message_id{add({.parent = node.parent, .ordinal = node.ordinal, .base = index(message), .code = code})};
  }
  return entry->second;
}

fingerprint identities::name_of(message_id label) const {
  if (names_.size() < messages_.size()) names_.resize(messages_.size());
  std::vector<std::uint32_t> unnamed;
  for (auto i = index(label); i != index(origin) && names_[i] == fingerprint{};) {
    unnamed.push_back(i);
    i = messages_[i].base != i ? messages_[i].base : messages_[i].parent;
  }
  for (auto i = unnamed.rbegin(); i != unnamed.rend(); ++i) {
    const auto& node = messages_[*i];
    names_[*i] = node.base != *i ? name_below(names_[node.base], kind_of_name::alternative, node.code)
                                 : name_below(names_[node.parent], kind_of_name::message, node.ordinal);
  }
  return names_[index(label)];
}

fingerprint identities::name_of(actor_id actor) const {
  if (actor == no_actor) return {};
  const auto& node = actors_[index(actor)];
  return name_below(name_of(message_id{node.parent}), kind_of_name::actor, node.ordinal);
}

std::string identities::path_of(message_id label) const {
  std::vector<std::string> parts;
  for (auto i = index(label); i != index(origin); i = messages_[i].parent) {
    const auto& node = messages_[i];
    parts.push_back(std::to_string(node.ordinal));
    if (node.code != 0) parts.back().append("~").append(std::to_string(node.code));
  }
  std::string path;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) path.append(path.empty() ? "" : ".").append(*part);
  return path;
}

void name_keeper::operator()(message_id label) {
  for (auto i = identities::index(label); !messages_[i]; i = names_.messages_[i].parent) {
    messages_[i] = true;
    messages_[names_.messages_[i].base] = true;  // its parent is the same
  }
}

void name_keeper::operator()(actor_id actor) {
  if (actor == no_actor || actors_[identities::index(actor)]) return;
  actors_[identities::index(actor)] = true;
  (*this)(message_id{names_.actors_[identities::index(actor)].parent});
}

void identities::collect(const name_keeper& kept) {
  auto messages = kept.messages_;  // with the earlier siblings of those that are kept
  auto actors = kept.actors_;
  messages[index(origin)] = true;
  // Cuts the list of siblings that begins at `first` after the last one that is kept.
  const auto cut = [](std::uint32_t& first, auto& nodes, auto next, const std::vector<bool>& needed,
                      std::vector<bool>& kept_too) {
    auto* end = &first;
    for (auto* link = &first; *link != none; link = &(nodes[*link].*next))
      if (needed[*link]) end = &(nodes[*link].*next);
    *end = none;
    for (auto i = first; i != none; i = nodes[i].*next) kept_too[i] = true;
  };
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (!kept.messages_[i] && i != index(origin)) continue;
    cut(messages_[i].first_sent, messages_, &message_node::next_sent, kept.messages_, messages);
    cut(messages_[i].first_created, actors_, &actor_node::next_created, kept.actors_, actors);
  }
  std::erase_if(alternatives_, [&](const auto& entry) { return !messages[index(entry.second)]; });
  free_messages_.clear();
  for (auto i = static_cast<std::uint32_t>(messages_.size()); i-- > 0;) {
    if (!messages[i]) free_messages_.push_back(i);
    if (messages[i] && !kept.messages_[i] && i != index(origin))
      messages_[i].first_sent = messages_[i].first_created = none;
  }
  free_actors_.clear();
  for (auto i = static_cast<std::uint32_t>(actors_.size()); i-- > 0;)
    if (!actors[i]) free_actors_.push_back(i);
  limit_ = std::max(least_limit, 2 * (messages_.size() - free_messages_.size()));
}

}  // namespace harrier
