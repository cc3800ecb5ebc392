#include "queues.hpp"

#include "base/mix.hpp"
#include "outside.hpp"

namespace harrier {
namespace {

constexpr auto from_outside = 0xffffffffU;
/// Of those taken long ago, of which there may be millions, a step and its undoing change nothing.
constexpr message_slot most_looked_at = 4096;
/// Messages that wait before the first of a queue; where there are more, it is looked for from its end.
constexpr int most_of_others = 8;

actor_slot sender_of(const execution& s, message_slot m) {
  const auto by = s.message_at(m).sent_by;
  return by == no_step ? from_outside : s.step_at(by).receiver;
}

struct everything {
  template <class Visit>
  void for_each_predecessor(step_index f, Visit visit) const {
    for (step_index e = 0; e < f; ++e) visit(e);
  }
};

}  // namespace

message_slot& queues::newest(message_slot m) {
  const auto receiver = execution_.message_at(m).receiver;
  if (model_ == delivery::fifo) {
    return newest_of_pair_[static_cast<std::uint64_t>(sender_of(execution_, m)) << 32 | receiver];
  }
  if (receiver >= newest_of_receiver_.size()) newest_of_receiver_.resize(execution_.actor_count(), no_message);
  return newest_of_receiver_[receiver];
}

bool queues::is_in_queue_of(message_slot p, message_slot m) const {
  if (!places_[p].is_queued || execution_.message_at(p).receiver != execution_.message_at(m).receiver) return false;
  return model_ != delivery::fifo || sender_of(execution_, p) == sender_of(execution_, m);
}

message_slot queues::oldest_ahead_of(message_slot m) const {
  auto p = execution_.first_pending();
  for (int i = 0; i < most_of_others && p != no_message && p < m; ++i, p = execution_.next_pending(p)) {
    const auto& x = execution_.message_at(p);
    if (!is_in_queue_of(p, m) || x.dead || !keeps(places_[p].in, places_[m].in)) continue;
    if (model_ == delivery::causal && !is_ordered(p, m)) continue;
    return x.guarded ? p : no_message;
  }
  return no_message;
}

void queues::sent(message_slot m, bool is_queued, lane in) {
  auto& own = places_.push();
  own = {};
  own.is_queued = is_queued;
  own.in = in;
  if (!is_queued) return;
  auto& tail = newest(m);
  own.before = tail;
  own.guarded_before = tail != no_message && (places_[tail].guarded_before || execution_.message_at(tail).guarded);
  tail = m;
}

void queues::unsend(message_slot first) {
  for (auto m = static_cast<message_slot>(places_.size()); m-- > first;)
    if (places_[m].is_queued) newest(m) = places_[m].before;
  places_.truncate(first);
}

void queues::taken(message_slot m) {
  places_[m].taken_by = execution_.last_step();
  if (!order_) return;
  if (is_from_outside(execution_, m)) {
    outside_.push_back(execution_.last_step());
    order_->push(everything{});
  } else {
    order_->push(causality{execution_});
  }
}

void queues::put_back(message_slot m) {
  places_[m].taken_by = no_step;
  if (!order_) return;
  order_->pop();
  if (!outside_.empty() && outside_.back() == execution_.last_step()) outside_.pop_back();
}

bool queues::is_ahead(message_slot earlier, message_slot later) const {
  const auto& a = places_[earlier];
  const auto& b = places_[later];
  if (!a.is_queued || !b.is_queued || !keeps(a.in, b.in) || earlier >= later) return false;
  if (execution_.message_at(earlier).receiver != execution_.message_at(later).receiver) return false;
  if (model_ == delivery::fifo) return sender_of(execution_, earlier) == sender_of(execution_, later);
  return is_ordered(earlier, later);
}

bool queues::is_ordered(message_slot earlier, message_slot later) const {
  if (model_ != delivery::causal) return true;
  const auto e = execution_.message_at(earlier).sent_by;
  const auto f = execution_.message_at(later).sent_by;
  if (e == no_step || e == f) return earlier < later;
  return is_known(earlier, f);
}

bool queues::is_known(message_slot earlier, step_index f) const {
  const auto e = execution_.message_at(earlier).sent_by;
  if (e == no_step) return true;
  if (f == no_step) return false;
  if (execution_.step_at(e).receiver == execution_.step_at(f).receiver) return e <= f;
  if (!order_->before(e, f)) return false;
  for (const auto start : outside_)
    if (e < start && order_->before(start, f)) return true;
  // Of what comes after e, only what its later sends and its actor's next step led to comes after this send.
  for (auto m = earlier; m < execution_.sent_end(e); ++m)
    if (const auto by = places_[m].taken_by; by != no_step && order_->before(by, f)) return true;
  auto next = execution_.actor_at(execution_.step_at(e).receiver).last_step;
  while (next > e && execution_.step_at(next).previous != e) next = execution_.step_at(next).previous;
  return next != e && order_->before(next, f);
}

std::uint64_t queues::hash() const {
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t queue, message_slot m) {
    if (m != no_message) sum += internal::mix(internal::mix(1, queue), m);
  };
  for (const auto& [pair, m] : newest_of_pair_) add(pair, m);
  for (std::size_t a = 0; a < newest_of_receiver_.size(); ++a) add(a, newest_of_receiver_[a]);
  const auto add_place = [&](message_slot m) { add(m, places_[m].taken_by != no_step ? 1 + places_[m].taken_by : 0); };
  const auto count = static_cast<message_slot>(places_.size());
  for (auto m = count > most_looked_at ? count - most_looked_at : 1; m < count; ++m) add_place(m);
  for (auto m = execution_.first_pending(); m != no_message && m + most_looked_at < count;
       m = execution_.next_pending(m))
    add_place(m);
  return sum;
}

}  // namespace harrier
