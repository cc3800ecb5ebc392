// What the library calls, and how it begins: as after a restart of the process, from what is on the disk.
#include <cstdlib>

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

void server::start() {
  static raft_heap heap = zeroed();
  raft_heap_set(&heap);
  io_.version = 2;
  io_.impl = this;
  io_.init = [](raft_io*, raft_id, const char*) { return 0; };
  io_.close = [](raft_io* io, raft_io_close_cb closed) {
    of(io).complete_sends(RAFT_CANCELED);
    while (!of(io).writes_.empty()) of(io).complete_write(0);  // a leader that is told of two cancelled ones crashes
    closed(io);
  };
  io_.load = [](raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* first,
                raft_entry** entries, std::size_t* count) {
    const auto& disk = of(io).kept_;
    *term = disk.term;
    *vote = disk.voted_for;
    *snapshot = nullptr;
    *first = 1;
    *entries = to_raft(disk.log);
    *count = disk.log.size();
    return 0;
  };
  io_.start = [](raft_io* io, unsigned, raft_io_tick_cb on_tick, raft_io_recv_cb on_message) {
    of(io).tick_ = on_tick;
    of(io).receive_ = on_message;
    return 0;
  };
  io_.bootstrap = [](raft_io* io, const raft_configuration* all) {
    raft_buffer encoded;
    require(raft_configuration_encode(all, &encoded), "raft_configuration_encode");
    of(io).kept_.term = 1;
    of(io).kept_.log = {{1, RAFT_CHANGE, {static_cast<const char*>(encoded.base), encoded.len}}};
    raft_free(encoded.base);
    return 0;
  };
  io_.set_term = [](raft_io* io, raft_term term) {
    of(io).kept_.term = term;
    of(io).kept_.voted_for = 0;
    return 0;
  };
  io_.set_vote = [](raft_io* io, raft_id id) {
    of(io).kept_.voted_for = id;
    return 0;
  };
  io_.append = [](raft_io* io, raft_io_append* request, const raft_entry* entries, unsigned count,
                  raft_io_append_cb written) {
    auto& me = of(io);
    request->cb = written;
    me.writes_.push_back({request, me.end_, from_raft(entries, count)});
    me.end_ += count;
    me.self_->send<&server::stored>(me.self_->me<server>());
    return 0;
  };
  io_.truncate = [](raft_io* io, raft_index from) {
    auto& me = of(io);
    me.end_ = from;
    if (me.writes_.empty())
      me.kept_.log.resize(from - 1);
    else
      me.writes_.push_back({nullptr, from, {}});
    return 0;
  };
  io_.send = [](raft_io* io, raft_io_send* request, const raft_message* m, raft_io_send_cb sent) {
    request->cb = sent;
    of(io).sends_.push_back(request);
    return of(io).send(*m);
  };
  io_.snapshot_get = [](raft_io* io, raft_io_snapshot_get*, raft_io_snapshot_get_cb) {
    of(io).self_->check(false, "a snapshot that is sent has been taken");
    return RAFT_NOTFOUND;
  };
  io_.time = [](raft_io* io) { return of(io).time_; };
  io_.random = [](raft_io*, int least, int) { return least; };  // who stands first is explored anyway
  fsm_.version = 1;
  fsm_.data = this;
  fsm_.apply = [](raft_fsm* fsm, const raft_buffer* data, void**) {
    auto& me = *static_cast<server*>(fsm->data);
    const std::string value(static_cast<const char*>(data->base), data->len);
    const auto [at, is_new] = me.kept_.applied.emplace(me.raft_.last_applied + 1, value);
    me.self_->check(is_new || at->second == value, "what was applied stays as it was");
    return 0;
  };
  require(raft_init(&raft_, &io_, &fsm_, id_, address(id_)), "raft_init");
  is_open_ = true;
  raft_set_election_timeout(&raft_, election);
  raft_set_heartbeat_timeout(&raft_, heartbeat);
  raft_set_pre_vote(&raft_, asks_first_);
  if (kept_.term == 0) {
    raft_configuration all;
    raft_configuration_init(&all);
    for (raft_id i = 1; i <= kept_.all.size(); ++i)
      require(raft_configuration_add(&all, i, address(i), RAFT_VOTER), "raft_configuration_add");
    require(raft_bootstrap(&raft_, &all), "raft_bootstrap");
    raft_configuration_close(&all);
  }
  end_ = kept_.log.size() + 1;
  require(raft_start(&raft_), "raft_start");
  self_->after<&server::tick>(std::chrono::milliseconds(election));
}
