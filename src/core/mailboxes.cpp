// What a system does under a delivery model.
//
// delivery::mailbox_interleaved in terms of actors and messages alone, so that
// searches need not know of it. Each actor has a mailbox, an actor too. What a
// macro-step sends is put aside. It posts the *arrival* of the first of it at its
// receiver's mailbox; the delivery of an arrival posts the message itself, to be
// taken in that order, and the arrival of the next; the last one tells the
// sender, which takes nothing else before. So two arrivals are dependent iff they
// are at one mailbox, and one actor's come in the order sent.
#include <algorithm>

#include <harrier/core/system.hpp>

#include "queues.hpp"

namespace harrier {

/// Its payload is the message that was sent.
class system::arrival final : public message_type {
public:
  struct what {
    message_slot sent;
    const message_type* type;
    void* payload;
    fingerprint rest;  // stands for it and all that its sender put aside behind it
  };

  void deliver(system& s, step& st) const override {
    const auto sent = static_cast<const what*>(s.messages_[st.message].payload)->sent;
    const auto x = s.messages_[sent];
    const auto here = s.append(x.receiver, *x.type, x.payload);
    auto& m = s.messages_[here];
    m.kind = x.kind;
    m.answers = x.answers;
    m.guarded = x.guarded;
    m.makes = x.makes;
    s.queues_->sent(here, true);
    s.queues_->arrived(sent, here);
    if (const auto next = sent + 1; next < s.sent_end(x.sent_by) && is_visible(s.messages_[next].makes))
      s.post_arrival(next);
    else
      tell_sender(s, s.steps_[x.sent_by].receiver);
  }
  void undo(system& s, step& st) const override {
    s.queues_->not_arrived(static_cast<const what*>(s.messages_[st.message].payload)->sent);
  }
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system& s, const void* payload) const override {
    const auto& w = *static_cast<const what*>(payload);
    return "arrival(" + w.type->describe(s, w.payload) + ")";
  }
  [[nodiscard]] fingerprint hash(const void* payload) const override { return static_cast<const what*>(payload)->rest; }

private:
  static void tell_sender(system& s, actor_slot sender);
};

class system::end_of_arrivals final : public message_type {
public:
  void deliver(system& s, step& st) const override { s.actors_[st.receiver].draining = false; }
  void undo(system&, step&) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "all_arrived()"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {}; }
};

class system::mailbox final : public actor_type {
public:
  void copy(void*, const void*) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "mailbox"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return {}; }
  [[nodiscard]] bool at_rest(const void*) const override { return true; }
  [[nodiscard]] bool tells_rest() const override { return false; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {}; }
};

namespace {

template <class Type>
constexpr Type only{};

}  // namespace

void system::arrival::tell_sender(system& s, actor_slot sender) {
  if (s.actors_[sender].state_of_life == actor::mode::gone) return;
  const auto m = s.append(sender, only<end_of_arrivals>, nullptr);
  s.messages_[m].makes = step_kind::machinery;
  s.queues_->sent(m, false);
}

actor_slot system::add_actor(const actor_type& type, void* state) {
  const auto slot = add_one(type, state);
  if (has_mailboxes()) add_one(only<mailbox>, nullptr);
  return slot;
}

void system::queue(message_slot m, lane in) {
  const bool is_put_aside = has_mailboxes() && sender_ != identities::origin;
  queues_->sent(m, !is_put_aside && (in != lane::none || has_mailboxes()), in);
  if (!is_put_aside) return;
  auto& x = messages_[m];
  messages_[x.previous].next = no_message;
  messages_[no_message].previous = x.previous;
  x.previous = x.next = no_message;
  x.dead = true;
}

bool execution::is_sent_before(message_slot earlier, message_slot later) const {
  return queues_->is_ordered(earlier, later);
}
bool execution::is_known_to(message_slot m, actor_slot a) const { return queues_->is_known(m, actors_[a].last_step); }
message_slot execution::sent_before(message_slot m) const {
  auto before = queues_->before(m);
  while (messages_[before].dead) before = queues_->before(before);
  return before;
}

bool system::is_queued_before(message_slot earlier, message_slot later) const {
  return queues_->is_ahead(earlier, later);
}

void system::take_from_queue(message_slot m) { queues_->taken(m); }

void system::undo_queues(const step& s) {
  queues_->unsend(s.first_sent);
  queues_->put_back(s.message);
  if (!has_mailboxes() || s.first_sent == messages_.size()) return;
  auto linked = s.first_sent;  // the first that was not put aside
  while (linked < messages_.size() && !pending(linked)) ++linked;
  messages_[s.first_sent].previous = messages_[linked < messages_.size() ? linked : no_message].previous;
}

/// At the end of a macro-step: the first of what it sent is on its way.
void system::let_arrive() {
  const auto& s = steps_.back();
  if (is_internal(s.receiver) || s.aborted || s.first_sent == messages_.size()) return;
  auto& sender = actors_[s.receiver];
  sender.draining = sender.state_of_life != actor::mode::gone;
  post_arrival(s.first_sent);
}

fingerprint system::put_aside_from(message_slot sent) const {
  value_bytes all;
  const auto by = messages_[sent].sent_by;
  const auto end = sent_end(by);
  all.reference(actors_[steps_[by].receiver].id);
  for (auto m = sent; m < end && is_visible(messages_[m].makes); ++m) {
    const auto& x = messages_[m];
    all.raw(x.type);
    all.raw(x.kind);
    all.reference(actors_[x.receiver].id);
    all.raw(x.type->hash(x.payload));
  }
  return all.hash();
}

void system::post_arrival(message_slot sent) {
  const auto x = messages_[sent];
  auto* payload = static_cast<arrival::what*>(arena_.allocate(sizeof(arrival::what), alignof(arrival::what)));
  *payload = {sent, x.type, x.payload, put_aside_from(sent)};
  const auto m = append(x.receiver + 1, only<arrival>, payload);
  messages_[m].makes = step_kind::machinery;
  queues_->sent(m, false);
}

message_slot execution::twin_of(message_slot m, bool arrived) const {
  const auto twin = queues_->twin(m);
  if (!arrived) return twin != no_message ? std::min(m, twin) : m;
  if (twin != no_message) return std::max(m, twin);
  return messages_[m].dead ? no_message : m;
}

bool execution::is_taken(message_slot m) const {
  const auto here = has_mailboxes() ? twin_of(m, true) : m;
  return here != no_message && !pending(here);
}

void system::mark_reply(message_slot m, message_slot request) {
  messages_[m].kind = message::role::reply;
  messages_[m].answers = has_mailboxes() ? twin_of(request, false) : request;  // what the caller knows it by
  if (!messages_[request].expires) return;
  messages_[m].expires = messages_[m].may_be_left = true;
  guard(m);
}

void system::run_start_up(message_slot m) {
  deliver_unwatched(m, 0);
  const auto by = last_step();
  const auto starter = steps_[by].receiver;
  while (actors_[starter].draining) {  // first all that it sent arrives
    auto next = first_deliverable();
    while (messages_[next].makes != step_kind::machinery) next = next_deliverable(next);
    deliver_unwatched(next, 0);
  }
  for (const auto sent : sent_by(by)) {
    const auto here = has_mailboxes() ? twin_of(sent, true) : sent;
    if (here != no_message && pending(here) && deliverable(here)) deliver_unwatched(here, 0);
  }
}

}  // namespace harrier
