// Requests and what becomes of them: answers, promises, delegation, receivers that have ended.
#include "sample.hpp"

namespace natively {
namespace {

caf::behavior doubles(caf::event_based_actor* self) {
  return {[](int x) {
            jitter();
            return 2 * x;
          },
          [=](stop_atom) { self->quit(); }};
}

/// Answers of two come in either order, to who takes them as they come.
void answers_in_either_order(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto one = system.spawn(doubles);
  const auto two = system.spawn(doubles);
  system.spawn([=](caf::event_based_actor* self) {
    self->request(one, caf::infinite, 1).then([=](int x) { notes->note("asks", std::to_string(x)); });
    jitter();
    self->request(two, caf::infinite, 2).then([=](int x) { notes->note("asks", std::to_string(x)); });
  });
}

/// Who awaits an answer takes nothing before that.
void answer_awaited(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto one = system.spawn(doubles);
  const auto asks = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->request(one, caf::infinite, 1).await([=](int x) {
      jitter();
      notes->note("asks", std::to_string(x));
    });
    return {[=](int x) {
      jitter();
      notes->note("asks", std::to_string(x));
      if (x == 8) self->quit();
    }};
  });
  caf::anon_send(asks, 7);
  jitter();
  caf::anon_send(asks, 8);
}

void two_awaited(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto one = system.spawn(doubles);
  const auto two = system.spawn(doubles);
  system.spawn([=](caf::event_based_actor* self) {
    for (const auto& each : {one, two}) {
      jitter();
      self->request(each, caf::infinite, each == one ? 1 : 2).await([=](int x) {
        notes->note("asks", std::to_string(x));
      });
    }
  });
}

/// It has ended, or it answers.
void request_to_the_dying(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto one = system.spawn(doubles);
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->request(one, caf::infinite, 1)
        .then([=](int x) { notes->note("asks", std::to_string(x)); },
              [=](const caf::error&) { notes->note("asks", "error"); });
  });
  jitter();
  caf::anon_send(one, stop_atom::value);
}

void delegated_to_another(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(doubles);
  const auto delegates = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int x) {
      jitter();
      return self->delegate(one, x + 1);
    }};
  });
  caf::scoped_actor self{system};
  self->request(delegates, caf::infinite, 1)
      .receive([&](int x) { all.note("main", std::to_string(x)); }, [&](caf::error&) { all.note("main", "error"); });
}

/// What is delegated comes from whoever delegates.
void delegated_before_sent(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 3);
  const auto delegates = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int x) {
      self->delegate(to, x);
      jitter();
      self->send(to, x + 1);
      self->quit();
    }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(delegates, 1);
    jitter();
    self->send(to, 5);
  });
}

void promise_kept_later(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto keeps = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto promise = std::make_shared<caf::response_promise>();
    return {[=](int) {
              *promise = self->make_response_promise();
              return *promise;
            },
            [=](stop_atom) {
              jitter();
              if (promise->pending()) promise->deliver(3);
              self->quit();
            }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->request(keeps, caf::infinite, 1)
        .then([=](int x) { notes->note("asks", std::to_string(x)); },
              [=](const caf::error&) { notes->note("asks", "error"); });
  });
  jitter();
  caf::anon_send(keeps, stop_atom::value);
}

/// Its promise is broken when it ends.
void promise_broken(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto keeps = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int) { return self->make_response_promise(); }, [=](stop_atom) { self->quit(); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->request(keeps, caf::infinite, 1)
        .then([=](int x) { notes->note("asks", std::to_string(x)); },
              [=](const caf::error&) { notes->note("asks", "error"); });
  });
  caf::scoped_actor self{system};
  self->request(keeps, caf::infinite, stop_atom::value).receive([] {}, [](caf::error&) {});
}

/// Nobody reads the last messages; what is in them is not the same as what was.
void bookings_of_the_gone(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto desk = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](const std::string& who) {
      jitter();
      notes->note("desk", who);
      if (who == "last") self->quit();
    }};
  });
  for (const std::string name : {"a", "b"})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(desk, name);
      jitter();
      self->send(desk, std::string("last"));
    });
}

/// One that it has skipped, and one that may come when it has ended: CAF 1 answers the first before anybody answers the
/// second.
void asked_before_its_end_and_after(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler(caf::skip);
    return {[=](stop_atom) { self->quit(); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    const auto noted = noting(self, notes, "asker", 2);
    const auto ask = [&](int number) {
      self->request(of, caf::infinite, number)
          .then([](int) {}, [=](const caf::error&) { noted("no answer to " + std::to_string(number)); });
    };
    ask(1);
    self->send(of, stop_atom::value);
    jitter();
    ask(2);
  });
}

void typed_answers(caf::actor_system& system, heard& all) {
  const both::increment one = system.spawn([]() -> both::increment::behavior_type {
    return {[](int x) {
      jitter();
      return x + 1;
    }};
  });
  caf::scoped_actor self{system};
  for (const int x : {1, 2})
    self->request(one, caf::infinite, x)
        .receive([&](int y) { all.note("main", std::to_string(y)); }, [&](caf::error&) { all.note("main", "error"); });
}

/// A scoped actor takes what it asked for, whatever else is in its mailbox.
void scoped_among_others(caf::actor_system& system, heard& all) {
  const auto one = system.spawn(doubles);
  caf::scoped_actor self{system};
  system.spawn([to = caf::actor_cast<caf::actor>(self)](caf::event_based_actor* me) {
    jitter();
    me->send(to, 1);
  });
  system.spawn([to = caf::actor_cast<caf::actor>(self)](caf::event_based_actor* me) {
    jitter();
    me->send(to, 2);
  });
  self->request(one, caf::infinite, 4).receive([&](int x) { all.note("main", std::to_string(x)); }, [](caf::error&) {});
  for (int i = 0; i < 2; ++i) self->receive([&](int x) { all.note("main", std::to_string(x)); });
  self->send(one, stop_atom::value);
}

}  // namespace

samples of_requests() {
  return {{"answers_in_either_order", answers_in_either_order},
          {"answer_awaited", answer_awaited},
          {"two_awaited", two_awaited},
          {"request_to_the_dying", request_to_the_dying},
          {"delegated_to_another", delegated_to_another},
          {"delegated_before_sent", delegated_before_sent},
          {"promise_kept_later", promise_kept_later},
          {"promise_broken", promise_broken},
          {"bookings_of_the_gone", bookings_of_the_gone},
          {"asked_before_its_end_and_after", asked_before_its_end_and_after},
          {"typed_answers", typed_answers},
          {"scoped_among_others", scoped_among_others}};
}

}  // namespace natively
