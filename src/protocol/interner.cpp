#include "interner.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "../core/mix.hpp"

namespace harrier::protocol::internal {
namespace {

using harrier::internal::mix;

constexpr auto free_slot = std::numeric_limits<std::uint32_t>::max();

bool is_action(node_kind kind) {
  return kind == node_kind::send || kind == node_kind::receive || kind == node_kind::handshake ||
         kind == node_kind::close;
}

std::size_t hash_node(const node& n) {
  auto hash = mix(static_cast<std::size_t>(n.kind), std::hash<std::string>{}(n.name));
  for (const auto& name : n.names) hash = mix(hash, std::hash<std::string>{}(name));
  if (n.kind == node_kind::literal) hash = mix(hash, hash_of(n.literal));
  for (const auto* child : n.children) hash = mix(hash, std::hash<const void*>{}(child));
  return hash;
}

// How many names are bound where a child is evaluated: a binding sees those before it, the body all of them.
std::size_t bound_before(const node& n, std::size_t index) {
  return index + 1 == n.children.size() ? n.names.size() : std::min(index, n.names.size());
}

bool binds(const node& n, std::size_t index, std::string_view name) {
  const auto count = bound_before(n, index);
  return std::find(n.names.begin(), n.names.begin() + static_cast<std::ptrdiff_t>(count), name) !=
         n.names.begin() + static_cast<std::ptrdiff_t>(count);
}

bool is_body_of_loop(const node& n, std::size_t index) {
  return n.kind == node_kind::loop && index + 1 == n.children.size();
}

bool is_label_of(std::string_view open, const node& loop) { return open[0] == ':' && open.substr(1) == loop.name; }

std::vector<std::string_view> open_names(interned& n) {
  std::vector<std::string_view> open;
  if (n.kind == node_kind::variable) open.push_back(n.name);
  if (n.kind == node_kind::recur) open.push_back(n.names.front());
  for (std::size_t i = 0; i < n.children.size(); ++i) {
    for (const auto name : child(n, i)->open) {
      const bool closed = is_body_of_loop(n, i) && is_label_of(name, n);
      if (!closed && !binds(n, i, name)) open.push_back(name);
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

bool touches(const interned* n, const interner::replacement& by) {
  return std::any_of(n->open.begin(), n->open.end(), [&](std::string_view name) {
    return name[0] == ':' ? by.loop != nullptr && name.substr(1) == by.loop->name : by.variables.contains(name);
  });
}

}  // namespace

bool interner::is_like(const interned& a, const interned& b) noexcept {
  return a.kind == b.kind && a.children == b.children && a.name == b.name && a.names == b.names &&
         a.literal == b.literal;
}

std::size_t interner::slot_of(const interned& n) const noexcept {
  const auto mask = slots_.size() - 1;
  for (auto at = n.hash & mask;; at = (at + 1) & mask) {
    if (slots_[at] == free_slot) return at;
    const auto& known = nodes_[slots_[at]];
    if (known.hash == n.hash && is_like(known, n) && (!is_action(n.kind) || known.at == n.at)) return at;
  }
}

void interner::grow() {
  const auto count = slots_.empty() ? 64 : 2 * slots_.size();
  slots_ = {};
  slots_.assign(count, free_slot);
  for (const auto& n : nodes_) slots_[slot_of(n)] = n.number;
}

const interned* interner::plain_of(const interned& n) {
  if (is_action(n.kind)) {
    const auto* plain = *actions_.insert(&n).first;
    has_twins_ = has_twins_ || plain != &n;
    return plain;
  }
  const auto is_plain = [](const node* c) {
    const auto* term = static_cast<const interned*>(c);
    return term->plain == term;
  };
  if (std::all_of(n.children.begin(), n.children.end(), is_plain)) return &n;
  node copy{n.kind, n.at, n.name, n.names, n.literal, {}};
  for (std::size_t i = 0; i < n.children.size(); ++i) copy.children.push_back(child(n, i)->plain);
  return make(std::move(copy));
}

const interned* interner::make(node n) {
  interned candidate{std::move(n), 0, {}, 0, nullptr};
  // A recur keeps `:label` among its names, for `open` to refer to.
  if (candidate.kind == node_kind::recur && candidate.names.empty()) candidate.names.push_back(":" + candidate.name);
  candidate.hash = hash_node(candidate);
  if (4 * (nodes_.size() + 1) > 3 * slots_.size()) grow();
  auto& slot = slots_[slot_of(candidate)];
  if (slot != free_slot) return &nodes_[slot];
  auto& kept = nodes_.emplace_back(std::move(candidate));
  kept.number = slot = static_cast<std::uint32_t>(nodes_.size() - 1);
  kept.open = open_names(kept);
  size_ += 20 + kept.children.size();
  kept.plain = plain_of(kept);
  return &kept;
}

const interned* interner::take(const node& n) {
  node copy{n.kind, n.at, n.name, n.names, n.literal, {}};
  for (const auto* c : n.children) copy.children.push_back(take(*c));
  return make(std::move(copy));
}

const interned* interner::substitute(const interned* n, const replacement& by) {
  if (!touches(n, by)) return n;
  if (n->kind == node_kind::variable) {
    return make({node_kind::literal, n->at, {}, {}, by.variables.at(n->name), {}});
  }
  node copy{n->kind, n->at, n->name, n->names, n->literal, {}};
  for (std::size_t i = 0; i < n->children.size(); ++i) {
    const bool hides_loop = by.loop != nullptr && is_body_of_loop(*n, i) && n->name == by.loop->name;
    const bool hides_variable = std::any_of(by.variables.begin(), by.variables.end(),
                                            [&](const auto& entry) { return binds(*n, i, entry.first); });
    if (!hides_loop && !hides_variable) {
      copy.children.push_back(substitute(child(*n, i), by));
      continue;
    }
    replacement seen = by;
    if (hides_loop) seen.loop = nullptr;
    std::erase_if(seen.variables, [&](const auto& entry) { return binds(*n, i, entry.first); });
    copy.children.push_back(substitute(child(*n, i), seen));
  }
  if (n->kind == node_kind::recur && by.loop != nullptr && n->name == by.loop->name) {
    copy.kind = node_kind::loop;
    copy.names = by.loop->names;
    copy.children.push_back(by.loop->children.back());
  }
  return make(std::move(copy));
}

}  // namespace harrier::protocol::internal
