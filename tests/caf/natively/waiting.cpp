// What waits for something that is no message: futures, condition variables, mutexes, other actors.
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "sample.hpp"

namespace natively {
namespace {

using promised = std::shared_ptr<std::promise<int>>;

/// Keeps its promise, then tells `to` twice.
caf::behavior keeps(caf::event_based_actor* self, promised promise, caf::actor to, int first) {
  return {[=](int number) {
    jitter();
    if (first > 0) self->send(to, first);
    jitter();
    promise->set_value(number);
    jitter();
    self->send(to, first + 1);
    self->quit();
  }};
}

/// Main's message comes before, between and after those of whoever woke it, and of another.
void main_sends_after_a_future(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 4);
  const auto promise = std::make_shared<std::promise<int>>();
  caf::anon_send(system.spawn(keeps, promise, to, 1), 7);
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(to, 5);
  });
  caf::anon_send(to, promise->get_future().get());
}

/// The second may be there already when main asks for it.
void main_waits_for_two_futures(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 4);
  const auto one = std::make_shared<std::promise<int>>();
  const auto two = std::make_shared<std::promise<int>>();
  caf::anon_send(system.spawn(keeps, one, to, 0), 7);
  caf::anon_send(system.spawn(keeps, two, to, 2), 8);
  const int first = one->get_future().get();
  jitter();
  caf::anon_send(to, first);
  two->get_future().get();
}

/// Whether it is there by then is open.
void main_looks_at_a_future(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 3);
  const auto one = std::make_shared<std::promise<int>>();
  const auto two = std::make_shared<std::promise<int>>();
  const auto ready = two->get_future();
  caf::anon_send(system.spawn(keeps, one, to, 0), 7);
  caf::anon_send(system.spawn(keeps, two, to, 2), 8);
  one->get_future().get();
  jitter();
  all.note("main", ready.wait_for(std::chrono::seconds(0)) == std::future_status::ready ? "ready" : "not yet");
}

void actor_waits_for_a_future(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 4);
  const auto promise = std::make_shared<std::promise<int>>();
  const std::shared_future<int> kept = promise->get_future();
  const auto waits = system.spawn<caf::detached>([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int) {
      jitter();
      self->send(to, kept.get());
      self->quit();
    }};
  });
  caf::anon_send(waits, 1);
  caf::anon_send(system.spawn(keeps, promise, to, 1), 7);
  jitter();
  caf::anon_send(to, 5);
}

struct gate {
  std::mutex mutex;
  std::condition_variable opens;
  int passed = 0;
};

caf::behavior opens(caf::event_based_actor* self, std::shared_ptr<gate> of, caf::actor to) {
  return {[=](int number) {
    jitter();
    {
      const std::lock_guard lock(of->mutex);
      ++of->passed;
    }
    of->opens.notify_all();
    jitter();
    self->send(to, number);
    self->quit();
  }};
}

void main_sends_after_a_condition(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 2);
  const auto of = std::make_shared<gate>();
  caf::anon_send(system.spawn(opens, of, to), 1);
  {
    std::unique_lock lock(of->mutex);
    of->opens.wait(lock, [&] { return of->passed == 1; });
  }
  jitter();
  caf::anon_send(to, 2);
}

void main_waits_for_two_at_a_gate(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 3);
  const auto of = std::make_shared<gate>();
  for (const int number : {1, 2}) caf::anon_send(system.spawn(opens, of, to), number);
  int passed = 0;
  {
    std::unique_lock lock(of->mutex);
    of->opens.wait(lock, [&] { return of->passed >= 1; });
    passed = of->passed;
  }
  all.note("main", std::to_string(passed));
  jitter();
  caf::anon_send(to, 3);
}

/// Who comes first to what a mutex guards is seen by both.
void two_share_a_mutex(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = std::make_shared<gate>();
  for (const std::string name : {"a", "b"}) {
    system.spawn([=](caf::event_based_actor*) {
      jitter();
      const std::lock_guard lock(of->mutex);
      notes->note(name, std::to_string(++of->passed));
    });
  }
}

/// Who only reads shares the lock with others who do, and not with who writes.
void three_share_a_shared_mutex(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  struct shelf {
    std::shared_mutex mutex;
    int books = 0;
  };
  const auto of = std::make_shared<shelf>();
  for (const std::string name : {"a", "b"})
    system.spawn([=](caf::event_based_actor*) {
      jitter();
      const std::shared_lock lock(of->mutex);
      notes->note(name, std::to_string(of->books));
    });
  system.spawn([=](caf::event_based_actor*) {
    jitter();
    const std::unique_lock lock(of->mutex);
    of->books = 1;
  });
}

/// Whether it is free is open.
void two_try_a_mutex(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = std::make_shared<gate>();
  const auto to = system.spawn(listener, &all, 1);
  for (const std::string name : {"a", "b"})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      const std::unique_lock lock(of->mutex, std::try_to_lock);
      if (lock.owns_lock() && ++of->passed == 1) self->send(to, 1);
      jitter();
      notes->note(name, lock.owns_lock() ? std::to_string(of->passed) : "not now");
    });
}

/// A thread of the program's own answers by a future, and no actor is used in it.
void thread_keeps_a_promise(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 2);
  auto answer = std::async(std::launch::async, [] {
    jitter();
    return 1;
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(to, 2);
  });
  caf::anon_send(to, answer.get());
}

void main_waits_for_others(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  for (const std::string name : {"a", "b"})
    system.spawn([=](caf::event_based_actor*) {
      jitter();
      notes->note(name, "was here");
    });
  system.await_all_actors_done();
  all.note("main", "goes on");
}

/// A message that its sender's object travels with: both see what the other wrote.
struct cell {
  int value = 0;
};
using shared_cell = std::shared_ptr<cell>;

}  // namespace
}  // namespace natively

HARRIER_TEST_TYPES(natively_waiting, 120)
HARRIER_TEST_TYPE(natively_waiting, natively::shared_cell)
HARRIER_TEST_TYPES_END(natively_waiting)

namespace natively {
namespace {

void two_share_memory(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto adds = [=](caf::event_based_actor* self, std::string name) -> caf::behavior {
    return {[=](const shared_cell& of) {
      jitter();
      notes->note(name, std::to_string(__atomic_add_fetch(&of->value, 1, __ATOMIC_SEQ_CST)));
      self->quit();
    }};
  };
  const auto both = std::make_shared<cell>();
  caf::anon_send(system.spawn(adds, "a"), both);
  caf::anon_send(system.spawn(adds, "b"), both);
}

}  // namespace

samples of_waiting() {
  return {{"main_sends_after_a_future", main_sends_after_a_future},
          {"main_waits_for_two_futures", main_waits_for_two_futures},
          {"main_looks_at_a_future", main_looks_at_a_future, true},
          {"actor_waits_for_a_future", actor_waits_for_a_future},
          {"main_sends_after_a_condition", main_sends_after_a_condition},
          {"main_waits_for_two_at_a_gate", main_waits_for_two_at_a_gate},
          {"two_share_a_mutex", two_share_a_mutex},
          {"three_share_a_shared_mutex", three_share_a_shared_mutex},
          {"two_try_a_mutex", two_try_a_mutex},
          {"thread_keeps_a_promise", thread_keeps_a_promise},
          {"main_waits_for_others", main_waits_for_others},
          {"two_share_memory", two_share_memory, false, "memory to which a message leads"}};
}

}  // namespace natively
