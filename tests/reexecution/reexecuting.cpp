#include "reexecuting.hpp"

namespace harrier::reexecution {
namespace {

using outside::content;
using outside::life;

/// What an actor's state and a message's payload are to harrier.
struct handle {
  const reexecuting* of;
  int number;
};
const handle& handle_in(const void* place) { return *static_cast<const handle*>(place); }

class foreign_actor final : public actor_type {
public:
  void copy(void* target, const void* state) const override { *static_cast<handle*>(target) = handle_in(state); }
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "foreign"; }
  [[nodiscard]] std::string describe(const system&, const void* state) const override {
    const auto& h = handle_in(state);
    return "{state=" + std::to_string(h.of->foreign(h.number).local.state) + "}";
  }
  [[nodiscard]] bool at_rest(const void*) const override { return true; }
  [[nodiscard]] bool tells_rest() const override { return false; }
  [[nodiscard]] fingerprint hash(const void* state) const override {
    value_bytes bytes;
    write(state, bytes);
    return bytes.hash();
  }
  void write(const void* state, value_bytes& out) const override {
    handle_in(state).of->write_body(handle_in(state).number, out);
  }
};
constexpr foreign_actor actors{};

class foreign_message final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<reexecuting&>(s).react(st); }
  void undo(system& s, step&) const override { static_cast<reexecuting&>(s).left_behind(); }
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system&, const void* payload) const override {
    const auto& m = handle_in(payload).of->foreign_message(handle_in(payload).number);
    return "message(" + std::to_string(m.said.kind) + ")";
  }
  [[nodiscard]] fingerprint hash(const void* payload) const override {
    value_bytes bytes;
    write(payload, bytes);
    return bytes.hash();
  }
  void write(const void* payload, value_bytes& out) const override {
    handle_in(payload).of->write_packet(handle_in(payload).number, out);
  }
};
constexpr foreign_message messages{};

/// The values that a step drew.
std::vector<std::uint64_t> script_of(const execution& e, std::size_t i) {
  std::vector<std::uint64_t> script;
  for (const auto& c : e.choices_of(i)) script.push_back(e.step_at(i).code / c.scale % c.arity);
  return script;
}

std::size_t at(int number) { return static_cast<std::size_t>(number); }

template <class Slot>
void note(std::vector<Slot>& slots, int number, Slot slot) {
  slots.resize(std::max(slots.size(), at(number) + 1));
  slots[at(number)] = slot;
}

}  // namespace

void reexecuting::begin() {
  create(outside::driver);
  start_driver(content::set_up);
  run_setup();
  start_driver(content::test);
  deliver_in_setup(static_cast<message_slot>(message_count()));
  if (!choices_of(last_step()).empty()) undo();  // then it is explored like any other
  begin_exploration();
}

void reexecuting::start_driver(content with) {
  from_outside_.emplace_back(step_count(), with);
  static_cast<void>(run_now());
  outside::send_from_outside(run_, with);
  const auto number = static_cast<int>(run_.messages.size() - 1);
  note(sent_as_, number,
       post_from_outside(0, messages, ::new (memory().allocate(sizeof(handle), alignof(handle))) handle{this, number}));
}

void reexecuting::create(int actor) {
  auto* state = ::new (memory().allocate(sizeof(handle), alignof(handle))) handle{this, actor};
  note(slots_, actor, add_actor(actors, state));
}

void reexecuting::send(int number) {
  const auto& m = run_.messages[at(number)];
  auto* payload = ::new (memory().allocate(sizeof(handle), alignof(handle))) handle{this, number};
  const auto slot = post(slots_[at(m.to)], messages, payload);
  note(sent_as_, number, slot);
  if (m.what == content::plain || m.what == content::request) guard(slot);
  if (m.what == content::request) wait_for_reply(slot);
  if (m.what == content::answer || m.what == content::failure) mark_reply(slot, sent_as_[at(m.answers)]);
}

void reexecuting::react(step& s) {
  if (!is_current_) run_ = run_until(step_count() - 1);
  is_current_ = true;
  const auto message = handle_in(message_at(s.message).payload).number;
  std::vector<std::uint64_t> script;
  for (;;) {  // one more value is asked for each time
    auto tried = run_;
    const auto drawn = outside::take(tables_, tried, message, script);
    if (drawn.size() == script.size()) {
      run_ = std::move(tried);
      break;
    }
    script.push_back(choose(drawn[script.size()].among));
  }
  const auto happened = run_.told.events.back();
  if (mode_before(s.receiver, last_step()) == actor::mode::waiting) set_mode(actor_in(s.receiver), actor::mode::open);
  for (const auto a : happened.created) create(a);
  for (const auto m : happened.sent) send(m);
  for (int i = 0; i < happened.findings; ++i) record_finding(finding_kind::assertion, "found", {}, 0);
  if (happened.failed)
    abort_execution();
  else if (foreign(happened.actor).mode == life::gone)
    set_mode(actor_in(s.receiver), actor::mode::gone);
}

outside::configuration reexecuting::run_until(std::size_t end) const {
  auto run = outside::beginning();
  auto next = from_outside_.begin();
  for (std::size_t i = 0; i <= end; ++i) {
    for (; next != from_outside_.end() && next->first == i; ++next) outside::send_from_outside(run, next->second);
    if (i == end) break;
    const auto& m = message_at(step_at(i).message);
    if (m.type == &messages) outside::take(tables_, run, handle_in(m.payload).number, script_of(*this, i));
  }
  return run;
}

const outside::configuration& reexecuting::run_now() const {
  if (!is_current_) run_ = run_until(step_count());
  is_current_ = true;
  return run_;
}

bool reexecuting::takes(message_slot m, step_index e) const {
  const auto receiver = message_at(m).receiver;
  if (mode_before(receiver, e) == actor::mode::waiting) return is_awaited(m, e);
  if (when_ == answers::from_now) e = no_step;
  std::vector<fingerprint> question = {names().name_of(message_at(m).id), names().name_of(actor_at(receiver).id)};
  for (auto i = actor_at(receiver).last_step; i != no_step; i = step_at(i).previous)
    if (i < e) question.push_back(names().name_of(step_at(i).label));
  const auto [known, is_new] = answers_.try_emplace(std::move(question));
  if (is_new)
    known->second = outside::is_accepted(tables_, e == no_step ? run_now() : run_until(e),
                                         foreign_message(handle_in(message_at(m).payload).number));
  return known->second;
}

void reexecuting::write_actor(int actor, value_bytes& out) const {
  out.reference(actor == outside::nobody ? no_actor : actor_at(slots_[at(actor)]).id);
}

void reexecuting::write_body(int actor, value_bytes& out) const {
  const auto& x = foreign(actor);
  out.raw(x.local.role);
  out.raw(x.local.state);
  out.raw(x.local.fuel);
  for (const auto k : x.local.knows) write_actor(k, out);
}

void reexecuting::write_packet(int message, value_bytes& out) const {
  const auto& m = foreign_message(message);
  out.raw(m.what);
  out.raw(m.said.kind);
  out.raw(m.said.value);
  out.raw(m.said.fuel);
  write_actor(m.said.names, out);
  if (m.what == content::meet)
    for (const auto k : m.introduces) write_actor(k, out);
}

void reexecuting::write_activity(actor_slot who, value_bytes& out) const {
  const auto& x = foreign(handle_in(actor_at(who).state).number);
  if (x.mode != life::waiting) return;
  out.raw(x.catches);
  out.raw(x.suspended.actions);
  out.raw(x.suspended.next);
  out.raw(x.suspended.said.kind);
  out.raw(x.suspended.said.value);
  out.raw(x.suspended.said.fuel);
  write_actor(x.suspended.said.names, out);
  out.raw(x.suspended.drawn);
  out.raw(x.suspended.is_coroutine);
  write_actor(x.suspended.request == outside::nothing ? outside::nobody : foreign_message(x.suspended.request).from,
              out);
}

program reexecute(const litmus::random_program& tables, reexecuting::answers when) {
  return {[&tables, when](delivery model) { return start_system<reexecuting>(tables, model, when); }};
}

}  // namespace harrier::reexecution
