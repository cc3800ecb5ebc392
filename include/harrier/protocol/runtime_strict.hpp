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
/// `Spec` gives the tables: `actions`, `steps` sorted by state, and `first`,
/// where the steps of each state begin, with one more entry at the end, and
/// `may_end_in`, by state.
template <class Spec>
class strict_module : public module<strict_module<Spec>, Spec> {
public:
  using spec = Spec;
  using message = typename Spec::message;
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
      if (!wait) return false;
      if (!possible_later(call))
        throw not_allowed("not allowed, whatever the others do", call, Spec::roles, Spec::types);
      sleep(call);
    }
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

  static bool matches(const global_action& a, const request& call) {
    if (a.what != call.what || a.to != call.to) return false;
    return (a.from == call.from || call.from == anything) && (a.type == call.type || a.what != kind::send);
  }

  queue<message>& between(std::uint32_t from, std::uint32_t to) { return queues_[from * roles + to]; }

  const global_step* find(const request& call) {
    for (auto i = Spec::first[state_]; i < Spec::first[state_ + 1]; ++i) {
      const auto& a = Spec::actions[Spec::steps[i].action];
      if (!matches(a, call)) continue;
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

  void sleep(const request& call) {
    auto& self = sleepers_[call.subject()];
    self.call = call;
    ++self.threads;
    self.alarm.wait(lock_);
    --self.threads;
  }

  // Those whose call is possible now, or never will be. A wrong type is theirs to find.
  void wake() {
    for (auto& other : sleepers_) {
      if (other.threads == 0) continue;
      auto call = other.call;
      if (call.what == kind::receive) call.type = anything;
      if (other.threads > 1 || find(call) != nullptr || !possible_later(call)) other.alarm.ring();
    }
  }

  // Whether the others can bring about a state in which the call is possible, the caller doing nothing else.
  bool possible_later(const request& call) {
    for (std::uint32_t a = 0; a < actions; ++a) {
      if (matches(Spec::actions[a], call) && reaching(a)[state_]) return true;
    }
    return false;
  }

  // Backwards from the states that have the action, over steps of other roles; worked out once for each action.
  const bool* reaching(std::uint32_t action) {
    if (reaching_[action] != nullptr) return reaching_[action];
    auto* reached = new bool[states]();
    const auto& a = Spec::actions[action];
    const auto self = a.what == kind::receive ? a.to : a.from;
    for (bool more = true; more;) {
      more = false;
      for (auto s = states; s-- != 0;) {
        for (auto i = Spec::first[s]; i < Spec::first[s + 1] && !reached[s]; ++i) {
          const auto& step = Spec::steps[i];
          const auto& other = Spec::actions[step.action];
          const auto subject = other.what == kind::receive ? other.to : other.from;
          reached[s] = step.action == action || (subject != self && reached[step.target]);
          more = more || reached[s];
        }
      }
    }
    reaching_[action] = reached;
    return reached;
  }

  struct sleeper {
    bell alarm;
    request call{kind::close, 0, 0, 0};
    std::uint32_t threads = 0;
  };

  mutex lock_;
  std::uint32_t state_ = 0;
  queue<message> queues_[std::size_t{roles} * roles];
  sleeper sleepers_[roles];
  const bool* reaching_[actions == 0 ? 1 : actions] = {};
};

}  // namespace harrier::runtime
