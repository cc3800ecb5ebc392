#include <harrier/native/world.hpp>

namespace harrier::detail {
namespace {

/// The reply of a callee that threw; its payload is what the exception said.
class failure_type final : public message_type {
public:
  void deliver(system& s, step& st) const override {
    const auto* text = static_cast<const std::string*>(s.message_at(st.message).payload);
    static_cast<world&>(s).resume(st, {.failure = text->c_str()});
  }
  void undo(system& s, step& st) const override { static_cast<world&>(s).undo_resume(st); }
  void destroy(void* payload) const override { std::destroy_at(static_cast<std::string*>(payload)); }
  [[nodiscard]] std::string describe(const system&, const void* payload) const override {
    return "failure(\"" + *static_cast<const std::string*>(payload) + "\")";
  }
  [[nodiscard]] fingerprint hash(const void* payload) const override {
    return hash_of(*static_cast<const std::string*>(payload));
  }
  void write(const void* payload, value_bytes& out) const override {
    write_value(*static_cast<const std::string*>(payload), out);
  }
};
constexpr failure_type failure_reply{};

std::string text_of_current_exception() {
  try {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

bool world::takes(message_slot m, step_index e) const {
  const auto& x = message_at(m);
  if (mode_before(x.receiver, e) == actor::mode::waiting) return is_awaited(m, e);
  return static_cast<const native_message*>(x.type)->accepts(state_before(x.receiver, e), x.payload);
}

// A suspended handler is a function of what it started from, of what it drew, of the names of the actors it created,
// and of the replies it got: its frame is not looked at.
void world::write_activity(actor_slot who, value_bytes& out) const {
  const auto& actor = actor_at(who);
  const auto* a = static_cast<const activity*>(actor.activity);
  if (actor.state_of_life != actor::mode::waiting || a == nullptr) return;
  out.raw(a->handler);
  if (a->handler == nullptr) {
    out.raw(a->on_value);
    out.raw(a->on_error);
    return;
  }
  for (auto i = actor.last_step; i != no_step; i = step_at(i).previous) {
    const auto& s = step_at(i);
    const auto& m = message_at(s.message);
    out.raw(m.type);
    m.type->write(m.payload, out);
    out.raw(s.code);
    for (auto c = s.first_created; c < created_end(i); ++c) out.reference(actor_at(c).id);
    if (i != a->started) continue;
    actor.type->write(s.state_before != nullptr ? s.state_before : actor.state, out);
    if (m.kind == message::role::request) out.reference(actor_at(m.answers - 1).id);
    return;
  }
}

void world::start_up_driver() {
  const auto start = static_cast<message_slot>(message_count());
  if (!deliverable(start)) throw untestable_program("the driver's set_up destroyed the driver, or it still waits");
  run_start_up(start);
}

void world::test_driver() {
  const auto fail_if_flagged = [this](std::size_t from) {
    for (auto i = from; i < step_count(); ++i)
      if (step_at(i).flagged)
        throw untestable_program("the program fails before its first message, in " + actor_name(step_at(i).receiver) +
                                 "." + message_text(step_at(i).message) + ": " + records_of_step(i).front().message);
  };
  const auto set_up = step_count();
  for (std::size_t i = 0; i < set_up; ++i)
    if (!choices_of(i).empty())
      throw untestable_program("the set-up chooses, in " + actor_name(step_at(i).receiver) + "." +
                               message_text(step_at(i).message) + "; choose in the test instead");
  fail_if_flagged(0);
  const auto test = static_cast<message_slot>(message_count());
  if (!deliverable(test))
    throw untestable_program("the driver's set_up destroyed the driver, or it still waits for a reply");
  deliver_in_setup(test);
  if (!choices_of(step_count() - 1).empty()) undo();  // then the driver's step is explored like any other
  fail_if_flagged(set_up);
  begin_exploration();
}

void world::nobody(actor_id id) {
  throw error(id == no_actor ? "a message to an empty ref: it was never given an actor"
                             : "a message to an actor of another execution: refs must not be kept in global variables");
}

void world::save_by_type(step& s) {
  const auto& receiver = actor_in(s.receiver);
  const auto& type = static_cast<const native_actor&>(*receiver.type);
  auto* copy = memory().allocate(type.size, type.alignment);
  type.copy(copy, receiver.state);
  s.state_before = copy;
}

void world::restore_by_type(step& s) {
  if (s.state_before == nullptr) return;
  const auto& receiver = actor_in(s.receiver);
  receiver.type->destroy(receiver.state);
  receiver.type->copy(receiver.state, s.state_before);
  receiver.type->destroy(s.state_before);
}

actor_id world::recreated() {
  const auto created = created_by(muted_step_);
  if (muted_creations_ >= created.size()) rebuilt_differently(*muted_activity_);
  return actor_at(created[muted_creations_++]).id;
}

std::uint64_t world::choose_value(std::uint64_t arity) {
  if (!muted_) return choose(arity);
  const auto made = choices_of(muted_step_);
  if (muted_choices_ >= made.size() || made[muted_choices_].arity != arity) rebuilt_differently(*muted_activity_);
  return step_at(muted_step_).code / made[muted_choices_++].scale % arity;
}

activity& world::new_activity() {
  auto* a = ::new (memory().allocate(sizeof(activity), alignof(activity))) activity;
  actor_in(running().receiver).activity = a;
  return *a;
}

void world::reject_then_in_coroutine() {
  if (muted_ || actor_in(running().receiver).activity != nullptr)
    throw error(
        "then after an earlier then of the same handler, or in a coroutine: a handler waits for one reply at a time");
}

activity* world::continuation_of(message_slot request) {
  auto* a = static_cast<activity*>(actor_in(sent(request).answers - 1).activity);
  return a != nullptr && a->on_value != nullptr ? a : nullptr;
}

message_slot world::post_reply(message_slot request, const message_type& type, void* payload) {
  const auto m = post(sent(request).answers - 1, type, payload);
  mark_reply(m, request);
  return m;
}

message_slot world::post_continuation(message_slot request, const continuation& next, const void* result) {
  const auto m = post_reply(request, *next.type, next.payload(memory(), result));
  if (next.owns_payload) sent(m).owns_payload = running().needs_cleaning = true;
  return m;
}

void world::reply(message_slot request) {
  if (auto* a = continuation_of(request))
    post_continuation(request, *a->on_value, nullptr);
  else
    post_reply(request, reply_of<void>, nullptr);
}

void world::reply_failure(message_slot request, const std::string& what) {
  // The caller can read it, so it must be the same in every interleaving: no actor's number, not even in arguments.
  const auto called = message_text(request);
  const auto text =
      actor_at(sent(request).receiver).type->name() + "." + called.substr(0, called.find('(')) + " threw: " + what;
  if (auto* a = continuation_of(request); a != nullptr && a->on_error != nullptr) {
    post_continuation(request, *a->on_error, &text);
    return;
  }
  auto* payload = memory().allocate(sizeof(std::string), alignof(std::string));
  ::new (payload) std::string(text);
  const auto m = post_reply(request, failure_reply, payload);
  sent(m).owns_payload = running().needs_cleaning = true;
}

void world::handler_threw(message_slot request) {
  try {
    throw;
  } catch (const execution_over&) {
    return;
  } catch (const nondeterminism&) {
    throw;
  } catch (...) {
    const auto what = text_of_current_exception();
    if (request != no_message) {
      reply_failure(request, what);
    } else {
      record_finding(finding_kind::exception, what, {}, 0);
      abort_execution();
    }
  }
}

void world::finish_destroying() {
  destroying_ = false;
  auto& a = actor_in(running().receiver);
  if (auto* suspended = static_cast<activity*>(a.activity)) drop_frame(*suspended);
  set_mode(a, actor::mode::gone);
}

void world::open(actor& a) {
  set_mode(a, actor::mode::open);
  a.activity = nullptr;
}

void world::start_activity(const native_message& handler, void* state, const void* payload) {
  auto& a = new_activity();
  a.handler = &handler;
  a.started = static_cast<step_index>(step_count() - 1);
  a.leaf = a.outermost = handler.start(*this, state, payload);
  a.live = true;
  advance(a);
  conclude(a);
}

void world::advance(activity& a) {
  auto* f = a.leaf;
  f->handle.resume();
  while (f->handle.done() && f->awaited_by != nullptr) {
    f = f->awaited_by;
    f->handle.resume();
  }
}

void world::conclude(activity& a) {
  if (!a.outermost->handle.done()) return;
  const auto request = request_of(step_at(a.started));
  auto& who = actor_in(running().receiver);
  if (who.state_of_life == actor::mode::waiting) set_mode(who, actor::mode::open);
  who.activity = nullptr;
  try {
    a.handler->finish(*this, *a.outermost, request);
  } catch (...) {
    handler_threw(request);
  }
  drop_frame(a);
}

void world::drop_frame(activity& a) {
  if (!a.live) return;
  a.live = false;
  a.outermost->handle.destroy();
  a.outermost = a.leaf = nullptr;
}

void world::undo_start(step& s) {
  auto* a = static_cast<activity*>(actor_in(s.receiver).activity);
  if (a != nullptr && a != s.activity_before) drop_frame(*a);
}

void world::resume(step& s, awaited_reply reply) {
  save_by_type(s);
  auto& a = running_activity();
  if (a.handler == nullptr) {  // a `then` without an error handler: the callee's exception is the caller's
    open(actor_in(s.receiver));
    record_finding(finding_kind::exception, reply.failure, {}, 0);
    abort_execution();
    return;
  }
  if (!a.live) rebuild(a, s.receiver);
  open(actor_in(s.receiver));
  actor_in(s.receiver).activity = &a;
  *a.awaiting = reply;
  advance(a);
  conclude(a);
  end_step();
}

void world::undo_resume(step& s) {
  auto* a = static_cast<activity*>(s.activity_before);
  if (a != nullptr) drop_frame(*a);
  restore_by_type(s);
}

void world::rebuild(activity& a, actor_slot who) {
  auto& replies = rebuild_scratch_;
  replies.clear();
  for (auto i = running().previous; i != a.started; i = step_at(i).previous)
    if (message_at(step_at(i).message).kind == message::role::reply) replies.push_back(i);

  const auto& first = step_at(a.started);
  auto& actor = actor_in(who);
  if (first.state_before != nullptr) {
    actor.type->destroy(actor.state);
    actor.type->copy(actor.state, first.state_before);
  }
  muted_ = true;
  muted_activity_ = &a;
  const auto repeat = [&](step_index i) {
    muted_step_ = i;
    muted_creations_ = muted_choices_ = 0;
    advance(a);
    if (a.outermost->handle.done()) rebuilt_differently(a);
  };
  a.leaf = a.outermost = a.handler->start(*this, actor.state, message_at(first.message).payload);
  a.live = true;
  repeat(a.started);
  for (auto i = replies.rbegin(); i != replies.rend(); ++i) {
    const auto& m = message_at(step_at(*i).message);
    *a.awaiting = m.type == &failure_reply
                      ? awaited_reply{.failure = static_cast<const std::string*>(m.payload)->c_str()}
                      : awaited_reply{.value = m.payload};
    repeat(*i);
  }
  muted_ = false;
  muted_activity_ = nullptr;
  if (actor.type->hash(actor.state) != actor.type->hash(running().state_before)) rebuilt_differently(a);
}

void world::rebuilt_differently(const activity& a) {
  muted_ = false;
  const auto& first = step_at(a.started);
  throw nondeterminism(actor_name(first.receiver) + "." + message_text(first.message) +
                       " behaves differently when repeated from its start with the same replies");
}

}  // namespace harrier::detail
