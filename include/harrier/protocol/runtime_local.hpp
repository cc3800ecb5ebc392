#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <harrier/protocol/runtime_errors.hpp>

namespace harrier::runtime {

/// A step of one role. A send writes `mark` on the message, a receive looks for it; `anything`: it takes what comes.
/// `queue`: which one a send or receive uses.
struct local_step {
  kind what;
  std::uint32_t peer;
  std::uint32_t type;
  std::uint32_t mark;
  std::uint32_t next;
  std::uint32_t queue;
};

/// What the tables of a module in one of the liberal modes say: each role's machine. `Spec`: see `local_machines`.
template <class Spec>
struct local_automaton {
  // What `choose` says instead of a state: nothing is received in this one; nothing that may be received has come.
  static constexpr std::uint32_t never = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t later = static_cast<std::uint32_t>(-2);

  static const local_step* begin(std::uint32_t state) { return Spec::steps + Spec::first[state]; }
  static const local_step* end(std::uint32_t state) { return Spec::steps + Spec::first[state + 1]; }
  /// How many messages a queue has room for, by the definition and by what a module was given; 0: any number.
  static constexpr std::size_t room_in([[maybe_unused]] std::uint32_t queue, std::size_t given) {
    if constexpr (requires { Spec::rooms; }) {
      const std::size_t defined = Spec::rooms[queue];
      if (defined != 0 && (given == 0 || defined < given)) return defined;
    }
    return given;
  }
  static bool is_finished(std::uint32_t state) { return Spec::first[state] == Spec::first[state + 1]; }
  /// Whether the session cannot end unless the role, in that state, does something more.
  static bool owes(std::uint32_t state) { return !is_finished(state) && !Spec::may_end_in[state]; }
  static const local_step* find(std::uint32_t state, kind what, std::uint32_t peer, std::uint32_t type) {
    for (const auto* s = begin(state); s != end(state); ++s) {
      if (s->what == what && s->peer == peer && s->type == type) return s;
    }
    return nullptr;
  }

  /// What a receive of mode liberal-checked takes: the first message of a queue, `queues[from]`, that is meant for it.
  /// @return the state after it, `never` or `later`. @throws wrong_type
  template <class Queues>
  static std::uint32_t choose(Queues& queues, std::uint32_t state, const request& call, std::uint32_t& from) {
    auto result = never;
    for (const auto* s = begin(state); s != end(state); ++s) {
      if (s->what != kind::receive || (s->peer != call.from && call.from != anything)) continue;
      auto& q = queues[s->queue];
      if (q.size() == 0) {
        result = later;
      } else if (q[0].content.type() == s->type && q[0].mark == s->mark) {
        if (call.type != anything && s->type != call.type) {
          if (!takes(state, call)) refuse_early(state, call);
          refuse_type(state, call, s->type, ": the next message has another type, ");
        }
        from = s->queue;
        return s->next;
      }
    }
    if (result == later && call.type != anything && !takes(state, call)) refuse_early(state, call);
    return result;
  }

  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_type(std::uint32_t state, const request& call,
                                                                 std::uint32_t type, const char* before) {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << before << Spec::types[type];
    list_allowed(text, state, call.subject());
    throw wrong_type(text);
  }
  /// "; allowed here: ", and what the role can do in that state, each once.
  static void list_allowed(words& text, std::uint32_t state, std::uint32_t self) {
    list_steps(text, state, self, "; allowed here: ", ", ");
    if (is_finished(state)) text << "; " << Spec::roles[self] << " has finished";
  }
  /// ", and owed: ", and the same of a role that has left in that state; nothing if it owes nothing.
  static void list_owed(words& text, std::uint32_t state, std::uint32_t self) {
    if (owes(state)) list_steps(text, state, self, ", and owed: ", " or ");
  }

private:
  static bool may_be(const local_step& s, const request& call) {
    return s.what == kind::receive && (s.peer == call.from || call.from == anything);
  }
  // Whether one of the receives of that state is of the type that is asked for.
  static bool takes(std::uint32_t state, const request& call) {
    for (const auto* s = begin(state); s != end(state); ++s) {
      if (may_be(*s, call) && s->type == call.type) return true;
    }
    return false;
  }
  // The same words, whether the message has come or not.
  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_early(std::uint32_t state, const request& call) {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": the next message has another type";
    const char* before = ", ";
    for (std::uint32_t type = 0; type < sizeof(Spec::types) / sizeof(Spec::types[0]); ++type) {
      if (takes(state, {call.what, call.from, call.to, type})) {
        text << std::exchange(before, " or ") << Spec::types[type];
      }
    }
    list_allowed(text, state, call.subject());
    throw wrong_type(text);
  }

  static void list_steps(words& text, std::uint32_t state, std::uint32_t self, const char* before,
                         const char* between) {
    for (const auto* s = begin(state); s != end(state); ++s) {
      bool said = false;
      for (const auto* o = begin(state); o != s; ++o) said = said || is_same(*o, *s);
      if (said) continue;
      const bool receives = s->what == kind::receive;
      describe<Spec>(text << std::exchange(before, between), s->what, receives ? s->peer : self,
                     receives ? self : s->peer, s->type)
          << " (" << Spec::definition << ":" << Spec::lines[s - Spec::steps] << ")";
    }
  }

  static bool is_same(const local_step& one, const local_step& other) {
    return one.what == other.what && one.peer == other.peer && one.type == other.type &&
           Spec::lines[&one - Spec::steps] == Spec::lines[&other - Spec::steps];
  }
};

}  // namespace harrier::runtime
