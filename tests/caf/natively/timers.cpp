// What time brings: delayed messages, time limits, sleep. Computers are slow, so that each may come late; harrier runs
// these with timers at any time.
#include <thread>

#include "sample.hpp"

namespace natively {
namespace {

using std::chrono::microseconds;

void delayed_among_others(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 3);
  system.spawn([=](caf::event_based_actor* self) {
    self->delayed_send(to, microseconds(80), 1);
    jitter();
    self->send(to, 2);
    jitter();
    self->send(to, 3);
  });
}

/// The answer, or the time limit.
void request_with_a_limit(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto answers = system.spawn([]() -> caf::behavior {
    return {[](int x) {
      jitter();
      return x + 1;
    }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    self->request(answers, microseconds(100), 1)
        .then([=](int x) { notes->note("asks", std::to_string(x)); },
              [=](const caf::error&) { notes->note("asks", "error"); });
  });
}

/// It ends since nothing refers to it, with an answer or without; nobody waits for ever.
void requester_that_nothing_refers_to(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto answers = system.spawn([]() -> caf::behavior {
    return {[](int x) {
      jitter();
      return x + 1;
    }};
  });
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->request(answers, microseconds(100), 1)
        .then([=](int x) { notes->note("asks", std::to_string(x)); },
              [=](const caf::error&) { notes->note("asks", "error"); });
    return {[](stop_atom) {}};
  });
}

void receive_with_a_limit(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::blocking_actor* self) {
    bool is_late = false;
    self->receive([=](int number) { notes->note("blocking", std::to_string(number)); }, caf::after(microseconds(80)) >>
                                                                                            [&] {
                                                                                              notes->note("blocking",
                                                                                                          "late");
                                                                                              is_late = true;
                                                                                            });
    if (is_late) self->receive([=](int number) { notes->note("blocking", std::to_string(number)); });
  });
  jitter();
  caf::anon_send(to, 1);
}

void behaviour_with_a_limit(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int number) {
              jitter();
              notes->note("actor", std::to_string(number));
              if (number == 2) self->quit();
            },
            caf::after(microseconds(80)) >>
                [=] {
                  notes->note("actor", "late");
                  self->quit();
                }};
  });
  caf::anon_send(to, 1);
  jitter();
  caf::anon_send(to, 2);
}

void main_sleeps(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 2);
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(to, 1);
  });
  std::this_thread::sleep_for(microseconds(60));
  caf::anon_send(to, 2);
}

}  // namespace

samples of_timers() {
  return {{"delayed_among_others", delayed_among_others, true},
          {"request_with_a_limit", request_with_a_limit, true},
          {"requester_that_nothing_refers_to", requester_that_nothing_refers_to, true},
          {"receive_with_a_limit", receive_with_a_limit, true},
          {"behaviour_with_a_limit", behaviour_with_a_limit, true},
          {"main_sleeps", main_sleeps, true}};
}

}  // namespace natively
