#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <harrier/protocol/runtime.hpp>

namespace harrier::runtime {

/// An action of the protocol; `type` of a receive is `anything`. `queue`: which
/// one a send or receive uses.
struct global_action {
  kind what;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t type;
  std::uint32_t queue;
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
/// Whoever has left takes no step any more, and nobody sends to it: a call that
/// waits gets `peer_gone` as soon as it could become possible only by such steps,
/// however many roles are between.
///
/// `Spec` gives the tables: `actions`, `steps` sorted by state, and `first`,
/// where the steps of each state begin, with one more entry at the end,
/// `may_end_in`, by state, and `queues`, how many there are: one for each two
/// roles of which one sends to the other, at least one; and for words, `roles`,
/// `types`, `lines` of the steps (see `place`), and `definition`, the file they are in.
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
    this->detach();
    cancel("the module was destroyed");
    for (auto& s : sleepers_) s.wait_until_left(lock_);
    for (auto* known : after_departures_) {
      while (known != nullptr) delete std::exchange(known, known->next);
    }
  }

  /// Nothing is possible any more: who waits, and who calls from now on, gets
  /// `cancelled` with this reason (of 255 characters at most; the first one
  /// holds). From any thread, any number of times.
  void cancel(const char* reason) noexcept {
    turn now(lock_);
    if (cancelled_) return;
    cancelled_.set(reason);
    disturbed_ = true;
    tell_all(now.due);
  }

  /// How many threads wait in a call; it may be another number at once.
  [[nodiscard]] std::size_t waiting() const {
    const guard hold(lock_);
    std::size_t result = 0;
    for (const auto& s : sleepers_) result += s.threads;
    return result;
  }

  /// How many messages were sent and not yet received.
  [[nodiscard]] std::size_t unreceived() const {
    const guard hold(lock_);
    std::size_t result = 0;
    for (const auto& q : queues_) result += q.size();
    return result;
  }

  template <class Limit>
  bool perform(request& call, message& content, const Limit& limit) {
    sole_use use(sleepers_[call.subject()].busy, call, Spec{});
    turn now(lock_);
    const bool tried = !disturbed_;
    if (tried && act(call, content, now.due)) return true;
    if (!Limit::waits && tried) return false;
    return perform_late(call, content, limit, now, tried, use);
  }

  [[nodiscard]] bool has_left(std::uint32_t who) const {
    const guard hold(lock_);
    return gone_[who] != still_here;
  }

  /// See `leave`; `threw`: an exception is why. @return whether it owed something, if that was asked for.
  bool depart(std::uint32_t who, bool threw, words* owed = nullptr) noexcept {
    words text;
    {
      turn now(lock_);
      if (gone_[who] != still_here) return false;
      gone_[who] = threw ? threw_out : left;
      left_in_[who] = state_;
      gone_in_order_[departures_++] = who;
      disturbed_ = true;
      tell_all(now.due);  // to find out whether they can still go on
      if (!this->asks(threw, owed)) return false;
      const own_steps ahead(state_, who);
      if (!ahead.owed) return false;
      ahead.list(text << Spec::roles[who] << " has left", ", and owed: ", " or ");
    }
    this->tell_early(text, threw, owed);
    return true;
  }

  /// Both sides of a handshake, played by one thread, as if `from` were waiting
  /// in `send` when `to` calls `try_recv`. @pre neither role is in a call.
  template <class T>
  bool try_handshake(role from, role to, T&& value, message& into) {
    turn now(lock_);
    message content(std::forward<T>(value));
    const auto sender = static_cast<std::uint32_t>(from);
    const auto receiver = static_cast<std::uint32_t>(to);
    pending_call offer{{kind::send, sender, receiver, content.type()}, &content};
    request taking{kind::receive, sender, receiver, anything};
    if (disturbed_) refuse_if_over(offer.call);
    sleepers_[sender].pending = &offer;
    const bool done = meet(taking, into, now.due);
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
  enum presence : std::uint8_t { still_here, left, threw_out };
  static constexpr std::uint32_t actions = sizeof(Spec::actions) / sizeof(Spec::actions[0]);
  static constexpr std::uint32_t states = sizeof(Spec::first) / sizeof(Spec::first[0]) - 1;

  // A call that waits, on the stack of its thread.
  struct pending_call {
    request call;
    message* content;
    bool done = false;   // another thread performed it
    bool stuck = false;  // all wait for one another
  };

  class visit;

  // Where the thread of a role waits, apart from the lock: a thread whose call was performed needs it no more.
  struct sleeper {
    // Until all were rung for of whom it was told, and of one more; false: the call's limit ended it.
    template <class Limit>
    bool sleep(std::uint64_t before, const pending_call& mine, const Limit& limit, visit& here) {
      const guard hold(lock);
      while (rung <= before) {
        if (limit.is_over()) return false;
        limit.wait(alarm, lock);
      }
      if constexpr (Limit::for_ever && !HARRIER_CHECK_ROLES) {
        if (mine.done) here.end();  // a debug build has still to say that the role is not in a call any more
      }
      return true;
    }
    void wake() {
      {
        const guard hold(lock);
        ++rung;
      }
      alarm.ring();
    }
    // @pre nobody can enter any more
    void wait_until_left(mutex& of_module) {
      of_module.lock();
      const auto all = entered;
      of_module.unlock();
      const guard hold(lock);
      closing = true;
      while (ended != all) emptied.wait(lock);
    }

    flag busy;
    mutex lock;
    bell alarm;
    bell emptied;
    std::uint64_t rung = 0;
    std::uint64_t ended = 0;  // visits
    bool closing = false;

    // The rest under the module's lock.
    std::uint64_t told = 0;           // how often it was told to get up; each time it is rung for a little later
    std::uint64_t entered = 0;        // visits
    std::uint32_t threads = 0;        // that wait and were not told
    pending_call* pending = nullptr;  // of the only such thread; null if there are several
    bool patient = false;             // there is one, and only others can end its waiting
  };

  // A call that has waited, from then on until the module may be destroyed: one that was performed by another thread
  // touches nothing more after it was woken.
  class visit {
  public:
    explicit visit(sleeper& place) : place_(place) {}
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
      if (!under_way_) return;
      const guard hold(place_.lock);
      end();
    }
    // @pre the module's lock is held
    void enter() {
      if (std::exchange(under_way_, true)) return;
      ++place_.entered;
    }
    // @pre the place's lock is held
    void end() {
      under_way_ = false;
      ++place_.ended;
      if (place_.closing) place_.emptied.ring();
    }

  private:
    sleeper& place_;
    bool under_way_ = false;
  };

  // Who is to be woken as soon as the lock is given back; before, they might only wait for it.
  class alarms {
  public:
    alarms() = default;
    alarms(const alarms&) = delete;
    alarms& operator=(const alarms&) = delete;
    void wake() {
      while (size_ != 0) due_[--size_]->wake();
    }
    // @pre it was not yet added
    void add(sleeper& one) { due_[size_++] = &one; }

  private:
    sleeper* due_[roles];
    std::uint32_t size_ = 0;
  };

  // The module's lock, and who is to be woken when it is given back.
  class turn {
  public:
    explicit turn(mutex& held) : held_(held) { held_.lock(); }
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;
    ~turn() { end(); }
    void begin() {
      held_.lock();
      holds_ = true;
    }
    void end() {
      if (!std::exchange(holds_, false)) return;
      held_.unlock();
      due.wake();
    }

    alarms due;

  private:
    mutex& held_;
    bool holds_ = true;
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

  const global_step* find(const request& call) {
    for (auto i = Spec::first[state_]; i < Spec::first[state_ + 1]; ++i) {
      const auto& a = Spec::actions[Spec::steps[i].action];
      if (a.what == kind::handshake || !matches(a, call)) continue;
      if (a.what != kind::receive) return &Spec::steps[i];
      const auto& q = queues_[a.queue];
      if (q.size() == 0) continue;
      if (call.type != anything && q[0].type() != call.type) {
        refuse_type(call, q[0].type());
      }
      return &Spec::steps[i];
    }
    return nullptr;
  }

  void do_step(const global_step& step, request& call, message& content) {
    const auto& a = Spec::actions[step.action];
    if (a.what == kind::send) queues_[a.queue].push(std::move(content));
    if (a.what == kind::receive) content = queues_[a.queue].pop();
    call.from = a.from;
    state_ = step.target;
  }

  // A call that is not possible at once, or not any more. Apart, so that what is possible at once needs no more than it
  // does; `tried`: it just was.
  template <class Limit>
  [[gnu::noinline]] bool perform_late(request& call, message& content, const Limit& limit, turn& now, bool tried,
                                      sole_use& use) {
    auto& place = sleepers_[call.subject()];
    visit here(place);
    const end_of earlier(use);
    [[maybe_unused]] const auto waking = limit.when_stopped([&place] {
      const guard hold(place.lock);
      place.alarm.ring();
    });
    const end_of last(now);
    for (;;) {
      if (disturbed_) refuse_if_over(call);
      if (!tried && act(call, content, now.due)) return true;
      if constexpr (!Limit::waits) {
        if (!possible_later(call)[state_]) refuse_if_gone(call);
        return false;
      } else {
        pending_call mine{call, &content};
        const bool* possible = possible_later(call);
        if (!possible[state_]) refuse(call);
        if (limit.is_over()) fail_of<Spec>(limit, call);
        here.enter();
        const auto told = lie_down(mine, possible, Limit::for_ever, now.due);
        now.end();
        if (!place.sleep(told, mine, limit, here)) give_up(mine, told, limit);
        if (mine.done) {
          call.from = mine.call.from;
          return true;
        }
        now.begin();
        if (mine.stuck) throw deadlock(report_);
        tried = false;
      }
    }
  }

  bool act(request& call, message& content, alarms& due) {
    if (const auto* step = find(call)) {
      do_step(*step, call, content);
      settle(due);
      return true;
    }
    return meet(call, content, due);
  }

  // How often the role was told to get up before.
  std::uint64_t lie_down(pending_call& mine, const bool* possible, bool for_ever, alarms& due) {
    static_cast<void>(known_future());  // there is no way back below
    const auto self = mine.call.subject();
    auto& place = sleepers_[self];
    const bool alone = ++place.threads == 1;
    if (alone) ++asleep_;
    place.pending = alone ? &mine : nullptr;
    possible_[self] = alone ? possible : nowhere;
    set_patient(place, alone && for_ever);
    const auto told = place.told;
    if constexpr (has_handshakes()) settle(due);  // a receiver that asks for another type than is offered now
    report_if_stuck(due);
    return told;
  }

  void set_patient(sleeper& place, bool patient) {
    patient_ += static_cast<std::uint32_t>(patient) - static_cast<std::uint32_t>(place.patient);
    place.patient = patient;
  }

  // No thread of the role waits any more.
  void get_up(std::uint32_t self) {
    auto& place = sleepers_[self];
    if (place.threads != 0) --asleep_;  // who only offers does not sleep
    place.threads = 0;
    place.pending = nullptr;
    possible_[self] = nullptr;
    set_patient(place, false);
  }

  void tell(std::uint32_t whom, alarms& due) {
    get_up(whom);
    ++sleepers_[whom].told;
    due.add(sleepers_[whom]);
  }

  void tell_all(alarms& due) {
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (sleepers_[r].threads != 0) tell(r, due);
    }
  }

  // The time of the call is over; but it may be done, or be told something, since.
  template <class Limit>
  void give_up(const pending_call& mine, std::uint64_t told, const Limit& limit) {
    const guard hold(lock_);
    auto& place = sleepers_[mine.call.subject()];
    if (place.told > told) return;
    if (place.threads == 1) {
      get_up(mine.call.subject());
    } else {
      --place.threads;
    }
    fail_of<Spec>(limit, mine.call);
  }

  // Performs what waits, as long as something can be; and tells those who will never be able to go on.
  void settle(alarms& due) {
    if (asleep_ == 0) return;
    while (advance(due)) continue;
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (possible_[r] != nullptr && !possible_[r][state_]) tell(r, due);
    }
    report_if_stuck(due);
  }

  // --- what can never go on

  // By state, which roles still have something to do there or later, as bits, and how many.
  struct future {
    static constexpr std::uint32_t words = (roles + 63) / 64;
    std::uint64_t active[states][words] = {};
    std::uint32_t count[states] = {};

    future() {
      while (spread()) continue;
      for (std::uint32_t s = 0; s < states; ++s) {
        for (std::uint32_t r = 0; r < roles; ++r) count[s] += static_cast<std::uint32_t>(is_active(s, r));
      }
    }
    [[nodiscard]] bool is_active(std::uint32_t s, std::uint32_t r) const { return active[s][r / 64] >> (r % 64) & 1; }
    void add(std::uint32_t s, std::uint32_t r) { active[s][r / 64] |= std::uint64_t{1} << (r % 64); }
    // Backwards, once: most steps go to states of higher numbers. Whether something was new.
    bool spread() {
      bool more = false;
      for (auto s = states; s-- != 0;) {
        std::uint64_t before[words];
        std::memcpy(before, active[s], sizeof before);
        for (auto i = Spec::first[s]; i < Spec::first[s + 1]; ++i) {
          const auto& a = Spec::actions[Spec::steps[i].action];
          if (a.what != kind::receive) add(s, a.from);
          if (a.what == kind::receive || a.what == kind::handshake) add(s, a.to);
          for (std::uint32_t w = 0; w < words; ++w) active[s][w] |= active[Spec::steps[i].target][w];
        }
        more = more || std::memcmp(before, active[s], sizeof before) != 0;
      }
      return more;
    }
  };
  // Once for all modules of the type, when a call waits for the first time.
  static const future& known_future() {
    static const future& all = *new future;
    return all;
  }

  // What waits was just tried, and cannot be performed; so if all wait who could do anything, nothing happens any more.
  void report_if_stuck(alarms& due) {
    if (patient_ != 0 && patient_ + departures_ >= known_future().count[state_]) report_if_all_wait(due);
  }
  [[gnu::noinline, gnu::cold]] void report_if_all_wait(alarms& due) {
    const auto& ahead = known_future();
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (ahead.is_active(state_, r) && gone_[r] == still_here && !sleepers_[r].patient) return;
    }
    report_ = words();
    report_ << "deadlock: all wait for one another:";
    const char* separator = " ";
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (!sleepers_[r].patient) continue;
      const auto& c = sleepers_[r].pending->call;
      describe<Spec>(report_ << std::exchange(separator, ", "), c.what, c.from, c.to, c.type);
      sleepers_[r].pending->stuck = true;
      tell(r, due);
    }
    name_the_gone(report_, ", while gone: ");
  }

  // --- words

  // Of who has left: after `before`, the names.
  void name_the_gone(words& text, const char* before) const {
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (gone_[r] != still_here) text << std::exchange(before, ", ") << Spec::roles[r];
    }
  }

  // What a role may do next from a state on, whatever the others do first: what its own machine would say, if it had
  // one. So the words are the same wherever the others are by then.
  class own_steps {
  public:
    own_steps(std::uint32_t state, std::uint32_t self) {
      queue<std::uint32_t> open;
      seen_states seen;
      bool may_end = false;
      open.push(std::uint32_t{state});
      for (seen.all[state] = true; open.size() != 0;) {
        const auto s = open.pop();
        may_end = may_end || Spec::may_end_in[s];
        for (auto i = Spec::first[s]; i < Spec::first[s + 1]; ++i) {
          const auto target = Spec::steps[i].target;
          if (takes_part(Spec::actions[Spec::steps[i].action], self)) {
            add(i);
          } else if (!std::exchange(seen.all[target], true)) {
            open.push(std::uint32_t{target});
          }
        }
      }
      owed = size_ != 0 && !may_end;
    }
    [[nodiscard]] bool none() const { return size_ == 0; }
    void list(words& text, const char* before, const char* between) const {
      for (std::uint32_t k = 0; k < size_; ++k) {
        const auto& a = action_of(steps_[k]);
        place<Spec>(describe<Spec>(text << std::exchange(before, between), a.what, a.from, a.to, type_of(steps_[k])),
                    Spec::lines[steps_[k]]);
      }
      if (more_) text << between << "...";
    }

    bool owed = false;  // the session cannot end unless it does one of them

  private:
    struct seen_states {
      seen_states() = default;
      seen_states(const seen_states&) = delete;
      seen_states& operator=(const seen_states&) = delete;
      ~seen_states() { delete[] all; }
      bool* all = new bool[states]();
    };

    static const global_action& action_of(std::uint32_t step) { return Spec::actions[Spec::steps[step].action]; }
    static bool is_before(std::uint32_t one, std::uint32_t other) {
      return Spec::lines[one] != Spec::lines[other] ? Spec::lines[one] < Spec::lines[other]
                                                    : Spec::steps[one].action < Spec::steps[other].action;
    }
    // Sorted by line, each once.
    void add(std::uint32_t step) {
      std::uint32_t at = 0;
      while (at < size_ && is_before(steps_[at], step)) ++at;
      if (at < size_ && !is_before(step, steps_[at])) return;
      if (size_ == most) {
        more_ = true;
        if (at == size_) return;
        --size_;
      }
      for (auto k = size_++; k > at; --k) steps_[k] = steps_[k - 1];
      steps_[at] = step;
    }
    // Of a receive the table has no type: it has one if all that this sender sends to this receiver has one.
    static std::uint32_t type_of(std::uint32_t step) {
      const auto& a = action_of(step);
      if (a.what != kind::receive) return a.type;
      auto type = anything;
      for (std::uint32_t i = 0; i < Spec::first[states]; ++i) {
        const auto& b = action_of(i);
        if (b.what != kind::send || b.from != a.from || b.to != a.to) continue;
        if (type != anything && type != b.type) return anything;
        type = b.type;
      }
      return type;
    }

    static constexpr std::uint32_t most = 16;
    std::uint32_t steps_[most] = {};
    std::uint32_t size_ = 0;
    bool more_ = false;
  };

  void list_allowed(words& text, std::uint32_t self) const {
    const own_steps ahead(state_, self);
    ahead.list(text, "; allowed here: ", ", ");
    if (ahead.none()) text << "; " << Spec::roles[self] << " has finished";
  }

  [[noreturn, gnu::noinline, gnu::cold]] void refuse(const request& call) {
    refuse_if_gone(call);
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": not allowed here, whatever the others do";
    list_allowed(text, call.subject());
    throw not_allowed(text);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void refuse_type(const request& call, std::uint32_t type) const {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type)
        << ": the next message has another type, " << Spec::types[type];
    list_allowed(text, call.subject());
    throw wrong_type(text);
  }

  [[gnu::noinline, gnu::cold]] void refuse_if_over(const request& call) {
    if (cancelled_) cancelled_.template fail<Spec>(call);
    const auto self = call.subject();
    if (gone_[self] != still_here) {
      words text;
      describe<Spec>(text, call.what, call.from, call.to, call.type) << ": ";
      throw not_yours(say_gone(text, self));
    }
    if (call.what != kind::send || gone_[call.to] == still_here) return;
    // What never was allowed is a mistake of the caller's, whoever has left.
    if (possible_later(call, 0)[state_]) fail_gone(call, call.to);
  }
  // Nothing, if the call would not be possible either if nobody had left.
  [[gnu::noinline, gnu::cold]] void refuse_if_gone(const request& call) {
    if (departures_ == 0 || !possible_later(call, 0)[state_]) return;
    const auto cause = first_gone();
    if (cause != anything) fail_gone(call, cause);
    const auto peer = call.what == kind::receive ? call.from : call.to;
    fail_gone(call, peer != anything && gone_[peer] != still_here ? peer : gone_in_order_[0]);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void fail_gone(const request& call, std::uint32_t who) const {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": peer gone: ";
    say_gone(text, who);
    const auto cause = first_gone();
    if (cause != anything && cause != who) say_gone(text << "; before, ", cause);
    throw peer_gone(text, Spec::roles[who]);
  }
  // "a has left, and owed: a SEND T TO b (file:1)"
  words& say_gone(words& text, std::uint32_t who) const {
    text << Spec::roles[who] << (gone_[who] == threw_out ? " was left by an exception" : " has left");
    if (!known_future().is_active(left_in_[who], who)) return text;
    const own_steps ahead(left_in_[who], who);
    if (ahead.owed) ahead.list(text, ", and owed: ", " or ");
    return text;
  }
  // Who left first of those that owed something: why the others went, presumably.
  std::uint32_t first_gone() const {
    for (std::uint32_t k = 0; k < departures_; ++k) {
      const auto who = gone_in_order_[k];
      if (known_future().is_active(left_in_[who], who) && own_steps(left_in_[who], who).owed) return who;
    }
    return anything;
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
      const auto& q = queues_[a.queue];
      if (q.size() == 0) return false;
      if (!takes(waiting->call, q[0].type())) {
        tell(self, due);  // to throw
        return false;
      }
    }
    do_step(step, waiting->call, *waiting->content);
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
    receives->call.from = a.from;
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
        refuse_type(call, a.type);
      }
    }
    return nullptr;
  }

  bool meet(request& call, message& content, alarms& due) {
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
    call.from = other.call.from = a.from;
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

  // From which states the others can bring about one in which a call is possible, its role doing nothing else; those
  // who have not left by then.
  struct prospect {
    request call;
    std::uint32_t departures;
    prospect* next;
    bool from[states];
  };

  static const bool* known_of(const prospect* p, const prospect* end, const request& call, std::uint32_t departures) {
    for (; p != end; p = p->next) {
      const auto& c = p->call;
      if (c.what == call.what && c.from == call.from && c.to == call.to && c.type == call.type &&
          p->departures == departures)
        return p->from;
    }
    return nullptr;
  }

  const bool* possible_later(const request& call) { return possible_later(call, departures_); }
  // Worked out once for each call that waits. The type does not matter to a receive. `departures` is how many have
  // left: all of them, or as if it were none.
  const bool* possible_later(request call, std::uint32_t departures) {
    if (call.what == kind::receive) call.type = anything;
    if (departures == 0) return possible_if_all_stay(call);
    auto& all = after_departures_[call.subject()];
    if (const auto* known = known_of(all, nullptr, call, departures)) return known;
    all = new prospect{call, departures, all, {}};
    find_out(*all);
    return all->from;
  }

  // The same for all modules of this type.
  const bool* possible_if_all_stay(const request& call) const {
    auto& all = prospects_[call.subject()];
    auto* seen = all.load(std::memory_order_acquire);
    if (const auto* known = known_of(seen, nullptr, call, 0)) return known;
    auto* fresh = new prospect{call, 0, seen, {}};
    find_out(*fresh);
    while (!all.compare_exchange_weak(seen, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) {
      // Another module was faster, perhaps with the same call.
      if (const auto* known = known_of(seen, fresh->next, call, 0)) {
        delete fresh;
        return known;
      }
      fresh->next = seen;
    }
    return fresh->from;
  }

  // Backwards from the states that have the action, over steps of other roles.
  void find_out(prospect& p) const {
    const auto self = p.call.subject();
    for (bool more = true; more;) {
      more = false;
      for (auto s = states; s-- != 0;) {
        for (auto i = Spec::first[s]; i < Spec::first[s + 1] && !p.from[s]; ++i) {
          const auto& step = Spec::steps[i];
          const auto& a = Spec::actions[step.action];
          if (p.departures != 0 && is_off(a)) continue;
          p.from[s] = matches(a, p.call) || (!takes_part(a, self) && p.from[step.target]);
          more = more || p.from[s];
        }
      }
    }
  }

  // Whether nobody will do it, since a role has left.
  [[nodiscard]] bool is_off(const global_action& a) const {
    if (a.what == kind::send || a.what == kind::handshake)
      return gone_[a.from] != still_here || gone_[a.to] != still_here;
    return gone_[a.what == kind::receive ? a.to : a.from] != still_here;
  }

  static constexpr bool nowhere[states] = {};

  mutable mutex lock_;
  std::uint32_t state_ = 0;
  bool disturbed_ = false;        // cancelled, or somebody has left
  std::uint32_t asleep_ = 0;      // roles of which a thread waits and was not told
  std::uint32_t patient_ = 0;     // roles that are
  std::uint32_t departures_ = 0;  // roles that have left
  queue<message> queues_[Spec::queues];
  sleeper sleepers_[roles];
  const bool* possible_[roles] = {};  // by role: from where its call is possible; null unless it waits and was not told
  prospect* after_departures_[roles] = {};  // by role, the last that was worked out first
  presence gone_[roles] = {};
  std::uint32_t left_in_[roles] = {};        // of who has left: the state
  std::uint32_t gone_in_order_[roles] = {};  // who has left, the first one first
  cancellation cancelled_;
  words report_;  // of the last deadlock

  // As long as nobody has left. Never freed: a module may live as long as the program.
  static inline std::atomic<prospect*> prospects_[roles] = {};
};

}  // namespace harrier::runtime
