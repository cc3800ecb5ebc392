#include <harrier/native/world.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/native/group.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/self.hpp>

#include "../core/base/current_exception.hpp"
#include "../core/base/place_in_binary.hpp"
#include "../core/outside.hpp"
#include "rebuilding.hpp"
#include "remembered_steps.hpp"
#include "suspended.hpp"
#include "virtual_clock.hpp"

namespace harrier::detail {
namespace {

// Of the guards that are asked: all of the first ones are looked at closely, then one in so many.
constexpr std::uint64_t always_looked_at = 1000;
constexpr std::uint64_t looked_at_every = 1021;  // prime, to keep out of step with loops

}  // namespace

void changed_by_a_look(std::string_view actor, std::string_view what) {
  const auto who = what == "at_rest" ? "at_rest of " + std::string(actor)
                                     : "the guard of " + std::string(actor) + "." + std::string(what);
  throw system::nondeterminism(
      who +
      " changes the actor that it is asked about (by a mutable member, or a cast): it is asked "
      "as often as a search needs it, so what it leaves behind means nothing");
}

world::world(delivery model)
    : system(model), self_(new self(*this)), suspended_(std::make_unique<suspended_handlers>(*this)) {}
world::~world() = default;

bool world::takes(message_slot m, step_index e) const {
  const auto& x = message_at(m);
  const auto mode = mode_before(x.receiver, e);
  if (x.type == &end_watch) return mode == actor::mode::gone;
  if (mode == actor::mode::waiting) return is_awaited(m, e);
  if (mode == actor::mode::receiving) return is_received(m, e);
  if ((x.kind == message::role::reply && x.expires) || is_nothing(*x.type)) return false;
  const auto* const state = state_before(x.receiver, e);
  if (++guards_asked_ <= always_looked_at || guards_asked_ % looked_at_every == 0) [[unlikely]]
    return accepts_and_keeps(x, state);
  return static_cast<const native_message*>(x.type)->accepts(state, x.payload);
}

/// What lies behind pointers, and the message, are not looked at by the guard's own call.
bool world::accepts_and_keeps(const message& m, const void* state) const {
  const auto& actor = *actor_at(m.receiver).type;
  const auto before = actor.hash(state);
  const auto arguments = m.type->hash(m.payload);
  const bool accepts = static_cast<const native_message*>(m.type)->accepts(state, m.payload);
  if (actor.hash(state) != before || m.type->hash(m.payload) != arguments)
    changed_by_a_look(actor.name(), m.type->name());
  return accepts;
}

// A suspended handler is a function of what it started from, of what it drew, of the names of the actors it created,
// and of the replies it got: its frame is not looked at.
void world::write_activity(actor_slot who, value_bytes& out) const {
  const auto& actor = actor_at(who);
  const auto* a = static_cast<const activity*>(actor.activity);
  if (!actor::is_suspended(actor.state_of_life) || a == nullptr) return;
  out.raw(place_in_binary(a->handler));
  if (a->handler == nullptr) {
    out.raw(place_in_binary(a->on_value));
    out.raw(place_in_binary(a->on_error));
    return;
  }
  for (auto i = actor.last_step; i != no_step; i = step_at(i).previous) {
    const auto& s = step_at(i);
    const auto& m = message_at(s.message);
    out.raw(place_in_binary(m.type));
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

// What was not waited for is no mistake of a handler that is left by an exception.
bool world::can_record_drop() const {
  return !muted_ && !over_ && !destroys_frames_ && std::uncaught_exceptions() == 0;
}

void world::call_was_dropped(std::string_view actor, std::string_view handler) noexcept {
  if (can_record_drop())
    record_finding(
        finding_kind::assertion,
        "the call of " + std::string(actor) + "." + std::string(handler) +
            "() was never made: a call is awaited (co_await self.call<...>(...)) or continued (.then<...>())",
        {}, 0);
}

void world::task_was_dropped() noexcept {
  if (can_record_drop())
    record_finding(
        finding_kind::assertion,
        "a coroutine was called and never ran: a harrier::task of a helper is awaited (co_await helper(self))", {}, 0);
}

void task_was_dropped(world& in) noexcept { in.task_was_dropped(); }

bool world::memoise(memoising how) {
  // Also where the program itself says what may befall it: a step draws that anew each time.
  if (allowed_faults().any() && how == memoising::on) return false;
  if (allowed_faults().any()) how = memoising::off;
  remembered_ = how == memoising::off ? nullptr : std::make_unique<remembered_steps>(*this, how);
  until_looking_back_ = remembered_ == nullptr ? std::numeric_limits<std::uint64_t>::max() : remembered_->next_look();
  return true;
}

std::optional<memoised_steps> world::memoised() const {
  return remembered_ == nullptr ? std::nullopt : remembered_->counts();
}

bool world::recall(step& s) {
  const bool is_done = remembered_->recall(s);
  until_looking_back_ = remembered_->next_look();
  return is_done;
}

void world::forget_last_step() {
  if (remembered_ != nullptr) remembered_->forget_last_step();
}

actor_id world::recreated(const actor_type& type) {
  return makes_anew() ? rebuilding_->recreated(type) : suspended_->recreated();
}

std::uint64_t world::choose_value(std::uint64_t arity) {
  if (over_) return 0;
  if (makes_anew()) return rebuilding_->drawn(arity);
  return muted_ ? suspended_->drawn(arity) : choose(arity);
}

void world::end_execution() {
  if (!over_ && !muted_) {
    abort_execution();
    over_ = step_needs_ending_ = true;
  }
  throw execution_over{};
}

void world::discard() {
  if (!over_ && !muted_) {
    discard_execution();
    over_ = step_needs_ending_ = true;
  }
  throw execution_over{};
}

bool world::awaits(frame* leaf, awaited_reply* reply) {
  suspended_->wait(leaf, reply);
  return !muted_;
}

void world::continues_with(const continuation& value, const continuation* failure) { suspended_->wait(value, failure); }

void world::start_activity(const native_message& handler, void* state, const void* payload) {
  suspended_->start(handler, state, payload);
}
const void* world::code_of_suspended(actor_slot who) const {
  const auto* const a = static_cast<const activity*>(actor_at(who).activity);
  if (a == nullptr || !a->live || a->leaf == nullptr) return nullptr;
  // The frame of a coroutine begins with the function that resumes it, whichever compiler made it.
  return *static_cast<const void* const*>(a->leaf->handle.address());
}
void world::undo_start(step& s) { suspended_->undo_start(s); }
void world::resume(step& s, awaited_reply reply) { suspended_->resume(s, reply); }
void world::undo_resume(step& s) { suspended_->undo_resume(s); }

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

bool world::reply_to_then(message_slot request, const void* result) {
  const auto* caller = suspended_->continuation_of(request);
  if (caller != nullptr) post_continuation(request, *caller->on_value, result);
  return caller != nullptr;
}

void world::reply(message_slot request) {
  if (!reply_to_then(request, nullptr)) post_reply(request, reply_of<void>, nullptr);
}

void world::reply_failure(message_slot request, const std::string& what) {
  // The caller can read it, so it must be the same in every interleaving: no actor's number, not even in arguments.
  const auto called = message_text(request);
  const auto text =
      actor_at(sent(request).receiver).type->name() + "." + called.substr(0, called.find('(')) + " threw: " + what;
  if (const auto* caller = suspended_->continuation_of(request); caller != nullptr && caller->on_error != nullptr) {
    post_continuation(request, *caller->on_error, &text);
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
  } catch (const untestable_program&) {
    throw;
  } catch (...) {
    if (over_) return;
    const auto what = text_of_current_exception();
    if (request != no_message) {
      reply_failure(request, what);
    } else {
      record_finding(finding_kind::exception, what, {}, 0);
      abort_execution();
    }
  }
}

void world::finish_step() {
  step_needs_ending_ = false;
  if (std::exchange(destroying_, false)) finish_destroying();
  if (std::exchange(over_, false)) void_what_followed();
  if (remembered_ != nullptr) remembered_->step_ended();
}

/// A handler may catch what `require` throws, or send in a destructor on its way out.
void world::void_what_followed() {
  set_mode(actor_in(running().receiver), actor::mode::gone);
  for (auto m = running().first_sent; m <= message_count(); ++m) sent(m).dead = sent(m).constrained = true;
}

void world::finish_destroying() {
  auto& a = actor_in(running().receiver);
  if (a.activity != nullptr) suspended_->drop(*static_cast<activity*>(a.activity));
  set_mode(a, actor::mode::gone);
}

void world::check_timer(std::chrono::nanoseconds when) const {
  if (when.count() < 0)
    throw error("a timer of " + std::to_string(when.count()) + " ns: it would have to fire earlier");
  if (model() == delivery::mailbox_interleaved)
    throw untestable_program(
        "timers do not go with delivery model mailbox-interleaved; mailbox, causal, fifo and unordered have them");
}

namespace {

std::string name_of_timer(const message& m, const actor& of) {
  if (m.type == &receive_expiry) return "a receive of " + of.type->name() + " gets nothing in time";
  return m.kind == message::role::reply ? "a call of " + of.type->name() + " gets no reply in time"
                                        : "timer " + of.type->name() + "." + m.type->name() + " fires";
}
std::string name_of_restart(const actor& of) { return of.type->name() + " restarts"; }

}  // namespace

void world::arm(message_slot m, std::chrono::nanoseconds when) {
  mark_timer(m, when.count());
  const auto& x = message_at(m);
  const auto& of = actor_at(x.receiver);
  if (!timeouts_are_lifted() && armed_kinds_.emplace(x.type, of.type).second) know_point(name_of_timer(x, of));
}

void world::timer_fired() {
  const auto& m = message_at(running().message);
  const auto& of = actor_at(m.receiver);
  if (!timeouts_are_lifted() && fired_kinds_.emplace(m.type, of.type).second) reach_point(name_of_timer(m, of));
}

stages* world::in_stages() { return clock_.get(); }

void world::prepare_clock() {
  if (!draws_for_created())
    throw untestable_program(
        "timers that fire earliest first do not go with the body of a test yet; a program with a driver has them, and "
        "tests have timers that fire at any moment");
  clock_ = std::make_unique<virtual_clock>(*this);
  tell_ends_of_steps();
}

void world::step_ended() {
  if (clock_ != nullptr && !timeouts_are_lifted()) clock_->step_ended();
}

std::chrono::nanoseconds world::time_now() const {
  if (clock_ == nullptr)
    throw untestable_program(
        "self.now() needs a clock: with timers that may fire at any moment there is none; explore with --timers "
        "earliest-first");
  return std::chrono::nanoseconds(makes_anew() ? rebuilding_->now() : now());
}

void world::name_partition(const group& first, const group& second, cuts how) {
  if (muted_ || over_) return;
  const auto slots = [this](const group& of) {
    std::vector<actor_slot> all;
    for (const auto member : of.members()) all.push_back(resolve(member));
    if (all.empty()) throw error("the group " + of.name() + " is empty: nobody can be cut off from it");
    return all;
  };
  if (running().receiver != 0) throw error("groups are named by the driver, not by " + actor_name(running().receiver));
  named_partition groups{
      .from = first.name(), .to = second.name(), .left = slots(first), .right = slots(second), .how = how};
  for (const auto a : groups.left)
    if (std::find(groups.right.begin(), groups.right.end(), a) != groups.right.end())
      throw error(actor_name(a) + " is in both groups, " + first.name() + " and " + second.name());
  add_partition(std::move(groups));
}

void world::disarm(const message_type& type) {
  if (over_) return;
  const auto me = running().receiver;
  withdraw_none();
  for (auto m = first_pending(); m != no_message; m = next_pending(m)) {
    const auto& x = message_at(m);
    if (x.receiver == me && x.type == &type && x.makes == step_kind::timeout && !x.withdrawn) withdraw(m);
  }
}

void world::limit_wait(message_slot request, std::chrono::nanoseconds limit) {
  sent(request).expires = true;
  const auto m = post_limit(expiry, limit);
  mark_reply(m, request);
  arm(m, limit);
}

message_slot world::post_limit(const message_type& type, std::chrono::nanoseconds limit) {
  auto* payload = memory().allocate(sizeof(std::int64_t), alignof(std::int64_t));
  ::new (payload) std::int64_t(limit.count());
  return post(running().receiver, type, payload, lane::timer);
}

std::shared_ptr<void> world::copy_of_state(actor_slot a) const {
  const auto& of = actor_at(a);
  const auto& type = static_cast<const native_actor&>(*of.type);
  const std::align_val_t alignment{type.alignment};
  void* const memory = ::operator new(type.size, alignment);
  try {
    type.copy(memory, of.state);
  } catch (...) {
    ::operator delete(memory, alignment);
    throw;
  }
  return {memory, [&type, alignment](void* state) {
            type.destroy(state);
            ::operator delete(state, alignment);
          }};
}

actor_id world::add_object(const actor_type& type, void* state, bool is_destroyed) {
  const auto slot = add_actor(type, state);
  if (is_destroyed) running().needs_cleaning = true;
  if (allowed_faults().crash != 0) [[unlikely]]
    keep_as_created(slot);
  return actor_at(slot).id;
}

void world::keep_as_created(actor_slot a) {
  if (a == 0 || is_internal(a)) return;
  if (created_as_.size() <= a) created_as_.resize(a + std::size_t{1});
  created_as_[a] = copy_of_state(a);
  if (rules_of_crash(a).restarts) know_point(name_of_restart(actor_at(a)));
}

void world::prepare_restarts() {
  for (actor_slot a = 0; a < actor_count(); ++a) keep_as_created(a);
  if (!draws_for_created() || step_count() == 0 || step_at(last_step()).receiver != 0) return;
  for (auto m = first_pending(); m != no_message; m = next_pending(m))
    if (is_from_outside(*this, m)) return;  // the driver's step is explored anyway
  bool one_stays_away = false;
  for (actor_slot a = 1; a < actor_count(); ++a)
    one_stays_away = one_stays_away || (!is_internal(a) && !rules_of_crash(a).restarts);
  if (!one_stays_away) return;
  undo();  // the driver's step draws whether they are there at all, so it is explored like any other
  begin_exploration();
}

crash_rules world::rules_of_crash(actor_slot a) const {
  const auto& of = actor_at(a);
  return static_cast<const native_actor&>(*of.type).rules_of_crash(of.state);
}

void world::sync() {
  if (allowed_faults().crash == 0) return;
  syncs_.push_back({static_cast<message_slot>(message_count() + 1), copy_of_state(running().receiver)});
}

std::vector<std::size_t> world::synced_after(message_slot from) const {
  std::vector<std::size_t> sent;
  for (const auto& s : syncs_) {
    std::size_t deliveries = 0;
    for (auto m = from; m < s.sent_end; ++m) deliveries += message_at(m).makes == step_kind::delivery ? 1 : 0;
    sent.push_back(deliveries);
  }
  return sent;
}

void world::crash_running(bool is_complete, std::size_t synced) {
  auto& s = running();
  const auto a = s.receiver;
  auto& who = actor_in(a);
  const auto& type = static_cast<const native_actor&>(*who.type);
  if (who.activity != nullptr) suspended_->drop(*static_cast<activity*>(who.activity));
  who.activity = nullptr;
  if (!type.rules_of_crash(who.state).restarts) {
    set_mode(who, actor::mode::gone);
    return;
  }
  set_mode(who, actor::mode::open);
  if (s.state_before == nullptr) {  // it changed nothing
    suspended_->save(s);
    s.keeps_state = false;
  }
  const auto now = copy_of_state(a);
  const void* const before = kept_ != nullptr ? kept_.get() : s.state_before;
  const void* const kept = is_complete ? now.get() : synced == 0 ? before : syncs_[synced - 1].state.get();
  type.restart(who.state, created_as_[a].get(), kept);
  syncs_.clear();
  kept_ = copy_of_state(a);
  reach_point(name_of_restart(who));
  type.restarted(*this, who.state);
  end_step();
}

void world::open(actor& a) {
  set_mode(a, actor::mode::open);
  a.activity = nullptr;
}

}  // namespace harrier::detail
