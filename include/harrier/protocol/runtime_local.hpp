#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
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

/// What the tables of a module in one of the liberal modes say: each role's machine, or its machines. `Spec`: see
/// `local_machines`.
template <class Spec>
struct local_automaton {
  // What `choose` says instead of a state: nothing is received in this one; nothing that may be received has come.
  static constexpr std::uint32_t never = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t later = static_cast<std::uint32_t>(-2);

  /// Whether there is a role with more than one machine.
  static constexpr bool has_several = requires { Spec::machines; };
  static constexpr std::uint32_t state_count = sizeof(Spec::first) / sizeof(Spec::first[0]) - 1;
  static constexpr std::uint32_t machine_count = sizeof(Spec::start) / sizeof(Spec::start[0]);

private:
  static constexpr std::uint32_t first_machine(std::uint32_t who) {
    if constexpr (has_several) return Spec::machines[Spec::phases[who]];
    return who;
  }

  struct one_state {
    explicit one_state(std::uint32_t) {}
    [[nodiscard]] const std::uint32_t* data() const { return &state; }
    [[nodiscard]] std::uint32_t* data() { return &state; }
    static constexpr std::uint32_t room = 1;
    std::uint32_t state = 0;
  };
  // Not beside the others: one role of a thousand may have a thousand.
  class several_states {
  public:
    explicit several_states(std::uint32_t n) : room(n), data_(n == 0 ? nullptr : new std::uint32_t[n]()) {}
    several_states(const several_states& other) : several_states(other.room) { copy(other); }
    several_states(several_states&& other) noexcept
        : room(std::exchange(other.room, 0)), data_(std::exchange(other.data_, nullptr)) {}
    several_states& operator=(several_states other) noexcept {
      std::swap(room, other.room);
      std::swap(data_, other.data_);
      return *this;
    }
    ~several_states() { delete[] data_; }

    [[nodiscard]] const std::uint32_t* data() const { return data_; }
    [[nodiscard]] std::uint32_t* data() { return data_; }
    std::uint32_t room;

  private:
    void copy(const several_states& other) {
      for (std::uint32_t i = 0; i < room; ++i) data_[i] = other.data_[i];
    }
    std::uint32_t* data_;
  };
  static std::uint32_t most_beside_each_other(std::uint32_t who) {
    std::uint32_t most = 1;
    if constexpr (has_several) {
      for (auto phase = Spec::phases[who]; phase != Spec::phases[who + 1]; ++phase) {
        const auto together = Spec::machines[phase + 1] - Spec::machines[phase];
        if (together > most) most = together;
      }
    }
    return most;
  }

public:
  /// Where a role is: a state of each of its machines that are beside each other, which are those of one phase. Its
  /// role's thread writes it, and others may copy it meanwhile.
  class position {
  public:
    /// Of no role: to be assigned to.
    position() : states_(0) {}
    /// At its start.
    explicit position(std::uint32_t who) : states_(most_beside_each_other(who)) {
      if constexpr (has_several) {
        enter(Spec::phases[who]);
        go_on_if_finished(who);
      } else {
        *states_.data() = Spec::start[who];
      }
    }

    [[nodiscard]] std::uint32_t size() const {
      if constexpr (has_several) return Spec::machines[phase_ + 1] - Spec::machines[phase_];
      return 1;
    }
    [[nodiscard]] const std::uint32_t* begin() const { return states_.data(); }
    [[nodiscard]] const std::uint32_t* end() const { return begin() + size(); }

    /// One of its machines gets to that state, and perhaps the role to what comes behind.
    void set(std::uint32_t who, std::uint32_t state) {
      store(states_.data()[has_several ? place_of(state) : 0], state);
      if constexpr (has_several) {
        if (is_finished(state)) go_on_if_finished(who);
      }
    }
    /// To the start of what comes behind, wherever it is. @return whether something does
    bool skip(std::uint32_t who) {
      if constexpr (has_several) {
        if (phase_ + 1 < Spec::phases[who + 1]) {
          enter(phase_ + 1);
          return true;
        }
      }
      return false;
    }
    /// Becomes that one, which another thread may be writing. @pre both are of one role
    void copy(const position& other) noexcept {
      phase_ = __atomic_load_n(&other.phase_, __ATOMIC_RELAXED);
      for (std::uint32_t i = 0; i < states_.room; ++i)
        states_.data()[i] = __atomic_load_n(other.states_.data() + i, __ATOMIC_RELAXED);
    }

    /// All of it, as numbers.
    template <class Sink>
    void save(Sink&& sink) const {
      if constexpr (has_several) sink(phase_);
      for (const auto state : *this) sink(state);
    }
    /// @param next  gives one number after the other: such as `save` gave of that role, or any.
    /// @return whether it is a position of the role; if not, it is one at its start
    template <class Next>
    bool load(std::uint32_t who, Next&& next) {
      position read(who);
      bool is_one = true;
      if constexpr (has_several) {
        const std::uint32_t phase = next();
        is_one = phase >= Spec::phases[who] && phase < Spec::phases[who + 1];
        if (is_one) read.enter(phase);
      }
      for (std::uint32_t i = 0; is_one && i < read.size(); ++i) {
        read.states_.data()[i] = next();
        is_one = is_in(read.begin()[i], read.machine(who) + i);
      }
      *this = is_one ? read : position(who);
      return is_one;
    }

  private:
    static void store(std::uint32_t& place, std::uint32_t value) { __atomic_store_n(&place, value, __ATOMIC_RELAXED); }
    static bool is_in(std::uint32_t state, std::uint32_t machine) {
      return state >= Spec::start[machine] &&
             state < (machine + 1 == machine_count ? state_count : Spec::start[machine + 1]);
    }
    // The first one that it is in.
    [[nodiscard]] std::uint32_t machine(std::uint32_t who) const {
      if constexpr (has_several) return Spec::machines[phase_];
      return who;
    }
    // Which of its machines has that state.
    [[nodiscard]] std::uint32_t place_of(std::uint32_t state) const {
      const auto* first = Spec::start + machine(0);
      std::uint32_t place = 0;
      for (auto left = size(); left > 1;) {
        const auto half = left / 2;
        if (first[place + half] <= state) place += half;
        left -= half;
      }
      return place;
    }
    void enter(std::uint32_t phase) {
      store(phase_, phase);
      for (std::uint32_t i = 0; i < size(); ++i) store(states_.data()[i], Spec::start[Spec::machines[phase] + i]);
    }
    void go_on_if_finished(std::uint32_t who) {
      while (phase_ + 1 < Spec::phases[who + 1] && is_finished(*this)) enter(phase_ + 1);
    }

    std::uint32_t phase_ = 0;  // among those of all roles; always 0 if each role has one machine
    std::conditional_t<has_several, several_states, one_state> states_;
  };

  static const local_step* begin(std::uint32_t state) { return Spec::steps + Spec::first[state]; }
  static const local_step* end(std::uint32_t state) { return Spec::steps + Spec::first[state + 1]; }
  /// The first of all steps of a role, and one behind the last.
  static const local_step* begin_of(std::uint32_t who) { return begin(Spec::start[first_machine(who)]); }
  static const local_step* end_of(std::uint32_t who) {
    const auto machine = first_machine(who + 1);
    return machine == machine_count ? Spec::steps + Spec::first[state_count] : begin(Spec::start[machine]);
  }
  /// How many messages a queue has room for, by the definition and by what a module was given; 0: any number.
  static constexpr std::size_t room_in([[maybe_unused]] std::uint32_t queue, std::size_t given) {
    if constexpr (requires { Spec::rooms; }) {
      const std::size_t defined = Spec::rooms[queue];
      if (defined != 0 && (given == 0 || defined < given)) return defined;
    }
    return given;
  }
  static bool is_finished(std::uint32_t state) { return Spec::first[state] == Spec::first[state + 1]; }
  static bool is_finished(const position& at) {
    for (const auto state : at) {
      if (!is_finished(state)) return false;
    }
    return true;
  }
  /// Whether the session cannot end unless the role, where it is, does something more.
  static bool owes(const position& at) {
    if (is_finished(at)) return false;
    for (const auto state : at) {
      if (!Spec::may_end_in[state]) return true;
    }
    return false;
  }
  static const local_step* find(const position& at, kind what, std::uint32_t peer, std::uint32_t type) {
    for (const auto state : at) {
      for (const auto* s = begin(state); s != end(state); ++s) {
        if (s->what == what && s->peer == peer && s->type == type) return s;
      }
    }
    return nullptr;
  }

  /// What a receive of mode liberal-checked takes: the first message of a queue, `queues[from]`, that is meant for it.
  /// @return the state after it, `never` or `later`. @throws wrong_type
  template <class Queues>
  static std::uint32_t choose(Queues& queues, const position& at, const request& call, std::uint32_t& from) {
    auto result = never;
    for (const auto state : at) {
      for (const auto* s = begin(state); s != end(state); ++s) {
        if (!may_be(*s, call)) continue;
        auto& q = queues[s->queue];
        if (q.size() == 0) {
          result = later;
        } else if (q[0].content.type() == s->type && q[0].mark == s->mark) {
          if (call.type != anything && s->type != call.type) {
            if (!takes(at, call)) refuse_early(at, call);
            refuse_type(at, call, s->type, ": the next message has another type, ");
          }
          from = s->queue;
          return s->next;
        }
      }
    }
    if (result == later && call.type != anything && !takes(at, call)) refuse_early(at, call);
    return result;
  }

  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_type(const position& at, const request& call,
                                                                 std::uint32_t type, const char* before) {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << before << Spec::types[type];
    list_allowed(text, at, call.subject());
    throw wrong_type(text);
  }
  /// "; allowed here: ", and what the role can do where it is, each once.
  static void list_allowed(words& text, const position& at, std::uint32_t self) {
    list_steps(text, at, self, "; allowed here: ", ", ");
    if (is_finished(at)) text << "; " << Spec::roles[self] << " has finished";
  }
  /// ", and owed: ", and the same of a role that has left there; nothing if it owes nothing.
  static void list_owed(words& text, const position& at, std::uint32_t self) {
    if (owes(at)) list_steps(text, at, self, ", and owed: ", " or ");
  }

private:
  static bool may_be(const local_step& s, const request& call) {
    return s.what == kind::receive && (s.peer == call.from || call.from == anything);
  }
  // Whether one of the receives that may be next is of the type that is asked for.
  static bool takes(const position& at, const request& call) {
    for (const auto state : at) {
      for (const auto* s = begin(state); s != end(state); ++s) {
        if (may_be(*s, call) && s->type == call.type) return true;
      }
    }
    return false;
  }
  // The same words, whether the message has come or not.
  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_early(const position& at, const request& call) {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": the next message has another type";
    const char* before = ", ";
    for (std::uint32_t type = 0; type < sizeof(Spec::types) / sizeof(Spec::types[0]); ++type) {
      if (takes(at, {call.what, call.from, call.to, type})) {
        text << std::exchange(before, " or ") << Spec::types[type];
      }
    }
    list_allowed(text, at, call.subject());
    throw wrong_type(text);
  }

  static void list_steps(words& text, const position& at, std::uint32_t self, const char* before, const char* between) {
    for (const auto state : at) {
      for (const auto* s = begin(state); s != end(state); ++s) {
        if (comes_before(at, *s)) continue;
        const bool receives = s->what == kind::receive;
        describe<Spec>(text << std::exchange(before, between), s->what, receives ? s->peer : self,
                       receives ? self : s->peer, s->type)
            << " (" << Spec::definition << ":" << Spec::lines[s - Spec::steps] << ")";
      }
    }
  }
  // Whether the same is in the list before that step.
  static bool comes_before(const position& at, const local_step& step) {
    for (const auto state : at) {
      for (const auto* s = begin(state); s != end(state); ++s) {
        if (s == &step) return false;
        if (is_same(*s, step)) return true;
      }
    }
    return false;
  }

  static bool is_same(const local_step& one, const local_step& other) {
    return one.what == other.what && one.peer == other.peer && one.type == other.type &&
           Spec::lines[&one - Spec::steps] == Spec::lines[&other - Spec::steps];
  }
};

}  // namespace harrier::runtime
