#include <harrier/core/system.hpp>

#include <algorithm>
#include <charconv>

#include <harrier/core/error.hpp>

#include "queues.hpp"

namespace harrier {

system::system(delivery model) : model_(model), polled_at_(std::chrono::steady_clock::now()) {
  auto& head = messages_.push();
  head = message{};
  if (model != delivery::unordered) queues_ = std::make_unique<queues>(*this, model);
}

system::~system() = default;

bool system::deliverable_if_accepted(message_slot m) const {
  const auto& x = messages_[m];
  const auto& receiver = actors_[x.receiver];
  if (x.dead) return false;
  switch (receiver.state_of_life) {
    case actor::mode::gone: return false;
    case actor::mode::waiting:
      if (!receiver.draining) return x.kind == message::role::reply && x.answers == receiver.awaited;
      break;
    case actor::mode::open: break;
  }
  if (receiver.draining) return x.kind == message::role::all_arrived;
  if (x.guarded && !x.type->accepts(receiver.state, x.payload)) return false;
  return queues_ == nullptr || !queues_->hold_back(m, no_step, [&] { return receiver.state; });
}

bool system::was_deliverable(message_slot m, step_index e) const {
  const auto& x = messages_[m];
  const auto& s = steps_[e];
  HARRIER_INVARIANT(s.receiver == x.receiver, "was_deliverable asks about steps of the message's receiver");
  if (x.dead || s.mode_before == actor::mode::gone) return false;
  if (s.draining_before) return x.kind == message::role::all_arrived;
  if (s.mode_before == actor::mode::waiting) return x.kind == message::role::reply && x.answers == s.awaited_before;
  if (x.guarded && !x.type->accepts(state_before(x.receiver, e), x.payload)) return false;
  return queues_ == nullptr || !queues_->hold_back(m, e, [&] { return state_before(x.receiver, e); });
}

/// The copy taken by the first step of `a` from `e` on that changed its state, or else the current state.
const void* system::state_before(actor_slot a, step_index e) const {
  const void* state = actors_[a].state;
  for (auto i = actors_[a].last_step; i != no_step && i >= e; i = steps_[i].previous)
    if (steps_[i].state_before != nullptr) state = steps_[i].state_before;
  return state;
}

void system::clean(step& s) {
  if (monitor_ != nullptr && steps_.size() > base_) monitor_->undone(*this);
  for (auto m = s.first_sent; m < messages_.size(); ++m)
    if (messages_[m].owns_payload) messages_[m].type->destroy(messages_[m].payload);
  for (auto a = s.first_created; a < actors_.size(); ++a) actors_[a].type->destroy(actors_[a].state);
  choices_.resize(s.first_choice);
  if (s.aborted) {
    --aborts_;
    actors_[s.receiver].failed = false;
    limit_depth(depth_limit_);
  }
  if (s.flagged) {
    const auto at = static_cast<step_index>(steps_.size() - 1);
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
  rest_matters_ = rest_matters_ || type.tells_rest();
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
  records_.push_back(std::move(what));
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
  limit_depth(depth_limit_);
}

void system::limit_depth(std::size_t deliveries) {
  depth_limit_ = deliveries;
  horizon_ = aborts_ > 0 && !go_on_after_abort_ ? 0 : base_ + deliveries;
}

void system::run_setup() {
  while (const auto m = first_deliverable()) deliver_unwatched(m, 0);
}

void system::begin_exploration() {
  base_ = static_cast<std::uint32_t>(steps_.size());
  limit_depth(depth_limit_);
  *record_ = {};
}

schedule system::current_schedule() const {
  schedule result;
  result.reserve(depth());
  for (std::size_t i = base_; i < steps_.size(); ++i) result.push_back({steps_[i].code, steps_[i].message});
  return result;
}

void system::run(const schedule& planned) {
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

namespace {

struct by_step {
  bool operator()(const record& r, step_index i) const { return r.at < i; }
  bool operator()(step_index i, const record& r) const { return i < r.at; }
};

}  // namespace

std::span<const record> system::records_of_step(std::size_t i) const {
  const auto [first, last] = std::equal_range(records_.begin(), records_.end(), static_cast<step_index>(i), by_step{});
  return {first, last};
}

void system::report_flagged_step() {
  if (observer_ != nullptr) observer_->step_flagged(*this);
}

void system::note_deliveries(flight_record& record, std::span<scheduled> path) {
  record.begun = record_->begun;
  record.ended = record_->ended;
  record_ = &record;
  path_ = path;
}

std::string system::actor_name(actor_slot a) const {
  if (is_mailbox(a)) return actor_name(a - 1) + ".mailbox";
  if (a == 0) return "driver";
  return actors_[a].type->name() + "_" + std::to_string((has_mailboxes() ? a / 2 : a) - 1);
}

std::string system::message_text(message_slot m) const {
  return messages_[m].type->describe(*this, messages_[m].payload);
}

std::string system::state_text(actor_slot a) const { return actors_[a].type->describe(*this, actors_[a].state); }

std::string system::message_path(message_slot m) const {
  const auto by = messages_[m].sent_by;
  if (by == no_step) return "start";
  const auto k = static_cast<long>(by) - static_cast<long>(base_) + 1;
  return std::to_string(k) + "." + std::to_string(m - steps_[by].first_sent);
}

message_slot system::message_at_path(const std::string& path) const {
  long k = 0;
  long i = 0;
  const auto* end = path.data() + path.size();
  const auto first = std::from_chars(path.data(), end, k);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.') return no_message;
  const auto second = std::from_chars(first.ptr + 1, end, i);
  if (second.ec != std::errc{} || second.ptr != end || i < 0) return no_message;
  const auto by = k + static_cast<long>(base_) - 1;
  if (by < 0 || by >= static_cast<long>(steps_.size())) return no_message;
  const auto step = static_cast<std::size_t>(by);
  const auto m = static_cast<std::size_t>(steps_[step].first_sent) + static_cast<std::size_t>(i);
  return m < sent_end(step) ? static_cast<message_slot>(m) : no_message;
}

fingerprint system::configuration() const {
  std::vector<std::uint64_t> words;
  const auto add = [&words](fingerprint f) { words.insert(words.end(), {f.low, f.high}); };
  for (std::size_t a = 0; a < actors_.size(); ++a) {
    const auto& x = actors_[a];
    words.push_back(static_cast<std::uint64_t>(x.draining) << 40 | static_cast<std::uint64_t>(x.state_of_life) << 32 |
                    x.awaited);
    words.push_back(static_cast<std::uint64_t>(x.id));
    add(x.type->hash(x.state));
  }
  for (auto m = first_pending(); m != no_message; m = next_pending(m)) {
    words.push_back(static_cast<std::uint64_t>(m) << 32 | messages_[m].receiver);
    add(messages_[m].type->hash(messages_[m].payload));
  }
  if (queues_ != nullptr) words.push_back(queues_->hash());
  return hash_bytes(words.data(), words.size() * sizeof(words[0]));
}

}  // namespace harrier
