#include <harrier/core/system.hpp>

#include <algorithm>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>

#include "queues.hpp"
#include "specifications.hpp"

namespace harrier {

system::system(delivery model) : execution(model), steps_end_with_more_(model == delivery::mailbox_interleaved) {}

system::~system() = default;

void take_down::operator()(system* s) const {
  try {
    s->take_back_everything();
  } catch (...) {
    return;  // a copy of the program's threw: what cannot be taken back stays where it is, for ever
  }
  delete s;
}

void system::take_back_everything() {
  while (!steps_.empty()) undo();
  for (message_slot m = 1; m < messages_.size(); ++m)
    if (messages_[m].owns_payload) messages_[m].type->destroy(messages_[m].payload);
  for (actor_slot a = 0; a < actors_.size(); ++a) actors_[a].type->destroy(actors_[a].state);
}

bool system::deliverable_if_taken(message_slot m) const {
  const auto& x = messages_[m];
  const auto& receiver = actors_[x.receiver];
  if (x.dead || (receiver.state_of_life == actor::mode::gone && x.posthumous == message::when_gone::left)) return false;
  if (receiver.draining) return x.makes == step_kind::machinery;
  if (x.makes == step_kind::timeout && !may_fire(m, no_step)) return false;
  if (allowed_.duplicate != 0 && waits_for_first(m, no_step)) return false;
  const bool is_dear = x.guarded && guards_are_dear_;
  if (is_dear && queues_ != nullptr && !queues_->is_first(m) && is_held_back(m, no_step)) return false;
  if ((actor::is_suspended(receiver.state_of_life) || x.guarded) && !takes(m, no_step)) return false;
  if (was_withdrawn(m, no_step)) return false;
  if (is_dear) return true;
  return queues_ == nullptr || queues_->is_first(m) || receiver.state_of_life == actor::mode::waiting ||
         !is_held_back(m, no_step);
}

bool system::was_deliverable_if_taken(message_slot m, step_index e) const {
  const auto& x = messages_[m];
  const auto& s = steps_[e];
  if (x.dead || (s.mode_before == actor::mode::gone && x.posthumous == message::when_gone::left)) return false;
  if (s.draining_before) return x.makes == step_kind::machinery;
  if (x.makes == step_kind::timeout && !may_fire(m, e)) return false;
  if (allowed_.duplicate != 0 && waits_for_first(m, e)) return false;
  const bool is_dear = x.guarded && guards_are_dear_;
  if (is_dear && queues_ != nullptr && !queues_->is_first(m) && is_held_back(m, e)) return false;
  if ((actor::is_suspended(s.mode_before) || x.guarded) && !takes(m, e)) return false;
  if (was_withdrawn(m, e)) return false;
  if (is_dear) return true;
  return queues_ == nullptr || queues_->is_first(m) || s.mode_before == actor::mode::waiting || !is_held_back(m, e);
}

bool system::is_held_back(message_slot m, step_index e) const {
  constexpr auto in_any_order = message::when_gone::answered_in_any_order;
  const auto mode = mode_before(messages_[m].receiver, e);
  const bool is_gone = mode == actor::mode::gone;
  const bool is_in_no_order = is_gone && messages_[m].posthumous == in_any_order;
  const auto counts = [&](message_slot earlier) {
    if (is_gone && messages_[earlier].posthumous == message::when_gone::left) return false;  // nobody takes it any more
    return !is_in_no_order || messages_[earlier].posthumous != in_any_order;
  };
  return queues_->hold_back(m, e, counts, [&](message_slot earlier) {
    return !was_withdrawn(earlier, e) && (allowed_.duplicate == 0 || !waits_for_first(earlier, e)) &&
           ((!messages_[earlier].guarded && mode != actor::mode::receiving) || takes(earlier, e));
  });
}

void system::withdraw(message_slot m) {
  HARRIER_INVARIANT(messages_[m].receiver == steps_.back().receiver,
                    "what a receiver takes is decided by its own past: it alone withdraws messages to it");
  messages_[m].constrained = messages_[m].withdrawn = true;
  withdrawals_.push_back({m, last_step()});
  steps_.back().needs_cleaning = true;
}

void system::withdraw_none() {
  withdrawals_.push_back({no_message, last_step()});
  steps_.back().needs_cleaning = true;
}

/// Whether that was before step `e`.
bool system::is_among_withdrawn(message_slot m, step_index e) const {
  return std::any_of(withdrawals_.begin(), withdrawals_.end(),
                     [&](const withdrawal& w) { return w.message == m && w.by < e; });
}

std::uint32_t system::times_taken(actor_slot a, const message_type& type, step_index e) const {
  std::uint32_t times = 0;
  for (auto i = actors_[a].last_step; i != no_step; i = steps_[i].previous)
    if (i < e && messages_[steps_[i].message].type == &type) ++times;
  return times;
}

bool system::is_awaited(message_slot m, step_index e) const {
  const auto& x = messages_[m];
  const auto awaited = e == no_step ? actors_[x.receiver].awaited : steps_[e].awaited_before;
  return x.kind == message::role::reply && x.answers == awaited;
}

/// The copy taken by the first step of `a` from `e` on that changed its state, or else the current state.
const void* system::state_before(actor_slot a, step_index e) const {
  const void* state = actors_[a].state;
  for (auto i = actors_[a].last_step; i != no_step && i >= e; i = steps_[i].previous)
    if (steps_[i].state_before != nullptr) state = steps_[i].state_before;
  return state;
}

void system::wait_for_reply(message_slot m) {
  auto& caller = actors_[steps_.back().receiver];
  messages_[m].kind = message::role::request;
  messages_[m].answers = steps_.back().receiver + 1;
  messages_[m].expires = allowed_.crash != 0;
  set_mode(caller, actor::mode::waiting);
  caller.awaited = m;
}

void system::clean(step& s) {
  watch_.step_undone(*this);
  const auto at = last_step();
  for (; !withdrawals_.empty() && withdrawals_.back().by == at; withdrawals_.pop_back())
    messages_[withdrawals_.back().message].withdrawn = false;
  while (!releases_.empty() && releases_.back().by == at) releases_.pop_back();
  while (!armed_.empty() && armed_.back().message >= s.first_sent) armed_.pop_back();
  for (auto m = s.first_sent; m < messages_.size(); ++m)
    if (messages_[m].owns_payload) messages_[m].type->destroy(messages_[m].payload);
  for (auto a = s.first_created; a < actors_.size(); ++a) actors_[a].type->destroy(actors_[a].state);
  choices_.resize(s.first_choice);
  if (s.aborted) {
    --aborts_;
    actors_[s.receiver].failed = false;
    limit_depth(depth_limit_);
  }
  if (messages_.size() > s.first_sent &&
      messages_[static_cast<message_slot>(messages_.size() - 1)].makes == step_kind::stage)
    --outside_messages_;
  if (held_but_ != no_message && held_but_ >= s.first_sent) let_go();
  while (!notes_.empty() && notes_.back().at == at) notes_.pop_back();
  for (; !fates_.empty() && fates_.back().at == at; fates_.pop_back())
    if (const auto& f = fates_.back(); f.drawn == fate::what::crashes && f.who != s.receiver)
      set_mode(actors_[f.who], actor::mode::open);
  while (!mishaps_.empty() && mishaps_.back().at == at) mishaps_.pop_back();
  while (!partitions_.empty() && partitions_.back().said_by == at) partitions_.pop_back();
  for (; !touches_.empty() && touches_.back().at == at; touches_.pop_back())
    last_touch_of_[touches_.back().what] = touches_.back().before;
  if (s.discarded) {
    --discards_;
    if (specifications_ != nullptr && specifications_->scripted() != nullptr)
      if (const auto* withheld = specifications_->scripted()->withheld_by(messages_[s.message].type))
        messages_[s.message].type = withheld;
  }
  if (s.flagged) {
    while (!records_.empty() && records_.back().at == at) records_.pop_back();
  }
}

message_slot system::post_from_outside(actor_slot receiver, const message_type& type, void* payload) {
  sender_ = identities::origin;
  sent_any_ = false;
  for (std::uint32_t i = 0; i < outside_messages_; ++i) next_message_name();
  ++outside_messages_;
  return post(receiver, type, payload);
}

void system::make_room_for(message_id name) {
  slots_.resize(identities_.message_count() + static_cast<std::uint32_t>(name) / 2);
  if (tell_names_ != nullptr && identities_.is_full()) watch_.be_due();
}

message_id system::alternative(message_id message, std::uint64_t code) {
  if (tell_names_ != nullptr && identities_.is_full()) watch_.be_due();
  return identities_.alternative(message, code);
}

void system::collect_names(message_id next) {
  if (tell_names_ == nullptr || !identities_.is_full()) return;
  name_keeper keep(identities_);
  keep(next);
  for (message_slot m = 1; m < messages_.size(); ++m) keep(messages_[m].id);
  for (std::size_t i = 0; i < steps_.size(); ++i) keep(steps_[i].label);
  for (actor_slot a = 0; a < actors_.size(); ++a) keep(actors_[a].id);
  tell_names_(keep);
  identities_.collect(keep);
}

actor_slot system::add_one(const actor_type& type, void* state) {
  last_created_ = created_any_ ? identities_.next_created(last_created_) : identities_.first_created(sender_);
  created_any_ = true;
  const auto slot = static_cast<actor_slot>(actors_.size());
  actors_.push() = {.state_of_life = actor::mode::open,
                    .failed = false,
                    .draining = false,
                    .id = last_created_,
                    .awaited = no_message,
                    .last_step = no_step,
                    .type = &type,
                    .state = state,
                    .activity = nullptr};
  rest_matters_ = rest_matters_ || type.tells_rest() || type.must_end();
  const auto name = static_cast<std::uint32_t>(last_created_);
  if (name >= actor_slots_.size()) actor_slots_.resize(identities_.actor_count() + name / 2);
  actor_slots_[name] = slot;
  return slot;
}

std::uint64_t system::choose(std::uint64_t arity) {
  auto& s = steps_.back();
  s.needs_cleaning = true;
  std::uint64_t scale = 1;
  if (choices_.size() > s.first_choice && __builtin_mul_overflow(choices_.back().scale, choices_.back().arity, &scale))
    throw error("too many data choices in one handler: their combinations exceed 2^64");
  choices_.push_back({arity, scale});
  return s.code / scale % arity;
}

std::uint64_t system::next_code_of_choices() const {
  const auto code = steps_.back().code;
  const auto choices = choices_of(steps_.size() - 1);
  for (auto c = choices.rbegin(); c != choices.rend(); ++c)
    if (code / c->scale % c->arity + 1 < c->arity) return code % (c->scale * c->arity) + c->scale;
  return 0;
}

void system::record_finding(record what) {
  auto& s = steps_.back();
  s.flagged = s.needs_cleaning = true;
  what.at = static_cast<step_index>(steps_.size() - 1);
  what.message = printable(what.message);
  what.file = printable(what.file);
  records_.push_back(std::move(what));
}

void system::leave_note(std::string word) {
  steps_.back().needs_cleaning = true;
  notes_.push_back({last_step(), std::move(word)});
}

void system::touch(actor_slot what) {
  if (what >= last_touch_of_.size()) last_touch_of_.resize(std::size_t{what} + 1);
  auto& last = last_touch_of_[what];
  if (last != 0 && touches_[last - 1].at == last_step()) return;
  steps_.back().needs_cleaning = true;
  touches_.push_back({last_step(), what, last});
  last = static_cast<std::uint32_t>(touches_.size());
}

void system::discard_execution() {
  auto& s = steps_.back();
  if (s.discarded) return;
  s.discarded = true;
  ++discards_;
  abort_execution();
}

void system::abort_execution() {
  auto& s = steps_.back();
  s.aborted = s.needs_cleaning = true;
  set_mode(actors_[s.receiver], actor::mode::gone);
  actors_[s.receiver].failed = true;
  for (auto m = s.first_sent; m < messages_.size(); ++m) {
    messages_[m].dead = true;
    messages_[m].constrained = true;
  }
  ++aborts_;
  if (held_but_ != no_message && held_but_ >= s.first_sent) let_go();  // a script ends what was about to go on
  limit_depth(depth_limit_);
}

void system::limit_depth(std::size_t deliveries) {
  depth_limit_ = deliveries;
  horizon_ = is_held_ || (aborts_ > 0 && !go_on_after_abort_) ? 0 : base_ + deliveries;
}

system::beginning system::begin_here() {
  return begin_at({static_cast<std::uint32_t>(steps_.size()), depth_limit_ - std::min(depth_limit_, depth())});
}

system::beginning system::begin_at(const beginning& there) {
  const beginning before{base_, depth_limit_};
  base_ = there.steps;
  limit_depth(there.depth_limit);
  return before;
}

void system::hold_all_but(message_slot m) {
  is_held_ = true;
  held_but_ = m;
  limit_depth(depth_limit_);
}

void system::let_go() {
  is_held_ = false;
  held_but_ = no_message;
  limit_depth(depth_limit_);
}

void system::take_back_next_stage() {
  const auto m = static_cast<message_slot>(messages_.size() - 1);
  HARRIER_INVARIANT(pending(m) && messages_[m].makes == step_kind::stage, "what begins a stage was posted last");
  if (queues_ != nullptr) queues_->unsend(m);
  const auto last = messages_[m].previous;
  messages_[last].next = no_message;
  messages_[no_message].previous = last;
  messages_.truncate(m);
  --outside_messages_;
}

void system::run_setup() {
  // Nothing but messages: a timer that is armed here fires when the execution has begun.
  const auto next = [this] {
    auto m = first_deliverable();
    while (m != no_message && messages_[m].makes == step_kind::timeout) m = next_deliverable(m);
    return m;
  };
  for (auto m = next(); m != no_message; m = next()) deliver_unwatched(m, 0);
}

void system::begin_exploration() {
  base_ = origin_ = static_cast<std::uint32_t>(steps_.size());
  limit_depth(depth_limit_);
  watch_.forget_deliveries();
}

void system::run(const schedule& planned) {
  // Others' deliveries may follow one that failed: a reduction goes on past it.
  const bool stops_at_abort = !std::exchange(go_on_after_abort_, true);
  limit_depth(depth_limit_);
  try {
    deliver_all(planned);
  } catch (...) {
    go_on_after_abort_ = !stops_at_abort;
    limit_depth(depth_limit_);
    throw;
  }
  go_on_after_abort_ = !stops_at_abort;
  limit_depth(depth_limit_);
}

void system::deliver_all(const schedule& planned) {
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const auto m = planned[i].message;
    if (m == no_message || m >= messages_.size())
      throw error("delivery " + std::to_string(i + 1) + " of the schedule: the message was not sent");
    if (!pending(m) || first_deliverable() == no_message || !deliverable(m))
      throw error("delivery " + std::to_string(i + 1) + " of the schedule: " + actor_name(messages_[m].receiver) + "." +
                  message_text(m) + " cannot be delivered");
    deliver(m, planned[i].code);
  }
}

std::string system::message_text(message_slot m) const {
  return messages_[m].type->describe(*this, messages_[m].payload);
}

std::string system::state_text(actor_slot a) const { return actors_[a].type->describe(*this, actors_[a].state); }

std::vector<fingerprint> system::configuration_parts() const {
  std::vector<fingerprint> parts;
  parts.reserve(actors_.size() + 1);
  for (std::size_t a = 0; a < actors_.size(); ++a) {
    const auto& x = actors_[a];
    const auto state = x.type->hash(x.state);
    const auto awaited = x.state_of_life == actor::mode::receiving ? no_message : x.awaited;
    const std::uint64_t words[] = {
        state.low, state.high,
        static_cast<std::uint64_t>(x.draining) << 40 | static_cast<std::uint64_t>(x.state_of_life) << 32 | awaited,
        static_cast<std::uint64_t>(x.id)};
    parts.push_back(hash_bytes(words, sizeof words));
  }
  for (auto m = first_pending(); m != no_message; m = next_pending(m)) {
    const auto content = messages_[m].type->hash(messages_[m].payload);
    const std::uint64_t words[] = {content.low, content.high,
                                   static_cast<std::uint64_t>(m) << 32 | messages_[m].receiver};
    parts.push_back(hash_bytes(words, sizeof words));
  }
  std::vector<std::uint64_t> rest;
  for (const auto& w : withdrawals_) rest.push_back(static_cast<std::uint64_t>(w.by) << 32 | w.message);
  if (queues_ != nullptr) rest.push_back(queues_->hash());
  parts.push_back(hash_bytes(rest.data(), rest.size() * sizeof(rest[0])));
  return parts;
}

fingerprint system::configuration() const {
  const auto parts = configuration_parts();
  return hash_bytes(parts.data(), parts.size() * sizeof(parts[0]));
}

}  // namespace harrier
