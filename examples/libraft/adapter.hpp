// Canonical's libraft as it is installed, in an actor: this is all there is between it and harrier.
#pragma once

extern "C" {
#include <raft.h>
}

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <harrier/harrier.hpp>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using client_request = struct raft_apply;  // which is a function, too

/// What C structs with pointers hold, copied; those of the other messages have no pointers.
struct entry {
  raft_term term = 0;
  unsigned short type = RAFT_COMMAND;
  std::string data;
  bool operator==(const entry&) const = default;
};
struct append_entries {
  raft_term term = 0;
  raft_index previous = 0;
  raft_term previous_term = 0;
  raft_index commit = 0;
  std::vector<entry> entries;
};
struct member {
  raft_id id = 0;
  int role = 0;
  bool operator==(const member&) const = default;
};
struct snapshot {
  raft_index index = 0;  ///< 0: there is none
  raft_term term = 0;
  std::vector<member> members;
  raft_index members_index = 0;
  std::string data;
};
using entries_by_index = std::map<raft_index, entry>;

/// What is still there after a crash: what is on the disk; and what only specifications look at.
struct kept {
  raft_term term = 0;
  raft_id voted_for = 0;
  entries_by_index log;
  snapshot taken;
  std::vector<harrier::ref<class server>> all;
  std::set<raft_term> led;                    ///< the terms in which it was leader
  std::map<raft_index, std::string> applied;  ///< what its state machine was given
  entries_by_index acknowledged;              ///< what clients were told is there
};

/// How servers are set up. `voters` of them form the cluster, the others may join it.
struct settings {
  raft_id voters = 3;
  bool asks_first = false;
  int failures = 0;         ///< how many writes of each may fail
  unsigned threshold = 0;   ///< after how many entries a snapshot is taken; 0: never
  unsigned trailing = 0;    ///< how many entries before a snapshot are left in the log
  bool cancels = true;      ///< a write that fails takes along those after it; else only one that is alone may fail
  bool half_ticks = false;  ///< a follower stands after two ticks without a leader, not after one
  bool gives_up = true;     ///< look for servers that give up
  bool receivers = true;    ///< look for messages to nobody
  bool asserts = false;     ///< look for what later versions of libraft assert
};

class server {
public:
  static constexpr bool rebuilt = true;

  server(raft_id id, const settings& how) : id_(id), how_(how) {}
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server() {
    if (is_open_) raft_close(&raft_, nullptr);
  }

  void begin(harrier::self& me, const std::vector<harrier::ref<server>>& all) {
    kept_.all = all;
    in_handler now(*this, me);
    start();
  }
  /// The timer: as much time has passed as makes a follower stand for election, and a leader send heartbeats.
  void tick(harrier::self& me) {
    in_handler now(*this, me);
    time_ += how_.half_ticks || leads() ? heartbeat : election;
    tick_(&io_);
    me.after<&server::tick>(std::chrono::milliseconds(election));
  }
  /// The oldest write to the disk is complete, or has failed.
  void stored(harrier::self& me) {
    in_handler now(*this, me);
    complete_write(may_fail() && me.choose(2) == 1 ? (--how_.failures, RAFT_IOERR) : 0);
  }
  /// The snapshot was read that somebody is to be sent.
  void loaded(harrier::self& me) {
    in_handler now(*this, me);
    complete_load(0);
  }

  /// @name What clients ask of a leader
  /// @{
  void submit(harrier::self& me, const std::string& value) {
    in_handler now(*this, me);
    auto asked = std::make_unique<client_request>();
    asked->data = this;
    raft_buffer data = to_raft(value);
    if (raft_apply(&raft_, asked.get(), &data, 1, acknowledge) == 0)
      asked_[asked.release()] = {raft_.current_term, RAFT_COMMAND, value};
    else
      raft_free(data.base);
  }
  bool accepts(harrier::handler<&server::submit>) const { return leads(); }
  void transfer(harrier::self& me, raft_id to) {
    in_handler now(*this, me);
    raft_transfer(&raft_, &transfer_, to, [](struct raft_transfer*) {});
  }
  bool accepts(harrier::handler<&server::transfer>) const { return leads(); }
  void add(harrier::self& me, raft_id id) {
    in_handler now(*this, me);
    raft_add(&raft_, &change_, id, address(id), nullptr);
  }
  bool accepts(harrier::handler<&server::add>) const { return leads(); }
  void promote(harrier::self& me, raft_id id) {
    in_handler now(*this, me);
    raft_assign(&raft_, &change_, id, RAFT_VOTER, nullptr);
  }
  bool accepts(harrier::handler<&server::promote>) const { return leads(); }
  void remove(harrier::self& me, raft_id id) {
    in_handler now(*this, me);
    raft_remove(&raft_, &change_, id, nullptr);
  }
  bool accepts(harrier::handler<&server::remove>) const { return leads(); }
  /// @}

  /// @name What servers send one another
  /// @{
  void append(harrier::self& me, raft_id from, const append_entries& x) {
    receive(me, from, RAFT_IO_APPEND_ENTRIES, &raft_message::append_entries,
            {x.term, x.previous, x.previous_term, x.commit, to_raft(x.entries), unsigned(x.entries.size())});
  }
  void appended(harrier::self& me, raft_id from, const raft_append_entries_result& x) {
    receive(me, from, RAFT_IO_APPEND_ENTRIES_RESULT, &raft_message::append_entries_result, x);
  }
  void vote(harrier::self& me, raft_id from, const raft_request_vote& x) {
    receive(me, from, RAFT_IO_REQUEST_VOTE, &raft_message::request_vote, x);
  }
  void voted(harrier::self& me, raft_id from, const raft_request_vote_result& x) {
    receive(me, from, RAFT_IO_REQUEST_VOTE_RESULT, &raft_message::request_vote_result, x);
  }
  void install(harrier::self& me, raft_id from, raft_term term, const snapshot& x) {
    receive(me, from, RAFT_IO_INSTALL_SNAPSHOT, &raft_message::install_snapshot,
            {term, x.index, x.term, to_raft(x.members), x.members_index, to_raft(x.data)});
  }
  void timeout_now(harrier::self& me, raft_id from, const raft_timeout_now& x) {
    receive(me, from, RAFT_IO_TIMEOUT_NOW, &raft_message::timeout_now, x);
  }
  /// @}

  /// A crash: what was not complete on the disk is gone.
  kept survives() const { return kept_; }
  void on_restart(harrier::self& me, const kept& what) {
    kept_ = what;
    in_handler now(*this, me);
    if (!kept_.all.empty()) start();  // else it had not begun
  }

  /// @name What specifications and traces look at
  /// @{
  const kept& known() const { return kept_; }
  const struct raft& library() const { return raft_; }
  bool leads() const { return raft_.state == RAFT_LEADER; }
  bool installs() const { return raft_.snapshot.put.data != nullptr && raft_.snapshot.pending.term == 0; }
  /// The entries that it has in memory; those that it takes for stored, up to `last_stored`.
  entries_by_index log() const;
  /// The members that it goes by are those of the last configuration of its log, or, of what is stored of it.
  bool goes_by_its_log() const;
  template <class F>
  friend bool inspect(F& f, server& x) {
    static const char* const roles[] = {"unavailable", "follower", "candidate", "leader"};
    std::string role = roles[x.raft_.state];
    auto log = x.log();
    auto members = from_raft(x.raft_.configuration);
    return f.object(x).fields(f.field("role", role), f.field("term", x.raft_.current_term), f.field("log", log),
                              f.field("stored", x.raft_.last_stored), f.field("commit", x.raft_.commit_index),
                              f.field("members", members), f.field("snapshot", x.kept_.taken.index));
  }
  /// @}

private:
  static constexpr unsigned election = 100;
  static constexpr unsigned heartbeat = 50;
  /// Something that is being written: what it does to the disk, and who is told.
  struct write {
    std::function<void(kept&)> effect;
    std::function<void(int status)> tell;  ///< empty: nobody
  };
  /// While a handler runs, the library may send; that it has been sent it is told when the handler ends.
  struct in_handler {
    server& of;
    in_handler(server& s, harrier::self& me) : of(s) { of.self_ = &me; }
    ~in_handler();
  };

  static server& of(const raft_io* io) { return *static_cast<server*>(io->impl); }
  static const char* address(raft_id id) { return &"1\0002\0003\0004\0005"[2 * (id - 1)]; }
  static raft_buffer to_raft(const std::string& bytes);
  static raft_entry* to_raft(const std::vector<entry>& all);
  static raft_configuration to_raft(const std::vector<member>& all);
  static std::string from_raft(const raft_buffer& bytes) { return {static_cast<const char*>(bytes.base), bytes.len}; }
  static std::vector<entry> from_raft(const raft_entry* entries, std::size_t count);
  static std::vector<member> from_raft(const raft_configuration& all);
  static std::string encoded(const raft_configuration& all);
  static void acknowledge(client_request* done, int status, void* result);

  template <class What>
  void receive(harrier::self& me, raft_id from, int type, What raft_message::*content, std::type_identity_t<What> x) {
    in_handler now(*this, me);
    raft_message m{};
    m.type = static_cast<unsigned short>(type);
    m.server_id = from;
    m.server_address = address(from);
    m.*content = x;
    receive_(&io_, &m);
  }
  template <auto Handler, class... What>
  int send(const raft_message& m, const What&... content) {
    self_->send<Handler>(kept_.all.at(m.server_id - 1), id_, content...);
    return 0;
  }
  bool checks_receiver(raft_id id);
  int send(const raft_message& m);
  int is_on_disk();
  bool may_fail() const { return how_.failures > 0 && (how_.cancels || writes_.size() == 1); }
  int write_later(write what);
  void complete_write(int status);
  void complete_load(int status);
  void complete_sends(int status);
  raft_snapshot* to_raft(const snapshot& of);
  raft_index end_of_disk() const { return kept_.log.empty() ? kept_.taken.index + 1 : kept_.log.rbegin()->first + 1; }
  std::string state_machine() const;
  void start();
  void fill_io();
  void fill_disk_io();
  void fill_state_machine();

  raft_id id_;
  settings how_;
  bool is_open_ = false;
  bool tells_of_snapshot_ = false;
  harrier::self* self_ = nullptr;
  raft_time time_ = 0;
  raft_index end_ = 0;  ///< after the last entry that was written, or will be
  kept kept_;
  std::deque<write> writes_;
  std::deque<raft_io_snapshot_get*> loads_;
  std::deque<raft_io_send*> sends_;
  std::map<client_request*, entry> asked_;
  struct raft_transfer transfer_ {};
  struct raft_change change_ {};
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb receive_ = nullptr;
  raft_io io_{};
  raft_fsm fsm_{};
  struct raft raft_ {};
};
