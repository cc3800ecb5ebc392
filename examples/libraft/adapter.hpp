// Canonical's libraft as it is installed, in an actor: this is all there is between it and harrier.
#pragma once

extern "C" {
#include <raft.h>
}

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <harrier/harrier.hpp>
#include <harrier/native/storage.hpp>
#include <map>
#include <set>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using client_request = struct raft_apply;  // which is a function, too
using harrier::ref;
using harrier::self;

inline void require(int status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string(what) + ": " + raft_strerror(status));
}
inline const char* address(raft_id id) { return &"1\0002\0003\0004\0005"[2 * (id - 1)]; }
inline raft_buffer in_place(const std::string& text) { return {const_cast<char*>(text.data()), text.size()}; }
inline std::string text_of(const raft_buffer& bytes) { return {static_cast<const char*>(bytes.base), bytes.len}; }

/// What the structs of the library consist of.
struct ways {
  static void* allocate(std::size_t bytes) { return raft_malloc(bytes); }
  static void release(void* at) { raft_free(at); }
  static void parts(auto& f, raft_buffer& x) { f.bytes("bytes", x.base, x.len); }
  static void parts(auto& f, raft_entry& x) {
    f.field("term", x.term).field("type", x.type).bytes("data", x.buf.base, x.buf.len).alias(x.batch, x.buf.base);
  }
  static void parts(auto& f, raft_server& x) { f.field("id", x.id).text("address", x.address).field("role", x.role); }
  static void parts(auto& f, raft_configuration& x) { f.array("servers", x.servers, x.n); }
  static void parts(auto& f, raft_snapshot& x) {
    f.field("index", x.index).field("term", x.term).array("data", x.bufs, x.n_bufs);
    f.part("members", x.configuration).field("members_index", x.configuration_index);
  }
  static void parts(auto& f, raft_append_entries& x) {
    f.field("term", x.term).field("previous", x.prev_log_index).field("previous_term", x.prev_log_term);
    f.field("commit", x.leader_commit).array("entries", x.entries, x.n_entries);
  }
  static void parts(auto& f, raft_install_snapshot& x) {
    f.field("term", x.term).field("index", x.last_index).field("index_term", x.last_term);
    f.part("members", x.conf).field("members_index", x.conf_index).part("data", x.data);
  }
  static void parts(auto& f, raft_message& x) {
    f.field("from", x.server_id);
    if (x.type == RAFT_IO_APPEND_ENTRIES) f.part("says", x.append_entries);
    if (x.type == RAFT_IO_APPEND_ENTRIES_RESULT) f.field("says", x.append_entries_result);
    if (x.type == RAFT_IO_REQUEST_VOTE) f.field("says", x.request_vote);
    if (x.type == RAFT_IO_REQUEST_VOTE_RESULT) f.field("says", x.request_vote_result);
    if (x.type == RAFT_IO_INSTALL_SNAPSHOT) f.part("says", x.install_snapshot);
    if (x.type == RAFT_IO_TIMEOUT_NOW) f.field("says", x.timeout_now);
  }
};
using bytes = harrier::foreign<raft_buffer, ways>;
using entry = harrier::foreign<raft_entry, ways>;
using entries_by_index = std::map<raft_index, entry>;
using message = harrier::foreign<raft_message, ways>;
using configuration = harrier::foreign<raft_configuration, ways>;

inline bytes encoded(const raft_configuration& all) {
  raft_buffer code;
  require(raft_configuration_encode(&all, &code), "raft_configuration_encode");
  return bytes::owner_of(code);
}

struct on_disk {
  raft_term term = 0;
  raft_id voted_for = 0;
  entries_by_index log;
  harrier::foreign<raft_snapshot, ways> taken;  ///< its index is 0: there is none
  raft_index end() const { return log.empty() ? taken->index + 1 : log.rbegin()->first + 1; }
};
struct disk_write {
  std::function<void(on_disk&)> apply;
  std::function<void(int status)> tell;
  bool is_a_followers = false;
  bool installs = false;
};
/// What is still there after a crash: what is on the disk; and what only specifications look at.
struct kept {
  harrier::disk<on_disk, disk_write> disk;
  std::vector<ref<class server>> all;
  std::set<raft_term> led;                    ///< the terms in which it was leader
  std::map<raft_index, std::string> applied;  ///< what its state machine was given
  entries_by_index acknowledged;              ///< what clients were told is there
};

/// How servers are set up. `voters` of them form the cluster, the others may join it.
struct settings {
  raft_id voters = 3;
  bool asks_first = false;
  harrier::disk_rules disk;
  unsigned threshold = 0;   ///< after how many entries a snapshot is taken; 0: never
  unsigned trailing = 0;    ///< how many entries before a snapshot are left in the log
  bool half_ticks = false;  ///< a follower stands after two ticks without a leader, not after one
  std::string look = "all";
  /// `asserts`, what later versions of libraft assert, is looked for if it is asked for.
  bool looks_for(const std::string& what) const { return look == what || (look == "all" && what != "asserts"); }
};

enum class wish { transfer, add, promote, remove };

class server {
public:
  static constexpr bool rebuilt = true;

  server(raft_id id, const settings& how)
      : id_(id), how_(how), kept_{.disk = harrier::disk<on_disk, disk_write>(how.disk)} {}
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server() {
    if (is_open_) raft_close(&raft_, nullptr);
  }

  void begin(self& me, const std::vector<ref<server>>& all) {
    kept_.all = all;
    const in_handler now(*this, me);
    start();
  }
  const kept& survives() const { return kept_; }
  void on_restart(self& me, const kept& what) {
    kept_ = what;
    const in_handler now(*this, me);
    kept_.disk.recover(me);
    if (!kept_.all.empty()) start();  // else it had not begun
  }
  /// The timer: as much time has passed as makes a follower stand for election, and a leader send heartbeats.
  void tick(self& me) {
    const in_handler now(*this, me);
    time_ += how_.half_ticks || leads() ? heartbeat : election;
    tick_(&io_);
    me.after<&server::tick>(std::chrono::milliseconds(election));
  }
  /// A write is complete. Two that fail are a crash (docs/bugs.md): if that is not looked for, one fails if it is
  /// alone.
  void stored(self& me) {
    const in_handler now(*this, me);
    const bool may_fail = how_.looks_for("crashes") || kept_.disk.under_way().size() == 1;
    const auto all = kept_.disk.complete<&server::stored>(me, may_fail);
    for (const auto& one : all) {
      check("asserts", !one.what.is_a_followers || raft_.state == RAFT_FOLLOWER, "who stands has stored what it took");
      tells_of_snapshot_ = one.what.installs;
      one.what.tell(one.ok() ? 0 : RAFT_IOERR);
      tells_of_snapshot_ = false;
    }
    if (!all.front().ok()) end_ = kept_.disk->end();
  }
  /// The snapshot was read that somebody is to be sent.
  void loaded(self& me) {
    const in_handler now(*this, me);
    for (const auto& one : loads_.complete<&server::loaded>(me))
      one.what->cb(one.what, kept_.disk->taken.allocated_copy(), 0);
  }

  /// @name What clients ask of a leader
  /// @{
  void submit(self& me, const std::string& value) {
    const in_handler now(*this, me);
    auto* const asked = new client_request{.data = this};
    const auto data = bytes::copy_of(in_place(value));
    asked_[asked] = entry({raft_.current_term, RAFT_COMMAND, data, nullptr});
    if (raft_apply(&raft_, asked, &data, 1, acknowledge) == 0) return;
    raft_free(data.base);
    acknowledge(asked, RAFT_NOTLEADER, nullptr);
  }
  void ask(self& me, wish what, raft_id id) {
    const in_handler now(*this, me);
    if (what == wish::transfer) raft_transfer(&raft_, &transfer_, id, [](struct raft_transfer*) {});
    if (what == wish::add) raft_add(&raft_, &change_, id, address(id), nullptr);
    if (what == wish::promote) raft_assign(&raft_, &change_, id, RAFT_VOTER, nullptr);
    if (what == wish::remove) raft_remove(&raft_, &change_, id, nullptr);
  }
  bool accepts(harrier::handler<&server::submit>) const { return leads(); }
  bool accepts(harrier::handler<&server::ask>) const { return leads(); }
  /// @}

  /// @name What servers send one another
  /// @{
  void append(self& me, const message& m) { receive(me, m); }
  void appended(self& me, const message& m) { receive(me, m); }
  void vote(self& me, const message& m) { receive(me, m); }
  void voted(self& me, const message& m) { receive(me, m); }
  void install(self& me, const message& m) { receive(me, m); }
  void timeout_now(self& me, const message& m) { receive(me, m); }
  /// @}

  /// @name What specifications and traces look at
  /// @{
  const kept& known() const { return kept_; }
  const struct raft& library() const { return raft_; }
  bool leads() const { return raft_.state == RAFT_LEADER; }
  bool installs() const { return raft_.snapshot.put.data != nullptr && raft_.snapshot.pending.term == 0; }
  /// The entries that it has in memory; those that it takes for stored, up to `last_stored`.
  entries_by_index log() const {
    entries_by_index all;
    raft_index index = raft_.log.offset;
    for (auto i = raft_.log.front; is_open_ && i != raft_.log.back; i = (i + 1) % raft_.log.size)
      all[++index] = entry(raft_.log.entries[i]);
    return all;
  }
  template <class F>
  friend bool inspect(F& f, server& x) {
    static const char* const roles[] = {"unavailable", "follower", "candidate", "leader"};
    std::string role = roles[x.raft_.state];
    auto log = x.log();
    configuration members(x.raft_.configuration);
    auto taken = x.kept_.disk->taken->index;
    return f.object(x).fields(f.field("role", role), f.field("term", x.raft_.current_term), f.field("log", log),
                              f.field("stored", x.raft_.last_stored), f.field("commit", x.raft_.commit_index),
                              f.field("members", members), f.field("snapshot", taken));
  }
  /// @}

private:
  static constexpr unsigned election = 100;
  static constexpr unsigned heartbeat = 50;
  /// While a handler runs, the library may send; that it has been sent it is told when the handler ends.
  struct in_handler {
    server& of;
    in_handler(server& s, self& me) : of(s) { of.self_ = &me; }
    ~in_handler() {
      of.tell_sent(0);
      if (of.leads()) of.kept_.led.insert(of.raft_.current_term);
      of.check("crashes", !of.is_open_ || of.raft_.state != RAFT_UNAVAILABLE, "a server does not give up");
      of.self_ = nullptr;
    }
  };

  static server& of(const raft_io* io) { return *static_cast<server*>(io->impl); }
  static server& of(const raft_fsm* fsm) { return *static_cast<server*>(fsm->data); }
  void check(const char* look, bool holds, const char* text,
             const std::source_location& where = std::source_location::current()) const {
    if (!holds && self_ != nullptr && how_.looks_for(look)) self_->check(false, text, where);
  }
  void receive(self& me, const message& m) {
    const in_handler now(*this, me);
    auto own = m.copy();
    receive_(&io_, &own);
  }
  void send(raft_message m) {
    const auto to = std::exchange(m.server_id, id_);
    m.server_address = address(id_);
    const bool is_known = to <= kept_.all.size();
    check("receivers", is_known, "who is sent something is one of the servers");
    check("receivers", to != 0 || !tells_of_snapshot_, "who is told that a snapshot is installed is somebody");
    check("receivers", to != 0 || tells_of_snapshot_, "who is sent something is somebody");
    if (to == 0 || !is_known) return;
    const auto other = kept_.all[to - 1];
    if (m.type == RAFT_IO_APPEND_ENTRIES) self_->send<&server::append>(other, message(m));
    if (m.type == RAFT_IO_APPEND_ENTRIES_RESULT) self_->send<&server::appended>(other, message(m));
    if (m.type == RAFT_IO_REQUEST_VOTE) self_->send<&server::vote>(other, message(m));
    if (m.type == RAFT_IO_REQUEST_VOTE_RESULT) self_->send<&server::voted>(other, message(m));
    if (m.type == RAFT_IO_INSTALL_SNAPSHOT) self_->send<&server::install>(other, message(m));
    if (m.type == RAFT_IO_TIMEOUT_NOW) self_->send<&server::timeout_now>(other, message(m));
    check("asserts", m.type != RAFT_IO_REQUEST_VOTE || !m.request_vote.disrupt_leader || kept_.disk.under_way().empty(),
          "who is told to stand has stored what it has");
  }
  void tell_sent(int status) {
    for (auto* const one : std::exchange(sends_, {}))
      if (one->cb != nullptr) one->cb(one, status);
  }
  static void acknowledge(client_request* done, int status, void* /*result*/) {
    auto& me = *static_cast<server*>(done->data);
    if (status == 0) me.kept_.acknowledged[done->index] = me.asked_[done];
    me.asked_.erase(done);
    delete done;
  }
  void has_applied(raft_index index, const std::string& value) {
    self_->check(kept_.applied.emplace(index, value).first->second == value, "what was applied stays as it was");
  }
  template <class Change>
  int write_now(Change change) {
    return kept_.disk.now(*self_, change), 0;
  }
  int write_later(disk_write what) { return kept_.disk.submit<&server::stored>(*self_, std::move(what)), 0; }

  void fill_io() {
    io_.version = 1;
    io_.impl = this;
    io_.init = [](raft_io*, raft_id, const char*) { return 0; };
    io_.close = [](raft_io* io, raft_io_close_cb closed) {
      of(io).tell_sent(RAFT_CANCELED);
      for (auto* const one : of(io).loads_.forget()) one->cb(one, nullptr, RAFT_CANCELED);
      for (const auto& one : of(io).kept_.disk.under_way()) one.tell(0);  // a leader crashes if two are cancelled
      closed(io);
    };
    io_.start = [](raft_io* io, unsigned, raft_io_tick_cb on_tick, raft_io_recv_cb on_message) {
      of(io).tick_ = on_tick;
      of(io).receive_ = on_message;
      return 0;
    };
    io_.send = [](raft_io* io, raft_io_send* request, const raft_message* m, raft_io_send_cb sent) {
      request->cb = sent;
      of(io).sends_.push_back(request);
      return of(io).send(*m), 0;
    };
    io_.time = [](raft_io* io) { return of(io).time_; };
    io_.random = [](raft_io*, int least, int) { return least; };  // who stands first is explored anyway
    io_.bootstrap = [](raft_io* io, const raft_configuration* all) {
      return of(io).write_now([all](on_disk& disk) {
        disk.term = 1, disk.log[1] = entry({1, RAFT_CHANGE, *encoded(*all), nullptr});
      });
    };
    io_.load = [](raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** taken, raft_index* first,
                  raft_entry** entries, std::size_t* count) {
      const auto& disk = *of(io).kept_.disk;
      *term = disk.term;
      *vote = disk.voted_for;
      *taken = disk.taken->index == 0 ? nullptr : disk.taken.allocated_copy();
      *first = disk.end() - disk.log.size();
      *entries = static_cast<raft_entry*>(raft_malloc(disk.log.size() * sizeof(raft_entry)));
      *count = 0;
      for (const auto& [index, one] : disk.log) (*entries)[(*count)++] = one.copy();
      return 0;
    };
    io_.set_term = [](raft_io* io, raft_term term) {
      return of(io).write_now([term](on_disk& disk) { disk.term = term, disk.voted_for = 0; });
    };
    io_.set_vote = [](raft_io* io, raft_id id) {
      return of(io).write_now([id](on_disk& disk) { disk.voted_for = id; });
    };
    io_.append = [](raft_io* io, raft_io_append* request, const raft_entry* entries, unsigned count,
                    raft_io_append_cb written) {
      const auto from = std::exchange(of(io).end_, of(io).end_ + count);
      const auto effect = [from, all = std::vector<entry>(entries, entries + count)](on_disk& disk) {
        disk.log.erase(disk.log.lower_bound(from), disk.log.end());
        for (std::size_t i = 0; i < all.size(); ++i) disk.log[from + i] = all[i];
      };
      const auto tell = [request, written](int status) { written(request, status); };
      return of(io).write_later({effect, tell, of(io).raft_.state == RAFT_FOLLOWER});
    };
    // What is to stand in their place is appended next: that removes them, too.
    io_.truncate = [](raft_io* io, raft_index from) {
      of(io).end_ = from;
      if (!of(io).kept_.disk.under_way().empty()) return 0;
      return of(io).write_now([from](on_disk& disk) { disk.log.erase(disk.log.lower_bound(from), disk.log.end()); });
    };
    io_.snapshot_put = [](raft_io* io, unsigned trailing, raft_io_snapshot_put* request, const raft_snapshot* s,
                          raft_io_snapshot_put_cb written) {
      const bool replaces_all = trailing == 0 && of(io).installs();
      if (replaces_all) of(io).end_ = s->index + 1;
      const auto effect = [copy = harrier::foreign<raft_snapshot, ways>(*s),
                           first = s->index < trailing ? 0 : s->index - trailing + 1, replaces_all](on_disk& disk) {
        disk.taken = copy;
        disk.log.erase(disk.log.begin(), replaces_all ? disk.log.end() : disk.log.lower_bound(first));
      };
      const auto tell = [request, written](int status) { written(request, status); };
      return of(io).write_later({effect, tell, replaces_all, replaces_all});
    };
    io_.snapshot_get = [](raft_io* io, raft_io_snapshot_get* request, raft_io_snapshot_get_cb loaded) {
      const bool is_there = of(io).kept_.disk->taken->index > 0;
      of(io).check("crashes", is_there, "a snapshot that is sent has been taken");
      if (!is_there) return RAFT_NOTFOUND;
      request->cb = loaded;
      return of(io).loads_.submit<&server::loaded>(*of(io).self_, request), 0;
    };
  }

  void fill_state_machine() {
    fsm_.version = 1;
    fsm_.data = this;
    fsm_.apply = [](raft_fsm* fsm, const raft_buffer* data, void**) {
      return of(fsm).has_applied(of(fsm).raft_.last_applied + 1, text_of(*data)), 0;
    };
    fsm_.snapshot = [](raft_fsm* fsm, raft_buffer** all, unsigned* count) {
      std::string text;
      for (const auto& [index, value] : of(fsm).kept_.applied)
        if (index <= of(fsm).raft_.last_applied) text += std::to_string(index) + ' ' + value + '\n';
      *all = bytes(in_place(text)).allocated_copy();
      return *count = 1, 0;
    };
    fsm_.restore = [](raft_fsm* fsm, raft_buffer* data) {
      std::istringstream all(text_of(*data));
      std::string value;
      for (raft_index index = 0; all >> index >> value;) of(fsm).has_applied(index, value);
      return raft_free(data->base), 0;
    };
  }

  /// 0.15.0 writes bytes to disks and networks that it never set (docs/bugs.md): here they are 0, each time.
  static raft_heap zeroed() {
    raft_heap heap{};
    heap.malloc = [](void*, std::size_t size) { return std::calloc(1, size); };
    heap.free = [](void*, void* at) { std::free(at); };
    heap.calloc = [](void*, std::size_t count, std::size_t size) { return std::calloc(count, size); };
    heap.realloc = [](void*, void* at, std::size_t size) { return std::realloc(at, size); };
    return heap;
  }
  /// As after a restart of the process, from what is on the disk.
  void start() {
    static raft_heap heap = zeroed();
    raft_heap_set(&heap);
    fill_io();
    fill_state_machine();
    require(raft_init(&raft_, &io_, &fsm_, id_, address(id_)), "raft_init");
    is_open_ = true;
    raft_set_election_timeout(&raft_, election);
    raft_set_heartbeat_timeout(&raft_, heartbeat);
    raft_set_install_snapshot_timeout(&raft_, 2 * election);
    raft_set_pre_vote(&raft_, how_.asks_first);
    if (how_.threshold > 0) raft_set_snapshot_threshold(&raft_, how_.threshold);
    raft_set_snapshot_trailing(&raft_, how_.trailing);
    if (kept_.disk->term == 0 && id_ <= how_.voters) {
      raft_configuration all;
      raft_configuration_init(&all);
      for (raft_id i = 1; i <= how_.voters; ++i) raft_configuration_add(&all, i, address(i), RAFT_VOTER);
      require(raft_bootstrap(&raft_, &all), "raft_bootstrap");
      raft_configuration_close(&all);
    }
    end_ = kept_.disk->end();
    require(raft_start(&raft_), "raft_start");
    self_->after<&server::tick>(std::chrono::milliseconds(election));
  }

  raft_id id_;
  settings how_;
  kept kept_;
  harrier::io_queue<raft_io_snapshot_get*> loads_;
  std::vector<raft_io_send*> sends_;
  std::map<client_request*, entry> asked_;
  self* self_ = nullptr;
  bool is_open_ = false;
  bool tells_of_snapshot_ = false;
  raft_time time_ = 0;
  raft_index end_ = 0;  ///< after the last entry that was written, or will be
  struct raft_transfer transfer_ {};
  struct raft_change change_ {};
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb receive_ = nullptr;
  raft_io io_{};
  raft_fsm fsm_{};
  struct raft raft_ {};
};
