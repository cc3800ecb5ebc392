#include "state_pieces.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "../../core/base/place_in_binary.hpp"

namespace harrier {
namespace {

constexpr int rounds_of_refinement = 2;
constexpr std::uint32_t exchanged_name = 0x80000000;  // the first of those given to interchangeable actors

std::uint32_t index(actor_id id) { return static_cast<std::uint32_t>(id); }

}  // namespace

state_pieces::state_pieces(const system& followed, const stateful_options& how)
    : system_(&followed), how_(&how), kept_(order_kept(followed, how)) {}

void state_pieces::take() {
  rename();
  std::vector<std::pair<std::uint32_t, value_bytes>> by_name;
  for (actor_slot a = 0; a < system_->actor_count(); ++a) {
    const auto& x = system_->actor_at(a);
    if (how_->gone_actors || x.state_of_life != actor::mode::gone || x.failed)
      by_name.emplace_back(names_[index(x.id)], written_actor(a));
  }
  std::vector<value_bytes> pending;
  for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m))
    if (!system_->is_void(m)) pending.push_back(written_message(m));
  std::sort(by_name.begin(), by_name.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.text()) < std::tie(b.first, b.second.text());
  });
  std::sort(pending.begin(), pending.end(), [](const auto& a, const auto& b) { return a.text() < b.text(); });
  objects_.clear();
  actors_.clear();
  for (auto& [name, piece] : by_name) actors_.push_back(taken(piece));
  messages_.clear();
  for (auto& piece : pending) messages_.push_back(taken(piece));
}

/// Objects that pieces share are numbered in the order of the pieces.
std::string state_pieces::taken(value_bytes& piece) {
  for (const auto* object : std::vector(piece.shared_objects().begin(), piece.shared_objects().end()))
    piece.raw(objects_.try_emplace(object, static_cast<std::uint32_t>(objects_.size())).first->second);
  piece.bytes(piece.unshown().data(), piece.unshown().size());
  return piece.take();
}

fingerprint state_pieces::hash() const {
  value_bytes all;
  for (const auto* pieces : {&actors_, &messages_}) {
    all.raw(pieces->size());
    for (const auto& piece : *pieces) {
      all.raw(piece.size());
      all.bytes(piece.data(), piece.size());
    }
  }
  return all.hash();
}

bool state_pieces::is_interchangeable(const actor& a) const {
  if (how_->comparison != state_comparison::canonical) return false;
  const auto& named = how_->interchangeable;
  return a.type->interchangeable() || std::find(named.begin(), named.end(), a.type->name()) != named.end();
}

void state_pieces::rename() {
  std::vector<actor_slot> exchanged;
  for (actor_slot a = 0; a < system_->actor_count(); ++a) {
    const auto& x = system_->actor_at(a);
    if (names_.size() <= index(x.id)) names_.resize(index(x.id) + 1);
    const bool may_be_exchanged = is_interchangeable(x) && x.state_of_life != actor::mode::gone;
    names_[index(x.id)] = may_be_exchanged ? exchanged_name : index(x.id);
    if (may_be_exchanged) exchanged.push_back(a);
  }
  if (exchanged.empty()) return;
  refine(exchanged);  // by class and what the state says without references
  for (int round = 0; round < rounds_of_refinement; ++round) refine(exchanged);
  const auto colour = [&](actor_slot a) { return names_[index(system_->actor_at(a).id)]; };
  std::stable_sort(exchanged.begin(), exchanged.end(), [&](auto a, auto b) { return colour(a) < colour(b); });
  for (std::uint32_t i = 0; i < exchanged.size(); ++i)
    names_[index(system_->actor_at(exchanged[i]).id)] = exchanged_name + i;
}

/// Gives each of them a new colour, by its own, its state and its messages as seen with the colours so far.
void state_pieces::refine(const std::vector<actor_slot>& exchanged) {
  std::vector<fingerprint> colours;
  colours.reserve(exchanged.size());
  for (const auto a : exchanged) colours.push_back(written_actor(a).hash());
  for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m)) {
    const auto at = std::find(exchanged.begin(), exchanged.end(), system_->message_at(m).receiver);
    if (at == exchanged.end() || system_->is_void(m)) continue;
    colours[static_cast<std::size_t>(at - exchanged.begin())] += written_message(m).hash();
  }
  for (std::size_t i = 0; i < exchanged.size(); ++i)
    names_[index(system_->actor_at(exchanged[i]).id)] = exchanged_name | static_cast<std::uint32_t>(colours[i].low);
}

value_bytes state_pieces::written_actor(actor_slot a) const {
  const auto& x = system_->actor_at(a);
  value_bytes piece(names_);
  piece.reference(x.id);
  piece.raw(place_in_binary(x.type));
  piece.raw(x.state_of_life);
  piece.raw(x.draining);
  if (x.failed) return piece;  // what it was does not matter any more
  x.type->write(x.state, piece);
  system_->write_used_faults(a, piece);
  const auto objects = piece.shared_objects().size();
  if (actor::is_suspended(x.state_of_life)) system_->write_activity(a, piece);
  if (!piece.is_all() || piece.shared_objects().size() > objects) write_past(*system_, a, piece);
  return piece;
}

value_bytes state_pieces::written_message(message_slot m) const {
  const auto& x = system_->message_at(m);
  value_bytes piece(names_);
  piece.reference(system_->actor_at(x.receiver).id);
  if (kept_ == execution::pending_order::causal) add_causal_past(m, piece);
  if (kept_ != execution::pending_order::none) {
    if (kept_ == execution::pending_order::of_channel) piece.reference(system_->actor_at(sender_of(*system_, x)).id);
    piece.raw(place_in_queue(m));
  }
  piece.raw(static_cast<std::uint8_t>(static_cast<unsigned>(x.kind) * 8 + static_cast<unsigned>(x.makes)));
  if (x.makes == step_kind::timeout && system_->allowed_faults().earliest_first != 0) piece.raw(system_->due_time(m));
  if (x.kind == message::role::request) piece.reference(system_->actor_at(x.answers - 1).id);
  system_->write_known_cuts(m, piece);
  piece.raw(place_in_binary(x.type));
  x.type->write(x.payload, piece);
  if (!piece.is_all() || !piece.shared_objects().empty()) piece.raw(system_->names().name_of(x.id));
  return piece;
}

/// Which pending messages and which actors come after the sending of `m`.
void state_pieces::add_causal_past(message_slot m, value_bytes& piece) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> after;
  for (auto other = system_->first_pending(); other != no_message; other = system_->next_pending(other))
    if (other != m && !system_->is_void(other) && system_->is_sent_before(m, other))
      after.emplace_back(index(system_->actor_at(system_->message_at(other).receiver).id), place_in_queue(other));
  std::sort(after.begin(), after.end());
  piece.raw(after.size());
  for (const auto& [receiver, place] : after) {
    piece.raw(receiver);
    piece.raw(place);
  }
  std::vector<std::uint32_t> knowing;
  for (actor_slot a = 0; a < system_->actor_count(); ++a)
    if (const auto& x = system_->actor_at(a); x.state_of_life != actor::mode::gone && system_->is_known_to(m, a))
      knowing.push_back(index(x.id));
  std::sort(knowing.begin(), knowing.end());
  piece.raw(knowing.size());
  for (const auto id : knowing) piece.raw(id);
}

std::uint32_t state_pieces::place_in_queue(message_slot m) const {
  std::uint32_t before = 0;
  for (auto other = system_->first_pending(); other != m; other = system_->next_pending(other))
    before +=
        !system_->is_void(other) && same_queue(*system_, kept_, system_->message_at(other), system_->message_at(m));
  return before;
}

}  // namespace harrier
