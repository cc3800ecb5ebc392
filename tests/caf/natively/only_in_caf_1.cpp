// What CAF 1 alone has: functions that are called at another's end, mail caches, messages that are taken back, idle
// handlers, flows within an actor.
#include "sample.hpp"

#if HARRIER_CAF_1

#include <caf/mail_cache.hpp>
#include <caf/scheduled_actor/flow.hpp>

namespace natively {
namespace {

using std::chrono::microseconds;

caf::behavior mortal(caf::event_based_actor* self) {
  return {[=](stop_atom) {
    jitter();
    self->quit();
  }};
}

/// Word of an end is called among other messages.
void function_at_an_end(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->monitor(of, [=](const caf::error&) { noted("down"); });
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->mail(1).send(watches);
    jitter();
    self->mail(2).send(watches);
  });
  jitter();
  caf::anon_mail(stop_atom::value).send(of);
}

/// Who takes it back hears nothing from then on.
void function_at_an_end_taken_back(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    auto word = self->monitor(of, [=](const caf::error&) { notes->note("watcher", "down"); });
    return {[=](int) mutable {
              jitter();
              word.dispose();
              notes->note("watcher", "no more");
            },
            [=](stop_atom) { self->quit(); }};
  });
  caf::anon_mail(1).send(watches);
  jitter();
  caf::anon_mail(stop_atom::value).send(of);
  jitter();
  caf::anon_mail(stop_atom::value).send(watches);
}

/// It may end, as nothing refers to it, before it is told.
void function_of_one_that_nothing_refers_to(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->monitor(of, [=](const caf::error&) { notes->note("watcher", "down"); });
    jitter();
    return {[](int) {}};
  });
  jitter();
  caf::anon_mail(stop_atom::value).send(of);
}

/// Nothing refers to what is watched.
void function_at_the_end_of_one_that_nothing_refers_to(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->monitor(self->spawn(mortal), [=](const caf::error&) { noted("down"); });
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->mail(1).send(watches);
    jitter();
    self->mail(2).send(watches);
  });
}

/// What was put aside comes next, before what has arrived meanwhile.
void stashed_before_later(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto cache = std::make_shared<caf::mail_cache>(self, 10);
    const auto noted = noting(self, notes, "stashes", 3);
    return {[=](stop_atom) {
              jitter();
              self->become([=](int number) { noted(std::to_string(number)); });
              cache->unstash();
            },
            [=](caf::message m) { cache->stash(std::move(m)); }};
  });
  for (const int number : {1, 2})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->mail(number).send(to);
    });
  jitter();
  caf::anon_mail(stop_atom::value).send(to);
  jitter();
  caf::anon_mail(3).send(to);
}

void skipped_and_stashed(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler(caf::skip);
    const auto cache = std::make_shared<caf::mail_cache>(self, 10);
    const auto noted = noting(self, notes, "stashes", 3);
    return {[=](const std::string& word) { cache->stash(caf::make_message(word)); },
            [=](stop_atom) {
              jitter();
              cache->unstash();
              self->become([=](int number) { noted(std::to_string(number)); },
                           [=](const std::string& word) { noted(word); });
            }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    self->mail(1).send(to);
    jitter();
    self->mail("a").send(to);
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->mail(2).send(to);
  });
  jitter();
  caf::anon_mail(stop_atom::value).send(to);
}

void delayed_and_taken_back(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    auto late = self->mail(7).delay(microseconds(80)).send(self);
    return {[=](int number) mutable {
              jitter();
              notes->note("actor", std::to_string(number));
              if (number == 1) late.dispose();
            },
            [=](stop_atom) { self->quit(); }};
  });
  caf::anon_mail(1).send(to);
  jitter();
  caf::anon_mail(stop_atom::value).send(to);
}

void function_after_a_while(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "actor", 2);
    self->run_delayed(microseconds(60), [=] { noted("later"); });
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  jitter();
  caf::anon_mail(1).send(to);
}

void idle_once(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "actor", 2);
    self->set_idle_handler(microseconds(80), caf::strong_ref, caf::once, [=] { noted("idle"); });
    return {[=](int number) { noted(std::to_string(number)); }, [=](stop_atom) { self->quit(); }};
  });
  caf::anon_mail(1).send(to);
  jitter();
  caf::anon_mail(stop_atom::value).send(to);
}

/// The time limit does not keep it alive.
void idle_unless_nothing_refers_to_it(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto idles = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->set_idle_handler(microseconds(80), caf::weak_ref, caf::once, [=] { notes->note("actor", "idle"); });
    return {[](int) {}};
  });
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->mail(stop_atom::value).send(self);
    return {[=, keeps_it = idles](stop_atom) {
      static_cast<void>(keeps_it);
      jitter();
      self->quit();
    }};
  });
}

/// The steps of a flow within one actor are its own business.
void flow_within_an_actor(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->make_observable().iota(1).take(3).for_each([=](int number) { notes->note("flow", std::to_string(number)); });
    return {[=](int number) { notes->note("actor", std::to_string(number)); }, [=](stop_atom) { self->quit(); }};
  });
  jitter();
  caf::anon_mail(9).send(to);
  caf::anon_mail(stop_atom::value).send(to);
}

void launched_later(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  auto [self, launch] = system.spawn_inactive();
  const auto noted = noting(self, notes, "actor", 1);
  self->become([=](int number) { noted(std::to_string(number)); });
  const caf::actor handle = self;
  launch();
  jitter();
  caf::anon_mail(1).send(handle);
}

/// The answer to a promise that is thrown away is an error.
void broken_promise(caf::actor_system& system, heard& all) {
  const auto breaks = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int) {
      jitter();
      return self->make_response_promise<int>();
    }};
  });
  caf::scoped_actor self{system};
  self->mail(1)
      .request(breaks, caf::infinite)
      .receive([&](int) { all.note("main", "value"); }, [&](const caf::error& e) { all.note("main", to_string(e)); });
}

}  // namespace

samples of_caf_1() {
  return {{"function_at_an_end", function_at_an_end},
          {"function_at_an_end_taken_back", function_at_an_end_taken_back},
          {"function_of_one_that_nothing_refers_to", function_of_one_that_nothing_refers_to},
          {"function_at_the_end_of_one_that_nothing_refers_to", function_at_the_end_of_one_that_nothing_refers_to},
          {"stashed_before_later", stashed_before_later},
          {"skipped_and_stashed", skipped_and_stashed},
          {"delayed_and_taken_back", delayed_and_taken_back, true},
          {"function_after_a_while", function_after_a_while, true},
          {"idle_once", idle_once, true},
          {"idle_unless_nothing_refers_to_it", idle_unless_nothing_refers_to_it, true},
          {"flow_within_an_actor", flow_within_an_actor},
          {"launched_later", launched_later},
          {"broken_promise", broken_promise}};
}

}  // namespace natively

#else

namespace natively {

samples of_caf_1() { return {}; }

}  // namespace natively

#endif
