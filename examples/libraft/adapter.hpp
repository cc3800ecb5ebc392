// Canonical's libraft as it is installed, in an actor: this is all there is between it and harrier.
#pragma once

extern "C" {
#include <raft.h>
}

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <harrier/harrier.hpp>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using client_request = struct raft_apply;  // which is a function, too

/// `raft_entry` and `raft_append_entries`, copied; the structs of the other messages have no pointers.
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

/// What is still there after a crash: what is on the disk; and what only specifications look at.
struct kept {
  raft_term term = 0;
  raft_id voted_for = 0;
  std::vector<entry> log;  ///< from index 1 on
  std::vector<harrier::ref<class server>> all;
  std::set<raft_term> led;                    ///< the terms in which it was leader
  std::map<raft_index, std::string> applied;  ///< what its state machine was given
  std::map<raft_index, entry> acknowledged;   ///< what clients were told is there
};

class server {
public:
  static constexpr bool rebuilt = true;

  server(int id, bool asks_first) : id_(static_cast<raft_id>(id)), asks_first_(asks_first) {}
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
    time_ += raft_.state == RAFT_LEADER ? heartbeat : election;
    tick_(&io_);
    me.after<&server::tick>(std::chrono::milliseconds(election));
  }
  /// The oldest write to the disk is complete, or has failed.
  void stored(harrier::self& me) {
    in_handler now(*this, me);
    complete_write(fails_ > 0 && me.choose(2) == 1 ? (--fails_, RAFT_IOERR) : 0);
  }
  void submit(harrier::self& me, const std::string& value) {
    in_handler now(*this, me);
    auto asked = std::make_unique<client_request>();
    asked->data = this;
    raft_buffer data{raft_malloc(value.size()), value.size()};
    std::memcpy(data.base, value.data(), value.size());
    if (raft_apply(&raft_, asked.get(), &data, 1, acknowledge) == 0)
      asked_[asked.release()] = {raft_.current_term, RAFT_COMMAND, value};
    else
      raft_free(data.base);
  }
  void transfer(harrier::self& me, int to) {
    in_handler now(*this, me);
    raft_transfer(&raft_, &transfer_, static_cast<raft_id>(to), [](struct raft_transfer*) {});
  }
  void append(harrier::self& me, int from, const append_entries& x) {
    receive(me, from, RAFT_IO_APPEND_ENTRIES, &raft_message::append_entries,
            {x.term, x.previous, x.previous_term, x.commit, to_raft(x.entries), unsigned(x.entries.size())});
  }
  void appended(harrier::self& me, int from, const raft_append_entries_result& x) {
    receive(me, from, RAFT_IO_APPEND_ENTRIES_RESULT, &raft_message::append_entries_result, x);
  }
  void vote(harrier::self& me, int from, const raft_request_vote& x) {
    receive(me, from, RAFT_IO_REQUEST_VOTE, &raft_message::request_vote, x);
  }
  void voted(harrier::self& me, int from, const raft_request_vote_result& x) {
    receive(me, from, RAFT_IO_REQUEST_VOTE_RESULT, &raft_message::request_vote_result, x);
  }
  void timeout_now(harrier::self& me, int from, const raft_timeout_now& x) {
    receive(me, from, RAFT_IO_TIMEOUT_NOW, &raft_message::timeout_now, x);
  }
  void may_fail(int writes) { fails_ = writes; }

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
  std::vector<entry> log() const {
    std::vector<entry> all;
    for (auto i = raft_.log.front; is_open_ && i != raft_.log.back; i = (i + 1) % raft_.log.size)
      all.push_back(from_raft(&raft_.log.entries[i], 1).front());
    return all;
  }
  template <class F>
  friend bool inspect(F& f, server& x) {
    static const char* const roles[] = {"unavailable", "follower", "candidate", "leader"};
    std::string role = roles[x.raft_.state];
    auto log = x.log();
    return f.object(x).fields(f.field("role", role), f.field("term", x.raft_.current_term), f.field("log", log),
                              f.field("stored", x.raft_.last_stored), f.field("commit", x.raft_.commit_index));
  }
  /// @}

private:
  static constexpr unsigned election = 100;
  static constexpr unsigned heartbeat = 50;
  struct write {
    raft_io_append* request;  ///< null: what is there from `from` on is cut off
    raft_index from;
    std::vector<entry> entries;
  };
  /// While a handler runs, the library may send; that it has been sent it is told when the handler ends.
  struct in_handler {
    server& of;
    in_handler(server& s, harrier::self& me) : of(s) { of.self_ = &me; }
    ~in_handler() {
      of.complete_sends(0);
      if (of.raft_.state == RAFT_LEADER) of.kept_.led.insert(of.raft_.current_term);
      of.self_->check(!of.is_open_ || of.raft_.state != RAFT_UNAVAILABLE, "a server does not give up");
      of.self_ = nullptr;
    }
  };

  static server& of(const raft_io* io) { return *static_cast<server*>(io->impl); }
  static const char* address(raft_id id) { return &"1\0002\0003\0004\0005"[2 * (id - 1)]; }
  static std::vector<entry> from_raft(const raft_entry* entries, std::size_t count) {
    std::vector<entry> all;
    for (const auto* e = entries; e != entries + count; ++e)
      all.push_back({e->term, e->type, std::string(static_cast<const char*>(e->buf.base), e->buf.len)});
    return all;
  }
  /// In one batch, as the library wants what was read or received.
  static raft_entry* to_raft(const std::vector<entry>& all) {
    if (all.empty()) return nullptr;
    std::string bytes;
    for (const auto& e : all) bytes += e.data;
    auto* entries = static_cast<raft_entry*>(raft_malloc(all.size() * sizeof(raft_entry)));
    auto* const batch = static_cast<char*>(raft_malloc(bytes.size()));
    auto* at = static_cast<char*>(std::memcpy(batch, bytes.data(), bytes.size()));
    for (std::size_t i = 0; i < all.size(); at += all[i++].data.size())
      entries[i] = {all[i].term, all[i].type, {at, all[i].data.size()}, batch};
    return entries;
  }
  template <class What>
  void receive(harrier::self& me, int from, int type, What raft_message::*content, std::type_identity_t<What> x) {
    in_handler now(*this, me);
    raft_message m{};
    m.type = static_cast<unsigned short>(type);
    m.server_id = static_cast<raft_id>(from);
    m.server_address = address(m.server_id);
    m.*content = x;
    receive_(&io_, &m);
  }
  template <auto Handler, class What>
  int send(const raft_message& m, const What& content) {
    self_->send<Handler>(kept_.all.at(m.server_id - 1), static_cast<int>(id_), content);
    return 0;
  }
  int send(const raft_message& m) {
    const auto& x = m.append_entries;
    self_->check(m.server_id != 0, "who is sent something is somebody");
    if (m.server_id == 0) return 0;
    switch (m.type) {
      case RAFT_IO_APPEND_ENTRIES:
        return send<&server::append>(m, append_entries{x.term, x.prev_log_index, x.prev_log_term, x.leader_commit,
                                                       from_raft(x.entries, x.n_entries)});
      case RAFT_IO_APPEND_ENTRIES_RESULT: return send<&server::appended>(m, m.append_entries_result);
      case RAFT_IO_REQUEST_VOTE: return send<&server::vote>(m, m.request_vote);
      case RAFT_IO_REQUEST_VOTE_RESULT: return send<&server::voted>(m, m.request_vote_result);
      case RAFT_IO_TIMEOUT_NOW: return send<&server::timeout_now>(m, m.timeout_now);
      default: return RAFT_INVALID;
    }
  }
  void complete_sends(int status) {
    for (; !sends_.empty(); sends_.pop_front())
      if (sends_.front()->cb != nullptr) sends_.front()->cb(sends_.front(), status);
  }
  /// In the order in which they were submitted; with one that fails, all that come after it fail.
  void complete_write(int status) {
    while (!writes_.empty()) {
      const auto next = std::move(writes_.front());
      writes_.pop_front();
      if (status == 0) kept_.log.resize(std::min<std::size_t>(kept_.log.size(), next.from - 1));
      if (status == 0) kept_.log.insert(kept_.log.end(), next.entries.begin(), next.entries.end());
      if (next.request != nullptr) next.request->cb(next.request, status);
      if (next.request != nullptr && status == 0) return;
    }
    end_ = kept_.log.size() + 1;
  }
  static void acknowledge(client_request* done, int status, void* /*result*/) {
    auto& me = *static_cast<server*>(done->data);
    if (status == 0) me.kept_.acknowledged[done->index] = me.asked_[done];
    me.asked_.erase(done);
    delete done;
  }
  void start();

  raft_id id_;
  bool asks_first_;
  int fails_ = 0;
  bool is_open_ = false;
  harrier::self* self_ = nullptr;
  raft_time time_ = 0;
  raft_index end_ = 0;  ///< after the last entry that was written, or will be
  kept kept_;
  std::deque<write> writes_;
  std::deque<raft_io_send*> sends_;
  std::map<client_request*, entry> asked_;
  struct raft_transfer transfer_ {};
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb receive_ = nullptr;
  raft_io io_{};
  raft_fsm fsm_{};
  struct raft raft_ {};
};
