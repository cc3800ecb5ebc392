#include <harrier/core/faults.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <harrier/core/system.hpp>

// Why a fate can be drawn where the message is sent. What a message does depends on whether it is delivered, and when;
// that it is lost, or that there is a second one, shows to nobody before. So executions in which it is lost at
// different moments differ in nothing that anybody sees, and the one in which it is lost at once stands for them. The
// budget of a channel is counted along its sender's own steps, which no reduction reorders.

namespace harrier {
namespace {

/// A second message of the same content can be made of it.
bool can_be_copied(const message& m) {
  return m.kind != message::role::reply && (m.payload == nullptr || m.type->shape().bytes != 0);
}

}  // namespace

std::span<const fault_kind> fault_kinds() {
  static constexpr fault_kind all[] = {
      {"lose", "messages of each channel, from one actor to another, may be lost", "lost", "is lost", &faults::lose},
      {"duplicate", "messages of each channel may arrive twice", "doubled", "arrives twice", &faults::duplicate}};
  return all;
}

void system::allow(const faults& may_happen) {
  HARRIER_INVARIANT(depth() == 0, "what may happen to messages is said before the first is delivered");
  allowed_ = may_happen;
  steps_end_with_more_ = steps_end_with_more_ || may_happen.any();
}

std::uint64_t system::times_befallen(fate::what happened, actor_slot sender, actor_slot receiver) const {
  return static_cast<std::uint64_t>(std::count_if(mishaps_.begin(), mishaps_.end(), [&](const fate& f) {
    return f.drawn == happened && steps_[f.at].receiver == sender && messages_[f.message].receiver == receiver;
  }));
}

void system::lose(message_slot m) {
  auto& x = messages_[m];
  x.dead = x.constrained = x.may_be_left = true;
}

message_slot system::send_again(message_slot m) {
  const auto first = messages_[m];
  void* payload = nullptr;
  if (first.payload != nullptr) {
    const auto shape = first.type->shape();
    payload = arena_.allocate(shape.bytes, shape.alignment);
    first.type->copy(payload, first.payload);
  }
  const auto second = post(first.receiver, *first.type, payload);
  auto& x = messages_[second];
  x.guarded = first.guarded;
  x.constrained = true;
  x.posthumous = first.posthumous;
  x.may_be_left = first.may_be_left;
  if (first.owns_payload) x.owns_payload = steps_.back().needs_cleaning = true;
  return second;
}

/// A function of what the receiver took before its step `e`, as guards are.
bool system::waits_for_first(message_slot m, step_index e) const {
  const auto found = std::find_if(mishaps_.begin(), mishaps_.end(), [m](const fate& f) { return f.second == m; });
  if (found == mishaps_.end()) return false;
  if (pending(found->message)) return true;
  for (auto i = actors_[messages_[m].receiver].last_step; i != no_step && i >= e; i = steps_[i].previous)
    if (steps_[i].message == found->message) return true;
  return false;
}

/// At the end of a step, after what its handler drew itself.
void system::draw_fates() {
  const auto at = last_step();
  const auto sender = steps_.back().receiver;
  if (steps_.back().aborted || sender == 0 || is_internal(sender)) return;
  const auto end = static_cast<message_slot>(messages_.size());
  for (auto m = steps_.back().first_sent; m < end; ++m) {
    const auto& x = messages_[m];
    if (x.makes != step_kind::delivery || x.receiver == sender) continue;
    using what = fate::what;
    std::vector<what> possible{what::arrives};
    if (times_befallen(what::is_lost, sender, x.receiver) < allowed_.lose) possible.push_back(what::is_lost);
    if (can_be_copied(x) && times_befallen(what::comes_twice, sender, x.receiver) < allowed_.duplicate)
      possible.push_back(what::comes_twice);
    if (possible.size() == 1) continue;
    const auto drawn = possible[choose(possible.size())];
    fates_.push_back({at, m, drawn});
    if (drawn == what::is_lost) lose(m);
    if (drawn == what::comes_twice) fates_.back().second = send_again(m);
    if (drawn != what::arrives) mishaps_.push_back(fates_.back());
  }
}

void system::write_used_faults(actor_slot sender, value_bytes& out) const {
  if (!allowed_.any()) return;
  std::vector<std::pair<std::uint32_t, fate::what>> used;
  for (const auto& f : mishaps_)
    if (steps_[f.at].receiver == sender)
      used.emplace_back(out.name_of(actors_[messages_[f.message].receiver].id), f.drawn);
  std::sort(used.begin(), used.end());
  for (const auto& [receiver, what] : used) {
    out.raw(receiver);
    out.raw(what);
  }
}

}  // namespace harrier
