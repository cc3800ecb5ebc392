#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/receive.hpp>

#include "suspended.hpp"

namespace harrier::detail {
namespace {

/// Whether an address lies in that memory.
bool lies_in(const void* address, const void* begin, std::size_t size) {
  const auto* const first = static_cast<const std::byte*>(begin);
  return !std::less<>{}(address, static_cast<const void*>(first)) &&
         std::less<>{}(address, static_cast<const void*>(first + size));
}

/// Whether some word of `object` is such an address. Captures are aligned, as all fields.
template <class Is>
bool has_address(const void* object, std::size_t size, Is is) {
  for (std::size_t at = 0; at + sizeof(void*) <= size; at += sizeof(void*)) {
    const void* word = nullptr;
    std::memcpy(&word, static_cast<const std::byte*>(object) + at, sizeof word);
    if (word != nullptr && is(word)) return true;
  }
  return false;
}

}  // namespace

bool world::receives(frame* leaf, awaited_reply* reply, const void* predicate, std::size_t size,
                     pattern_pointer pattern) {
  auto& me = actor_in(running().receiver);
  const auto& type = static_cast<const native_actor&>(*me.type);
  const auto is_local = [&](const void* address) {
    if (lies_in(address, me.state, type.size)) return true;
    for (auto* f = leaf; f != nullptr; f = f->awaited_by)
      if (lies_in(address, f->handle.address(), f->bytes)) return true;
    return false;
  };
  if (!muted_ && has_address(predicate, size, is_local))
    throw error("the predicate of a receive of " + pattern->describe() +
                " refers to a local variable or to the actor: it is asked at other times, too, when these have "
                "changed; capture by value");
  if (!awaits(leaf, reply)) return false;
  while (!receives_.empty() && receives_.back().since >= last_step()) receives_.pop_back();
  me.awaited = static_cast<message_slot>(receives_.size());
  receives_.push_back({last_step(), std::move(pattern), no_message});
  set_mode(me, actor::mode::receiving);
  return true;
}

void world::require_listed(const std::type_info& message, std::string_view name) const {
  const auto& type = static_cast<const native_actor&>(*actor_at(step_at(last_step()).receiver).type);
  if (!type.may_be_sent(message))
    throw error(type.name() + " receives " + std::string(name) +
                ", which nobody can send it: it is not in its `using receives = harrier::messages<...>;`");
}

void world::limit_receive(std::chrono::nanoseconds limit) {
  const auto m = post_limit(receive_expiry, limit);
  guard(m);
  arm(m, limit);
  receives_.back().otherwise = m;
}

void world::check_no_mailboxes(std::string_view what) const {
  if (model() != delivery::mailbox && model() != delivery::mailbox_interleaved) return;
  throw untestable_program(
      std::string(what) +
      " does not go with delivery models mailbox and mailbox-interleaved: they order what is sent to one "
      "actor, and this is in no such order; unordered, fifo and causal have it");
}

void world::merge_paths(std::string_view who) {
  system::merge_paths(who);
  merges_paths_ = who;
  if (polls_) refuse_to_poll();
  refuse_unseen();
}

void world::refuse_unseen() const {
  if (merges_paths_.empty() || unseen_ == nullptr) return;
  throw untestable_program(merges_paths_ + " compares states, and nothing stands for those of " + unseen_->name() +
                           ", which is made anew (rebuilt): give it `auto fingerprint() const`, a value that differs "
                           "wherever what it does later could differ; engine optimal does without");
}

void world::refuse_to_poll() const {
  throw untestable_program(
      merges_paths_ +
      " does not go with receive<...>().or_none(): whether nothing is there depends on who sent before, which is "
      "forgotten where one execution stands for others; engine optimal has it");
}

void world::poll_receive() {
  check_no_mailboxes("receive<...>().or_none()");
  if (!merges_paths_.empty()) refuse_to_poll();
  const auto m = post(running().receiver, nothing_there, nullptr, lane::none);
  guard(m);
  sent(m).may_be_left = true;
  receives_.back().otherwise = m;
  polls_ = true;
}

void world::end_of_receive(const step& s) {
  if (s.mode_before != actor::mode::receiving) return;
  const auto otherwise = receives_[s.awaited_before].otherwise;
  if (otherwise != no_message && otherwise != s.message) withdraw(otherwise);
}

bool world::is_received(message_slot m, step_index e) const {
  const auto& x = message_at(m);
  const auto& r = receives_[awaited_before(x.receiver, e)];
  if (m == r.otherwise) return x.type != &nothing_there || is_nothing_there(x.receiver, r, e);
  return r.pattern->matches(*x.type, x.payload);
}

/// Of each step that happens before the end of step `e`, up to which message it had sent by then: a handler sends one
/// after the other, so who took the first may act before the second is sent.
std::vector<message_slot> world::causal_past(step_index e) const {
  constexpr auto all = std::numeric_limits<message_slot>::max();
  std::vector<message_slot> sent_up_to(step_count(), no_message);
  std::vector<std::pair<step_index, message_slot>> to_visit{{e, all}};
  while (!to_visit.empty()) {
    const auto [i, up_to] = to_visit.back();
    to_visit.pop_back();
    if (i == no_step || sent_up_to[i] >= up_to) continue;
    const bool is_new = sent_up_to[i] == no_message;
    sent_up_to[i] = up_to;
    if (!is_new) continue;
    const auto& s = step_at(i);
    to_visit.emplace_back(s.previous, all);
    to_visit.emplace_back(message_at(s.message).sent_by, s.message);
  }
  return sent_up_to;
}

/// Messages to `a` that match, and that it had not taken before its step `e`.
template <class Visit>
void world::for_each_match(actor_slot a, const receive& r, step_index e, Visit visit) const {
  const auto look = [&](message_slot m) {
    const auto& x = message_at(m);
    if (x.receiver == a && !x.dead && r.pattern->matches(*x.type, x.payload)) visit(m);
  };
  for (auto m = first_pending(); m != no_message; m = next_pending(m)) look(m);
  for (auto i = actor_at(a).last_step; i != no_step && e != no_step && i >= e; i = step_at(i).previous)
    look(step_at(i).message);
}

/// What was sent before actor `a` looked is there. What was sent in no order with that may come later.
bool world::is_nothing_there(actor_slot a, const receive& r, step_index e) const {
  std::vector<message_slot> past;
  bool is_any = false;
  for_each_match(a, r, e, [&](message_slot m) {
    if (is_any) return;
    if (past.empty()) past = causal_past(r.since);
    const auto by = message_at(m).sent_by;
    is_any = by == no_step || (by < past.size() && past[by] >= m);
  });
  return !is_any;
}

/// Where nothing was there, all that matched was sent later: whether steps and sends can be in an order in which that
/// is so.
bool world::can_be() const {
  if (!polls_) return true;
  const auto steps = static_cast<std::uint32_t>(step_count());
  const auto count = static_cast<std::uint32_t>(steps + message_count() + 1);
  std::vector<std::vector<std::uint32_t>> next(count);
  std::vector<std::uint32_t> before(count);
  const auto sending = [steps](message_slot m) { return steps + m; };
  const auto comes_before = [&](std::uint32_t x, std::uint32_t y) {
    next[x].push_back(y);
    ++before[y];
  };
  std::vector<std::uint32_t> last_of(actor_count(), count);  // what each did last
  for (step_index i = 0; i < steps; ++i) {
    const auto& s = step_at(i);
    comes_before(sending(s.message), i);
    auto& last = last_of[s.receiver];
    if (last != count) comes_before(last, i);
    last = i;
    for (const auto m : sent_by(i)) {
      if (message_at(m).sent_by != i) continue;
      comes_before(last, sending(m));
      last = sending(m);
    }
    if (message_at(s.message).type != &nothing_there) continue;
    for_each_match(s.receiver, receives_[s.awaited_before], i,
                   [&](message_slot later) { comes_before(i, sending(later)); });
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t x = 0; x < count; ++x)
    if (before[x] == 0) ready.push_back(x);
  std::size_t done = 0;
  for (; !ready.empty(); ++done) {
    const auto x = ready.back();
    ready.pop_back();
    for (const auto y : next[x])
      if (--before[y] == 0) ready.push_back(y);
  }
  return done == count;
}

void world::wait_for_end(frame* leaf, awaited_reply* reply, actor_id of) {
  const auto watched = resolve(of);
  check_no_mailboxes("self.ended(...)");
  if (!awaits(leaf, reply)) return;
  const auto m = post(watched, end_watch, nullptr, lane::none);
  guard(m);
  wait_for_reply(m);
  auto& x = sent(m);
  x.posthumous = message::when_gone::answered_in_any_order;
  x.may_be_left = true;
  x.makes = step_kind::environment;
}

void world::tell_of_end(message_slot watch) {
  sent(post_reply(watch, reply_of<void>, nullptr)).makes = step_kind::environment;
}

void world::receive_was_dropped(std::string_view what) noexcept {
  if (can_record_drop())
    record_finding(finding_kind::assertion,
                   "nobody waits for self." + std::string(what) + ": write co_await self." + std::string(what), {}, 0);
}

std::string world::what_is_received(actor_slot who) const {
  return receives_[actor_at(who).awaited].pattern->describe();
}

}  // namespace harrier::detail
