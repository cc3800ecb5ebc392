#include "interner.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "../../core/base/mix.hpp"

namespace harrier::protocol::internal {
namespace {

using harrier::internal::mix;

constexpr auto free_slot = std::numeric_limits<std::uint32_t>::max();

bool is_action(node_kind kind) {
  return kind == node_kind::send || kind == node_kind::receive || kind == node_kind::handshake ||
         kind == node_kind::close;
}

// Without its children.
std::size_t hash_of_itself(const node& n) {
  auto hash = mix(static_cast<std::size_t>(n.kind), std::hash<std::string>{}(n.name));
  for (const auto& name : n.names) hash = mix(hash, std::hash<std::string>{}(name));
  return n.kind == node_kind::literal ? mix(hash, hash_of(n.literal)) : hash;
}

bool is_like(const node& a, const node& b) {
  return a.kind == b.kind && a.name == b.name && a.names == b.names && a.literal == b.literal;
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

bool is_repeated_in(const interned& n, const interned& loop) {
  return std::any_of(n.open.begin(), n.open.end(), [&](std::string_view open) { return is_label_of(open, loop); });
}

}  // namespace

std::size_t interner::likeness::operator()(const interned* n) const noexcept {
  auto hash = hash_of_itself(*n);
  for (std::size_t i = 0; i < n->children.size(); ++i)
    hash = mix(hash, std::hash<const void*>{}(child(*n, i)->*representative));
  return hash;
}

bool interner::likeness::operator()(const interned* a, const interned* b) const noexcept {
  if (!is_like(*a, *b) || a->children.size() != b->children.size()) return false;
  if (with_places && is_action(a->kind) && a->at != b->at) return false;
  for (std::size_t i = 0; i < a->children.size(); ++i) {
    if (child(*a, i)->*representative != child(*b, i)->*representative) return false;
  }
  return true;
}

std::size_t interner::slot_of(const interned& n) const noexcept {
  const auto mask = slots_.size() - 1;
  for (auto at = n.hash & mask;; at = (at + 1) & mask) {
    if (slots_[at] == free_slot) return at;
    const auto& known = nodes_[slots_[at]];
    if (known.hash == n.hash && known.at == n.at && known.children == n.children && is_like(known, n)) return at;
  }
}

void interner::grow() {
  const auto count = slots_.empty() ? 64 : 2 * slots_.size();
  slots_ = {};
  slots_.assign(count, free_slot);
  for (const auto& n : nodes_) slots_[slot_of(n)] = n.number;
}

const interned* interner::make(node n) {
  interned candidate{std::move(n), 0, {}, 0, nullptr, nullptr};
  // A recur keeps `:label` among its names, for `open` to refer to.
  if (candidate.kind == node_kind::recur && candidate.names.empty()) candidate.names.push_back(":" + candidate.name);
  candidate.hash = hash_of_itself(candidate);
  for (const auto* child : candidate.children) candidate.hash = mix(candidate.hash, std::hash<const void*>{}(child));
  if (4 * (nodes_.size() + 1) > 3 * slots_.size()) grow();
  auto& slot = slots_[slot_of(candidate)];
  if (slot != free_slot) return &nodes_[slot];
  auto& kept = nodes_.emplace_back(std::move(candidate));
  kept.number = slot = static_cast<std::uint32_t>(nodes_.size() - 1);
  kept.open = open_names(kept);
  size_ += 20 + kept.children.size();
  kept.alike = *alike_.insert(&kept).first;
  kept.plain = *plain_.insert(&kept).first;
  has_twins_ = has_twins_ || (is_action(kept.kind) && kept.plain->at != kept.at);
  return &kept;
}

const interned* interner::take(const node& n) {
  node copy{n.kind, n.at, n.name, n.names, n.literal, {}};
  for (const auto* c : n.children) copy.children.push_back(take(*c));
  return make(std::move(copy));
}

const interned* interner::unrolled(const interned& loop) {
  return enrolled(child(loop, loop.children.size() - 1), loop);
}

const interned* interner::enrolled(const interned* n, const interned& loop) {
  if (!is_repeated_in(*n, loop)) return n;
  node copy{n->kind, n->at, n->name, n->names, n->literal, {}};
  for (std::size_t i = 0; i < n->children.size(); ++i) {
    const bool is_another = is_body_of_loop(*n, i) && n->name == loop.name;
    copy.children.push_back(is_another ? n->children[i] : enrolled(child(*n, i), loop));
  }
  if (n->kind == node_kind::recur && n->name == loop.name) {
    copy.kind = node_kind::loop;
    copy.names = loop.names;
    copy.children.push_back(loop.children.back());
  }
  return make(std::move(copy));
}

const interned* interner::shape(const interned* n, std::vector<const interned*>& replaced) {
  std::vector<std::string_view> bound;
  return shape(n, bound, replaced);
}

const interned* interner::shape(const interned* n, std::vector<std::string_view>& bound,
                                std::vector<const interned*>& replaced) {
  const bool is_free = n->kind == node_kind::variable && std::find(bound.begin(), bound.end(), n->name) == bound.end();
  if (n->kind == node_kind::literal || is_free) {
    replaced.push_back(n);
    return make({node_kind::variable, n->at, std::string(hole(replaced.size() - 1)), {}, {}, {}});
  }
  node copy{n->kind, n->at, n->name, n->names, n->literal, n->children};
  for (auto i = n->children.size(); i-- != 0;) {
    const auto outside = bound.size();
    if (n->kind != node_kind::recur) {
      const auto count = static_cast<std::ptrdiff_t>(bound_before(*n, i));
      bound.insert(bound.end(), n->names.begin(), n->names.begin() + count);
    }
    copy.children[i] = shape(child(*n, i), bound, replaced);
    bound.resize(outside);
  }
  return make(std::move(copy));
}

std::string_view interner::hole(std::size_t number) {
  while (hole_names_.size() <= number) hole_names_.push_back(hole_mark + std::to_string(hole_names_.size()));
  return hole_names_[number];
}

std::size_t interner::number_of_hole(std::string_view name) {
  std::size_t number = 0;
  for (const char digit : name.substr(1)) number = 10 * number + static_cast<std::size_t>(digit - '0');
  return number;
}

std::size_t interner::holes(const interned& n) {
  return static_cast<std::size_t>(std::count_if(n.open.begin(), n.open.end(), is_hole));
}

}  // namespace harrier::protocol::internal
