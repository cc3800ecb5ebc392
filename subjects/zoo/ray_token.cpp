// Ray: a restart that is taken for the repetition of an older one.
//
// Source: ray-project/ray PR#53330. The owner of an actor asks the control service to restart it, with the number of
// the request, so that one that the network delivers twice has no effect. The service compares that number with all
// restarts it knows of, those after crashes among them: so after a crash the owner's first request looks stale.
// Repaired: it is compared with the owner's requests only.
#include "entries.hpp"

namespace zoo_ray_token {

struct control {
  bool counts_requests_only;
  int restarts = 0;
  int requested = 0;

  void restarted_after_crash() { ++restarts; }
  void restart(harrier::self& self, int number) {
    if (number <= (counts_requests_only ? requested : restarts)) return self.note("ignored as stale");
    ++restarts;
    ++requested;
  }
};

struct worker {
  harrier::ref<control> by;
  harrier::persistent<int> lives = 1;

  void call() {}
  void on_restart(harrier::self& self) {
    ++lives;
    self.send<&control::restarted_after_crash>(by);
  }
};

struct owner {
  harrier::ref<control> at;
  int requests = 0;

  void needs_it_again(harrier::self& self) { self.send<&control::restart>(at, ++requests); }
};

}  // namespace zoo_ray_token

harrier::catalogue_entry harrier::subjects::zoo::ray_token() {
  using namespace zoo_ray_token;
  return entry("ray-token", "a request to restart is taken for the repetition of an older one", [](variant as) {
    auto tested = make_program([as](self& driver) {
      const auto service = driver.create<control>(as == variant::fixed);
      driver.send<&worker::call>(driver.create<worker>(service));
      driver.send<&owner::needs_it_again>(driver.create<owner>(service));
    });
    return with_faults(
        specified(std::move(tested),
                  {eventually("each request to restart counts once",
                              [](view<control> c, view<owner> o) { return c->requested == o->requests; })}),
        {.duplicate = 1, .crash = 1, .in_all = 2});
  });
}
