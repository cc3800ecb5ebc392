#include "suspended.hpp"

#include <memory>
#include <new>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/native/reflect.hpp>

namespace harrier::detail {

namespace {

/// `100ms`
std::string in_largest_unit(std::int64_t nanoseconds) {
  struct unit {
    std::int64_t in_nanoseconds;
    const char* name;
  };
  for (const auto& u : {unit{1'000'000'000, "s"}, unit{1'000'000, "ms"}, unit{1000, "us"}})
    if (nanoseconds % u.in_nanoseconds == 0) return std::to_string(nanoseconds / u.in_nanoseconds) + u.name;
  return std::to_string(nanoseconds) + "ns";
}

}  // namespace

void failure_type::destroy(void* payload) const { std::destroy_at(static_cast<std::string*>(payload)); }
void failure_type::copy(void* target, const void* payload) const {
  ::new (target) std::string(*static_cast<const std::string*>(payload));
}
std::string failure_type::describe(const system&, const void* payload) const {
  return "failure(" + literal_of(*static_cast<const std::string*>(payload)) + ")";
}
fingerprint failure_type::hash(const void* payload) const { return hash_of(*static_cast<const std::string*>(payload)); }
void failure_type::write(const void* payload, value_bytes& out) const {
  write_value(*static_cast<const std::string*>(payload), out);
}

void expiry_type::copy(void* target, const void* payload) const {
  ::new (target) std::int64_t(*static_cast<const std::int64_t*>(payload));
}
std::string expiry_type::describe(const system&, const void* payload) const {
  return std::string(what_) + "(" + in_largest_unit(*static_cast<const std::int64_t*>(payload)) + ")";
}
fingerprint expiry_type::hash(const void* payload) const { return hash_of(*static_cast<const std::int64_t*>(payload)); }
void expiry_type::write(const void* payload, value_bytes& out) const {
  write_value(*static_cast<const std::int64_t*>(payload), out);
}

void suspended_handlers::save(step& s) {
  const auto& receiver = world_.actor_in(s.receiver);
  const auto& type = static_cast<const native_actor&>(*receiver.type);
  auto* copy = world_.memory().allocate(type.size, type.alignment);
  type.copy(copy, receiver.state);
  s.state_before = copy;
}

void suspended_handlers::restore(step& s) {
  if (s.state_before == nullptr) return;
  const auto& receiver = world_.actor_in(s.receiver);
  receiver.type->destroy(receiver.state);
  receiver.type->copy(receiver.state, s.state_before);
  receiver.type->destroy(s.state_before);
}

activity& suspended_handlers::begin() {
  auto* a = ::new (world_.memory().allocate(sizeof(activity), alignof(activity))) activity;
  world_.actor_in(world_.running().receiver).activity = a;
  return *a;
}

void suspended_handlers::wait(frame* leaf, awaited_reply* reply) {
  auto& a =
      rebuilt_ != nullptr ? *rebuilt_ : *static_cast<activity*>(world_.actor_in(world_.running().receiver).activity);
  a.leaf = leaf;
  a.awaiting = reply;
}

void suspended_handlers::wait(const continuation& value, const continuation* failure) {
  if (rebuilt_ != nullptr || world_.actor_in(world_.running().receiver).activity != nullptr)
    throw error(
        "then after an earlier then of the same handler, or in a coroutine: a handler waits for one reply at a time");
  auto& a = begin();
  a.on_value = &value;
  a.on_error = failure;
}

activity* suspended_handlers::continuation_of(message_slot request) {
  auto* a = static_cast<activity*>(world_.actor_in(world_.sent(request).answers - 1).activity);
  return a != nullptr && a->on_value != nullptr ? a : nullptr;
}

actor_id suspended_handlers::recreated() {
  const auto created = world_.created_by(repeated_);
  if (creations_ >= created.size()) rebuilt_differently(*rebuilt_);
  return world_.actor_at(created[creations_++]).id;
}

std::uint64_t suspended_handlers::drawn(std::uint64_t arity) {
  const auto made = world_.choices_of(repeated_);
  if (draws_ >= made.size() || made[draws_].arity != arity) rebuilt_differently(*rebuilt_);
  return world_.step_at(repeated_).code / made[draws_++].scale % arity;
}

void suspended_handlers::start(const native_message& handler, void* state, const void* payload) {
  auto& a = begin();
  a.handler = &handler;
  a.started = static_cast<step_index>(world_.step_count() - 1);
  a.leaf = a.outermost = handler.start(world_, state, payload);
  if (a.outermost == nullptr) {
    world_.actor_in(world_.running().receiver).activity = nullptr;
    throw error("a handler returned a harrier::task that was moved from");
  }
  a.live = true;
  advance(a);
  conclude(a);
}

void suspended_handlers::advance(activity& a) {
  auto* f = a.leaf;
  f->handle.resume();
  while (f->handle.done() && f->awaited_by != nullptr) {
    f = f->awaited_by;
    f->handle.resume();
  }
}

void suspended_handlers::conclude(activity& a) {
  if (!a.outermost->handle.done()) return;
  const auto started = world_.step_at(a.started).message;
  const auto request = world_.message_at(started).kind == message::role::request ? started : no_message;
  auto& who = world_.actor_in(world_.running().receiver);
  if (actor::is_suspended(who.state_of_life)) world_.set_mode(who, actor::mode::open);
  who.activity = nullptr;
  struct ended {
    suspended_handlers& all;
    activity& a;
    ~ended() { all.drop_frame(a); }  // also if what was thrown ends the search
  } const now{*this, a};
  try {
    a.handler->finish(world_, *a.outermost, request);
  } catch (...) {
    world_.handler_threw(request);
  }
}

void suspended_handlers::drop_frame(activity& a) {
  if (!a.live) return;
  a.live = false;
  world_.destroys_frames_ = true;
  a.outermost->handle.destroy();
  world_.destroys_frames_ = false;
  a.outermost = a.leaf = nullptr;
}

void suspended_handlers::undo_start(const step& s) {
  auto* a = static_cast<activity*>(world_.actor_in(s.receiver).activity);
  if (a != nullptr && a != s.activity_before) drop_frame(*a);
}

void suspended_handlers::resume(step& s, awaited_reply reply) {
  save(s);
  auto& a = *static_cast<activity*>(world_.actor_in(s.receiver).activity);
  if (a.handler == nullptr) {  // a `then` without an error handler: the callee's exception is the caller's
    world_.open(world_.actor_in(s.receiver));
    world_.record_finding(finding_kind::exception, reply.failure, {}, 0);
    world_.abort_execution();
    return;
  }
  if (!a.live) rebuild(a, s.receiver);
  world_.end_of_receive(s);
  world_.open(world_.actor_in(s.receiver));
  world_.actor_in(s.receiver).activity = &a;
  *a.awaiting = reply;
  advance(a);
  conclude(a);
  world_.end_step();
}

void suspended_handlers::undo_resume(step& s) {
  auto* a = static_cast<activity*>(s.activity_before);
  if (a != nullptr) drop_frame(*a);
  restore(s);
}

void suspended_handlers::rebuild(activity& a, actor_slot who) {
  replies_.clear();
  for (auto i = world_.running().previous; i != a.started; i = world_.step_at(i).previous)
    if (is_visible(world_.step_at(i).kind)) replies_.push_back(i);

  const auto& first = world_.step_at(a.started);
  auto& actor = world_.actor_in(who);
  if (first.state_before != nullptr) {
    actor.type->destroy(actor.state);
    actor.type->copy(actor.state, first.state_before);
  }
  world_.muted_ = true;
  rebuilt_ = &a;
  const auto repeat = [&](step_index i) {
    repeated_ = i;
    creations_ = draws_ = 0;
    advance(a);
    if (a.outermost->handle.done()) rebuilt_differently(a);
  };
  a.leaf = a.outermost = a.handler->start(world_, actor.state, world_.message_at(first.message).payload);
  a.live = true;
  repeat(a.started);
  for (auto i = replies_.rbegin(); i != replies_.rend(); ++i) {
    const auto& m = world_.message_at(world_.step_at(*i).message);
    if (m.type == &failure_reply)
      *a.awaiting = {.failure = static_cast<const std::string*>(m.payload)->c_str()};
    else if (is_nothing(*m.type))
      *a.awaiting = {.expired = true};
    else
      *a.awaiting = {.value = m.payload, .type = m.type};
    repeat(*i);
  }
  world_.muted_ = false;
  rebuilt_ = nullptr;
  if (actor.type->hash(actor.state) != actor.type->hash(world_.running().state_before)) rebuilt_differently(a);
}

void suspended_handlers::rebuilt_differently(const activity& a) {
  world_.muted_ = false;
  rebuilt_ = nullptr;
  const auto& first = world_.step_at(a.started);
  throw system::nondeterminism(world_.actor_name(first.receiver) + "." + world_.message_text(first.message) +
                               " behaves differently when repeated from its start with the same replies");
}

}  // namespace harrier::detail
