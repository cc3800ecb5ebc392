#pragma once

#include <harrier/protocol/runtime.hpp>

namespace harrier::runtime {

/// A step of one role. A send writes `mark` on the message, a receive looks for it; `anything`: it takes what comes.
struct local_step {
  kind what;
  std::uint32_t peer;
  std::uint32_t type;
  std::uint32_t mark;
  std::uint32_t next;
};

/// What both liberal modules share: a machine for each role, touched by its own
/// thread alone, and a place with a lock of its own for each role's messages.
///
/// `Spec` gives the tables: `steps` sorted by role and state, `first`, where
/// the steps of each state begin, with one more entry at the end, and `start`,
/// each role's first state among them. `Queues`: how many each role has.
template <class Derived, class Spec, std::size_t Queues>
class local_machines : public module<Derived, Spec> {
public:
  using spec = Spec;
  using message = typename Spec::message;

  /// @param capacity  a send waits while so many messages wait in its queue (0: no limit).
  explicit local_machines(std::size_t capacity = 0) : capacity_(capacity) {
    for (std::uint32_t r = 0; r < roles; ++r) places_[r].state = Spec::start[r];
  }
  local_machines(const local_machines&) = delete;
  local_machines& operator=(const local_machines&) = delete;

  bool perform(request call, message& content, bool wait) {
    if (call.what == kind::send) return enqueue(call, content, wait);
    if (call.what == kind::receive) return dequeue(call, content, wait);
    const auto* step = find(places_[call.from].state, kind::close, call.to, anything);
    if (step == nullptr) return refuse(call, wait);
    places_[call.from].state = step->next;
    return true;
  }

  /// Whether every role has finished, and no message waits.
  [[nodiscard]] bool may_end() const {
    for (const auto& p : places_) {
      if (begin(p.state) != end(p.state)) return false;
      for (const auto& q : p.queues) {
        if (q.size() != 0) return false;
      }
    }
    return true;
  }

  template <class Sink>
  void save(Sink&& sink) const {
    for (const auto& p : places_) sink(p.state);
    for (const auto& p : places_) {
      for (const auto& q : p.queues) {
        sink(static_cast<std::uint32_t>(q.size()));
        for (std::size_t i = 0; i < q.size(); ++i) {
          sink(q[i].from);
          sink(q[i].content.type());
          sink(q[i].mark);
        }
      }
    }
  }
  void load(const std::uint32_t* word) {
    for (auto& p : places_) p.state = *word++;
    for (auto& p : places_) {
      for (auto& q : p.queues) {
        q.clear();
        for (auto length = *word++; length != 0; --length, word += 3) {
          q.push({word[0], word[2], message::of_type(word[1])});
        }
      }
    }
  }

protected:
  static constexpr std::uint32_t roles = sizeof(Spec::roles) / sizeof(Spec::roles[0]);

  struct letter {
    std::uint32_t from = 0;
    std::uint32_t mark = 0;
    message content;
  };
  struct alignas(64) place {
    std::uint32_t state = 0;  // the role's thread's alone, apart from what the others touch
    alignas(64) mutex lock;
    bool waits = false;  // whether that thread waits for an arrival
    bell arrival;
    bell room;
    queue<letter> queues[Queues];
  };

  static const local_step* begin(std::uint32_t state) { return Spec::steps + Spec::first[state]; }
  static const local_step* end(std::uint32_t state) { return Spec::steps + Spec::first[state + 1]; }
  static const local_step* find(std::uint32_t state, kind what, std::uint32_t peer, std::uint32_t type) {
    for (const auto* s = begin(state); s != end(state); ++s) {
      if (s->what == what && s->peer == peer && s->type == type) return s;
    }
    return nullptr;
  }
  static bool refuse(const request& call, bool wait) {
    if (!wait) return false;
    throw not_allowed("not allowed here, whatever the others do", call, Spec::roles, Spec::types);
  }

private:
  bool enqueue(const request& call, message& content, bool wait) {
    auto& state = places_[call.from].state;
    const auto* step = find(state, kind::send, call.to, call.type);
    if (step == nullptr) return refuse(call, wait);
    auto& to = places_[call.to];
    bool awaited = false;
    {
      const guard hold(to.lock);
      auto& q = to.queues[Derived::queue_for(call.from)];
      while (capacity_ != 0 && q.size() >= capacity_) {
        if (!wait) return false;
        to.room.wait(to.lock);
      }
      auto& sent = q.push();
      sent.from = call.from;
      sent.mark = step->mark;
      sent.content = std::move(content);
      awaited = to.waits;
    }
    if (awaited) to.arrival.ring_for_one();
    state = step->next;
    return true;
  }

  bool dequeue(const request& call, message& content, bool wait) {
    auto& self = places_[call.to];
    const guard hold(self.lock);
    for (;;) {
      std::uint32_t from = 0;
      const auto next = Derived::choose(self, call, from);
      if (next == Derived::never) return refuse(call, wait);
      if (next != Derived::later) {
        auto& q = self.queues[from];
        content = std::move(q[0].content);
        q.drop();
        self.state = next;
        if (capacity_ != 0) self.room.ring();
        return true;
      }
      if (!wait) return false;
      self.waits = true;
      self.arrival.wait(self.lock);
      self.waits = false;
    }
  }

  std::size_t capacity_;
  place places_[roles];
};

/// As Prut4j projects: one queue for each role; with one receive to choose from,
/// whatever comes first is taken, whoever sent it; with several, what fits none
/// is lost. For comparison: `checked_module` is the sound one.
template <class Spec>
class liberal_module : public local_machines<liberal_module<Spec>, Spec, 1> {
  using base = local_machines<liberal_module<Spec>, Spec, 1>;
  friend base;

public:
  using base::base;
  static constexpr bool chooses_sender = false;

private:
  static constexpr std::uint32_t never = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t later = static_cast<std::uint32_t>(-2);
  static std::size_t queue_for(std::uint32_t) { return 0; }

  static std::uint32_t choose(typename base::place& self, const request& call, std::uint32_t& from) {
    auto& q = self.queues[from = 0];
    bool receives = false;
    for (const auto* s = base::begin(self.state); s != base::end(self.state); ++s) {
      if (s->what != kind::receive) continue;
      if (q.size() == 0) return later;
      if (s->mark == anything || s->mark == q[0].mark) return fitting(self, *s, call);
      receives = true;
    }
    if (!receives) return never;
    static_cast<void>(q.pop());
    throw message_lost("the message taken fits no receive; it is lost", call, Spec::roles, Spec::types);
  }

  static std::uint32_t fitting(typename base::place& self, const local_step& step, const request& call) {
    if (call.type == anything || self.queues[0][0].content.type() == call.type) return step.next;
    static_cast<void>(self.queues[0].pop());
    throw wrong_type("the message taken has another type", call, Spec::roles, Spec::types);
  }
};

/// The sound one: a queue for each pair of roles; a message is taken only by the
/// receive it is meant for, and waits otherwise.
template <class Spec>
class checked_module : public local_machines<checked_module<Spec>, Spec, sizeof(Spec::roles) / sizeof(Spec::roles[0])> {
  using base = local_machines<checked_module<Spec>, Spec, sizeof(Spec::roles) / sizeof(Spec::roles[0])>;
  friend base;

public:
  using base::base;
  static constexpr bool chooses_sender = true;

private:
  static constexpr std::uint32_t never = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t later = static_cast<std::uint32_t>(-2);
  static std::size_t queue_for(std::uint32_t from) { return from; }

  static std::uint32_t choose(typename base::place& self, const request& call, std::uint32_t& from) {
    auto result = never;
    for (const auto* s = base::begin(self.state); s != base::end(self.state); ++s) {
      if (s->what != kind::receive || (s->peer != call.from && call.from != anything)) continue;
      auto& q = self.queues[s->peer];
      if (q.size() == 0) {
        result = later;
      } else if (q[0].content.type() == s->type && q[0].mark == s->mark) {
        if (call.type != anything && s->type != call.type) {
          throw wrong_type("the next message has another type", call, Spec::roles, Spec::types);
        }
        from = s->peer;
        return s->next;
      }
    }
    return result;
  }
};

}  // namespace harrier::runtime
