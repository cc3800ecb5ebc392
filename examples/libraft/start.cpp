// What the library calls, and how it begins: as after a restart of the process, from what is on the disk.
#include <cstdlib>
#include <sstream>

#include "adapter.hpp"

namespace {

void require(int status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string(what) + ": " + raft_strerror(status));
}

/// 0.15.0 writes bytes to disks and networks that it never set (docs/bugs.md): here they are 0, each time.
raft_heap zeroed() {
  raft_heap heap{};
  heap.malloc = [](void*, std::size_t size) { return std::calloc(1, size); };
  heap.free = [](void*, void* at) { std::free(at); };
  heap.calloc = [](void*, std::size_t count, std::size_t size) { return std::calloc(count, size); };
  heap.realloc = [](void*, void* at, std::size_t size) { return std::realloc(at, size); };
  heap.aligned_alloc = [](void*, std::size_t alignment, std::size_t size) {
    return std::aligned_alloc(alignment, size);
  };
  heap.aligned_free = [](void*, std::size_t, void* at) { std::free(at); };
  return heap;
}

}  // namespace

raft_buffer server::to_raft(const std::string& bytes) {
  raft_buffer copy{raft_malloc(bytes.size() + 1), bytes.size()};
  std::memcpy(copy.base, bytes.data(), bytes.size());
  return copy;
}
/// In one batch, as the library wants what was read or received.
raft_entry* server::to_raft(const std::vector<entry>& all) {
  if (all.empty()) return nullptr;
  std::string bytes;
  for (const auto& e : all) bytes += e.data;
  auto* const entries = static_cast<raft_entry*>(raft_malloc(all.size() * sizeof(raft_entry)));
  void* const batch = to_raft(bytes).base;
  auto* at = static_cast<char*>(batch);
  for (std::size_t i = 0; i < all.size(); at += all[i++].data.size())
    entries[i] = {all[i].term, all[i].type, {at, all[i].data.size()}, batch};
  return entries;
}
raft_configuration server::to_raft(const std::vector<member>& all) {
  raft_configuration copy;
  raft_configuration_init(&copy);
  for (const auto& one : all)
    require(raft_configuration_add(&copy, one.id, address(one.id), one.role), "raft_configuration_add");
  return copy;
}
raft_snapshot* server::to_raft(const snapshot& of) {
  auto* const copy = static_cast<raft_snapshot*>(raft_malloc(sizeof(raft_snapshot)));
  *copy = {of.index, of.term, to_raft(of.members), of.members_index, nullptr, 1};
  copy->bufs = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
  *copy->bufs = to_raft(of.data);
  return copy;
}
std::vector<entry> server::from_raft(const raft_entry* entries, std::size_t count) {
  std::vector<entry> all;
  for (const auto* e = entries; e != entries + count; ++e) all.push_back({e->term, e->type, from_raft(e->buf)});
  return all;
}
std::vector<member> server::from_raft(const raft_configuration& all) {
  std::vector<member> copy;
  for (unsigned i = 0; i < all.n; ++i) copy.push_back({all.servers[i].id, all.servers[i].role});
  return copy;
}
std::string server::encoded(const raft_configuration& all) {
  raft_buffer bytes;
  require(raft_configuration_encode(&all, &bytes), "raft_configuration_encode");
  const auto copy = from_raft(bytes);
  raft_free(bytes.base);
  return copy;
}

entries_by_index server::log() const {
  entries_by_index all;
  raft_index index = raft_.log.offset;
  for (auto i = raft_.log.front; is_open_ && i != raft_.log.back; i = (i + 1) % raft_.log.size)
    all[++index] = from_raft(&raft_.log.entries[i], 1).front();
  return all;
}
bool server::goes_by_its_log() const {
  if (!is_open_ || installs() || raft_.configuration.n == 0) return true;
  const auto now = encoded(raft_.configuration);
  bool is_stored = false;
  const auto all = log();
  for (auto at = all.rbegin(); at != all.rend() && !is_stored; ++at) {
    if (at->second.type != RAFT_CHANGE) continue;
    if (at->second.data == now) return true;
    is_stored = at->first <= raft_.last_stored;
  }
  return !is_stored;
}

server::in_handler::~in_handler() {
  of.complete_sends(0);
  if (of.leads()) of.kept_.led.insert(of.raft_.current_term);
  of.self_->check(!of.how_.gives_up || !of.is_open_ || of.raft_.state != RAFT_UNAVAILABLE, "a server does not give up");
  of.self_ = nullptr;
}

/// Three checks, since there are three faults.
bool server::checks_receiver(raft_id id) {
  const bool is_known = id <= kept_.all.size();
  self_->check(!how_.receivers || is_known, "who is sent something is one of the servers");
  self_->check(!how_.receivers || id != 0 || !tells_of_snapshot_,
               "who is told that a snapshot is installed is somebody");
  self_->check(!how_.receivers || id != 0 || tells_of_snapshot_, "who is sent something is somebody");
  return id != 0 && is_known;
}
int server::send(const raft_message& m) {
  const auto& x = m.append_entries;
  const auto& s = m.install_snapshot;
  if (!checks_receiver(m.server_id)) return 0;
  switch (m.type) {
    case RAFT_IO_APPEND_ENTRIES:
      return send<&server::append>(m, append_entries{x.term, x.prev_log_index, x.prev_log_term, x.leader_commit,
                                                     from_raft(x.entries, x.n_entries)});
    case RAFT_IO_APPEND_ENTRIES_RESULT: return send<&server::appended>(m, m.append_entries_result);
    case RAFT_IO_REQUEST_VOTE:
      self_->check(!how_.asserts || !m.request_vote.disrupt_leader || writes_.empty(),
                   "who is told to stand has stored what it has");
      return send<&server::vote>(m, m.request_vote);
    case RAFT_IO_REQUEST_VOTE_RESULT: return send<&server::voted>(m, m.request_vote_result);
    case RAFT_IO_INSTALL_SNAPSHOT:
      return send<&server::install>(
          m, s.term, snapshot{s.last_index, s.last_term, from_raft(s.conf), s.conf_index, from_raft(s.data)});
    case RAFT_IO_TIMEOUT_NOW: return send<&server::timeout_now>(m, m.timeout_now);
    default: return RAFT_INVALID;
  }
}
void server::complete_sends(int status) {
  for (; !sends_.empty(); sends_.pop_front())
    if (sends_.front()->cb != nullptr) sends_.front()->cb(sends_.front(), status);
}
void server::complete_load(int status) {
  auto* const request = loads_.front();
  loads_.pop_front();
  request->cb(request, status == 0 ? to_raft(kept_.taken) : nullptr, status);
}
int server::write_later(write what) {
  writes_.push_back(std::move(what));
  if (writes_.back().tell) self_->send<&server::stored>(self_->me<server>());
  return 0;
}
/// A crash later in this handler does not undo it.
int server::is_on_disk() {
  if (self_ != nullptr) self_->sync();
  return 0;
}
/// In the order in which they were submitted; with one that fails, all that come after it fail.
void server::complete_write(int status) {
  while (!writes_.empty()) {
    const auto next = std::move(writes_.front());
    writes_.pop_front();
    if (status == 0) next.effect(kept_), is_on_disk();
    if (next.tell) next.tell(status);
    if (next.tell && status == 0) return;
  }
  if (status != 0) end_ = end_of_disk();
}
void server::acknowledge(client_request* done, int status, void* /*result*/) {
  auto& me = *static_cast<server*>(done->data);
  if (status == 0) me.kept_.acknowledged[done->index] = me.asked_[done];
  me.asked_.erase(done);
  delete done;
}
std::string server::state_machine() const {
  std::string all;
  for (const auto& [index, value] : kept_.applied)
    if (index <= raft_.last_applied) all += std::to_string(index) + ' ' + value + '\n';
  return all;
}

void server::fill_io() {
  io_.version = 1;
  io_.impl = this;
  io_.init = [](raft_io*, raft_id, const char*) { return 0; };
  io_.close = [](raft_io* io, raft_io_close_cb closed) {
    of(io).complete_sends(RAFT_CANCELED);
    while (!of(io).loads_.empty()) of(io).complete_load(RAFT_CANCELED);
    while (!of(io).writes_.empty()) of(io).complete_write(0);  // a leader that is told of two cancelled ones crashes
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
    return of(io).send(*m);
  };
  io_.time = [](raft_io* io) { return of(io).time_; };
  io_.random = [](raft_io*, int least, int) { return least; };  // who stands first is explored anyway
}
void server::fill_disk_io() {
  io_.bootstrap = [](raft_io* io, const raft_configuration* all) {
    of(io).kept_.term = 1;
    of(io).kept_.log[1] = {1, RAFT_CHANGE, encoded(*all)};
    return of(io).is_on_disk();
  };
  io_.load = [](raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** taken, raft_index* first,
                raft_entry** entries, std::size_t* count) {
    const auto& disk = of(io).kept_;
    std::vector<entry> all;
    for (const auto& [index, one] : disk.log) all.push_back(one);
    *term = disk.term;
    *vote = disk.voted_for;
    *taken = disk.taken.index == 0 ? nullptr : of(io).to_raft(disk.taken);
    *first = disk.log.empty() ? disk.taken.index + 1 : disk.log.begin()->first;
    *entries = to_raft(all);
    *count = all.size();
    return 0;
  };
  io_.set_term = [](raft_io* io, raft_term term) {
    of(io).kept_.term = term;
    of(io).kept_.voted_for = 0;
    return of(io).is_on_disk();
  };
  io_.set_vote = [](raft_io* io, raft_id id) {
    of(io).kept_.voted_for = id;
    return of(io).is_on_disk();
  };
  io_.append = [](raft_io* io, raft_io_append* request, const raft_entry* entries, unsigned count,
                  raft_io_append_cb written) {
    auto& me = of(io);
    const auto from = std::exchange(me.end_, me.end_ + count);
    const bool follows = me.raft_.state == RAFT_FOLLOWER;
    const auto effect = [from, all = from_raft(entries, count)](kept& disk) {
      disk.log.erase(disk.log.lower_bound(from), disk.log.end());
      for (std::size_t i = 0; i < all.size(); ++i) disk.log[from + i] = all[i];
    };
    return me.write_later({effect, [&me, request, written, follows](int status) {
                             if (follows && me.how_.asserts && me.self_ != nullptr)
                               me.self_->check(me.raft_.state == RAFT_FOLLOWER, "who stands has stored what it took");
                             written(request, status);
                           }});
  };
  io_.truncate = [](raft_io* io, raft_index from) {
    auto& me = of(io);
    me.end_ = from;
    const auto effect = [from](kept& disk) { disk.log.erase(disk.log.lower_bound(from), disk.log.end()); };
    return me.writes_.empty() ? (effect(me.kept_), me.is_on_disk()) : me.write_later({effect, {}});
  };
  io_.snapshot_put = [](raft_io* io, unsigned trailing, raft_io_snapshot_put* request, const raft_snapshot* taken,
                        raft_io_snapshot_put_cb written) {
    auto& me = of(io);
    const bool replaces_all = trailing == 0 && me.installs();
    if (replaces_all) me.end_ = taken->index + 1;
    const snapshot copy{taken->index, taken->term, from_raft(taken->configuration), taken->configuration_index,
                        from_raft(taken->bufs[0])};
    const auto effect = [copy, replaces_all, trailing](kept& disk) {
      disk.taken = copy;
      const auto first = copy.index < trailing ? 0 : copy.index - trailing + 1;
      disk.log.erase(disk.log.begin(), replaces_all ? disk.log.end() : disk.log.lower_bound(first));
    };
    return me.write_later({effect, [&me, request, written, replaces_all](int status) {
                             if (replaces_all && me.how_.asserts && me.self_ != nullptr)
                               me.self_->check(me.raft_.state == RAFT_FOLLOWER,
                                               "who stands has installed its snapshot");
                             me.tells_of_snapshot_ = replaces_all;
                             written(request, status);
                             me.tells_of_snapshot_ = false;
                           }});
  };
  io_.snapshot_get = [](raft_io* io, raft_io_snapshot_get* request, raft_io_snapshot_get_cb loaded) {
    auto& me = of(io);
    me.self_->check(!me.how_.gives_up || me.kept_.taken.index > 0, "a snapshot that is sent has been taken");
    if (me.kept_.taken.index == 0) return RAFT_NOTFOUND;
    request->cb = loaded;
    me.loads_.push_back(request);
    me.self_->send<&server::loaded>(me.self_->me<server>());
    return 0;
  };
}
void server::fill_state_machine() {
  fsm_.version = 1;
  fsm_.data = this;
  fsm_.apply = [](raft_fsm* fsm, const raft_buffer* data, void**) {
    auto& me = *static_cast<server*>(fsm->data);
    const auto [at, is_new] = me.kept_.applied.emplace(me.raft_.last_applied + 1, from_raft(*data));
    me.self_->check(is_new || at->second == from_raft(*data), "what was applied stays as it was");
    return 0;
  };
  fsm_.snapshot = [](raft_fsm* fsm, raft_buffer** all, unsigned* count) {
    *all = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
    **all = to_raft(static_cast<server*>(fsm->data)->state_machine());
    *count = 1;
    return 0;
  };
  fsm_.restore = [](raft_fsm* fsm, raft_buffer* data) {
    auto& me = *static_cast<server*>(fsm->data);
    std::istringstream all(from_raft(*data));
    std::string value;
    for (raft_index index = 0; all >> index >> value;)
      me.self_->check(me.kept_.applied.emplace(index, value).first->second == value,
                      "what was applied stays as it was");
    raft_free(data->base);
    return 0;
  };
}

void server::start() {
  static raft_heap heap = zeroed();
  raft_heap_set(&heap);
  fill_io();
  fill_disk_io();
  fill_state_machine();
  require(raft_init(&raft_, &io_, &fsm_, id_, address(id_)), "raft_init");
  is_open_ = true;
  raft_set_election_timeout(&raft_, election);
  raft_set_heartbeat_timeout(&raft_, heartbeat);
  raft_set_install_snapshot_timeout(&raft_, 2 * election);
  raft_set_pre_vote(&raft_, how_.asks_first);
  if (how_.threshold > 0) raft_set_snapshot_threshold(&raft_, how_.threshold);
  raft_set_snapshot_trailing(&raft_, how_.trailing);
  if (kept_.term == 0 && id_ <= how_.voters) {
    std::vector<member> voters;
    for (raft_id i = 1; i <= how_.voters; ++i) voters.push_back({i, RAFT_VOTER});
    auto all = to_raft(voters);
    require(raft_bootstrap(&raft_, &all), "raft_bootstrap");
    raft_configuration_close(&all);
  }
  end_ = end_of_disk();
  require(raft_start(&raft_), "raft_start");
  self_->after<&server::tick>(std::chrono::milliseconds(election));
}
