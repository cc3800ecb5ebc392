#include "state_fingerprint.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "../../core/base/place_in_binary.hpp"

namespace harrier {
namespace {

__extension__ using wide = unsigned __int128;

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

fingerprint hash_of(const std::string& bytes) { return hash_bytes(bytes.data(), bytes.size()); }

/// One fingerprint for a value and two words beside it. The constants are digits of pi.
fingerprint mixed(fingerprint f, std::uint64_t a, std::uint64_t b) {
  const auto low = folded_product(f.low ^ a ^ 0x243f6a8885a308d3U, f.high ^ b ^ 0x13198a2e03707344U);
  const auto high = folded_product(f.high ^ a ^ 0xa4093822299f31d0U, f.low ^ b ^ 0x082efa98ec4e6c89U);
  return {folded_product(low ^ 0x452821e638d01377U, high ^ 0xbe5466cf34e90c6cU),
          folded_product(high ^ 0xc0ac29b7c97c50ddU, low ^ 0x3f84d5b5b5470917U)};
}

}  // namespace

execution::pending_order order_kept(const execution& s, const stateful_options& how) {
  const auto needed = s.order_of_pending();
  const bool is_as_measured = how.comparison == state_comparison::as_measured;
  return needed == execution::pending_order::none && is_as_measured ? execution::pending_order::of_receiver : needed;
}

bool same_queue_there(const system& s, execution::pending_order kept, const message& a, const message& b) {
  if (kept == execution::pending_order::none || a.dead || b.dead || a.withdrawn || b.withdrawn) return false;
  if (!is_visible(a.makes) || !is_visible(b.makes)) return false;  // what is on its way has no order yet
  return kept != execution::pending_order::of_channel || sender_of(s, a) == sender_of(s, b);
}

void write_past(const system& s, actor_slot a, value_bytes& out) {
  for (auto i = s.actor_at(a).last_step; i != no_step; i = s.step_at(i).previous)
    out.raw(s.names().name_of(s.step_at(i).label));
}

state_fingerprint::state_fingerprint(const system& followed, pending_order kept, bool gone_actors)
    : system_(&followed), kept_(kept), gone_actors_(gone_actors) {
  look_beside();
  for (actor_slot a = 0; a < system_->actor_count(); ++a) value_ += actor_parts_.push() = part_of_actor(a);
  contents_.push() = message_parts_.push() = {};
  for (message_slot m = 1; m <= system_->message_count(); ++m) take_message(m);
}

/// Asked once: what may befall actors is said before they run, and the driver alone says what is to hold of them.
void state_fingerprint::look_beside() {
  looks_beside_ = system_->allowed_faults().any() || system_->looks_at_several();
}

fingerprint state_fingerprint::part_of_actor(actor_slot a) {
  const auto& x = system_->actor_at(a);
  if (x.failed) return mixed({}, name(a), 1);  // the execution may be over with it
  const bool is_gone = x.state_of_life == actor::mode::gone;
  if (is_gone && !gone_actors_) return {};
  auto part = mixed(x.type->hash(x.state), name(a) << 1 | (x.draining ? 1 : 0), place_in_binary(x.type));
  if (is_gone) part = mixed(part, 1, 0);
  if (!x.type->hash_is_all()) {
    written_.clear();
    x.type->write(x.state, written_);
    sees_objects_ = sees_objects_ || !written_.shared_objects().empty();
    if (!written_.unshown().empty()) part = mixed(hash_of(written_.unshown()), part.low, part.high);
    if (!written_.is_all()) {
      written_.clear();
      write_past(*system_, a, written_);
      part = mixed(written_.hash(), part.low, part.high);
    }
  }
  if (looks_beside_ || system_->has_timers()) {
    activity_.clear();
    system_->write_used_faults(a, activity_);
    // Nothing for nothing: an actor is the same before and after the first timer of all was armed.
    if (!activity_.text().empty()) part = mixed(activity_.hash(), part.low, part.high);
  }
  if (actor::is_suspended(x.state_of_life)) {
    activity_.clear();
    system_->write_activity(a, activity_);
    part = mixed(activity_.hash(), part.low, part.high);
    if (!activity_.unshown().empty()) part = mixed(hash_of(activity_.unshown()), part.low, part.high);
    if (!activity_.is_all() || !activity_.shared_objects().empty()) {
      written_.clear();
      write_past(*system_, a, written_);
      part = mixed(written_.hash(), part.low, part.high);
    }
  }
  return part;
}

/// When a timer is due, where that decides which comes first; and of which cuts of the network it is known.
fingerprint state_fingerprint::with_time_and_cuts(message_slot m, fingerprint content) {
  if (system_->message_at(m).makes == step_kind::timeout && system_->allowed_faults().earliest_first != 0)
    content = mixed(content, static_cast<std::uint64_t>(system_->due_time(m)), 1);
  if (!system_->tells_of_cuts(m)) return content;
  written_.clear();
  system_->write_known_cuts(m, written_);
  return mixed(written_.hash(), content.low, content.high);
}

/// Of the sharing of objects by a message nothing but its name tells all.
fingerprint state_fingerprint::content_of_message(message_slot m) {
  const auto& x = system_->message_at(m);
  if (x.dead) return {};
  constexpr std::uint64_t kinds = 32;
  const auto caller = x.kind == message::role::request ? name(x.answers - 1) + 1 : 0;
  const auto kind = caller * kinds + static_cast<std::uint64_t>(x.kind) * 8 + static_cast<std::uint64_t>(x.makes);
  auto content = mixed(x.type->hash(x.payload), name(x.receiver) | kind << 32, place_in_binary(x.type));
  if (looks_beside_ || system_->has_timers()) content = with_time_and_cuts(m, content);
  if (!x.type->hash_is_all()) {
    written_.clear();
    x.type->write(x.payload, written_);
    sees_objects_ = sees_objects_ || !written_.shared_objects().empty();
    if (!written_.unshown().empty()) content = mixed(content, hash_of(written_.unshown()).low, 1);
    if (!written_.is_all() || !written_.shared_objects().empty()) {
      const auto called = system_->names().name_of(x.id);
      content = mixed(content, called.low, called.high);
    }
  }
  return kept_ == pending_order::of_channel ? mixed(content, name(sender_of(*system_, x)), 0) : content;
}

void state_fingerprint::take_message(message_slot m) {
  const auto content = contents_.push() = content_of_message(m);
  auto& part = message_parts_.push() = content;
  if (!system_->pending(m)) return;
  if (system_->is_void(m)) {
    part = {};
    return;
  }
  if (kept_ != pending_order::none) {
    const auto& x = system_->message_at(m);
    auto before = x.previous;
    while (before != no_message &&
           (system_->is_void(before) || !same_queue(*system_, kept_, system_->message_at(before), x)))
      before = system_->message_at(before).previous;
    if (before != no_message) part = mixed(content, message_parts_[before].low, message_parts_[before].high);
  }
  value_ += part;
}

/// For each pending message, which pending ones and which actors come after its sending.
fingerprint state_fingerprint::causal_past() const {
  std::vector<message_slot> pending;
  for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m))
    if (!system_->is_void(m)) pending.push_back(m);
  std::stable_sort(pending.begin(), pending.end(), [&](message_slot a, message_slot b) {
    return name(system_->message_at(a).receiver) < name(system_->message_at(b).receiver);
  });
  std::vector<actor_slot> alive;
  for (actor_slot a = 0; a < system_->actor_count(); ++a)
    if (system_->actor_at(a).state_of_life != actor::mode::gone) alive.push_back(a);
  std::sort(alive.begin(), alive.end(), [&](actor_slot a, actor_slot b) { return name(a) < name(b); });
  constexpr std::size_t most_at_once = std::size_t{1} << 24;
  std::string known;
  fingerprint so_far;
  for (const auto m : pending) {
    for (const auto other : pending) known += other != m && system_->is_sent_before(m, other) ? '1' : '0';
    for (const auto a : alive) known += system_->is_known_to(m, a) ? '1' : '0';
    if (known.size() < most_at_once) continue;
    so_far = mixed(hash_bytes(known.data(), known.size()), so_far.low, so_far.high);
    known.clear();
  }
  const auto rest = hash_bytes(known.data(), known.size());
  return so_far == fingerprint{} ? rest : mixed(rest, so_far.low, so_far.high);
}

/// Which places, in the states of actors and in pending messages, refer to one object: a sum over the objects that more
/// than one place refers to.
fingerprint state_fingerprint::objects_shared() const {
  struct shared {
    fingerprint places;
    int count = 0;
  };
  std::map<const void*, shared> objects;
  value_bytes written;
  const auto take = [&](const auto& type, const void* value, fingerprint holder) {
    if (type.hash_is_all()) return;
    written.clear();
    type.write(value, written);
    std::uint64_t place = 0;
    for (const auto* object : written.shared_objects()) {
      auto& to = objects[object];
      to.places += mixed(holder, ++place, 0);
      ++to.count;
    }
  };
  for (actor_slot a = 0; a < system_->actor_count(); ++a)
    if (const auto& x = system_->actor_at(a); gone_actors_ || x.state_of_life != actor::mode::gone)
      take(*x.type, x.state, {name(a), 0});
  for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m))
    if (const auto& x = system_->message_at(m); !system_->is_void(m)) take(*x.type, x.payload, contents_[m]);
  fingerprint all;
  for (const auto& [object, to] : objects)
    if (to.count > 1) all += mixed(to.places, 1, 1);
  return all;
}

/// What its receiver `a` waited for, or had armed, may count no more; or counts again.
void state_fingerprint::look_again_at(actor_slot a) {
  for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m)) {
    const auto& x = system_->message_at(m);
    if (x.receiver != a || !(x.expires || x.constrained)) continue;
    const bool counts = message_parts_[m] != fingerprint{};
    if (counts != system_->is_void(m)) continue;
    value_ -= message_parts_[m];
    value_ += message_parts_[m] = counts ? fingerprint{} : contents_[m];
    if (kept_ != pending_order::none) chain_again(m);
  }
}

/// The driver's first step decides which of the actors before `end` crash before they do anything.
void state_fingerprint::look_at_others(actor_slot end) {
  if (system_->allowed_faults().crash == 0) return;
  for (actor_slot a = 1; a < end; ++a) {
    value_ -= actor_parts_[a];
    value_ += actor_parts_[a] = part_of_actor(a);
  }
}

/// Message `taken` has left its queue, or is back in it.
void state_fingerprint::chain_again(message_slot taken) {
  auto x = system_->message_at(taken);
  x.withdrawn = false;  // it was in that queue
  message_slot before = no_message;
  for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m)) {
    if (system_->is_void(m) || !same_queue(*system_, kept_, system_->message_at(m), x)) continue;
    value_ -= message_parts_[m];
    message_parts_[m] = before == no_message
                            ? contents_[m]
                            : mixed(contents_[m], message_parts_[before].low, message_parts_[before].high);
    value_ += message_parts_[m];
    before = m;
  }
}

void state_fingerprint::push() {
  const auto last = system_->step_count() - 1;
  const auto& s = system_->step_at(last);
  const auto& taken = system_->message_at(s.message);
  const bool may_void = system_->last_step_withdrew() || taken.expires;
  steps_back_.push() = {value_, actor_parts_[s.receiver], s.receiver, s.message, may_void};
  if (s.receiver == 0) [[unlikely]] {
    look_beside();
    look_at_others(s.first_created);
  }
  value_ -= message_parts_[s.message];
  const auto& receiver = system_->actor_at(s.receiver);
  const bool is_as_before = s.keeps_state && s.mode_before == actor::mode::open &&
                            receiver.state_of_life == actor::mode::open && s.draining_before == receiver.draining &&
                            !system_->tells_of_cuts(s.message);
  if (!is_as_before) {
    value_ -= actor_parts_[s.receiver];
    value_ += actor_parts_[s.receiver] = part_of_actor(s.receiver);
  }
  for (auto a = static_cast<actor_slot>(actor_parts_.size()); a < system_->actor_count(); ++a)
    value_ += actor_parts_.push() = part_of_actor(a);
  const auto known = static_cast<message_slot>(message_parts_.size());
  for (auto m = known; m <= system_->message_count(); ++m) take_message(m);
  if (kept_ != pending_order::none) chain_again(s.message);
  if (may_void) look_again_at(s.receiver);
}

void state_fingerprint::pop() {
  const auto& back = steps_back_.back();
  actor_parts_.truncate(system_->actor_count());
  contents_.truncate(system_->message_count() + 1);
  message_parts_.truncate(system_->message_count() + 1);
  if (kept_ != pending_order::none) chain_again(back.message);
  if (back.may_void) look_again_at(back.receiver);
  if (back.receiver == 0) look_at_others(static_cast<actor_slot>(system_->actor_count()));
  value_ = back.value;
  actor_parts_[back.receiver] = back.receiver_part;
  steps_back_.pop();
}

}  // namespace harrier
