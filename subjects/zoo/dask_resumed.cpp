// Dask: a task that is wanted again while its cancelled transfer is still under way.
//
// Source: dask/distributed#6159. A worker fetches a task's result from a peer, the fetch is cancelled, and then the
// worker is told to compute the task itself. Since the transfer cannot be stopped, the task is put into the state
// `resumed` until the peer answers. If the peer has nothing, the task never leaves that state.
// Repaired: then it is computed.
#include "entries.hpp"

namespace zoo_dask_resumed {

struct worker;

struct peer {
  void get_data(harrier::self& self, harrier::ref<worker> to);
};

enum class state { released, flight, cancelled, resumed, memory };

struct worker {
  bool computes_in_the_end;
  harrier::ref<peer> other;
  state task = state::released;

  void fetch(harrier::self& self) {
    task = state::flight;
    self.send<&peer::get_data>(other, self.me<worker>());
  }
  void cancel() { task = task == state::flight ? state::cancelled : state::released; }
  void compute() { task = task == state::cancelled ? state::resumed : state::memory; }
  void peer_has_nothing() {
    if (task == state::flight || task == state::cancelled) task = state::released;
    if (task == state::resumed && computes_in_the_end) task = state::memory;
  }
};

void peer::get_data(harrier::self& self, harrier::ref<worker> to) { self.send<&worker::peer_has_nothing>(to); }

}  // namespace zoo_dask_resumed

harrier::catalogue_entry harrier::subjects::zoo::dask_resumed() {
  using namespace zoo_dask_resumed;
  return entry("dask-resumed", "a task that is wanted again while its cancelled transfer is under way", [](variant as) {
    auto tested = make_program([as](self& scheduler) {
      const auto w = scheduler.create<worker>(as == variant::fixed, scheduler.create<peer>());
      scheduler.send<&worker::fetch>(w);
      scheduler.send<&worker::cancel>(w);
      scheduler.send<&worker::compute>(w);
    });
    return over(delivery::fifo,
                specified(std::move(tested), {eventually("a task that is to be computed is in memory",
                                                         [](view<worker> w) { return w->task == state::memory; })}));
  });
}
