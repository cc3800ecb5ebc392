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
  static bool is_finished(std::uint32_t state) { return Spec::first[state] == Spec::first[state + 1]; }
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
          refuse_type(state, call, s->type, ": the next message has another type, ");
        }
        from = s->queue;
        return s->next;
      }
    }
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
    const char* before = "; allowed here: ";
    for (const auto* s = begin(state); s != end(state); ++s) {
      bool said = false;
      for (const auto* o = begin(state); o != s; ++o) said = said || is_same(*o, *s);
      if (said) continue;
      const bool receives = s->what == kind::receive;
      describe<Spec>(text << std::exchange(before, ", "), s->what, receives ? s->peer : self, receives ? self : s->peer,
                     s->type)
          << " (" << Spec::definition << ":" << Spec::lines[s - Spec::steps] << ")";
    }
    if (begin(state) == end(state)) text << "; " << Spec::roles[self] << " has finished";
  }

private:
  static bool is_same(const local_step& one, const local_step& other) {
    return one.what == other.what && one.peer == other.peer && one.type == other.type &&
           Spec::lines[&one - Spec::steps] == Spec::lines[&other - Spec::steps];
  }
};

}  // namespace harrier::runtime
