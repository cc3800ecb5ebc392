#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <harrier/protocol/runtime.hpp>
#include <harrier/protocol/runtime_local.hpp>

namespace harrier::runtime {

/// What both liberal modules share: a machine for each role, touched by its own
/// thread alone, and a place with a lock of its own for each role's messages.
///
/// A receive that waits gets `peer_gone` when all senders that its role's machine
/// takes something from there have left. Who waits for a role that itself waits
/// for one that has left gets it when that role leaves in turn.
///
/// `Spec` gives the tables: `steps` sorted by role and state, `first`, where
/// the steps of each state begin, with one more entry at the end, and `start`,
/// each machine's first state among them. Each role has one machine, or, by phase,
/// `machines` has the first one of those that are beside each other, and by role
/// `phases` has its first phase, both with one more entry at the end. For words,
/// `roles`, `types`, `lines` of the steps, and `definition`, the file they are in.
/// `queues`: how many there are, at least one, and `receivers`, whose each is: it
/// is touched under the lock of that role's place. `rooms`, if there are channels:
/// how many messages each queue has room for by the definition, 0 of those that
/// have no bound.
template <class Derived, class Spec>
class local_machines : public module<Derived, Spec>, protected local_automaton<Spec> {
  using tables = local_automaton<Spec>;
  using tables::find;
  using tables::is_finished;
  using position = typename tables::position;

public:
  using spec = Spec;
  using message = typename Spec::message;

  /// @param capacity  a send waits while so many messages wait in its queue (0: no limit but a channel's own).
  explicit local_machines(std::size_t capacity = 0) : capacity_(capacity) {
    for (std::uint32_t r = 0; r < roles; ++r) places_[r].at = places_[r].left_at = position(r);
    count_finished();
  }
  local_machines(const local_machines&) = delete;
  local_machines& operator=(const local_machines&) = delete;
  ~local_machines() {
    this->detach();
    cancel("the module was destroyed");
    for (auto& p : places_) p.wait_until_left();
  }

  /// Nothing is possible any more: who waits, and who calls from now on, gets
  /// `cancelled` with this reason (of 255 characters at most; the first one
  /// holds). From any thread, any number of times. A send that is under way may
  /// still be done.
  void cancel(const char* reason) noexcept {
    {
      const guard hold(ending_);
      if (cancelled_) return;
      cancelled_.set(reason);
    }
    disturb();
  }

  /// How many threads wait in a call; it may be another number at once.
  [[nodiscard]] std::size_t waiting() const {
    std::size_t result = 0;
    for (const auto& p : places_) {
      const guard hold(p.lock);
      for (const auto* list : {p.receivers, p.senders}) {
        for (const auto* w = list; w != nullptr; w = w->next) ++result;
      }
    }
    return result;
  }

  /// How many messages were sent and not yet received.
  [[nodiscard]] std::size_t unreceived() const {
    std::size_t result = 0;
    for (std::uint32_t i = 0; i < Spec::queues; ++i) {
      const guard hold(places_[Spec::receivers[i]].lock);
      result += queues_[i].size();
    }
    return result;
  }

  template <class Limit>
  bool perform(request& call, message& content, const Limit& limit) {
    if (call.what == kind::send) return enqueue(call, content, limit);
    if (call.what == kind::receive) return dequeue(call, content, limit);
    auto& self = places_[call.from];
    const sole_use use(self.busy, call, Spec{});
    {
      const guard hold(self.lock);
      if (self.disturbed) refuse_if_over(call);
    }
    const auto* step = find(self.at, kind::close, call.to, anything);
    if (step == nullptr) return refuse<Limit>(call);
    go_to(call.from, step->next);
    return true;
  }

  [[nodiscard]] bool has_left(std::uint32_t who) const { return places_[who].gone.is_set(); }

  /// See `leave`; `threw`: an exception is why. @return whether it owed something, if that was asked for.
  bool depart(std::uint32_t who, bool threw, words* owed = nullptr) noexcept {
    auto& self = places_[who];
    {
      const guard hold(ending_);
      if (has_left(who)) return false;
      self.left_at.copy(self.at);
      self.departure = ++departures_;
      self.threw.set(threw);
      self.gone.set();
    }
    disturb();
    drop_out(who);
    if (!this->asks(threw, owed) || !tables::owes(self.left_at)) return false;
    words text;
    tables::list_owed(text << Spec::roles[who] << " has left", self.left_at, who);
    this->tell_early(text, threw, owed);
    return true;
  }

  /// Whether every role has finished, and no message waits.
  [[nodiscard]] bool may_end() const {
    for (const auto& p : places_) {
      if (!is_finished(p.at)) return false;
    }
    for (const auto& q : queues_) {
      if (q.size() != 0) return false;
    }
    return true;
  }

  template <class Sink>
  void save(Sink&& sink) const {
    for (const auto& p : places_) p.at.save(sink);
    for (const auto& q : queues_) {
      sink(static_cast<std::uint32_t>(q.size()));
      for (std::size_t i = 0; i < q.size(); ++i) {
        sink(q[i].from);
        sink(q[i].content.type());
        sink(q[i].mark);
      }
    }
  }
  void load(const std::uint32_t* word) {
    for (std::uint32_t r = 0; r < roles; ++r) static_cast<void>(places_[r].at.load(r, [&] { return *word++; }));
    for (auto& q : queues_) {
      q.clear();
      for (auto length = *word++; length != 0; --length, word += 3) {
        q.push({word[0], word[2], message::of_type(word[1])});
      }
    }
    count_finished();
  }

protected:
  static constexpr std::uint32_t roles = sizeof(Spec::roles) / sizeof(Spec::roles[0]);

  struct letter {
    std::uint32_t from = 0;
    std::uint32_t mark = 0;
    message content;
  };
  // A call that waits, on the stack of its thread.
  struct waiter {
    const request* call;
    bool patient;  // only others can end its waiting
    waiter* next = nullptr;
    bool listed = true;
    bool stuck = false;  // all wait for one another
  };
  struct alignas(64) place {
    // @pre nobody can begin to wait any more
    void wait_until_left() {
      const guard hold(lock);
      closing = true;
      while (visits != 0) emptied.wait(lock);
    }

    position at;  // the role's thread's alone, apart from what the others touch
    flag busy;
    alignas(64) mutable mutex lock;
    bool disturbed = false;       // cancelled, or somebody has left
    bool closing = false;         // the module is being destroyed
    std::uint32_t visits = 0;     // calls that have waited here and not returned
    waiter* receivers = nullptr;  // for an arrival; one thread's, if roles are used as they should be
    waiter* senders = nullptr;    // for room
    bell arrival;
    bell room;
    bell emptied;
    flag gone;
    flag threw;
    flag out;  // it has left, or has nothing left to do
    // Under `ending_`, of who has left:
    position left_at;             // where it was
    std::uint32_t departure = 0;  // how many had left then; 0: it is here
  };
  // Two receivers must not touch one line of the cache.
  struct alignas(64) letters : queue<letter> {};

  using tables::begin;
  using tables::choose;
  using tables::end;
  using tables::later;
  using tables::list_allowed;
  using tables::never;
  using tables::refuse_type;

private:
  template <class Limit>
  bool enqueue(const request& call, message& content, const Limit& limit) {
    auto& from = places_[call.from];
    auto& to = places_[call.to];
    sole_use use(from.busy, call, Spec{});
    const auto* step = find(from.at, kind::send, call.to, call.type);
    if (step == nullptr) return refuse<Limit>(call);
    bool awaited = false;
    {
      const guard hold(to.lock);
      if (to.disturbed) refuse_if_over(call);
      if (is_full(*step)) {
        if constexpr (Limit::waits) return enqueue_late(call, content, limit, *step, use);
        return false;
      }
      awaited = put(to, call, content, *step);
    }
    if (awaited) to.arrival.ring_for_one();
    go_to(call.from, step->next);
    return true;
  }

  bool is_full(const local_step& send) const {
    const auto room = tables::room_in(send.queue, capacity_);
    return room != 0 && queues_[send.queue].size() >= room;
  }

  // @pre the lock of `to` is held. @return whether somebody is to be woken
  bool put(place& to, const request& call, message& content, const local_step& step) {
    auto& sent = queues_[step.queue].push();
    sent.from = call.from;
    sent.mark = step.mark;
    sent.content = std::move(content);
    if (to.receivers == nullptr) return false;
    unlist(to.receivers);
    return true;
  }

  // A send that waits for room. Apart, so that one that does not needs no more than it does. @pre the lock of the
  // receiver's place is held; so it is afterwards
  template <class Limit>
  [[gnu::noinline]] bool enqueue_late(const request& call, message& content, const Limit& limit, const local_step& step,
                                      sole_use& use) {
    auto& to = places_[call.to];
    return while_waiting(to, to.room, limit, use, [&] {
      for (;;) {
        if (to.disturbed) refuse_if_over(call);
        if (!is_full(step)) break;
        if (limit.is_over()) fail_of<Spec>(limit, call);
        wait(to, to.senders, to.room, call, limit);
      }
      if (put(to, call, content, step)) to.arrival.ring_for_one();
      to.lock.unlock();
      go_to(call.from, step.next);
      to.lock.lock();
      return true;
    });
  }

  template <class Limit>
  bool dequeue(request& call, message& content, const Limit& limit) {
    auto& self = places_[call.to];
    sole_use use(self.busy, call, Spec{});
    bool finished = false;
    {
      const guard hold(self.lock);
      if (self.disturbed) refuse_if_over(call);
      std::uint32_t index = 0;
      const auto next = Derived::choose(queues_, self, call, index);
      if (next == tables::never) return refuse_here<Limit>(call);
      if (next == tables::later) return dequeue_late(call, content, limit, use);
      finished = take_first(self, call, content, index, next);
    }
    if (finished) drop_out(call.to);
    return true;
  }

  // The first message of a queue. @pre the lock of the place is held. @return whether the role has finished
  bool take_first(place& self, request& call, message& content, std::uint32_t index, std::uint32_t next) {
    auto& q = queues_[index];
    content = std::move(q[0].content);
    call.from = q[0].from;
    q.drop();
    self.at.set(call.to, next);
    if (tables::room_in(index, capacity_) != 0) {
      unlist(self.senders);
      self.room.ring();
    }
    return is_finished(self.at);
  }

  // A receive for which nothing has come yet: see enqueue_late.
  template <class Limit>
  [[gnu::noinline]] bool dequeue_late(request& call, message& content, const Limit& limit,
                                      [[maybe_unused]] sole_use& use) {
    auto& self = places_[call.to];
    if (self.disturbed) refuse_if_gone(call);
    if constexpr (!Limit::waits) {
      return false;
    } else {
      return while_waiting(self, self.arrival, limit, use, [&] {
        std::uint32_t index = 0;
        auto next = tables::later;
        if constexpr (!Limit::for_ever) next = look_again(self, call, index);  // the lock was free for a moment
        while (next == tables::later) {
          if (self.disturbed) refuse_if_gone(call);
          if (limit.is_over()) fail_of<Spec>(limit, call);
          wait(self, self.receivers, self.arrival, call, limit);
          next = look_again(self, call, index);
        }
        if (next == tables::never) return refuse_here<Limit>(call);
        if (take_first(self, call, content, index, next)) {
          self.lock.unlock();
          drop_out(call.to);
          self.lock.lock();
        }
        return true;
      });
    }
  }

  std::uint32_t look_again(place& self, const request& call, std::uint32_t& index) {
    if (self.disturbed) refuse_if_over(call);
    return Derived::choose(queues_, self, call, index);
  }

  // Calls `body`, and keeps the module from being destroyed until it has returned.
  // @pre the lock of `at` is held; so it is in `body` and afterwards, but for a moment in between if there is a limit
  template <class Limit, class Body>
  static bool while_waiting(place& at, bell& alarm, const Limit& limit, sole_use& use, const Body& body) {
    const visit here(at);
    const end_of earlier(use);
    if constexpr (Limit::for_ever || !Limit::waits) {
      return body();
    } else {
      // Nobody may make or destroy what a stop calls while holding a lock that it takes.
      const unlocked outside(at.lock);
      const auto waking = limit.when_stopped([&at, &alarm] {
        const guard hold(at.lock);
        alarm.ring();
      });
      const guard hold(at.lock);
      return body();
    }
  }

  // @pre of all: the place's lock is held
  class visit {
  public:
    explicit visit(place& at) : at_(at) { ++at_.visits; }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
      if (--at_.visits == 0 && at_.closing) at_.emptied.ring();
    }

  private:
    place& at_;
  };
  class unlocked {
  public:
    explicit unlocked(mutex& held) : held_(held) { held_.unlock(); }
    unlocked(const unlocked&) = delete;
    unlocked& operator=(const unlocked&) = delete;
    ~unlocked() { held_.lock(); }

  private:
    mutex& held_;
  };

  // Until something has happened that the call may go on by, or its time is over, or for no reason.
  // @pre the lock of `at` is held; so it is afterwards, but not in between
  template <class Limit>
  [[gnu::noinline]] void wait(place& at, waiter*& list, bell& alarm, const request& call, const Limit& limit) {
    waiter mine{&call, Limit::for_ever, list};
    list = &mine;
    if (Limit::for_ever && idle_.add(1) == roles) {
      at.lock.unlock();
      report_deadlock();
      at.lock.lock();
    }
    if (mine.listed && !mine.stuck) limit.wait(alarm, at.lock);
    if (!mine.listed) return;
    remove(mine, list);
    if (Limit::for_ever) idle_.subtract(1);
    if (mine.stuck) {
      const guard hold(ending_);
      throw deadlock(report_);
    }
  }

  static void remove(waiter& one, waiter*& list) {
    auto** place = &list;
    while (*place != &one) place = &(*place)->next;
    *place = one.next;
  }

  // They may go on: from here on they do not count as waiting, though they may still sleep.
  // @pre the lock of their place is held
  void unlist(waiter*& list) {
    for (auto* w = std::exchange(list, nullptr); w != nullptr; w = w->next) {
      w->listed = false;
      if (w->patient) idle_.subtract(1);
    }
  }

  // --- what can never go on
  //
  // `idle_` counts the roles of which a patient call waits, and those that are out: each at most once, for a call ends
  // before its role is out. A call is added under its place's lock by its own thread, when it was tried in vain, and is
  // subtracted under the same lock by whoever changes what it waits for, before that one can wait itself. So when all
  // are counted nobody is left who can change anything. A role that leaves while it is in a call is added when every
  // place was disturbed: whatever the call does, it did under the lock of one before that was, or finds it disturbed
  // and fails.

  // By its own thread. Who makes it leave while it is in a call may read it meanwhile.
  void go_to(std::uint32_t who, std::uint32_t state) {
    places_[who].at.set(who, state);
    if (is_finished(places_[who].at)) drop_out(who);
  }

  // @pre no lock is held, and no call of the role waits
  void drop_out(std::uint32_t who) noexcept {
    if (!places_[who].out.set() && idle_.add(1) == roles) report_deadlock();
  }

  void count_finished() {
    std::uint32_t finished = 0;
    for (auto& p : places_) {
      p.out.set(is_finished(p.at));
      finished += is_finished(p.at) ? 1 : 0;
    }
    idle_.set(finished);
  }

  // @pre no lock is held
  [[gnu::noinline, gnu::cold]] void report_deadlock() noexcept {
    words text;
    text << "deadlock: all wait for one another:";
    const char* separator = " ";
    for_each_patient([&](waiter& w) {
      const auto& c = *w.call;
      describe<Spec>(text << std::exchange(separator, ", "), c.what, c.from, c.to, c.type);
    });
    separator = ", while gone: ";
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (has_left(r)) text << std::exchange(separator, ", ") << Spec::roles[r];
    }
    {
      const guard hold(ending_);
      report_ = text;
    }
    for_each_patient([](waiter& w) { w.stuck = true; });
    for (auto& p : places_) {
      const guard hold(p.lock);
      p.arrival.ring();
      p.room.ring();
    }
  }

  template <class Function>
  void for_each_patient(Function&& visit_one) {
    for (auto& p : places_) {
      const guard hold(p.lock);
      for (auto* list : {p.receivers, p.senders}) {
        for (auto* w = list; w != nullptr; w = w->next) {
          if (w->patient) visit_one(*w);
        }
      }
    }
  }

  // Everybody looks again whether it can go on.
  void disturb() noexcept {
    for (auto& p : places_) {
      const guard hold(p.lock);
      p.disturbed = true;
      unlist(p.receivers);
      unlist(p.senders);
      p.arrival.ring();
      p.room.ring();
    }
  }

  // --- words

  // What the role's machine never allows.
  template <class Limit>
  [[gnu::noinline, gnu::cold]] bool refuse(const request& call) const {
    const auto& self = places_[call.subject()];
    const guard hold(self.lock);
    if (self.disturbed) refuse_if_ended(call);  // that somebody has left makes no difference to what never is allowed
    return refuse_here<Limit>(call);
  }
  template <class Limit>
  [[gnu::noinline, gnu::cold]] bool refuse_here(const request& call) const {
    if (!Limit::waits) return false;
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": not allowed here, whatever the others do";
    list_allowed(text, places_[call.subject()].at, call.subject());
    throw not_allowed(text);
  }

  [[gnu::noinline, gnu::cold]] void refuse_if_ended(const request& call) const {
    const guard hold(ending_);
    if (cancelled_) cancelled_.template fail<Spec>(call);
    const auto self = call.subject();
    if (!has_left(self)) return;
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": ";
    throw not_yours(say_gone(text, self));
  }
  [[gnu::noinline, gnu::cold]] void refuse_if_over(const request& call) const {
    refuse_if_ended(call);
    if (call.what == kind::send && has_left(call.to)) fail_gone(call, call.to);
  }
  // A receive for which nothing has come: nothing, if somebody is there who may still send.
  [[gnu::noinline, gnu::cold]] void refuse_if_gone(const request& call) const {
    auto who = anything;
    for (const auto state : places_[call.to].at) {
      for (const auto* s = begin(state); s != end(state); ++s) {
        if (s->what != kind::receive || (s->peer != call.from && call.from != anything && Derived::chooses_sender))
          continue;
        if (!has_left(s->peer)) return;
        if (who == anything) who = s->peer;
      }
    }
    if (who != anything) fail_gone(call, who);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void fail_gone(const request& call, std::uint32_t who) const {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": peer gone: ";
    {
      const guard hold(ending_);
      say_gone(text, who);
      const auto cause = first_gone(who);
      if (cause != who) say_gone(text << "; before, ", cause);
    }
    throw peer_gone(text, Spec::roles[who]);
  }
  // "a has left, and owed: a SEND T TO b (file:1)". @pre of both: `ending_` is held, and the role has left
  words& say_gone(words& text, std::uint32_t who) const {
    const auto& self = places_[who];
    text << Spec::roles[who] << (self.threw.is_set() ? " was left by an exception" : " has left");
    tables::list_owed(text, self.left_at, who);
    return text;
  }
  // Who left first of those that owed something, up to `who`: why the others went, presumably.
  std::uint32_t first_gone(std::uint32_t who) const {
    for (std::uint32_t r = 0; r < roles; ++r) {
      const auto& p = places_[r];
      if (p.departure != 0 && p.departure < places_[who].departure && tables::owes(p.left_at)) who = r;
    }
    return who;
  }

  std::size_t capacity_;
  place places_[roles];
  alignas(64) counter idle_;
  mutable mutex ending_;  // of what follows
  cancellation cancelled_;
  words report_;  // of the last deadlock
  std::uint32_t departures_ = 0;
  letters queues_[Spec::queues];
};

/// As Prut4j projects: one queue for each role; with one receive to choose from,
/// whatever comes first is taken, whoever sent it; with several, what fits none
/// is lost. For comparison: `checked_module` is the sound one.
template <class Spec>
class liberal_module : public local_machines<liberal_module<Spec>, Spec> {
  using base = local_machines<liberal_module<Spec>, Spec>;
  friend base;

public:
  using base::base;
  static constexpr bool chooses_sender = false;

private:
  static std::uint32_t choose(typename base::letters* queues, const typename base::place& self, const request& call,
                              std::uint32_t& from) {
    auto& q = queues[from = call.to];
    bool receives = false;
    for (const auto state : self.at) {
      for (const auto* s = base::begin(state); s != base::end(state); ++s) {
        if (s->what != kind::receive) continue;
        if (q.size() == 0) return base::later;
        if (s->mark == anything || s->mark == q[0].mark) return fitting(self, q, *s, call);
        receives = true;
      }
    }
    if (!receives) return base::never;
    const auto lost = q.pop();
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type)
        << ": the message taken, " << Spec::types[lost.content.type()] << " from " << Spec::roles[lost.from]
        << ", fits no receive; it is lost";
    base::list_allowed(text, self.at, call.to);
    throw message_lost(text);
  }

  static std::uint32_t fitting(const typename base::place& self, typename base::letters& queue, const local_step& step,
                               const request& call) {
    if (call.type == anything || queue[0].content.type() == call.type) return step.next;
    const auto lost = queue.pop();
    base::refuse_type(self.at, call, lost.content.type(), ": the message taken, which is lost, has another type, ");
  }
};

/// The sound one: a queue for each two roles of which one sends to the other; a
/// message is taken only by the receive it is meant for, and waits otherwise.
template <class Spec>
class checked_module : public local_machines<checked_module<Spec>, Spec> {
  using base = local_machines<checked_module<Spec>, Spec>;
  friend base;

public:
  using base::base;
  static constexpr bool chooses_sender = true;

private:
  static std::uint32_t choose(typename base::letters* queues, const typename base::place& self, const request& call,
                              std::uint32_t& from) {
    return base::choose(queues, self.at, call, from);
  }
};

}  // namespace harrier::runtime
