// In which order a mailbox hands out what is in it: priorities, and messages that are skipped.
#include "sample.hpp"

namespace natively {
namespace {

using caf::message_priority;

/// Each from a sender of its own.
void send_two_numbers_and_a_word(caf::actor_system& system, const caf::actor& to) {
  for (const int number : {1, 2})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(to, number);
    });
  jitter();
  caf::anon_send(to, std::string("a"));
}

void urgent_after_normal(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 3);
  system.spawn([=](caf::event_based_actor* self) {
    self->send(to, 1);
    jitter();
    self->send(to, 2);
    jitter();
    self->send<message_priority::high>(to, 3);
  });
}

/// What is sent after something urgent never comes before it.
void urgent_before_normal(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 3);
  system.spawn([=](caf::event_based_actor* self) {
    self->send(to, 1);
    jitter();
    self->send<message_priority::high>(to, 2);
    jitter();
    self->send(to, 3);
  });
}

void urgent_of_two_senders(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 4);
  for (const int first : {1, 3})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send<message_priority::high>(to, first);
      jitter();
      self->send(to, first + 1);
    });
}

/// Urgent by way of another: what follows after that is later, too.
void urgent_by_another(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(listener, &all, 2);
  const auto second = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int number) {
      jitter();
      self->send(to, number);
      self->quit();
    }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    self->send<message_priority::high>(to, 1);
    jitter();
    self->send(second, 2);
  });
}

/// What comes of something urgent is urgent, too: CAF 1 takes before it what was fetched with the first.
void urgent_by_urgent(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "listener", 3);
    return {[=](int number) {
      if (number == 2) self->send<message_priority::high>(self, 3);
      noted(std::to_string(number));
    }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    self->send(to, 1);
    jitter();
    self->send<message_priority::high>(to, 2);
  });
}

/// Skips numbers until it is told to stop that, and notes each time that it does.
caf::behavior picky(caf::event_based_actor* self, heard* all, int most) {
  self->set_default_handler([=](caf::scheduled_actor*, both::unhandled& m) -> both::answer_to_unhandled {
    all->note("picky", "skips" + std::to_string(both::number_in(m)));
    return both::skip();
  });
  auto left = std::make_shared<int>(most);
  return {[=](stop_atom) {
    jitter();
    self->become([=](int number) {
      jitter();
      all->note("picky", std::to_string(number));
      if (--*left == 0) self->quit();
    });
  }};
}

/// What was skipped comes again in the order in which it arrived.
void skipped_of_two_senders(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(picky, &all, 2);
  for (const int number : {1, 2})
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(to, number);
    });
  jitter();
  caf::anon_send(to, stop_atom::value);
}

void skipped_before_later(caf::actor_system& system, heard& all) {
  const auto to = system.spawn(picky, &all, 2);
  caf::anon_send(to, 1);
  jitter();
  caf::anon_send(to, stop_atom::value);
  jitter();
  caf::anon_send(to, 2);
}

/// A handler that skips is called again after each message that is taken.
void skipped_time_and_again(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler([=](caf::scheduled_actor*, both::unhandled&) -> both::answer_to_unhandled {
      notes->note("picky", "skips");
      return both::skip();
    });
    auto taken = std::make_shared<int>(0);
    return {[=](const std::string& word) {
      jitter();
      notes->note("picky", word);
      if (++*taken == 2) self->quit();
    }};
  });
  caf::anon_send(to, 1);
  jitter();
  caf::anon_send(to, std::string("a"));
  jitter();
  caf::anon_send(to, std::string("b"));
}

void blocking_skips(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::blocking_actor* self) {
    self->receive([=](const std::string& word) { notes->note("blocking", word); });
    for (int i = 0; i < 2; ++i) self->receive([=](int number) { notes->note("blocking", std::to_string(number)); });
  });
  send_two_numbers_and_a_word(system, to);
}

/// The default case of a receive that skips by hand.
void blocking_notes_what_it_skips(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::blocking_actor* self) {
    self->receive(
        [=](const std::string& word) {
          jitter();
          notes->note("blocking", word);
        },
        caf::others >> [=](both::unhandled& m) -> both::answer_to_unhandled {
          notes->note("blocking", "skips" + std::to_string(both::number_in(m)));
          return both::skip();
        });
    for (int i = 0; i < 2; ++i) self->receive([=](int number) { notes->note("blocking", std::to_string(number)); });
  });
  send_two_numbers_and_a_word(system, to);
}

#if !HARRIER_CAF_1  // where only the default handler skips

/// Its handler notes what it skips: CAF shows it that again whenever it has taken another.
void skipped_by_a_handler(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto to = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto taken = std::make_shared<int>(0);
    return {[=](int number) -> caf::result<void> {
      jitter();
      notes->note("skipping", std::to_string(number));
      if (number == 1 && *taken < 2) return caf::skip();
      if (++*taken == 3) self->quit();
      return caf::unit;
    }};
  });
  for (int first = 1; first < 3; ++first)
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(to, first);
      jitter();
      if (first == 2) self->send(to, 3);
    });
}

#endif

/// Two that send to the same two in opposite orders: each of these may get either one first, but not both what was sent
/// second.
void crossing(caf::actor_system& system, heard& all) {
  std::vector<caf::actor> to;
  for (const auto* name : {"one", "two"})
    to.push_back(system.spawn([=, notes = &all](caf::event_based_actor* self) -> caf::behavior {
      const auto noted = noting(self, notes, name, 2);
      return {[=](int number) { noted(std::to_string(number)); }};
    }));
  for (std::size_t first = 0; first < 2; ++first)
    system.spawn([=](caf::event_based_actor* self) {
      jitter();
      self->send(to[first], static_cast<int>(first));
      jitter();
      self->send(to[1 - first], static_cast<int>(first));
    });
}

}  // namespace

samples of_priorities_and_skips() {
  samples all = {{"crossing", crossing},
                 {"urgent_after_normal", urgent_after_normal},
                 {"urgent_before_normal", urgent_before_normal},
                 {"urgent_of_two_senders", urgent_of_two_senders},
                 {"urgent_by_another", urgent_by_another},
                 {"urgent_by_urgent", urgent_by_urgent},
                 {"skipped_of_two_senders", skipped_of_two_senders},
                 {"skipped_before_later", skipped_before_later},
                 {"skipped_time_and_again", skipped_time_and_again},
                 {"blocking_skips", blocking_skips},
                 {"blocking_notes_what_it_skips", blocking_notes_what_it_skips}};
#if !HARRIER_CAF_1
  all.push_back({"skipped_by_a_handler", skipped_by_a_handler});
#endif
  return all;
}

}  // namespace natively
