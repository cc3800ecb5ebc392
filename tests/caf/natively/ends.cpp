// Ends of actors, and who hears of them: monitors, links, actors to which nothing refers.
#include "sample.hpp"

namespace natively {
namespace {

/// Notes what it hears, and ends after so many.
caf::behavior watcher(caf::event_based_actor* self, heard* all, caf::actor of, int most) {
  const auto noted = noting(self, all, "watcher", most);
  self->set_down_handler([=](caf::down_msg&) { noted("down"); });
  self->set_exit_handler([=](caf::exit_msg&) { noted("exit"); });
  self->monitor(of);
  return {[=](int number) { noted(std::to_string(number)); }};
}

/// What an actor sent before its end comes before word of that.
void down_after_its_messages(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto left = std::make_shared<int>(2);
    const auto noted = [=](const std::string& what) {
      notes->note("watcher", what);
      if (--*left == 0) self->quit();
    };
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const caf::actor to = self;
    const auto mortal = self->spawn<caf::monitored>([=](caf::event_based_actor* me) -> caf::behavior {
      return {[=](stop_atom) {
        jitter();
        me->send(to, 1);
        jitter();
        me->quit();
      }};
    });
    self->send(mortal, stop_atom::value);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
}

caf::behavior mortal(caf::event_based_actor* self) {
  return {[=](stop_atom) {
    jitter();
    self->quit();
  }};
}

/// Word of an end is urgent for nobody: it comes among the others.
void down_among_others(caf::actor_system& system, heard& all) {
  const auto of = system.spawn(mortal);
  const auto watches = system.spawn(watcher, &all, of, 3);
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(watches, 1);
    jitter();
    self->send(watches, 2);
  });
  jitter();
  caf::anon_send(of, stop_atom::value);
}

/// It may have ended before it is watched.
void watched_after_its_end(caf::actor_system& system, heard& all) {
  const auto of = system.spawn(mortal);
  caf::anon_send(of, stop_atom::value);
  jitter();
  const auto watches = system.spawn(watcher, &all, of, 2);
  caf::anon_send(watches, 1);
}

void no_longer_watched(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(of);
    self->set_down_handler([=](caf::down_msg&) { notes->note("watcher", "down"); });
    return {[=](int) {
              jitter();
              self->demonitor(of);
              notes->note("watcher", "no more");
            },
            [=](stop_atom) { self->quit(); }};
  });
  caf::anon_send(watches, 1);
  jitter();
  caf::anon_send(of, stop_atom::value);
  jitter();
  caf::anon_send(watches, stop_atom::value);
}

/// Nothing refers to it any more: it ends as soon as that is so, and its down message overtakes others.
void unreachable_among_others(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    self->monitor(self->spawn(mortal));
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(watches, 1);
    jitter();
    self->send(watches, 2);
  });
}

/// The last that refers to it is an actor that ends.
void unreachable_after_its_user(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const auto used = self->spawn(mortal);
    self->monitor(used);
    const auto uses = self->spawn([=, me = caf::actor(self)](caf::event_based_actor* user) -> caf::behavior {
      const auto keeps_it = used;
      return {[=](int number) {
        static_cast<void>(keeps_it);
        jitter();
        user->send(me, number);
        user->quit();
      }};
    });
    self->send(uses, 1);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(watches, 5);
  });
}

/// It handles what is in its mailbox before it ends.
void unreachable_with_mail(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto left = std::make_shared<int>(2);
    const auto noted = [=](const std::string& what) {
      notes->note("watcher", what);
      if (--*left == 0) self->quit();
    };
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const caf::actor to = self;
    const auto works = self->spawn([=](caf::event_based_actor* me) -> caf::behavior {
      return {[=](int number) {
        jitter();
        me->send(to, std::to_string(number));
      }};
    });
    self->monitor(works);
    self->send(works, 1);
    return {[=](const std::string& word) { noted(word); }};
  });
  static_cast<void>(watches);
}

/// Whoever uses it has told the watcher before giving it up.
void unreachable_after_all_its_users(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const auto used = self->spawn(mortal);
    self->monitor(used);
    for (int user = 1; user < 3; ++user)
      self->send(self->spawn([=, me = caf::actor(self)](caf::event_based_actor* uses) -> caf::behavior {
        return {[=, keeps_it = used](int number) {
          static_cast<void>(keeps_it);
          jitter();
          uses->send(me, number);
          jitter();
          uses->quit();
        }};
      }),
                 user);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  static_cast<void>(watches);
}

/// It may end before it hears of another's end.
void unreachable_watcher(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->monitor(of);
    jitter();
    self->set_down_handler([=](caf::down_msg&) { notes->note("watcher", "down"); });
    return {[](int) {}};
  });
  jitter();
  caf::anon_send(of, stop_atom::value);
}

/// With one ends the other, which it alone refers to.
void unreachable_with_its_own(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const auto inner = self->spawn(mortal);
    self->monitor(inner);
    const auto outer = self->spawn([=](caf::event_based_actor*) -> caf::behavior {
      return {[=, keeps_it = inner](int) {
        static_cast<void>(keeps_it);
        jitter();
      }};
    });
    self->send(outer, 1);
    self->send(self, 5);
    self->send(self, 6);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
}

/// The second time changes nothing. Nothing refers to it, and then neither to whom it is linked.
void linked_twice_and_unreachable(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->set_exit_handler([=](caf::exit_msg&) {
      notes->note("linked", "exit");
      self->quit();
    });
    self->link_to(of);
    jitter();
    self->link_to(of);
    return {[](int) {}};
  });
  jitter();
  caf::anon_send(of, stop_atom::value);
}

struct farewell {
  caf::actor to;
  ~farewell() {
    if (to) caf::anon_send(to, 9);
  }
};

/// What it had says farewell.
void unreachable_says_farewell(caf::actor_system& system, heard& all) {
  const auto listens = system.spawn(listener, &all, 3);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto own = std::make_shared<farewell>();
    own->to = listens;
    jitter();
    self->send(listens, 1);
    return {[=](stop_atom) { static_cast<void>(own); }};
  });
  jitter();
  caf::anon_send(listens, 2);
}

caf::behavior ends_at_a_number(caf::event_based_actor* self) {
  return {[=](int) {
    jitter();
    self->quit();
  }};
}

/// What is left in the mailbox of another keeps it alive up to the end of that.
void unreachable_when_its_mail_is_thrown_away(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto ends = system.spawn(ends_at_a_number);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 2);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    self->monitor(self->spawn([=](caf::event_based_actor* sends) -> caf::behavior {
      jitter();
      sends->send(ends, 1);
      sends->send(ends, 2);
      return {[](stop_atom) {}};
    }));
    self->send(self, 5);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
}

/// It may end before it hears of the end of whom it has written to.
void unreachable_but_for_its_mail(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto ends = system.spawn(ends_at_a_number);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->set_down_handler([=](caf::down_msg&) { notes->note("watcher", "down"); });
    self->monitor(ends);
    self->send(ends, 1);
    self->send(ends, 2);
    jitter();
    return {[](stop_atom) {}};
  });
}

/// It ends with a message that it has skipped.
void unreachable_with_skipped_mail(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 2);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const auto skips = self->spawn([=](caf::event_based_actor* other) -> caf::behavior {
      other->set_default_handler(caf::skip);
      return {[](stop_atom) {}};
    });
    self->monitor(skips);
    self->send(skips, 1);
    self->send(self, 5);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
}

/// Two requests of one actor, neither of which it takes.
void asked_twice(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  caf::anon_send(of, stop_atom::value);
  jitter();
  system.spawn([=](caf::event_based_actor* self) {
    const auto noted = noting(self, notes, "asker", 2);
    for (const int number : {1, 2}) {
      jitter();
      self->request(of, caf::infinite, number)
          .then([](int) {}, [=](const caf::error&) { noted("no answer to " + std::to_string(number)); });
    }
  });
}

/// A request that it has skipped.
void asked_what_it_skips(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler(caf::skip);
    return mortal(self);
  });
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    self->monitor(of);
    for (const int number : {1, 2})
      self->request(of, caf::infinite, number)
          .then([](int) {}, [=](const caf::error&) { noted("no answer to " + std::to_string(number)); });
    self->send(of, stop_atom::value);
    return {[](int) {}};
  });
}

/// Who is told of an end asks the one that has ended.
void asked_at_its_end(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) {
      noted("down");
      self->request(of, caf::infinite, 1).then([](int) {}, [=](const caf::error&) { noted("no answer"); });
      self->send(self, 2);
    });
    self->monitor(of);
    self->send(of, stop_atom::value);
    return {[=](int number) { noted(std::to_string(number)); }};
  });
}

/// The same of one to which nothing refers.
void asked_when_nothing_refers_to_it(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    const auto skips = self->spawn([](caf::event_based_actor* other) -> caf::behavior {
      other->set_default_handler(caf::skip);
      return {[](stop_atom) {}};
    });
    self->monitor(skips);
    for (const int number : {1, 2})
      self->request(skips, caf::infinite, number)
          .then([](int) {}, [=](const caf::error&) { noted("no answer to " + std::to_string(number)); });
    return {[](int) {}};
  });
}

/// A message that is left in the mailbox of an actor that ended keeps nobody alive.
void left_in_a_mailbox(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto ends = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int number) {
      jitter();
      notes->note("ends", std::to_string(number));
      self->quit();
    }};
  });
  // Nothing but its own messages refers to it.
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->send(ends, 1);
    self->send(ends, 2);
    return {[](stop_atom) {}};
  });
}

/// Nor does it keep the actor in it; and whoever has sent that has given it up only after what it sent then.
void left_with_another_in_it(caf::actor_system& system, heard& all) {
  const auto ends = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int) {
              jitter();
              self->quit();
            },
            [](const caf::actor&) {}};
  });
  auto held = system.spawn([]() -> caf::behavior { return {[](int) {}}; });
  const auto told = system.spawn(watcher, &all, held, 2);
  caf::anon_send(ends, 1);
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(ends, held);
    jitter();
    self->send(told, 4);
  });
}

/// Main still has its address when it waits for all.
void left_in_a_mailbox_that_main_knows(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto ends = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int number) {
      jitter();
      notes->note("ends", std::to_string(number));
      self->quit();
    }};
  });
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->send(ends, 1);
    self->send(ends, 2);
    return {[](stop_atom) {}};
  });
  system.await_all_actors_done();
  all.note("main", "goes on");
}

/// The same of a blocking actor.
void left_in_a_blocking_mailbox(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto ends = system.spawn([=](caf::blocking_actor* self) {
    self->receive([=](int number) { notes->note("ends", std::to_string(number)); });
  });
  system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    jitter();
    self->send(ends, 1);
    self->send(ends, 2);
    return {[](stop_atom) {}};
  });
}

void linked(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->link_to(of);
    const auto noted = noting(self, notes, "watcher", 3);
    self->set_exit_handler([=](caf::exit_msg&) { noted("exit"); });
    return {[=](int number) { noted(std::to_string(number)); }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    jitter();
    self->send(watches, 1);
    jitter();
    self->send(watches, 2);
  });
  jitter();
  caf::anon_send(of, stop_atom::value);
}

/// An exit message is urgent, and ends whoever does not trap it.
void killed_among_messages(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto victim = system.spawn([=](caf::event_based_actor*) -> caf::behavior {
    return {[=](int number) {
      jitter();
      notes->note("victim", std::to_string(number));
    }};
  });
  caf::anon_send(victim, 1);
  jitter();
  caf::anon_send(victim, 2);
  jitter();
  caf::anon_send_exit(victim, caf::exit_reason::user_shutdown);
  caf::anon_send(victim, 3);
}

void unlinked(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto of = system.spawn(mortal);
  const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    self->link_to(of);
    self->set_exit_handler([=](caf::exit_msg&) { notes->note("watcher", "exit"); });
    return {[=](int) {
              jitter();
              self->unlink_from(of);
              notes->note("watcher", "unlinked");
            },
            [=](stop_atom) { self->quit(); }};
  });
  caf::anon_send(watches, 1);
  jitter();
  caf::anon_send(of, stop_atom::value);
  jitter();
  caf::anon_send(watches, stop_atom::value);
}

/// A blocking actor waits for the end of another.
void blocking_waits_for_an_end(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto works = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
    return {[=](int number) {
      jitter();
      notes->note("works", std::to_string(number));
      self->quit();
    }};
  });
  caf::scoped_actor self{system};
  self->send(works, 1);
  self->wait_for(works);
  all.note("main", "goes on");
}

/// A request that is in the mailbox of who ends fails before word of that, or as CAF 1 has it, after; one that comes
/// later fails at once.
void asked_as_it_ends(caf::actor_system& system, heard& all) {
  const auto of = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
    return {[=](stop_atom) {
              jitter();
              self->quit();
            },
            [](int) { return 7; }};
  });
  system.spawn([=, notes = &all](caf::event_based_actor* self) -> caf::behavior {
    const auto noted = noting(self, notes, "asks", 3);
    self->set_down_handler([=](caf::down_msg&) { noted("down"); });
    self->monitor(of);
    for (int i = 0; i < 2; ++i) {
      jitter();
      self->request(of, caf::infinite, i)
          .then([=](int number) { noted(std::to_string(number)); }, [=](const caf::error&) { noted("failed"); });
    }
    return {[](stop_atom) {}};
  });
  jitter();
  caf::anon_send(of, stop_atom::value);
}

}  // namespace

samples of_ends() {
  return {{"asked_as_it_ends", asked_as_it_ends},
          {"asked_twice", asked_twice},
          {"asked_what_it_skips", asked_what_it_skips},
          {"asked_at_its_end", asked_at_its_end},
          {"asked_when_nothing_refers_to_it", asked_when_nothing_refers_to_it},
          {"linked_twice_and_unreachable", linked_twice_and_unreachable},
          {"down_after_its_messages", down_after_its_messages},
          {"down_among_others", down_among_others},
          {"watched_after_its_end", watched_after_its_end},
          {"no_longer_watched", no_longer_watched},
          {"unreachable_among_others", unreachable_among_others},
          {"unreachable_after_its_user", unreachable_after_its_user},
          {"unreachable_with_mail", unreachable_with_mail},
          {"unreachable_after_all_its_users", unreachable_after_all_its_users},
          {"unreachable_watcher", unreachable_watcher},
          {"unreachable_with_its_own", unreachable_with_its_own},
          {"unreachable_says_farewell", unreachable_says_farewell},
          {"unreachable_when_its_mail_is_thrown_away", unreachable_when_its_mail_is_thrown_away},
          {"unreachable_but_for_its_mail", unreachable_but_for_its_mail},
          {"unreachable_with_skipped_mail", unreachable_with_skipped_mail},
          {"left_in_a_mailbox", left_in_a_mailbox},
          {"left_with_another_in_it", left_with_another_in_it},
          {"left_in_a_mailbox_that_main_knows", left_in_a_mailbox_that_main_knows},
          {"left_in_a_blocking_mailbox", left_in_a_blocking_mailbox},
          {"linked", linked},
          {"killed_among_messages", killed_among_messages},
          {"unlinked", unlinked},
          {"blocking_waits_for_an_end", blocking_waits_for_an_end}};
}

}  // namespace natively
