// Riak Core: a queue that is told that the pool is full, and waits for a word that has been said already.
//
// Source: basho/riak_core#298 (riak_core_vnode_worker_pool, found by PULSE). A worker that is done says so to its pool
// and to the queue manager. Where the manager hears it first, it asks the pool, which still counts the worker as busy
// and answers "full"; then the manager waits for the next worker that comes back, and none is left to come.
// Repaired: the pool tells the manager, once it has the worker back.
#include <deque>

#include "entries.hpp"

namespace zoo_riak_pool {

struct pool;
struct manager;

struct worker {
  harrier::ref<pool> home;
  harrier::ref<manager> queue;
  bool tells_manager;

  void run(harrier::self& self, int job);
};

struct pool {
  bool tells_manager;
  harrier::ref<worker> only = {};
  bool is_busy = false;

  void hire(harrier::self& self, harrier::ref<manager> queue) {
    only = self.create<worker>(self.me<pool>(), queue, !tells_manager);
  }
  void check_out(harrier::self& self, harrier::ref<manager> by, int job);
  void check_in(harrier::self& self, harrier::ref<manager> queue);
};

struct manager {
  harrier::ref<pool> workers;
  std::deque<int> queued = {};
  bool has_asked = false;

  void add(harrier::self& self, int job) {
    queued.push_back(job);
    ask(self);
  }
  void granted(harrier::self& self) {
    queued.pop_front();
    has_asked = false;
    ask(self);
  }
  void full() { has_asked = false; }
  void worker_is_back(harrier::self& self) { ask(self); }

  /// A job that waits when nothing more happens waits for ever.
  bool at_rest() const { return queued.empty(); }

private:
  void ask(harrier::self& self) {
    if (queued.empty() || has_asked) return;
    has_asked = true;
    self.send<&pool::check_out>(workers, self.me<manager>(), queued.front());
  }
};

void worker::run(harrier::self& self, int) {
  self.send<&pool::check_in>(home, queue);
  if (tells_manager) self.send<&manager::worker_is_back>(queue);
}

void pool::check_out(harrier::self& self, harrier::ref<manager> by, int job) {
  if (is_busy) return self.send<&manager::full>(by);
  is_busy = true;
  self.send<&worker::run>(only, job);
  self.send<&manager::granted>(by);
}

void pool::check_in(harrier::self& self, harrier::ref<manager> queue) {
  is_busy = false;
  if (tells_manager) self.send<&manager::worker_is_back>(queue);
}

struct node {
  bool pool_tells;

  harrier::ref<manager> queue = {};

  void set_up(harrier::self& self) {
    const auto workers = self.create<pool>(pool_tells);
    queue = self.create<manager>(workers);
    self.send<&pool::hire>(workers, queue);
  }
  void test(harrier::self& self) const {
    for (int job = 1; job <= 2; ++job) self.send<&manager::add>(queue, job);
  }
};

}  // namespace zoo_riak_pool

harrier::catalogue_entry harrier::subjects::zoo::riak_pool() {
  return entry("riak-pool", "a queue waits for a worker that has come back already", [](variant as) {
    return over(delivery::fifo, make_program(zoo_riak_pool::node{as == variant::fixed}));
  });
}
