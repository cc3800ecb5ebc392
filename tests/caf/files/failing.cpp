// Fails as its first argument says.
#undef NDEBUG
#include <unistd.h>

#include <caf/all.hpp>
#include <cassert>
#include <cstdlib>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <thread>

using namespace caf;

int overflow(volatile int* depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  return overflow(depth) + frame[0];
}

behavior failing(event_based_actor* self, const std::string& how) {
  return {[=](int number) {
    if (how == "segv") *static_cast<volatile int*>(nullptr) = number;
    if (how == "abort") std::abort();
    if (how == "terminate") std::terminate();
    if (how == "exit") std::exit(3);
    for (volatile bool endless = how == "loop"; endless;) continue;
    volatile int depth = 0;
    if (how == "stack") overflow(&depth);
    self->quit();
  }};
}

/// It takes for granted that whom it starts lives for as long as it has something to do itself.
behavior trusting(event_based_actor* self) {
  self->monitor(self->spawn([] { return behavior{[](int) {}}; }));
  self->send(self, 1);
  const auto is_done = std::make_shared<bool>(false);
  self->set_down_handler([=](down_msg&) {
    assert(*is_done);
    self->quit();
  });
  return {[=](int) { *is_done = true; }};
}

/// Main is woken by an actor, and what it sends may come before what that sends then, or after.
behavior wakes_main(event_based_actor* self, const std::shared_ptr<std::promise<void>>& promise, const actor& to) {
  return {[=](int) {
    promise->set_value();
    self->send(to, 1);
  }};
}

behavior expects_one_first(event_based_actor* self) {
  const auto heard = std::make_shared<int>(0);
  return {[=](int number) {
    assert(*heard > 0 || number == 1);
    if (++*heard == 2) self->quit();
  }};
}

int main(int argc, char** argv) {
#ifdef CAF_VERSION_MAJOR  // CAF 1
  core::init_global_meta_objects();
#endif
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "status") return 7;
  actor_system_config config;
  actor_system system{config};
  if (how == "end") {
    const auto watching = system.spawn(trusting);
    system.await_all_actors_done();
    return 0;
  }
  if (how == "future") {
    const auto to = system.spawn(expects_one_first);
    const auto promise = std::make_shared<std::promise<void>>();
    anon_send(system.spawn(wakes_main, promise, to), 1);
    promise->get_future().get();
    anon_send(to, 2);
    return 0;
  }
  const auto one = system.spawn(failing, how);
  if (how == "thread") {
    std::thread([=] { anon_send(one, 1); }).join();
  } else if (how == "late") {
    scoped_actor self{system};
    std::thread([me = actor_cast<actor>(self)] { anon_send(me, 1); }).detach();
    self->receive([](int) {});
  } else if (how == "request") {
    std::thread([&] {
      scoped_actor self{system};
      self->request(one, infinite, 1).receive([](int) {}, [](error&) {});
    }).join();
  } else if (how == "pause") {
    std::thread([&] {
      scoped_actor self{system};
      self->send(one, 1);
      pause();
    }).join();
  } else {
    anon_send(one, 1);
  }
  if (how == "leave") std::exit(0);
}
