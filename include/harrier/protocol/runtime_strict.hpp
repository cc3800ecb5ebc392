#pragma once

#include <harrier/protocol/runtime.hpp>

namespace harrier::runtime {

/// An action of the protocol; `type` of a receive is `anything`.
struct global_action {
  kind what;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t type;
};

struct global_step {
  std::uint32_t action;
  std::uint32_t target;
};

/// One machine for all roles, under one lock.
///
/// A call that waits is performed by the thread whose step makes it possible, on
/// behalf of the one that waits, which is woken to return. So a thread is woken
/// only to go on, or to throw; and who sends to many that wait in `recv` has not
/// to wait for each of them to run. A step costs its role's choices in that
/// state, and a look at each role that waits.
///
/// A handshake is a send and a receive at once: the call that comes second
/// performs it, so `send` waits for the receiver, `try_send` is possible while
/// the receiver waits in `recv`, and `try_recv` while the sender waits in `send`.
///
/// `Spec` gives the tables: `actions`, `steps` sorted by state, and `first`,
/// where the steps of each state begin, with one more entry at the end, and
/// `may_end_in`, by state.
template <class Spec>
class strict_module : public module<strict_module<Spec>, Spec> {
public:
  using spec = Spec;
  using message = typename Spec::message;
  using role = typename Spec::role;
  static constexpr bool chooses_sender = true;

  strict_module() = default;
  explicit strict_module(std::size_t) {}
  strict_module(const strict_module&) = delete;
  strict_module& operator=(const strict_module&) = delete;
  ~strict_module() {
    for (auto* known : prospects_) {
      while (known != nullptr) delete std::exchange(known, known->next);
    }
  }

  bool perform(request call, message& content, bool wait) {
    for (;;) {
      pending_call mine{call, &content};
      std::uint64_t told = 0;
      {
        alarms due;
        const guard hold(lock_);
        if (act(call, content, due)) return true;
        if (!wait) return false;
        const bool* possible = possible_later(call);
        if (!possible[state_]) throw not_allowed("not allowed, whatever the others do", call, Spec::roles, Spec::types);
        told = lie_down(mine, possible, due);
      }
      sleepers_[call.subject()].sleep(told);
      if (mine.done) return true;
    }
  }

  /// Both sides of a handshake, played by one thread, as if `from` were waiting
  /// in `send` when `to` calls `try_recv`. @pre neither role is in a call.
  template <class T>
  bool try_handshake(role from, role to, T&& value, message& into) {
    alarms due;
    const guard hold(lock_);
    message content(std::forward<T>(value));
    const auto sender = static_cast<std::uint32_t>(from);
    const auto receiver = static_cast<std::uint32_t>(to);
    pending_call offer{{kind::send, sender, receiver, content.type()}, &content};
    sleepers_[sender].pending = &offer;
    const bool done = meet({kind::receive, sender, receiver, anything}, into, due);
    sleepers_[sender].pending = nullptr;
    return done;
  }

  /// Whether the session may end here.
  [[nodiscard]] bool may_end() const { return Spec::may_end_in[state_]; }

  /// Everything that decides what the module allows, as numbers: the state, then
  /// for each queue its length and types.
  template <class Sink>
  void save(Sink&& sink) const {
    sink(state_);
    for (const auto& q : queues_) {
      sink(static_cast<std::uint32_t>(q.size()));
      for (std::size_t i = 0; i < q.size(); ++i) sink(q[i].type());
    }
  }
  /// Goes back to what was saved; messages get default values.
  void load(const std::uint32_t* word) {
    state_ = *word++;
    for (auto& q : queues_) {
      q.clear();
      for (auto length = *word++; length != 0; --length) q.push(message::of_type(*word++));
    }
  }

private:
  static constexpr std::uint32_t roles = sizeof(Spec::roles) / sizeof(Spec::roles[0]);
  static constexpr std::uint32_t actions = sizeof(Spec::actions) / sizeof(Spec::actions[0]);
  static constexpr std::uint32_t states = sizeof(Spec::first) / sizeof(Spec::first[0]) - 1;

  // A call that waits, on the stack of its thread.
  struct pending_call {
    request call;
    message* content;
    bool done = false;  // another thread performed it
  };

  // Where the thread of a role waits, apart from the lock: a thread whose call was performed needs it no more.
  struct sleeper {
    // Until all were rung for of whom it was told, and of one more.
    void sleep(std::uint64_t before) {
      const guard hold(lock);
      while (rung <= before) alarm.wait(lock);
    }
    void wake() {
      {
        const guard hold(lock);
        ++rung;
      }
      alarm.ring();
    }

    mutex lock;
    bell alarm;
    std::uint64_t rung = 0;

    // The rest under the module's lock.
    std::uint64_t told = 0;           // how often it was told to get up; each time it is rung for a little later
    std::uint32_t threads = 0;        // that wait and were not told
    pending_call* pending = nullptr;  // of the only such thread; null if there are several
  };

  // Who is to be woken as soon as the lock is given back; before, they might only wait for it.
  class alarms {
  public:
    alarms() = default;
    alarms(const alarms&) = delete;
    alarms& operator=(const alarms&) = delete;
    ~alarms() {
      while (size_ != 0) due_[--size_]->wake();
    }
    // @pre it was not yet added
    void add(sleeper& one) { due_[size_++] = &one; }

  private:
    sleeper* due_[roles];
    std::uint32_t size_ = 0;
  };

  static constexpr bool has_handshakes() {
    for (const auto& a : Spec::actions) {
      if (a.what == kind::handshake) return true;
    }
    return false;
  }

  static bool matches(const global_action& a, const request& call) {
    if (a.what == kind::handshake) {
      if (call.what == kind::close || a.to != call.to) return false;
      return call.what == kind::send ? a.from == call.from && a.type == call.type
                                     : a.from == call.from || call.from == anything;
    }
    if (a.what != call.what || a.to != call.to) return false;
    return (a.from == call.from || call.from == anything) && (a.type == call.type || a.what != kind::send);
  }

  queue<message>& between(std::uint32_t from, std::uint32_t to) { return queues_[from * roles + to]; }

  const global_step* find(const request& call) {
    for (auto i = Spec::first[state_]; i < Spec::first[state_ + 1]; ++i) {
      const auto& a = Spec::actions[Spec::steps[i].action];
      if (a.what == kind::handshake || !matches(a, call)) continue;
      if (a.what != kind::receive) return &Spec::steps[i];
      const auto& q = between(a.from, a.to);
      if (q.size() == 0) continue;
      if (call.type != anything && q[0].type() != call.type) {
        throw wrong_type("the next message has another type", call, Spec::roles, Spec::types);
      }
      return &Spec::steps[i];
    }
    return nullptr;
  }

  void take(const global_step& step, message& content) {
    const auto& a = Spec::actions[step.action];
    if (a.what == kind::send) between(a.from, a.to).push(std::move(content));
    if (a.what == kind::receive) content = between(a.from, a.to).pop();
    state_ = step.target;
  }

  bool act(const request& call, message& content, alarms& due) {
    if (const auto* step = find(call)) {
      take(*step, content);
      settle(due);
      return true;
    }
    return meet(call, content, due);
  }

  // How often the role was told to get up before.
  std::uint64_t lie_down(pending_call& mine, const bool* possible, alarms& due) {
    const auto self = mine.call.subject();
    auto& place = sleepers_[self];
    const bool alone = ++place.threads == 1;
    place.pending = alone ? &mine : nullptr;
    possible_[self] = alone ? possible : nowhere;
    const auto told = place.told;
    if constexpr (has_handshakes()) settle(due);  // a receiver that asks for another type than is offered now
    return told;
  }

  void tell(std::uint32_t whom, alarms& due) {
    auto& place = sleepers_[whom];
    place.threads = 0;
    place.pending = nullptr;
    possible_[whom] = nullptr;
    ++place.told;
    due.add(place);
  }

  // Performs what waits, as long as something can be; and tells those who will never be able to go on.
  void settle(alarms& due) {
    while (advance(due)) continue;
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (possible_[r] != nullptr && !possible_[r][state_]) tell(r, due);
    }
  }

  bool advance(alarms& due) {
    for (auto i = Spec::first[state_]; i < Spec::first[state_ + 1]; ++i) {
      const auto& step = Spec::steps[i];
      const bool both = Spec::actions[step.action].what == kind::handshake;
      if (both ? advance_both(step, due) : advance_one(step, due)) return true;
    }
    return false;
  }

  bool advance_one(const global_step& step, alarms& due) {
    const auto& a = Spec::actions[step.action];
    const auto self = a.what == kind::receive ? a.to : a.from;
    auto* waiting = sleepers_[self].pending;
    if (waiting == nullptr || !matches(a, waiting->call)) return false;
    if (a.what == kind::receive) {
      const auto& q = between(a.from, a.to);
      if (q.size() == 0) return false;
      if (!takes(waiting->call, q[0].type())) {
        tell(self, due);  // to throw
        return false;
      }
    }
    take(step, *waiting->content);
    waiting->done = true;
    tell(self, due);
    return true;
  }

  bool advance_both(const global_step& step, alarms& due) {
    const auto& a = Spec::actions[step.action];
    auto* sends = sleepers_[a.from].pending;
    auto* receives = sleepers_[a.to].pending;
    if (sends == nullptr || sends->call.what != kind::send || !matches(a, sends->call)) return false;
    if (receives == nullptr || receives->call.what != kind::receive || !matches(a, receives->call)) return false;
    if (!takes(receives->call, a.type)) {
      tell(a.to, due);  // to throw
      return false;
    }
    *receives->content = std::move(*sends->content);
    state_ = step.target;
    sends->done = receives->done = true;
    tell(a.from, due);
    tell(a.to, due);
    return true;
  }

  static bool takes(const request& receive, std::uint32_t type) {
    return receive.type == anything || receive.type == type;
  }

  // The handshake that is possible because the other side waits for it.
  const global_step* find_handshake(const request& call) {
    for (auto i = Spec::first[state_]; i < Spec::first[state_ + 1]; ++i) {
      const auto& a = Spec::actions[Spec::steps[i].action];
      if (a.what != kind::handshake || !matches(a, call)) continue;
      const auto* other = sleepers_[call.what == kind::send ? a.to : a.from].pending;
      if (other == nullptr || other->call.what == call.what || !matches(a, other->call)) continue;
      if (takes(call.what == kind::receive ? call : other->call, a.type)) return &Spec::steps[i];
      if (call.what == kind::receive) {
        throw wrong_type("the message offered has another type", call, Spec::roles, Spec::types);
      }
    }
    return nullptr;
  }

  bool meet(const request& call, message& content, alarms& due) {
    if constexpr (!has_handshakes()) return false;
    const auto* step = find_handshake(call);
    if (step == nullptr) return false;
    const auto& a = Spec::actions[step->action];
    const auto peer = call.what == kind::send ? a.to : a.from;
    auto& other = *sleepers_[peer].pending;
    if (call.what == kind::send) {
      *other.content = std::move(content);
    } else {
      content = std::move(*other.content);
    }
    other.done = true;
    tell(peer, due);
    state_ = step->target;
    settle(due);
    return true;
  }

  static bool takes_part(const global_action& a, std::uint32_t self) {
    if (a.what == kind::handshake) return a.from == self || a.to == self;
    return (a.what == kind::receive ? a.to : a.from) == self;
  }

  // From which states the others can bring about one in which a call is possible, its role doing nothing else.
  struct prospect {
    request call;
    prospect* next;
    bool from[states];
  };

  // Worked out once for each call that waits. The type does not matter to a receive.
  const bool* possible_later(request call) {
    if (call.what == kind::receive) call.type = anything;
    auto& known = prospects_[call.subject()];
    for (const auto* p = known; p != nullptr; p = p->next) {
      const auto& c = p->call;
      if (c.what == call.what && c.from == call.from && c.to == call.to && c.type == call.type) return p->from;
    }
    known = new prospect{call, known, {}};
    find_out(*known);
    return known->from;
  }

  // Backwards from the states that have the action, over steps of other roles.
  static void find_out(prospect& p) {
    const auto self = p.call.subject();
    for (bool more = true; more;) {
      more = false;
      for (auto s = states; s-- != 0;) {
        for (auto i = Spec::first[s]; i < Spec::first[s + 1] && !p.from[s]; ++i) {
          const auto& step = Spec::steps[i];
          const auto& a = Spec::actions[step.action];
          p.from[s] = matches(a, p.call) || (!takes_part(a, self) && p.from[step.target]);
          more = more || p.from[s];
        }
      }
    }
  }

  static constexpr bool nowhere[states] = {};

  mutex lock_;
  std::uint32_t state_ = 0;
  queue<message> queues_[std::size_t{roles} * roles];
  sleeper sleepers_[roles];
  const bool* possible_[roles] = {};  // by role: from where its call is possible; null unless it waits and was not told
  prospect* prospects_[roles] = {};   // by role, the last that was worked out first
};

}  // namespace harrier::runtime
