// What hands on: pools, and local groups.
#include "sample.hpp"

namespace natively {
namespace {

/// Notes numbers; ends at 0, or after so many.
caf::behavior worker(caf::event_based_actor* self, heard* all, std::string name, int most) {
  const auto noted = noting(self, all, std::move(name), most);
  return {[=](int number) { noted(std::to_string(number)); }, [=](stop_atom) { self->quit(); }};
}

caf::actor pool_of(caf::actor_system& system, const std::vector<caf::actor>& workers, caf::actor_pool::policy how) {
  auto next = std::make_shared<std::size_t>(0);
  return both::pool_of(
      system, workers.size(), [=] { return workers[(*next)++]; }, std::move(how));
}

/// What goes through the pool first is in the worker's mailbox first.
void pool_before_direct(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(worker, &all, "one", 2);
  const auto pool = pool_of(system, {one}, caf::actor_pool::round_robin());
  caf::anon_send(pool, 1);
  jitter();
  caf::anon_send(one, 2);
}

void broadcast_before_direct(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(worker, &all, "one", 2);
  const auto two = system.spawn(worker, &all, "two", 2);
  const auto pool = pool_of(system, {one, two}, caf::actor_pool::broadcast());
  caf::anon_send(pool, 1);
  jitter();
  caf::anon_send(two, 2);
  jitter();
  caf::anon_send(one, 3);
}

/// Who sends to the pool first is not said, only that each of the two does so in order.
void two_senders_to_a_pool(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(worker, &all, "one", 2);
  const auto two = system.spawn(worker, &all, "two", 2);
  const auto pool = pool_of(system, {one, two}, caf::actor_pool::round_robin());
  for (const int first : {1, 3})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(pool, first);
      jitter();
      self->send(pool, first + 1);
    });
}

void random_pool(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(worker, &all, "one", 9);
  const auto two = system.spawn(worker, &all, "two", 9);
  const auto pool = pool_of(system, {one, two}, caf::actor_pool::random());
  caf::anon_send(pool, 1);
  caf::anon_send(pool, 2);
  caf::anon_send(one, stop_atom::value);
  caf::anon_send(two, stop_atom::value);
}

/// A request to the pool is answered by a worker.
void request_to_a_pool(caf::actor_system& system, heard& all) {
  const auto doubles = [](caf::event_based_actor* self) -> caf::behavior {
    return {[](int x) {
              jitter();
              return 2 * x;
            },
            [=](stop_atom) { self->quit(); }};
  };
  const auto one = system.spawn(doubles);
  const auto pool = pool_of(system, {one}, caf::actor_pool::round_robin());
  caf::scoped_actor self{system};
  self->request(pool, caf::infinite, 4)
      .receive([&](int x) { all.note("main", std::to_string(x)); }, [](caf::error&) {});
  caf::anon_send(one, stop_atom::value);
}

/// What comes urgently may come before its worker has started, also if it is sent after that.
void urgent_to_a_pool(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(worker, &all, "one", 3);
  const auto pool = pool_of(system, {one}, caf::actor_pool::round_robin());
  caf::anon_send(pool, 1);
  system.spawn([=](caf::event_based_actor* self) {
    self->send(pool, 2);
    jitter();
    self->send<caf::message_priority::high>(pool, 3);
  });
}

/// A pool ends with its last worker, and main hears of neither too early.
void pool_and_stranger(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(worker, &all, "one", 3);
  const auto pool = pool_of(system, {one}, caf::actor_pool::round_robin());
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(one, 5);
  });
  caf::anon_send(pool, 1);
  caf::anon_send(one, 2);
}

#if !HARRIER_CAF_1  // which has no groups

/// What is published is handed on by the publisher itself.
void group_before_direct(caf::actor_system& system, heard& all) {
  const auto group = system.groups().anonymous();
  const auto one = system.spawn_in_group(group, worker, &all, "one", 2);
  caf::anon_send(group, 1);
  jitter();
  caf::anon_send(one, 2);
}

void group_of_two_publishers(caf::actor_system& system, heard& all) {
  const auto group = system.groups().anonymous();
  const auto one = system.spawn_in_group(group, worker, &all, "one", 2);
  const auto two = system.spawn_in_group(group, worker, &all, "two", 2);
  for (const int first : {1, 2})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(group, first);
    });
}

/// Whether it has joined by then is open.
void group_joined_at_the_start(caf::actor_system& system, heard& all) {
  const auto group = system.groups().anonymous();
  auto* const to = &all;
  const auto joins = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->join(group);
    return {[=](int number) { to->note("one", std::to_string(number)); }, [=](stop_atom) { self->quit(); }};
  });
  jitter();
  caf::anon_send(group, 1);
  jitter();
  caf::anon_send(joins, stop_atom::value);
}

void group_left(caf::actor_system& system, heard& all) {
  const auto group = system.groups().anonymous();
  auto* const to = &all;
  const auto leaves = [=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int number) {
              jitter();
              to->note("one", std::to_string(number));
              self->leave(group);
            },
            [=](stop_atom) { self->quit(); }};
  };
  const auto one = system.spawn_in_group(group, leaves);
  caf::anon_send(group, 1);
  jitter();
  caf::anon_send(group, 2);
  jitter();
  caf::anon_send(one, stop_atom::value);
}

#endif

}  // namespace

samples of_pools_and_groups() {
  samples all = {{"pool_before_direct", pool_before_direct},
                 {"broadcast_before_direct", broadcast_before_direct},
                 {"two_senders_to_a_pool", two_senders_to_a_pool},
                 {"random_pool", random_pool},
                 {"request_to_a_pool", request_to_a_pool},
                 {"pool_and_stranger", pool_and_stranger},
                 {"urgent_to_a_pool", urgent_to_a_pool}};
#if !HARRIER_CAF_1
  all.push_back({"group_before_direct", group_before_direct});
  all.push_back({"group_of_two_publishers", group_of_two_publishers});
  all.push_back({"group_joined_at_the_start", group_joined_at_the_start});
  all.push_back({"group_left", group_left});
#endif
  return all;
}

}  // namespace natively
