#pragma once

// The roles of a session that are in this process, whatever brings messages here and away. Knows no sockets and no
// coroutines: see link.hpp and participant.hpp.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <harrier/protocol/runtime_liberal.hpp>
#include <harrier/transport/versions.hpp>
#include <harrier/transport/wire.hpp>

namespace harrier::runtime {

/// A connection, as the part of a session that it leads to sees it. All under that part's lock.
class connection {
public:
  connection() = default;
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  virtual ~connection() = default;

  /// What was appended to `outgoing` is to be sent, and `ending` may be set. Returns at once.
  virtual void ring() noexcept = 0;

  std::string peer;      ///< where it leads, in words
  std::string outgoing;  ///< frames, to be sent in this order
  bool ending = false;   ///< no frame is appended any more
  /// Null: the module is the same on the other side.
  std::unique_ptr<const other_version> other;
};

/// A call of a role that waits; the part of the session performs it as soon as it is possible.
template <class Message>
class waiting_call {
public:
  waiting_call(const request& what, Message&& with, bool only_others_end_it)
      : call(what), content(std::move(with)), patient(only_others_end_it) {}
  waiting_call(const waiting_call&) = delete;
  waiting_call& operator=(const waiting_call&) = delete;

  /// It is done, or has an error, and the part has forgotten it. Under the part's lock.
  virtual void wake() noexcept = 0;

  request call;
  Message content;
  bool patient;  ///< only others can end its waiting
  bool done = false;
  std::exception_ptr error;

protected:
  ~waiting_call() = default;
};

/// What both sides of a connection say first.
struct greeting {
  std::string title;                 ///< of the session, as it was generated
  std::string tables;                ///< a digest
  std::vector<std::string> layouts;  ///< of the messages
  std::string name;                  ///< of this session among those that run
  std::uint64_t capacity = 0;
  std::uint64_t silence = 0;             ///< milliseconds after which it gives up who says nothing; 0: it does not
  std::vector<std::uint32_t> taken;      ///< the roles that are on that side
  std::string machines = {};             ///< `role_machines::written`, said where `tables` differ; empty: not said
  std::uint64_t bears = 0;               ///< milliseconds that it would do without a connection; 0: it would not
  std::array<std::uint64_t, 2> id = {};  ///< by which it comes back: said by the side that connected
};

/// The part of a session that is in this process, as connections see it, whatever the session.
class part {
public:
  part() = default;
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  virtual ~part() = default;

  [[nodiscard]] mutex& lock() const { return lock_; }
  /// Bytes that a message may have.
  [[nodiscard]] virtual std::size_t largest() const = 0;

  [[nodiscard]] virtual greeting says() const = 0;
  /// See `role_machines::written`.
  [[nodiscard]] virtual std::string machines() const = 0;
  /// The other side has said who it is: its roles are there, unless it is turned away.
  /// @return why it is refused, in words; empty: it is not
  [[nodiscard]] virtual std::string welcome(connection& from, const greeting& here, const greeting& there) = 0;
  /// It was not to be, after all.
  virtual void turn_away(const connection& from, const greeting& there) noexcept = 0;
  /// Both sides have agreed. From here on, until it is `lost`, what concerns the other side is appended to its
  /// `outgoing`.
  virtual void join(connection& from, const greeting& here, const greeting& there) = 0;
  /// A frame has come. @return whether the connection goes on
  [[nodiscard]] virtual bool receive(connection& from, wire::frame what, std::string_view bytes) = 0;
  /// What has come is no frame; `why`: in words.
  virtual void refuse_frame(connection& from, const char* why) noexcept = 0;
  /// What was appended to its `outgoing` is being written: there is room again.
  virtual void drained(const connection& one) noexcept = 0;
  /// It is closed, or was lost; `why`: in words.
  virtual void lost(connection& one, const char* why) noexcept = 0;

  /// All roles that were taken here have left: no connection is needed any more.
  [[nodiscard]] virtual bool has_ended() const = 0;
  /// The same, or they have left, nobody is connected any more, and nothing waits for who might be.
  [[nodiscard]] virtual bool is_abandoned() const = 0;
  /// The roles that somebody here speaks with and that nobody has taken, in words; empty: there are none.
  [[nodiscard]] virtual std::string missing() const = 0;
  /// Calls `ready`, under the lock, when nobody is missing, or the session is over: at once, perhaps.
  virtual void when_complete(std::function<void()> ready) = 0;
  /// @throws cancelled, protocol_broken
  virtual void refuse_if_over() const = 0;

protected:
  mutable mutex lock_;
};

/// The part of a session that is in this process: for each role that was taken here its machine and its queues, and for
/// the others, where they are. One lock is for all of it; calls that wait are performed by whoever makes them possible.
///
/// What arrives is looked at when it is the first message of its queue: if the machine of its receiver cannot get to
/// where it takes it without another message of that sender, the sender is not what the protocol says, and the session
/// is broken. By the second claim of docs/protocols.md, "Why liberal-checked is sound", this is never so if all keep to
/// their machines.
template <class Module>
class session_part final : public part {
public:
  using spec = typename Module::spec;
  using message = typename Module::message;
  static_assert(std::is_base_of_v<checked_module<spec>, Module>,
                "harrier: roles that are apart need a machine each that is sound: generate the module in mode "
                "liberal-checked");

  static constexpr std::uint32_t roles = sizeof(spec::roles) / sizeof(spec::roles[0]);

  session_part(std::string name, std::size_t capacity, std::size_t largest)
      : name_(std::move(name)),
        capacity_(capacity),
        largest_(largest),
        places_(roles),
        queues_(spec::queues),
        under_way_(spec::queues),
        senders_(spec::queues) {
    for (std::uint32_t r = 0; r < roles; ++r) {
      places_[r].at = position(r);
      for (const auto* s = tables::begin_of(r); s != tables::end_of(r); ++s) {
        if (s->what != kind::receive) continue;
        ways_.push_back({s->peer, r, s->queue});
        senders_[s->queue] = s->peer;
      }
      set_idle(r);
    }
    std::sort(ways_.begin(), ways_.end());
    ways_.erase(std::unique(ways_.begin(), ways_.end()), ways_.end());
    for (const auto& w : ways_) places_[w.to].incoming.push_back(w.queue);
  }

  [[nodiscard]] std::size_t largest() const override { return largest_; }

  // --- what participants call

  /// @throws not_yours
  void take(std::uint32_t who) {
    const guard hold(lock_);
    auto& self = places_[who];
    words text;
    text << spec::roles[who];
    if (self.taken) throw not_yours(text << ": was taken before");
    if (self.elsewhere) throw not_yours(text << ": was taken at " << self.where.c_str());
    if (ended_) throw not_yours(text << ": all roles that were here have left, and the connections are closed");
    for (const auto* c : connections_) {
      if (c->other == nullptr || !c->other->rules) continue;
      const auto why =
          stand_in({role_machines::of<spec>(), "here"}, {c->other->there, "there"}, spec::roles[who]).why_not();
      if (!why.empty()) throw not_yours(text << ": cannot be played with " << c->peer.c_str() << ": " << why.c_str());
    }
    self.taken = true;
    for (auto* c : connections_) {
      tell(*c, wire::frame::taken, [&](wire::writer& out) { out.put(who); });
    }
    look_who_waits();
  }

  /// Tries a call without waiting. @throws protocol_error @return whether it was done
  bool perform_now(request& call, message& content) {
    const auto bytes = encoded(call, content);
    const turn now(*this);
    refuse_two(call);
    return attempt(call, content, bytes, false);
  }

  /// Performs a call, or keeps it until it can. @throws protocol_error @return whether it is done
  bool perform_or_wait(waiting_call<message>& one) {
    const auto bytes = encoded(one.call, one.content);
    const turn now(*this);
    refuse_two(one.call);
    if (attempt(one.call, one.content, bytes, true)) return one.done = true;
    auto& self = places_[one.call.subject()];
    self.waiting = &one;
    set_idle(one.call.subject());
    report_if_stuck();
    return one.done;
  }
  /// @pre the lock is held, and it was not done
  void forget_locked(const waiting_call<message>& one) noexcept {
    auto& self = places_[one.call.subject()];
    if (self.waiting != &one) return;
    self.waiting = nullptr;
    set_idle(one.call.subject());
  }

  /// `threw`: an exception is why. `owed`: what it had still to do, if anything. @return whether it had
  bool depart(std::uint32_t who, bool threw, words* owed = nullptr) noexcept {
    words text;
    {
      const turn now(*this);
      if (places_[who].presence != still_here) return false;
      depart_locked(who, threw);
      if (over_ || !tables::owes(places_[who].at)) return false;
      say_gone(text, who);
    }
    if (owed != nullptr) {
      *owed = text;
    } else if (!threw && on_early_leave_) {
      on_early_leave_(text.c_str());
    }
    return true;
  }
  /// @pre no role was taken yet, of all three
  void limit_backlog(std::size_t bytes) { backlog_ = bytes; }
  void limit_silence(std::uint64_t milliseconds) { silence_ = milliseconds; }
  void when_left_early(std::function<void(const std::string&)> tell) { on_early_leave_ = std::move(tell); }
  [[nodiscard]] bool has_finished(std::uint32_t who) const {
    const guard hold(lock_);
    return tables::is_finished(places_[who].at);
  }
  [[nodiscard]] std::size_t unreceived() const {
    const guard hold(lock_);
    std::size_t result = 0;
    for (const auto& q : queues_) result += q.size();
    return result;
  }
  [[nodiscard]] bool has_ended() const override {
    const guard hold(lock_);
    return ended_;
  }
  [[nodiscard]] bool is_abandoned() const override {
    const guard hold(lock_);
    if (ended_) return true;
    bool taken = false;
    for (const auto& p : places_) {
      if (p.taken && p.presence == still_here) return false;
      taken = taken || p.taken;
    }
    return taken && connections_.empty() && (over_ || !has_letters());
  }
  [[nodiscard]] std::string missing() const override {
    const guard hold(lock_);
    return missing_locked();
  }
  void when_complete(std::function<void()> ready) override {
    const guard hold(lock_);
    gathering_.push_back(std::move(ready));
    look_who_waits();
  }
  void refuse_if_over() const override {
    const guard hold(lock_);
    if (!over_) return;
    words text;
    text << "waiting for the others: ";
    fail_over(text);
  }

  void cancel(const char* reason) noexcept {
    const guard hold(lock_);
    cancel_locked(reason, nullptr);
  }
  /// Nobody here does anything more: what was sent is still on its way, then the connections end.
  void end(const char* reason) noexcept {
    const turn now(*this);
    if (!over_) {
      over_ = true;
      cancelled_.set(reason);
    }
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (places_[r].taken) depart_locked(r, false);
    }
    end_locked();
    retry_all();
  }
  /// Called when all roles that were taken have left; at once, if that is so.
  void at_end(std::function<void()> what) {
    {
      const guard hold(lock_);
      if (!ended_) {
        at_end_.push_back(std::move(what));
        return;
      }
    }
    what();
  }

  // --- what connections call

  [[nodiscard]] greeting says() const override {
    greeting result{spec::title, digest(), {}, name_, capacity_, silence_, {}};
    constexpr std::size_t types = sizeof(spec::types) / sizeof(spec::types[0]);
    for (std::size_t t = 0; t < std::min<std::size_t>(types, message::types); ++t) {
      result.layouts.push_back(spec::types[t] + std::string(" is ") + wire::codec<message>::layouts_of(t));
    }
    const guard hold(lock_);
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (places_[r].taken) result.taken.push_back(r);
    }
    return result;
  }

  [[nodiscard]] std::string machines() const override { return role_machines::of<spec>().written(); }

  std::string welcome(connection& from, const greeting& here, const greeting& there) override {
    if (there.title != here.title) {
      return "it follows session " + there.title + ", and this side session " + here.title;
    }
    if (auto why = different_layouts(here, there); !why.empty()) return why;
    if (there.name != here.name) {
      return "its session is called \"" + there.name + "\", and this one \"" + here.name + "\"";
    }
    if (there.capacity != here.capacity) {
      return "its queues have room for " + std::to_string(there.capacity) + " messages, and those here for " +
             std::to_string(here.capacity);
    }
    const guard hold(lock_);
    if (ended_) return "all roles that were here have left";
    if (over_) return "the session is over here";
    if (there.tables != here.tables) {
      if (auto why = find_out_who_rules(from, here, there); !why.empty()) return why;
    }
    const auto taken = taken_there(from, there);
    for (const auto r : taken) {
      if (const auto why = conflict(r); !why.empty()) return why;
    }
    for (const auto r : taken) {
      places_[r].elsewhere = true;
      places_[r].where = from.peer;
    }
    return {};
  }

  void turn_away(const connection& from, const greeting& there) noexcept override {
    const guard hold(lock_);
    for (const auto r : taken_there(from, there)) places_[r].elsewhere = false;
  }

  void join(connection& from, const greeting& here, const greeting& there) override {
    const turn now(*this);
    connections_.push_back(&from);
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (!places_[r].taken || std::find(here.taken.begin(), here.taken.end(), r) != here.taken.end()) continue;
      tell(from, wire::frame::taken, [&](wire::writer& out) { out.put(r); });  // since `here` was written
    }
    for (const auto r : taken_there(from, there)) found(r, from);
    for (std::uint32_t r = 0; r < roles; ++r) {  // after what they have sent
      if (places_[r].taken && places_[r].presence != still_here) tell_left(from, r);
    }
    if (ended_) say_goodbye(from);
    end_if_all_have_left();
    look_who_waits();
  }

  bool receive(connection& from, wire::frame what, std::string_view bytes) override {
    try {
      return what == wire::frame::letter ? receive_letter(from, bytes) : receive_notice(from, what, bytes);
    } catch (const wire::malformed& e) {
      const guard hold(lock_);
      words text;
      break_off(text << "what came from " << from.peer.c_str() << " cannot be read: " << e.what());
      return false;
    }
  }
  void refuse_frame(connection& from, const char* why) noexcept override {
    const guard hold(lock_);
    words text;
    break_off(text << "what came from " << from.peer.c_str() << " cannot be read: " << why);
  }

  void drained(const connection& one) noexcept override {
    const turn now(*this);
    if (!std::exchange(backlogged_, false)) return;
    for (std::uint32_t r = 0; r < roles; ++r) {
      const auto* waiting = places_[r].waiting;
      if (waiting == nullptr || waiting->call.what != kind::send) continue;
      if (places_[waiting->call.to].way == &one)
        retry(r);
      else
        backlogged_ = true;  // by another connection, perhaps
    }
  }

  void lost(connection& one, const char* why) noexcept override {
    const turn now(*this);
    say_goodbye(one);
    if (std::erase(connections_, &one) == 0) return;
    for (std::uint32_t r = 0; r < roles; ++r) {
      auto& role = places_[r];
      if (role.way != &one) continue;
      role.way = nullptr;
      if (role.presence != still_here) continue;
      role.presence = out_of_reach;
      role.why = why;
      set_idle(r);
    }
    retry_all();
    end_if_all_have_left();
  }

private:
  using tables = local_automaton<spec>;
  using position = typename tables::position;

  enum presence : std::uint8_t { still_here, left, threw_out, out_of_reach };
  struct letter {
    std::uint32_t mark = 0;
    message content;
  };
  struct place {
    position at;                          // of those that are taken here, or have left there
    bool strange = false;                 // it has left there in a state of other machines
    std::vector<std::uint32_t> incoming;  // queues
    bool taken = false;                   // here
    bool elsewhere = false;               // it was taken in another process,
    std::string where;                    // there,
    connection* way = nullptr;            // and this leads to it, while it does
    enum presence presence = still_here;
    std::string why;  // it is out of reach
    waiting_call<message>* waiting = nullptr;
    bool idle = false;  // it does nothing more, unless others do
  };
  struct way {  // from whom to whom messages go, and by which queue
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t queue;
    auto operator<=>(const way&) const = default;
  };

  // The lock; and when whatever is done under it is done, a look at whether anybody can go on.
  class turn {
  public:
    explicit turn(session_part& part) : part_(part), hold_(part.lock_) {}
    turn(const turn&) = delete;
    turn& operator=(const turn&) = delete;
    ~turn() { part_.report_if_stuck(); }

  private:
    session_part& part_;
    guard hold_;
  };

  // --- one call

  // Written before the lock is taken: it may take long. (A call that had to wait is written again, under it.)
  std::string encoded(const request& call, message& content) const {
    if (call.what != kind::send) return {};
    {
      const guard hold(lock_);
      if (places_[call.to].taken) return {};
    }
    return payload(call, content);
  }
  std::string payload(const request& call, message& content) const {
    std::string result;
    wire::writer out(result);
    wire::codec<message>::write(out, content);
    if (result.size() + wire::letter_head > largest_) {
      words text;
      throw message_too_large(describe<spec>(text, call.what, call.from, call.to, call.type)
                              << ": it takes more bytes than a message may have, which are "
                              << static_cast<std::uint32_t>(largest_));
    }
    return result;
  }

  bool attempt(request& call, message& content, const std::string& bytes, bool waits) {
    if (places_[call.subject()].presence != still_here || over_) refuse_if_ended(call);
    switch (call.what) {
      case kind::send: return try_send(call, content, bytes, waits);
      case kind::receive: return try_receive(call, content, waits);
      default: return try_close(call, waits);
    }
  }

  bool try_send(const request& call, message& content, const std::string& bytes, bool waits) {
    const auto& self = places_[call.from];
    const auto* step = tables::find(self.at, kind::send, call.to, call.type);
    if (step == nullptr) return refuse(call, waits);
    auto& to = places_[call.to];
    if (to.presence != still_here) fail_gone(call, call.to);
    const auto room = tables::room_in(step->queue, capacity_);
    if (room != 0 && under_way_[step->queue] >= room) return false;
    if (to.way != nullptr && backlog_ != 0 && to.way->outgoing.size() >= backlog_) {
      backlogged_ = true;
      return false;
    }
    if (to.way != nullptr) {
      append_letter(*to.way, call, step->mark, bytes.empty() ? payload(call, content) : bytes);
    } else {
      auto& sent = queues_[step->queue].push();
      sent.mark = step->mark;
      sent.content = std::move(content);
    }
    ++under_way_[step->queue];
    go_to(call.from, step->next);
    retry(call.to);
    return true;
  }

  bool try_receive(request& call, message& content, bool waits) {
    auto& self = places_[call.to];
    std::uint32_t index = 0;
    const auto next = tables::choose(queues_, self.at, call, index);
    if (next == tables::never && waits) return refuse(call, waits);
    if (next == tables::never || next == tables::later) {
      look_at_all_first(call.to);  // what could have been taken when it came may stand in the way now
      if (over_) refuse_if_ended(call);
      if (next == tables::never) return false;
      refuse_if_gone(call);
      return false;
    }
    auto& q = queues_[index];
    content = std::move(q[0].content);
    q.drop();
    call.from = senders_[index];
    go_to(call.to, next);
    look_at_first(call.to, index);
    took_one(call.from, call.to, index);
    return true;
  }

  bool try_close(const request& call, bool waits) {
    const auto* step = tables::find(places_[call.from].at, kind::close, call.to, anything);
    if (step == nullptr) return refuse(call, waits);
    go_to(call.from, step->next);
    return true;
  }

  void go_to(std::uint32_t who, std::uint32_t state) {
    places_[who].at.set(who, state);
    if (!tables::is_finished(places_[who].at)) return;
    look_at_all_first(who);
    set_idle(who);
  }

  // There is room for another one.
  void took_one(std::uint32_t from, std::uint32_t to, std::uint32_t queue) {
    const auto& sender = places_[from];
    if (!sender.elsewhere) {
      --under_way_[queue];
      retry(from);
    } else if (tables::room_in(queue, capacity_) != 0 && sender.way != nullptr) {
      tell(*sender.way, wire::frame::consumed, [&](wire::writer& out) {
        out.put(from);
        out.put(to);
      });
    }
  }

  // Something has happened that its call may be possible by.
  void retry(std::uint32_t who) noexcept {
    auto& self = places_[who];
    auto* const one = std::exchange(self.waiting, nullptr);
    if (one == nullptr) return;
    set_idle(who);
    try {
      if (!attempt(one->call, one->content, {}, true)) {
        self.waiting = one;
        set_idle(who);
        return;
      }
    } catch (...) {
      one->error = std::current_exception();
    }
    one->done = true;
    one->wake();
  }
  void retry_all() noexcept {
    for (std::uint32_t r = 0; r < roles; ++r) retry(r);
    look_who_waits();
  }

  // --- what arrives

  bool receive_letter(connection& from, std::string_view bytes) {
    wire::reader in(bytes);
    const auto sender = role_from(from, in.number_of<std::uint32_t>());
    const auto receiver = role_from(from, in.number_of<std::uint32_t>());
    const auto type = type_from(from, in.number_of<std::uint32_t>());
    const auto mark = in.number_of<std::uint32_t>();
    if (sender >= roles || receiver >= roles || type >= message::types) {
      words text;
      throw wire::malformed(text << "there is no such role or type of message");
    }
    auto content = wire::codec<message>::read(type, in.rest());
    const turn now(*this);
    if (over_) return true;
    const auto queue = queue_of(sender, receiver);
    words text;
    describe<spec>(text, kind::send, sender, receiver, type) << ": came from " << from.peer.c_str() << ", ";
    if (places_[sender].way != &from || places_[sender].presence != still_here) {
      return break_off(text << "where " << spec::roles[sender] << " is not");
    }
    if (!places_[receiver].taken) return break_off(text << "and " << spec::roles[receiver] << " is not here");
    if (places_[receiver].presence != still_here) return true;  // it was sent before that could be known
    if (queue == anything) return break_off(text << "and the protocol has no message from the one to the other");
    auto& q = queues_[queue];
    const auto room = tables::room_in(queue, capacity_);
    if (room != 0 && q.size() >= room) {
      return break_off(text << "though as many were under way as there is room for");
    }
    auto& sent = q.push();
    sent.mark = mark;
    sent.content = std::move(content);
    if (q.size() == 1) look_at_first(receiver, queue);
    retry(receiver);
    return true;
  }

  bool receive_notice(connection& from, wire::frame what, std::string_view bytes) {
    wire::reader in(bytes);
    const turn now(*this);
    if (is_of_a_stranger(from, what, bytes)) return true;
    const auto role = [&] {
      const auto r = role_from(from, in.number_of<std::uint32_t>());
      if (r < roles) return r;
      words text;
      throw wire::malformed(text << "there is no such role");
    };
    switch (what) {
      case wire::frame::taken: {
        const auto who = role();
        auto why = conflict(who);
        if (why.empty()) why = no_stand_in_there(from, who);
        if (!why.empty()) {
          words text;
          return break_off(text << why.c_str());
        }
        found(who, from);
        end_if_all_have_left();
        look_who_waits();
        return true;
      }
      case wire::frame::consumed: {
        const auto sender = role();
        const auto receiver = role();
        const auto queue = queue_of(sender, receiver);
        if (queue == anything || places_[receiver].way != &from || under_way_[queue] == 0) {
          words text;
          throw wire::malformed(text << "a message that was not sent is said to be received");
        }
        --under_way_[queue];
        retry(sender);
        return true;
      }
      case wire::frame::left: {
        const auto who = role();
        const auto first = in.number_of<std::uint32_t>();
        const bool threw = in.number_of<unsigned char>() != 0;
        if (places_[who].way != &from) {
          words text;
          throw wire::malformed(text << "a role that is not there is said to leave");
        }
        places_[who].strange = from.other != nullptr;
        bool is_first = true;
        const auto next = [&] { return std::exchange(is_first, false) ? first : in.number_of<std::uint32_t>(); };
        if (from.other == nullptr && !places_[who].at.load(who, next)) {
          words text;
          throw wire::malformed(text << "a role is said to leave in a state that it has not");
        }
        leave(who, threw ? threw_out : left);
        return true;
      }
      case wire::frame::cancelled: cancel_locked(in.text().c_str(), &from); return true;
      case wire::frame::broken: {
        words text;
        break_off(text << from.peer.c_str() << " has given up: " << in.text().c_str());
        return true;
      }
      case wire::frame::bye: {
        say_goodbye(from);
        return false;
      }
      default: {
        words text;
        throw wire::malformed(text << "a frame of kind " << static_cast<std::uint32_t>(what));
      }
    }
  }

  // Is the first message of this queue one that its receiver may ever take?
  void look_at_first(std::uint32_t receiver, std::uint32_t queue) noexcept {
    const auto& q = queues_[queue];
    if (q.size() == 0 || over_) return;
    const auto sender = senders_[queue];
    if (!places_[sender].elsewhere || is_expected(receiver, sender, q[0])) return;
    words text;
    describe<spec>(text, kind::send, sender, receiver, q[0].content.type())
        << ": came from " << places_[sender].where.c_str() << " and is not allowed here, whatever the others do";
    tables::list_allowed(text, places_[receiver].at, receiver);
    break_off(text);
  }
  void look_at_all_first(std::uint32_t receiver) noexcept {
    for (const auto queue : places_[receiver].incoming) look_at_first(receiver, queue);
  }

  // Whether the receiver's machine can get to where it takes that message, with no other of the same sender.
  bool is_expected(std::uint32_t receiver, std::uint32_t sender, const letter& first) const {
    const auto takes = [&](const local_step& s) {
      return s.what == kind::receive && s.peer == sender && s.type == first.content.type() && s.mark == first.mark;
    };
    std::vector<bool> seen(tables::state_count, false);
    auto at = places_[receiver].at;
    for (bool is_done = true; is_done; is_done = is_done && at.skip(receiver)) {
      for (const auto state : at) {
        const auto found = look_for(takes, sender, state, seen);
        if (found == to_the_message) return true;
        is_done = is_done && found == to_its_end;
      }
    }
    return false;
  }

  enum way_found : std::uint8_t { none, to_its_end, to_the_message };
  // From that state of a machine, with no message of that sender: whether it gets to where it takes one that `takes`
  // it, or at least to where it is done.
  template <class Takes>
  static way_found look_for(const Takes& takes, std::uint32_t sender, std::uint32_t start, std::vector<bool>& seen) {
    auto found = none;
    std::vector<std::uint32_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      if (tables::is_finished(at)) found = to_its_end;
      for (const auto* s = tables::begin(at); s != tables::end(at); ++s) {
        if (takes(*s)) return to_the_message;
        if ((s->what == kind::receive && s->peer == sender) || seen[s->next]) continue;
        seen[s->next] = true;
        open.push_back(s->next);
      }
    }
    return found;
  }

  // --- who is where

  static std::string different_layouts(const greeting& here, const greeting& there) {
    const auto name = [](const std::string& layout) { return layout.substr(0, layout.find(" is ")); };
    for (const auto& one : here.layouts) {
      for (const auto& other : there.layouts) {
        if (name(one) == name(other) && one != other) return "there, message " + other + "; here, " + one;
      }
    }
    return {};
  }

  // --- another definition on the other side

  // By the definition of one side all roles play; what those of the other side do is, as they do it, allowed by it,
  // too.
  // @return why that cannot be, in words
  std::string find_out_who_rules(connection& from, const greeting& here, const greeting& there) {
    const std::string other = "its module of session " + here.title + " was generated from another definition";
    if (there.machines.empty()) return other + ", or by another harrier";
    auto version = std::make_unique<other_version>();
    try {
      version->there = role_machines::read(there.machines);
    } catch (const wire::malformed& e) {
      return e.what();
    }
    const auto own = role_machines::of<spec>();
    for (const auto& r : version->there.roles) version->roles.push_back(role_machines::find(own.roles, r));
    for (const auto& t : version->there.types) version->types.push_back(role_machines::find(own.types, t));
    std::vector<std::string> roles_there;
    for (const auto r : there.taken) {
      if (r < version->there.roles.size()) roles_there.push_back(version->there.roles[r]);
    }
    std::vector<std::string> roles_here;
    for (const auto r : here.taken) roles_here.push_back(own.roles[r]);
    const placed_machines ours{own, "here"};
    const placed_machines theirs{version->there, "there"};
    const auto not_by_ours = why_not_all(roles_there, theirs, roles_here, ours);
    const auto not_by_theirs = why_not_all(roles_here, ours, roles_there, theirs);
    if (!not_by_ours.empty() && !not_by_theirs.empty()) {
      return other + ", and neither will do: " + not_by_ours + "; and " + not_by_theirs;
    }
    version->rules = !not_by_ours.empty() || (not_by_theirs.empty() && there.tables < here.tables);
    const auto& ruling = version->rules ? there.tables : here.tables;
    if (!ruling_.empty() && ruling_ != ruling) return other + ", which is the third one in this session";
    ruling_ = ruling;
    from.other = std::move(version);
    return {};
  }
  // Why not all of `taken` will do among the other machines; if none are taken yet, why none will of those that may be.
  static std::string why_not_all(const std::vector<std::string>& taken, placed_machines one,
                                 const std::vector<std::string>& taken_by_others, placed_machines other) {
    std::string first;
    for (const auto& role : taken.empty() ? one.all.roles : taken) {
      const bool is_others = std::find(taken_by_others.begin(), taken_by_others.end(), role) != taken_by_others.end();
      if (taken.empty() && is_others) continue;
      auto why = stand_in(one, other, role).why_not();
      if (taken.empty() && why.empty()) return {};
      if (first.empty()) first = std::move(why);
      if (!taken.empty() && !first.empty()) break;
    }
    return first;
  }
  std::string no_stand_in_there(const connection& from, std::uint32_t who) const {
    if (from.other == nullptr || from.other->rules) return {};
    return stand_in({from.other->there, "there"}, {role_machines::of<spec>(), "here"}, spec::roles[who]).why_not();
  }
  // Those of them that there are here, in our numbers.
  static std::vector<std::uint32_t> taken_there(const connection& from, const greeting& there) {
    std::vector<std::uint32_t> result;
    for (const auto r : there.taken) {
      if (from.other == nullptr || role_from(from, r) < roles) result.push_back(role_from(from, r));
    }
    return result;
  }
  static std::uint32_t role_from(const connection& from, std::uint32_t number) {
    return from.other == nullptr ? number : in_our_numbers(from.other->roles, number);
  }
  static std::uint32_t type_from(const connection& from, std::uint32_t number) {
    return from.other == nullptr ? number : in_our_numbers(from.other->types, number);
  }
  static std::uint32_t in_our_numbers(const std::vector<std::uint32_t>& known, std::uint32_t number) {
    return number < known.size() ? known[number] : anything;
  }
  // That a role has come or gone which is none here.
  static bool is_of_a_stranger(const connection& from, wire::frame what, std::string_view bytes) {
    if (from.other == nullptr || (what != wire::frame::taken && what != wire::frame::left)) return false;
    const auto number = wire::reader(bytes).number_of<std::uint32_t>();
    return number < from.other->roles.size() && from.other->roles[number] == anything;
  }

  std::string conflict(std::uint32_t who) const {
    const std::string name = who < roles ? spec::roles[who] : "role " + std::to_string(who);
    if (who >= roles) return name + " is taken there, and there is none";
    if (places_[who].taken) return name + " is taken on both sides";
    if (places_[who].elsewhere) return name + " is taken there, and at " + places_[who].where;
    return {};
  }
  // What was sent to it before anybody knew where it is goes there now.
  void found(std::uint32_t who, connection& there) noexcept {
    auto& role = places_[who];
    role.elsewhere = true;
    role.where = there.peer;
    role.way = &there;
    try {
      for (const auto index : role.incoming) {
        auto& q = queues_[index];
        for (; q.size() != 0; q.drop()) {
          const request call{kind::send, senders_[index], who, q[0].content.type()};
          append_letter(there, call, q[0].mark, payload(call, q[0].content));
        }
      }
    } catch (const std::exception& e) {  // a message's own
      words text;
      break_off(text << "a message to " << spec::roles[who] << " cannot be written: " << e.what());
    }
  }

  void depart_locked(std::uint32_t who, bool threw) noexcept {
    if (places_[who].presence != still_here) return;
    leave(who, threw ? threw_out : left);
    for (auto* c : connections_) tell_left(*c, who);
    end_if_all_have_left();
  }
  void end_if_all_have_left() noexcept {
    bool taken = false;
    for (const auto& p : places_) {
      if (p.taken && p.presence == still_here) return;
      taken = taken || p.taken;
    }
    if (taken && (!connections_.empty() || !at_end_.empty()) && (over_ || !has_letters())) end_locked();
  }
  // For roles of which nobody knows yet where they are.
  bool has_letters() const {
    for (const auto& p : places_) {
      if (p.taken || p.way != nullptr || p.presence != still_here) continue;
      for (const auto queue : p.incoming) {
        if (queues_[queue].size() != 0) return true;
      }
    }
    return false;
  }
  void leave(std::uint32_t who, enum presence how) noexcept {
    places_[who].presence = how;
    set_idle(who);
    retry_all();
  }
  void end_locked() noexcept {
    if (std::exchange(ended_, true)) return;
    for (auto* c : connections_) say_goodbye(*c);
    for (auto& what : std::exchange(at_end_, {})) what();
  }

  std::string missing_locked() const {
    std::string result;
    for (std::uint32_t r = 0; r < roles; ++r) {
      const auto& role = places_[r];
      if (role.taken || role.way != nullptr || role.presence != still_here) continue;
      const bool needed = std::any_of(ways_.begin(), ways_.end(), [&](const way& w) {
        return (w.from == r && places_[w.to].taken) || (w.to == r && places_[w.from].taken);
      });
      if (needed) result += (result.empty() ? "" : ", ") + std::string(spec::roles[r]);
    }
    return result;
  }
  void look_who_waits() {
    if (gathering_.empty() || (!over_ && !missing_locked().empty())) return;
    for (const auto& ready : std::exchange(gathering_, {})) ready();
  }

  // --- frames

  template <class Fill>
  void tell(connection& to, wire::frame what, Fill&& fill) noexcept {
    if (to.ending) return;
    wire::append(to.outgoing, what, std::forward<Fill>(fill));
    to.ring();
  }
  void say_goodbye(connection& to) noexcept {
    tell(to, wire::frame::bye, [](wire::writer&) {});
    to.ending = true;
    to.ring();
  }
  void tell_left(connection& to, std::uint32_t who) noexcept {
    tell(to, wire::frame::left, [&](wire::writer& out) {
      out.put(who);
      bool is_first = true;
      places_[who].at.save([&](std::uint32_t number) {
        out.put(number);
        if (std::exchange(is_first, false)) out.put(places_[who].presence == threw_out);
      });
    });
  }
  void append_letter(connection& to, const request& call, std::uint32_t mark, const std::string& bytes) {
    tell(to, wire::frame::letter, [&](wire::writer& out) {
      for (const auto number : {call.from, call.to, call.type, mark}) out.put(number);
      out.bytes(bytes.data(), bytes.size(), 1);
    });
  }

  std::uint32_t queue_of(std::uint32_t from, std::uint32_t to) const {
    const auto at = std::lower_bound(ways_.begin(), ways_.end(), way{from, to, 0});
    return at != ways_.end() && at->from == from && at->to == to ? at->queue : anything;
  }

  // Who has the same tables has the same digest.
  static std::string digest() {
    std::string text;
    wire::writer out(text);
    for (const auto* role : spec::roles) out.put(std::string_view(role));
    for (const auto* type : spec::types) out.put(std::string_view(type));
    for (const auto& s : spec::steps) {
      for (const auto number : {static_cast<std::uint32_t>(s.what), s.peer, s.type, s.mark, s.next, s.queue}) {
        out.put(number);
      }
    }
    for (const auto number : spec::first) out.put(number);
    for (const auto number : spec::start) out.put(number);
    if constexpr (requires { spec::rooms; }) {
      for (const auto number : spec::rooms) out.put(number);
    }
    if constexpr (tables::has_several) {
      for (const auto number : spec::machines) out.put(number);
      for (const auto number : spec::phases) out.put(number);
    }
    const boost::uuids::name_generator_sha1 digest_of(boost::uuids::ns::oid());
    return boost::uuids::to_string(digest_of(text.data(), text.size()));
  }

  // --- what can never go on

  void set_idle(std::uint32_t who) noexcept {
    auto& role = places_[who];
    const bool waits = role.waiting != nullptr && role.waiting->patient;
    const bool idle = waits || role.presence != still_here || (!role.elsewhere && tables::is_finished(role.at));
    idle_ += static_cast<std::uint32_t>(idle) - static_cast<std::uint32_t>(role.idle);
    role.idle = idle;
  }
  void report_if_stuck() noexcept {
    if (idle_ != roles) return;
    words text;
    text << "deadlock: all wait for one another:";
    const char* separator = " ";
    for (const auto& p : places_) {
      if (p.waiting == nullptr) continue;
      const auto& c = p.waiting->call;
      describe<spec>(text << std::exchange(separator, ", "), c.what, c.from, c.to, c.type);
    }
    separator = ", while gone: ";
    for (std::uint32_t r = 0; r < roles; ++r) {
      if (places_[r].presence != still_here) text << std::exchange(separator, ", ") << spec::roles[r];
    }
    for (std::uint32_t r = 0; r < roles; ++r) {
      auto* const one = std::exchange(places_[r].waiting, nullptr);
      if (one == nullptr) continue;
      set_idle(r);
      one->error = std::make_exception_ptr(deadlock(text));
      one->done = true;
      one->wake();
    }
  }

  // --- words

  void cancel_locked(const char* reason, const connection* from) noexcept {
    if (over_) return;
    over_ = true;
    cancelled_.set(reason);
    for (auto* c : connections_) {
      if (c != from) tell(*c, wire::frame::cancelled, [&](wire::writer& out) { out.put(std::string_view(reason)); });
    }
    retry_all();
    end_if_all_have_left();
  }
  // @return false
  bool break_off(const words& why) noexcept {
    if (over_) return false;
    over_ = true;
    broken_ = why;
    for (auto* c : connections_) {
      tell(*c, wire::frame::broken, [&](wire::writer& out) { out.put(std::string_view(why.c_str())); });
    }
    retry_all();
    end_if_all_have_left();
    return false;
  }

  void refuse_two(const request& call) const {
    if (places_[call.subject()].waiting == nullptr) return;
    words text;
    throw used_at_once(describe<spec>(text, call.what, call.from, call.to, call.type)
                       << ": another call of " << spec::roles[call.subject()] << " waits");
  }
  [[gnu::noinline, gnu::cold]] bool refuse(const request& call, bool waits) const {
    if (!waits) return false;
    words text;
    describe<spec>(text, call.what, call.from, call.to, call.type) << ": not allowed here, whatever the others do";
    tables::list_allowed(text, places_[call.subject()].at, call.subject());
    throw not_allowed(text);
  }
  [[gnu::noinline, gnu::cold]] void refuse_if_ended(const request& call) const {
    words text;
    describe<spec>(text, call.what, call.from, call.to, call.type) << ": ";
    const auto self = call.subject();
    if (over_) fail_over(text);
    if (places_[self].presence != still_here) {
      say_gone(text, self);
      throw not_yours(text);
    }
  }
  [[noreturn]] void fail_over(words& text) const {
    if (broken_.size() != 0) throw protocol_broken(text << "the session is broken: " << broken_.c_str());
    text << "cancelled: ";
    const auto start = text.size();
    throw cancelled(text << cancelled_.reason(), start);
  }
  // A receive for which nothing has come: nothing, if somebody is there who may still send.
  void refuse_if_gone(const request& call) const {
    auto who = anything;
    for (const auto state : places_[call.to].at) {
      for (const auto* s = tables::begin(state); s != tables::end(state); ++s) {
        if (s->what != kind::receive || (s->peer != call.from && call.from != anything)) continue;
        if (places_[s->peer].presence == still_here) return;
        if (who == anything) who = s->peer;
      }
    }
    if (who != anything) fail_gone(call, who);
  }
  [[noreturn, gnu::noinline, gnu::cold]] void fail_gone(const request& call, std::uint32_t who) const {
    words text;
    describe<spec>(text, call.what, call.from, call.to, call.type) << ": peer gone: ";
    say_gone(text, who);
    throw peer_gone(text, spec::roles[who]);
  }
  // "a has left, and owed: a SEND T TO b (file:1)"
  void say_gone(words& text, std::uint32_t who) const {
    text << spec::roles[who];
    switch (places_[who].presence) {
      case threw_out: text << " was left by an exception"; break;
      case out_of_reach: text << " is out of reach: " << places_[who].why.c_str(); return;
      default: text << " has left"; break;
    }
    if (!places_[who].strange) tables::list_owed(text, places_[who].at, who);
  }

  std::string name_;
  std::size_t capacity_;
  std::size_t largest_;
  std::size_t backlog_ = 0;
  std::uint64_t silence_ = 0;
  // Under the lock:
  std::vector<place> places_;
  std::vector<queue<letter>> queues_;
  std::vector<std::size_t> under_way_;  // by queue: sent from here, and not known to be received
  std::vector<std::uint32_t> senders_;  // by queue
  std::vector<way> ways_;               // sorted
  std::vector<connection*> connections_;
  std::vector<std::function<void()>> gathering_;
  std::vector<std::function<void()>> at_end_;
  std::function<void(const std::string&)> on_early_leave_;  // not under the lock: it does not change
  std::uint32_t idle_ = 0;
  std::string ruling_;       // digest of the definition that all play by; empty: there is only one
  bool backlogged_ = false;  // some send may wait for room on a connection
  bool ended_ = false;
  bool over_ = false;  // cancelled or broken
  cancellation cancelled_;
  words broken_;
};

}  // namespace harrier::runtime
