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
    for (auto* known : reaching_) delete[] known;
  }

  bool perform(request call, message& content, bool wait) {
    const guard hold(lock_);
    for (;;) {
      if (const auto* step = find(call)) {
        take(*step, content);
        wake();
        return true;
      }
      if (meet(call, content)) return true;
      if (!wait) return false;
      if (!possible_later(call))
        throw not_allowed("not allowed, whatever the others do", call, Spec::roles, Spec::types);
      if (sleep(call, content)) return true;
    }
  }

  /// Both sides of a handshake, played by one thread, as if `from` were waiting
  /// in `send` when `to` calls `try_recv`. @pre neither role is in a call.
  template <class T>
  bool try_handshake(role from, role to, T&& value, message& into) {
    const guard hold(lock_);
    message content(std::forward<T>(value));
    const auto sender = static_cast<std::uint32_t>(from);
    const auto receiver = static_cast<std::uint32_t>(to);
    auto& offering = sleepers_[sender];
    offering.call = {kind::send, sender, receiver, content.type()};
    offering.content = &content;
    offering.threads = 1;
    const bool done = meet({kind::receive, sender, receiver, anything}, into);
    offering.threads = 0;
    offering.done = false;
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

  // Whether it was woken because the other side performed the handshake.
  bool sleep(const request& call, message& content) {
    auto& self = sleepers_[call.subject()];
    self.call = call;
    self.content = &content;
    ++self.threads;
    if constexpr (has_handshakes()) wake();  // a receiver that asks for another type
    self.alarm.wait(lock_);
    --self.threads;
    return std::exchange(self.done, false);
  }

  // The handshake that is possible because the other side waits for it.
  const global_step* find_handshake(const request& call) {
    for (auto i = Spec::first[state_]; i < Spec::first[state_ + 1]; ++i) {
      const auto& a = Spec::actions[Spec::steps[i].action];
      if (a.what != kind::handshake || !matches(a, call)) continue;
      const auto& other = sleepers_[call.what == kind::send ? a.to : a.from];
      if (other.threads == 0 || other.done || other.call.what == call.what || !matches(a, other.call)) continue;
      const auto asked = call.what == kind::receive ? call.type : other.call.type;
      if (asked == anything || asked == a.type) return &Spec::steps[i];
      if (call.what == kind::receive) {
        throw wrong_type("the message offered has another type", call, Spec::roles, Spec::types);
      }
    }
    return nullptr;
  }

  bool meet(const request& call, message& content) {
    if constexpr (!has_handshakes()) return false;
    const auto* step = find_handshake(call);
    if (step == nullptr) return false;
    const auto& a = Spec::actions[step->action];
    auto& other = sleepers_[call.what == kind::send ? a.to : a.from];
    if (call.what == kind::send) {
      *other.content = std::move(content);
    } else {
      content = std::move(*other.content);
    }
    other.done = true;
    other.alarm.ring();
    state_ = step->target;
    wake();
    return true;
  }

  bool possible_now(const request& call) {
    if (find(call) != nullptr) return true;
    if constexpr (has_handshakes()) return find_handshake(call) != nullptr;
    return false;
  }

  // Those whose call is possible now, or never will be. A wrong type is theirs to find.
  void wake() {
    for (auto& other : sleepers_) {
      if (other.threads == 0 || other.done) continue;
      auto call = other.call;
      if (call.what == kind::receive) call.type = anything;
      if (other.threads > 1 || possible_now(call) || !possible_later(call)) other.alarm.ring();
    }
  }

  // Whether the others can bring about a state in which the call is possible, the caller doing nothing else.
  bool possible_later(const request& call) {
    for (std::uint32_t a = 0; a < actions; ++a) {
      if (matches(Spec::actions[a], call) && reaching(a, call.subject())[state_]) return true;
    }
    return false;
  }

  static bool takes_part(const global_action& a, std::uint32_t self) {
    if (a.what == kind::handshake) return a.from == self || a.to == self;
    return (a.what == kind::receive ? a.to : a.from) == self;
  }

  // Backwards from the states that have the action, over steps of other roles; worked out once for each action, and for
  // each side of a handshake.
  const bool* reaching(std::uint32_t action, std::uint32_t self) {
    const bool second = Spec::actions[action].what == kind::handshake && Spec::actions[action].to == self;
    auto& known = reaching_[action + (second ? actions : 0)];
    if (known != nullptr) return known;
    auto* reached = new bool[states]();
    for (bool more = true; more;) {
      more = false;
      for (auto s = states; s-- != 0;) {
        for (auto i = Spec::first[s]; i < Spec::first[s + 1] && !reached[s]; ++i) {
          const auto& step = Spec::steps[i];
          reached[s] = step.action == action || (!takes_part(Spec::actions[step.action], self) && reached[step.target]);
          more = more || reached[s];
        }
      }
    }
    known = reached;
    return reached;
  }

  struct sleeper {
    bell alarm;
    request call{kind::close, 0, 0, 0};
    message* content = nullptr;
    std::uint32_t threads = 0;
    bool done = false;  // the other side performed the handshake
  };

  mutex lock_;
  std::uint32_t state_ = 0;
  queue<message> queues_[std::size_t{roles} * roles];
  sleeper sleepers_[roles];
  const bool* reaching_[std::size_t{2} * actions] = {};
};

}  // namespace harrier::runtime
