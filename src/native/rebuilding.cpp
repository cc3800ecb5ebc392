// Actors that cannot be copied. Their local state is how far they are in their history; the object is made where it is
// needed, from the arguments with which it was created, from a clone, or as it began again after a crash, and takes
// from there on again what it took. A step that is taken back takes the object with it, or puts back the clone made
// before.
#include "rebuilding.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/reflect.hpp>

#include "../core/base/current_exception.hpp"
#include "../core/outside.hpp"
#include "restarting.hpp"
#include "suspended.hpp"

namespace harrier::detail {
namespace {

const rebuilt_class& class_in(const world& in, actor_slot a) {
  return static_cast<const rebuilt_class&>(*in.actor_at(a).type);
}

}  // namespace

void rebuilding::begin(step_index i) {
  repeated_ = i;
  const auto sent = in_.sent_by(i);
  next_sent_ = sent.first;
  sent_end_ = sent.last;
  creations_ = draws_ = 0;
  now_ = before() == nullptr ? 0 : before()->now;
}

void rebuilding::repeat(step_index i, const native_actor& type, void* object) {
  const auto& m = in_.message_at(in_.step_at(i).message);
  const auto* const handler = dynamic_cast<const native_message*>(m.type);
  if (handler == nullptr || m.type->receiver_class() != &type) return;
  begin(i);
  const restarting not_now(restart_stage::none);
  handler->repeat(in_, object, m.payload, m.kind == message::role::request);
  end();
}

void rebuilding::repeat_restart(step_index i, const rebuilt_class& type, void* object, const rebuilt_state& before) {
  begin(i);
  next_sent_ = before.sent_from;
  creations_ = before.created_from;
  draws_ = before.drawn_from;
  try {
    const restarting now(restart_stage::giving);
    type.restart_object(in_, object, before.survived.get());
  } catch (...) {
    in_.repeat_throw(false);
  }
  end();
}

/// A message that a fault doubled was not sent by the handler, nor was one from outside.
bool rebuilding::is_not_its_own(message_slot m) const {
  if (is_from_outside(in_, m)) return true;
  const auto fates = in_.fates_of(repeated_);
  return std::any_of(fates.begin(), fates.end(), [m](const fate& f) { return f.second == m; });
}

message_slot rebuilding::next_sent() {
  while (next_sent_ < sent_end_ && is_not_its_own(next_sent_)) ++next_sent_;
  return next_sent_ < sent_end_ ? next_sent_++ : no_message;
}

void rebuilding::end() {
  if (in_.step_at(repeated_).aborted) return;
  if (const auto m = next_sent(); m != no_message) differs("does not send " + in_.message_text(m));
}

void rebuilding::sends(const message_type& type, actor_slot to, const void* payload) {
  const auto m = next_sent();
  if (m == no_message) differs("sends " + type.describe(in_, payload) + " to " + in_.actor_name(to) + " in addition");
  const auto& x = in_.message_at(m);
  if (x.type != &type || x.receiver != to || x.type->hash(x.payload) != type.hash(payload))
    differs("sends " + type.describe(in_, payload) + " to " + in_.actor_name(to) + ", not " + in_.message_text(m) +
            " to " + in_.actor_name(x.receiver));
}

void rebuilding::replies(const message_type& type, const void* value) {
  const auto m = next_sent();
  if (m == no_message) differs("replies");
  const auto& x = in_.message_at(m);
  if (x.kind != message::role::reply) differs("replies before it sends " + in_.message_text(m));
  // One that a `then` waits for is made into another message, from this value.
  if (x.type == &type && value != nullptr && type.hash(value) != type.hash(x.payload))
    differs("gives " + type.describe(in_, value) + ", not " + in_.message_text(m));
}

void rebuilding::throws(bool answers) {
  try {
    throw;
  } catch (const execution_over&) {
    return;
  } catch (const system::nondeterminism&) {
    throw;
  } catch (const untestable_program&) {
    throw;
  } catch (...) {
    if (in_.step_at(repeated_).aborted) return;
    const auto what = text_of_current_exception();
    const auto m = answers ? next_sent() : no_message;
    if (m == no_message || in_.message_at(m).kind != message::role::reply) differs("throws: " + what);
  }
}

actor_id rebuilding::recreated(const actor_type& type) {
  const auto created = in_.created_by(repeated_);
  if (creations_ >= created.size() || in_.actor_at(created[creations_]).type != &type)
    differs("creates an actor of class " + type.name());
  return in_.actor_at(created[creations_++]).id;
}

std::uint64_t rebuilding::drawn(std::uint64_t arity) {
  const auto made = in_.choices_of(repeated_);
  if (draws_ >= made.size() || made[draws_].arity != arity) differs("chooses among " + std::to_string(arity));
  return in_.step_at(repeated_).code / made[draws_++].scale % arity;
}

void rebuilding::differs(const std::string& how) const {
  throw system::nondeterminism(in_.actor_name(who_) + "." + in_.message_text(in_.step_at(repeated_).message) +
                               " behaves differently when the actor is made anew and takes again what it took: it " +
                               how);
}

void rebuilt_class::copy(void* target, const void* state) const {
  const auto& of = *static_cast<const rebuilt_state*>(state);
  auto& made = *::new (target) rebuilt_state;
  made.in = of.in;
  made.who = of.who;
  made.last = of.last;
  made.made_by = of.made_by;
  made.shown = of.shown;
  made.mark = of.mark;
  made.survivors = of.object == nullptr || of.survivors != nullptr ? of.survivors : survivors(of.object);
}

void rebuilt_class::destroy(void* state) const {
  auto& of = *static_cast<rebuilt_state*>(state);
  if (of.object != nullptr) discard(of.object);
  std::destroy_at(&of);
}

const void* rebuilt_class::object(const void* state) const {
  auto& of = const_cast<rebuilt_state&>(*static_cast<const rebuilt_state*>(state));  // what it holds is remembered
  if (of.object == nullptr) of.in->make_anew(of);
  return of.object;
}

void rebuilt_class::adopt(world& by, actor_slot a, void* state) const {
  auto& of = *static_cast<rebuilt_state*>(state);
  of.in = &by;
  of.who = a;
  of.last = no_step;
}

void rebuilt_class::restart(void* state, const void* /*created*/, const void* kept) const {
  auto& of = *static_cast<rebuilt_state*>(state);
  discard(std::exchange(of.object, nullptr));
  {
    const restarting now(restart_stage::making);
    of.object = of.made_by->make();
  }
  of.survivors = static_cast<const rebuilt_state*>(kept)->survivors;
  of.in->note_restart(of);
}

void rebuilt_class::restarted(world& in, void* state) const {
  auto& of = *static_cast<rebuilt_state*>(state);
  try {
    const restarting now(restart_stage::giving);
    restart_object(in, of.object, of.survivors.get());
  } catch (...) {
    in.handler_threw(no_message);
  }
  of.survivors = nullptr;
  in.look_at_rebuilt(*this, of, &in.step_at(in.last_step()));
}

actor_slot world::add_rebuilt(const rebuilt_class& type, std::shared_ptr<const object_maker> made_by) {
  if (!type.has_fingerprint() && unseen_ == nullptr) {
    unseen_ = &type;
    refuse_unseen();
  }
  auto* const state = ::new (memory().allocate(sizeof(rebuilt_state), alignof(rebuilt_state))) rebuilt_state;
  state->in = this;
  state->who = static_cast<actor_slot>(actor_count());
  state->made_by = std::move(made_by);
  try {
    state->object = state->made_by->make();
    look_at_rebuilt(type, *state, nullptr);
  } catch (...) {
    type.destroy(state);
    throw;
  }
  const auto slot = add_actor(type, state);
  state->who = slot;
  running().needs_cleaning = true;
  if (allowed_faults().crash != 0) keep_as_created(slot);
  return slot;
}

void* world::begin_rebuilt(step& s) {
  auto& now = *static_cast<rebuilt_state*>(actor_in(s.receiver).state);
  const auto& type = class_in(*this, s.receiver);
  if (now.object == nullptr) make_anew(now);
  void* const clone = type.clone(now.object);
  auto* const before = ::new (memory().allocate(sizeof(rebuilt_state), alignof(rebuilt_state))) rebuilt_state(now);
  before->object = clone;
  before->now = this->now();
  s.state_before = before;
  if (allowed_faults().crash != 0) before->survivors = type.survivors(now.object);
  return now.object;
}

void world::end_rebuilt(step& s) {
  auto& now = *static_cast<rebuilt_state*>(actor_in(s.receiver).state);
  now.last = last_step();
  look_at_rebuilt(class_in(*this, s.receiver), now, &s);
}

// Without a fingerprint, all that it took stands for the state.
void world::look_at_rebuilt(const rebuilt_class& type, rebuilt_state& state, const step* taken) {
  state.shown = type.shown(state.object);
  if (state.shown != nullptr) {
    state.mark = type.hash_of_shown(state.shown.get());
    return;
  }
  if (taken == nullptr) return;
  const auto& m = message_at(taken->message);
  const auto content = m.type->hash(m.payload);
  std::vector<fingerprint> all = {state.mark, content, {taken->code, static_cast<std::uint64_t>(m.kind)}};
  for (const auto a : created_by(last_step())) all.push_back(names().name_of(actor_at(a).id));
  state.mark = hash_bytes(all.data(), all.size() * sizeof all[0]);
}

void world::undo_rebuilt(step& s) {
  auto* const before = static_cast<rebuilt_state*>(s.state_before);
  if (before == nullptr) return;  // it could not be made anew
  auto& now = *static_cast<rebuilt_state*>(actor_in(s.receiver).state);
  const auto& type = class_in(*this, s.receiver);
  if (now.object != nullptr) type.discard(now.object);
  now.object = std::exchange(before->object, nullptr);
  now.last = before->last;
  now.shown = std::move(before->shown);
  now.mark = before->mark;
  now.survivors = nullptr;
  std::destroy_at(before);
}

void world::note_restart(const rebuilt_state& state) {
  auto& before = *static_cast<rebuilt_state*>(running().state_before);
  before.restarted = true;
  before.sent_from = static_cast<message_slot>(message_count() + 1);
  before.created_from = static_cast<std::uint32_t>(created_by(last_step()).size());
  before.drawn_from = static_cast<std::uint32_t>(choices_of(last_step()).size());
  before.survived = state.survivors;
}

void world::make_anew(rebuilt_state& state) {
  const auto& type = class_in(*this, state.who);
  const auto before = [this](step_index i) { return static_cast<rebuilt_state*>(step_at(i).state_before); };
  std::vector<step_index> history;
  auto restarted_in = no_step;
  for (auto i = state.last; i != no_step && state.object == nullptr; i = step_at(i).previous) {
    const auto* const then = before(i);
    if (then != nullptr && then->restarted) {
      restarted_in = i;
      break;
    }
    history.push_back(i);
    if (then != nullptr && then->object != nullptr) state.object = type.clone(then->object);
  }
  if (state.object == nullptr) {
    const restarting now(restarted_in == no_step ? restart_stage::none : restart_stage::making);
    state.object = state.made_by->make();
  }
  struct in_progress {
    world& in;
    std::unique_ptr<rebuilding> outer;
    bool was_muted;
    ~in_progress() {
      in.muted_ = was_muted;
      in.rebuilding_ = std::move(outer);
    }
  };
  const auto shown = state.shown;
  const auto mark = state.mark;
  try {
    const in_progress now{*this, std::exchange(rebuilding_, std::make_unique<rebuilding>(*this, state.who)),
                          std::exchange(muted_, true)};
    if (restarted_in != no_step) rebuilding_->repeat_restart(restarted_in, type, state.object, *before(restarted_in));
    for (auto k = history.rbegin(); k != history.rend(); ++k) rebuilding_->repeat(*k, type, state.object);
    if (shown != nullptr && !history.empty() && type.hash_of_shown(type.shown(state.object).get()) != mark)
      rebuilding_->differs("is left in another state, by its fingerprint");
  } catch (...) {
    type.discard(std::exchange(state.object, nullptr));
    throw;
  }
}

void world::repeat_send(const message_type& type, actor_slot to, const void* payload) {
  if (makes_anew()) rebuilding_->sends(type, to, payload);
}
void world::compare_reply(const message_type& type, const void* value) { rebuilding_->replies(type, value); }
void world::repeat_throw(bool answers) { rebuilding_->throws(answers); }
actor_slot world::acting() const { return makes_anew() ? rebuilding_->who() : step_at(last_step()).receiver; }

}  // namespace harrier::detail
