#include "examine.hpp"

#include <memory>
#include <new>

namespace harrier {
namespace {

class examiner {
public:
  examiner(const system& s, const about_to_call& tell) : s_(s), tell_(tell) {}

  void guards() const {
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) {
      if (!s_.message_at(m).guarded) continue;
      ask(guard_of(m, s_.actor_at(s_.message_at(m).receiver).state_of_life), s_.message_at(m).receiver);
      static_cast<void>(s_.deliverable(m));
    }
  }

  /// Reductions ask what a receiver would have taken earlier.
  void guards_of_the_past() const {
    for (message_slot m = 1; m <= s_.message_count(); ++m) {
      const auto& x = s_.message_at(m);
      if (!x.guarded) continue;
      for (auto e = s_.actor_at(x.receiver).last_step; s_.is_explored(e); e = s_.step_at(e).previous) {
        ask(guard_of(m, s_.step_at(e).mode_before) + ", asked about the state before delivery " +
                std::to_string(e - s_.setup_steps() + 1) + ",",
            x.receiver);
        static_cast<void>(s_.was_deliverable(m, e));
      }
    }
  }

  void actors() const {
    for (actor_slot a = 0; a < s_.actor_count(); ++a) {
      const auto& x = s_.actor_at(a);
      if (x.state_of_life == actor::mode::gone) continue;
      if (x.type->tells_rest()) {
        ask("at_rest()", a);
        static_cast<void>(x.type->at_rest(x.state));
      }
      copy(a);
      ask("the writing of the state", a);
      value_bytes bytes;
      x.type->write(x.state, bytes);
      ask("the hash of the fields", a);
      static_cast<void>(x.type->fields(x.state));
      ask("the printing of the state", a);
      static_cast<void>(s_.state_text(a));
    }
  }

  void messages() const {
    for (auto m = s_.first_pending(); m != no_message; m = s_.next_pending(m)) {
      const auto& x = s_.message_at(m);
      const auto arguments = "the arguments of message " + x.type->name();
      ask("the hash of " + arguments, x.receiver);
      static_cast<void>(x.type->hash(x.payload));
      ask("the writing of " + arguments, x.receiver);
      value_bytes bytes;
      x.type->write(x.payload, bytes);
      ask("the printing of " + arguments, x.receiver);
      static_cast<void>(s_.message_text(m));
    }
  }

  void copy(actor_slot a) const {
    const auto& x = s_.actor_at(a);
    ask("the hash of the state", a);  // a copy asks its inspect, too
    static_cast<void>(x.type->hash(x.state));
    if (x.type->bytes() == 0) return;
    constexpr std::align_val_t strictest{256};
    const auto give_back = [](void* memory) { ::operator delete(memory, strictest); };
    const std::unique_ptr<void, decltype(give_back)> memory(::operator new(x.type->bytes(), strictest), give_back);
    ask("the copy constructor", a);
    x.type->copy(memory.get(), x.state);
    ask("the destructor of a copy", a);
    x.type->destroy(memory.get());
  }

  void ask(const std::string& what, actor_slot a) const {
    const auto name = s_.actor_name(a);
    tell_({what + " of " + name, name, s_.depth()});
  }

private:
  /// What is asked of `m`, of a receiver in that mode.
  [[nodiscard]] std::string guard_of(message_slot m, actor::mode mode) const {
    const auto& x = s_.message_at(m);
    if (mode == actor::mode::receiving) return "the predicate of a receive, asked about " + x.type->name() + ",";
    return "the guard accepts(handler<&" + s_.actor_at(x.receiver).type->name() + "::" + x.type->name() + ">)";
  }

  const system& s_;
  const about_to_call& tell_;
};

}  // namespace

void examine_all(system& s, const about_to_call& tell) {
  const examiner examine(s, tell);
  examine.actors();
  examine.messages();
  examine.guards();
  examine.guards_of_the_past();
  while (s.depth() > 0) {
    const auto& last = s.step_at(s.last_step());
    examine.ask("the end of a state, or of a message sent, when delivery " + std::to_string(s.depth()) +
                    " is taken back: a destructor or move constructor",
                last.receiver);
    s.undo();
    examine.actors();
    examine.messages();
    examine.guards();
  }
}

void examine_copy_before(const system& s, message_slot m, const about_to_call& tell) {
  examiner(s, tell).copy(s.message_at(m).receiver);
}

}  // namespace harrier
