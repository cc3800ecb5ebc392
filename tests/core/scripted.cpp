#include "scripted.hpp"

#include <algorithm>
#include <cctype>
#include <new>
#include <set>
#include <stdexcept>

namespace harrier {
namespace {

constexpr char start = '^';

/// All receivers that no letter creates.
std::string actors_at_start(const script& program) {
  std::set<char> all;
  for (const auto& l : program.letters) all.insert(l.to);
  for (const auto& l : program.letters)
    for (const auto a : l.creates) all.erase(a);
  all.erase('0');
  return {all.begin(), all.end()};
}

}  // namespace

struct scripted::local {
  char name;
  std::string taken;
  std::shared_ptr<int> board = std::make_shared<int>(0);
};

struct scripted::parcel {
  const letter* what;
  std::shared_ptr<int> weight;
};

class scripted::letter_type final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<scripted&>(s).act(st); }
  void undo(system& s, step& st) const override { static_cast<scripted&>(s).take_back(st); }
  void destroy(void* payload) const override { static_cast<parcel*>(payload)->~parcel(); }
  [[nodiscard]] std::string describe(const system&, const void* payload) const override {
    return {static_cast<const parcel*>(payload)->what->name};
  }
  [[nodiscard]] fingerprint hash(const void* payload) const override {
    return hash_bytes(&static_cast<const parcel*>(payload)->what->name, 1);
  }
};

class scripted::local_type final : public actor_type {
public:
  void copy(void* target, const void* state) const override { ::new (target) local(*static_cast<const local*>(state)); }
  void destroy(void* state) const override { static_cast<local*>(state)->~local(); }
  [[nodiscard]] std::string name() const override { return "actor"; }
  [[nodiscard]] std::string describe(const system&, const void* state) const override {
    return "{" + static_cast<const local*>(state)->taken + "}";
  }
  [[nodiscard]] bool at_rest(const void*) const override { return true; }
  [[nodiscard]] bool tells_rest() const override { return false; }
  [[nodiscard]] fingerprint hash(const void* state) const override {
    const auto& x = *static_cast<const local*>(state);
    const auto text = x.name + x.taken + std::to_string(*x.board);
    return hash_bytes(text.data(), text.size());
  }
};

constexpr scripted::letter_type scripted::a_letter{}, scripted::an_accident{};
constexpr scripted::local_type scripted::an_actor{};

scripted::scripted(script program, delivery model) : system(model), program_(std::move(program)) {
  program_.letters.push_back(
      {.name = start, .to = '0', .sends = program_.starts, .creates = actors_at_start(program_)});
  begin();
}

void scripted::begin() {
  create('0');
  auto* payload = ::new (memory().allocate(sizeof(parcel), alignof(parcel))) parcel{&letter_of(start), nullptr};
  deliver_in_setup(post_from_outside(0, a_letter, payload));
  settle();
  for (const auto name : program_.before) {
    deliver_in_setup(pending_of(name));
    settle();
  }
  begin_exploration();
}

bool scripted::takes(message_slot m, step_index e) const {
  const auto& x = message_at(m);
  if (mode_before(x.receiver, e) == actor::mode::waiting) return is_awaited(m, e);
  const auto& l = *static_cast<const parcel*>(x.payload)->what;
  if (l.budget > 0) return times_taken(x.receiver, an_accident, e) < l.budget;
  return l.accepted(static_cast<const local*>(state_before(x.receiver, e))->taken);
}

void scripted::create(char name) {
  auto* state = memory().allocate(sizeof(local), alignof(local));
  add_actor(an_actor, ::new (state) local{name, {}});
  if (step_count() > 0) running().needs_cleaning = true;
}

void scripted::send(char name) { post_letter(name, slot_of_actor(letter_of(name).to)); }

message_slot scripted::post_letter(char name, actor_slot to) {
  const auto& l = letter_of(name);
  auto* payload = memory().allocate(sizeof(parcel), alignof(parcel));
  const auto& type = l.budget > 0 ? an_accident : a_letter;
  const auto m = post(to, type, ::new (payload) parcel{&l, l.is_heavy ? weight_ : nullptr});
  if (l.budget > 0) mark_environment(m);
  if (l.accepted || l.budget > 0) guard(m);
  if (l.is_heavy) sent(m).owns_payload = running().needs_cleaning = true;
  return m;
}

std::uint64_t scripted::draw(std::uint64_t arity) {
  const auto drawn = choose(arity);
  static_cast<local*>(actor_in(running().receiver).state)->taken += std::to_string(drawn);
  return drawn;
}

void scripted::scribble() { ++*static_cast<local*>(actor_in(running().receiver).state)->board; }

void scripted::act(step& s) {
  auto& state = *static_cast<local*>(actor_in(s.receiver).state);
  s.state_before = ::new (memory().allocate(sizeof(local), alignof(local))) local(state);
  const auto& l = *static_cast<const parcel*>(message_at(s.message).payload)->what;
  state.taken += l.name;
  if (sent(s.message).kind == message::role::reply) set_mode(actor_in(s.receiver), actor::mode::open);
  for (const auto arity : l.draws) draw(arity);
  for (const auto a : l.creates) create(a);
  for (const auto name : l.sends) send(name);
  if (l.also) l.also(*this);
  settle_call(l, s.message);
  if (l.destroys) set_mode(actor_in(s.receiver), actor::mode::gone);
  if (!l.fails) return;
  complain(std::string(1, l.name) + " fails");
  abort_execution();
}

/// The call that a letter makes, and the answer to the one that it is.
void scripted::settle_call(const letter& l, message_slot request) {
  if (l.answers != 0) {
    const auto answer = post_letter(l.answers, sent(request).answers - 1);
    mark_reply(answer, request);
  }
  if (l.calls != 0) wait_for_reply(post_letter(l.calls, slot_of_actor(letter_of(l.calls).to)));
}

void scripted::take_back(const step& s) {
  auto& state = *static_cast<local*>(actor_in(s.receiver).state);
  auto& before = *static_cast<local*>(s.state_before);
  state = std::move(before);
  before.~local();
}

void scripted::take(std::string_view names) {
  for (const auto name : names) take_drawing(name, 0);
}

void scripted::take_drawing(char name, std::uint64_t code) {
  const auto m = pending_of(name);
  if (m == no_message || first_deliverable() == no_message || !deliverable(m))
    throw std::logic_error(std::string("no ") + name + " can be delivered in " + dump());
  deliver(m, code);
}

void scripted::settle() {
  const auto is_on_its_way = [](char name) { return name == '.' || std::isupper(name) != 0; };
  for (;;) {
    const auto names = pending_names();
    const auto next = std::find_if(names.begin(), names.end(), is_on_its_way);
    if (next == names.end()) return;
    deliver_in_setup(pending_of(*next));
  }
}

void scripted::undo_all() {
  while (depth() > 0) undo();
}

const letter& scripted::letter_of(char name) const {
  const auto known = std::find_if(program_.letters.begin(), program_.letters.end(),
                                  [name](const letter& l) { return l.name == name; });
  if (known == program_.letters.end()) throw std::logic_error(std::string("nothing is said of letter ") + name);
  return *known;
}

const scripted::local& scripted::local_of(actor_slot a) const { return *static_cast<const local*>(actor_at(a).state); }

char scripted::name_of(message_slot m) const {
  const auto& x = message_at(m);
  if (is_visible(x.makes)) return static_cast<const parcel*>(x.payload)->what->name;
  if (!is_internal(x.receiver)) return '.';
  return static_cast<char>(std::toupper(message_text(m)[sizeof "arrival"]));
}

actor_slot scripted::slot_of_actor(char name) const {
  for (actor_slot a = 0; a < actor_count(); ++a)
    if (actor_at(a).type == &an_actor && local_of(a).name == name) return a;
  throw std::logic_error(std::string("there is no actor ") + name);
}

message_slot scripted::pending_of(char name) const {
  auto m = first_pending();
  while (m != no_message && name_of(m) != name) m = next_pending(m);
  return m;
}

message_slot scripted::first_of(char name) const {
  for (message_slot m = 1; m <= message_count(); ++m)
    if (name_of(m) == name) return m;
  return no_message;
}

step_index scripted::step_of(char name) const {
  for (auto i = step_count(); i-- > setup_steps();)
    if (name_of(step_at(i).message) == name) return static_cast<step_index>(i);
  return no_step;
}

bool scripted::is_accepted(message_slot m) const {
  const auto& l = letter_of(name_of(m));
  return !l.accepted || l.accepted(local_of(message_at(m).receiver).taken);
}

std::string scripted::deliverable_names() const {
  std::string names;
  for (auto m = first_deliverable(); m != no_message; m = next_deliverable(m)) names += name_of(m);
  return names;
}

std::string scripted::pending_names() const {
  std::string names;
  for (auto m = first_pending(); m != no_message; m = next_pending(m)) names += name_of(m);
  return names;
}

std::string scripted::taken_by(char actor) const { return local_of(slot_of_actor(actor)).taken; }

std::string scripted::dump() const {
  std::string text;
  const auto add = [&text](const auto&... numbers) { ((text += " " + std::to_string(numbers)), ...); };
  for (actor_slot a = 0; a < actor_count(); ++a) {
    const auto& x = actor_at(a);
    text += actor_name(a) + x.type->describe(*this, x.state);
    add(static_cast<int>(x.state_of_life), x.failed, x.draining, static_cast<unsigned>(x.id), x.awaited, x.last_step);
    text += "\n";
  }
  for (message_slot m = 1; m <= message_count(); ++m) {
    const auto& x = message_at(m);
    text += std::string(1, name_of(m)) + (pending(m) ? "?" : "");
    add(m, static_cast<unsigned>(x.id), x.receiver, x.sent_by, x.answers, x.guarded, x.dead, slot_of(x.id));
    text += "\n";
  }
  text += "pending " + pending_names() + ", deliverable " + deliverable_names() + "\n";
  for (std::size_t i = 0; i < step_count(); ++i) {
    const auto& s = step_at(i);
    text += "step";
    add(s.message, static_cast<unsigned>(s.label), s.receiver, s.previous, s.code, choices_of(i).size());
    for (const auto& r : records_of_step(i)) text += " " + r.message;
    text += "\n";
  }
  text += "ends";
  add(aborted(), truncated(), waiting_count(), configuration().low);
  return text;
}

}  // namespace harrier
