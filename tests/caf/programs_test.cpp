// CAF programs as their users write them, explored: how many executions and classes there are, what is found, and what
// each of CAF's features becomes.
#include <gmock/gmock.h>

#undef NDEBUG  // the programs assert
#include <cassert>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "both_versions.hpp"
#include "explored.hpp"
#include "set_get_get.hpp"
#include "small_model.hpp"

namespace harrier {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using both::add_atom;
using both::get_atom;
using both::put_atom;
using both::state_of;
using both::stop_atom;

// The programs of the literature.

struct named_master {
  static constexpr const char* name = "master";
  int done = 0;
};

caf::behavior pi_worker(caf::event_based_actor* self) {
  return {[](int part) { return part * 2; }, [=](stop_atom) { self->quit(); }};
}

caf::behavior pi_master(caf::stateful_actor<named_master>* self, int count) {
  std::vector<caf::actor> workers;
  for (int i = 0; i < count; ++i) workers.push_back(self->spawn(pi_worker));
  for (const auto& worker : workers)
    self->request(worker, caf::infinite, 1).then([=](int) {
      if (++state_of(self).done == count)
        for (const auto& each : workers) self->send(each, stop_atom::value);
    });
  return {[](stop_atom) {}};
}

void pi(caf::actor_system& system) { system.spawn(pi_master, 3); }

TEST(CafPi, HasTheExecutionsOfTheLiterature) {
  EXPECT_EQ(explored(pi, "exhaustive", delivery::fifo).executions, 540);
  EXPECT_EQ(explored(pi, "exhaustive", delivery::fifo, {.eager_starts = false}).executions, 10080);
}

TEST(CafPi, HasOneExecutionForEachClassOfAnIndependentEnumeration) {
  const auto classes = small_model::enumerate(small_model::pi(3)).classes;
  EXPECT_EQ(classes, 6);
  for (const auto model : {delivery::fifo, delivery::causal})
    for (const bool eager : {true, false})
      EXPECT_EQ(explored(pi, "optimal", model, {.eager_starts = eager}).executions, classes);
}

TEST(CafSetGetGet, HasTheExecutionsAndViolationsOfAnIndependentEnumeration) {
  const auto counted = small_model::enumerate(small_model::set_get_get(2));
  EXPECT_EQ(counted.executions, 252);
  EXPECT_EQ(counted.violating, 100);

  const auto found = explored(set_get_get, "exhaustive", delivery::fifo);
  EXPECT_EQ(found.executions, counted.executions);
  ASSERT_THAT(findings_of(found), ElementsAre("assertion: first == second"));
  EXPECT_EQ(found.findings.front().occurrences, counted.violating);
}

TEST(CafSetGetGet, HasOneExecutionForEachClassOfAnIndependentEnumeration) {
  const auto counted = small_model::enumerate(small_model::set_get_get(2));
  for (const auto* engine : {"optimal", "trust"})
    for (const auto model : {delivery::fifo, delivery::causal}) {
      const auto found = explored(set_get_get, engine, model);
      EXPECT_EQ(found.executions, counted.classes) << engine;
      EXPECT_THAT(findings_of(found), ElementsAre("assertion: first == second")) << engine;
    }
}

TEST(CafSetGetGet, IsTheSameToEveryEngine) {
  for (const auto* engine : {"exhaustive", "dcute", "persistent", "transdpor", "source", "optimal", "trust", "stateful",
                             "random", "pct", "pos", "delay", "round-robin"}) {
    options asked;
    asked.search.engine = engine;
    asked.search.delivery = delivery::causal;
    asked.limits.max_executions = 2000;
    const auto found = explore(caf_program(set_get_get), asked);
    EXPECT_THAT(findings_of(found), ElementsAre("assertion: first == second")) << engine;
  }
}

/// A and B each tell C, then D. What C and D heard first.
TEST(CafCausalOrder, LetsTwoReceiversHearTwoSendersInDifferentOrders) {
  const std::function<void(caf::actor_system&, std::string&)> body = [](caf::actor_system& system, std::string& heard) {
    std::map<std::string, std::string> first;
    const auto listener = [&](std::string name) {
      return system.spawn([&first, name](caf::event_based_actor*) -> caf::behavior {
        return {[&first, name](const std::string& who) { first.emplace(name, who); }};
      });
    };
    {
      const auto c = listener("C");
      const auto d = listener("D");
      for (const std::string name : {"A", "B"})
        system.spawn([=](caf::event_based_actor* self) {
          self->send(c, name);
          self->send(d, name);
        });
    }
    system.await_all_actors_done();
    heard = "C " + first["C"] + ", D " + first["D"];
  };
  for (const auto model : {delivery::causal, delivery::fifo})
    EXPECT_THAT(all_ends<std::string>(body, model),
                UnorderedElementsAre("C A, D A", "C A, D B", "C B, D A", "C B, D B"));
}

// What CAF offers.

TEST(Caf, WaitsForRepliesInScopedActors) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    const auto of = system.spawn(server);
    caf::scoped_actor self{system};
    const auto other = system.spawn([=](caf::event_based_actor* me) { me->send(of, put_atom::value, 5); });
    self->request(of, caf::infinite, get_atom::value).receive([&](int value) { heard = value; }, [](caf::error&) {});
  });
  EXPECT_THAT(ends, UnorderedElementsAre(0, 5));
}

TEST(Caf, LetsBlockingActorsReceiveInAnyOrderThatTheirPatternsTake) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto blocking = system.spawn([&heard](caf::blocking_actor* self) {
      self->receive([&](const std::string& word) { heard += word; });  // the number waits in the mailbox
      self->receive([&](int number) { heard += std::to_string(number); });
    });
    caf::anon_send(blocking, 1);
    caf::anon_send(blocking, std::string("a"));
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre("a1"));
}

TEST(Caf, HoldsSkippedMessagesBackUntilTheBehaviourChanges) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto picky = system.spawn([&heard](caf::event_based_actor* self) -> caf::behavior {
      self->set_default_handler(caf::skip);
      return {[=, &heard](stop_atom) {
        self->become([=, &heard](int number) {
          heard += std::to_string(number);
          if (heard.size() == 2) self->quit();
        });
      }};
    });
    for (const int number : {1, 2}) system.spawn([=](caf::event_based_actor* self) { self->send(picky, number); });
    caf::anon_send(picky, stop_atom::value);
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre("12", "21"));
}

TEST(Caf, DelegatesAndKeepsPromises) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    const auto adder = system.spawn([]() -> caf::behavior { return {[](int x) { return x + 1; }}; });
    const auto promising = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int x) {
        auto promise = self->make_response_promise();
        self->request(adder, caf::infinite, x).then([promise](int y) mutable { promise.deliver(y * 10); });
        return promise;
      }};
    });
    const auto delegating = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int x) { return self->delegate(promising, x); }};
    });
    caf::scoped_actor self{system};
    self->request(delegating, caf::infinite, 1).receive([&](int y) { heard = y; }, [](caf::error&) {});
  });
  EXPECT_THAT(ends, UnorderedElementsAre(20));
}

TEST(Caf, TellsMonitorsAndLinksOfAnEnd) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto mortal = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      return {[=](stop_atom) { self->quit(caf::exit_reason::user_shutdown); }};
    });
    // Main refers to them, or they might end before.
    const auto watching = system.spawn([=, &heard](caf::event_based_actor* self) -> caf::behavior {
      self->monitor(mortal);
      self->set_down_handler([=, &heard](caf::down_msg&) {
        heard += "down ";
        self->quit();
      });
      return {[](stop_atom) {}};
    });
    const auto linked = system.spawn([=, &heard](caf::event_based_actor* self) -> caf::behavior {
      self->link_to(mortal);
      self->set_exit_handler([=, &heard](caf::exit_msg&) {
        heard += "exit ";
        self->quit();
      });
      return {[](stop_atom) {}};
    });
    caf::anon_send(mortal, stop_atom::value);
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre("down exit ", "exit down "));
}

TEST(Caf, EndsActorsThatNothingRefersToAtAnyTime) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto watching = system.spawn([&heard](caf::event_based_actor* self) -> caf::behavior {
      self->send(self, 1);
      self->monitor(self->spawn([]() -> caf::behavior { return {[](int) {}}; }));
      self->set_down_handler([=, &heard](caf::down_msg& m) {
        heard += m.reason == caf::exit_reason::unreachable ? "unreachable " : "something else ";
        if (heard.find('2') != std::string::npos) self->quit();
      });
      return {[=, &heard](int number) {
        heard += std::to_string(number) + " ";
        if (number < 2)
          self->send(self, number + 1);
        else if (heard.find("unreachable") != std::string::npos)
          self->quit();
      }};
    });
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre("1 2 unreachable ", "1 unreachable 2 "));
}

TEST(Caf, MakesTheEndOfAnActorThatNothingRefersToNoEventIfNobodyHearsOfIt) {
  const auto body = [](caf::actor_system& system) {
    for (int i = 0; i < 3; ++i) caf::anon_send(system.spawn([]() -> caf::behavior { return {[](int) {}}; }), i);
  };
  const auto found = explored(body, "exhaustive");
  EXPECT_TRUE(found.exhausted) << found.stopped_by;
  EXPECT_EQ(found.max_depth, 7) << "three starts, three messages, and main goes on";
}

TEST(Caf, LetsTimePassOnceNothingElseCanHappen) {
  const auto body = [](caf::actor_system& system, std::string& heard) {
    system.spawn([&heard](caf::event_based_actor* self) -> caf::behavior {
      self->delayed_send(self, 2h, std::string("late "));
      self->delayed_send(self, 1s, std::string("early "));
      self->send(self, std::string("now "));
      return {[=, &heard](const std::string& when) {
        heard += when;
        if (when == "late ") self->quit();
      }};
    });
    system.await_all_actors_done();
  };
  EXPECT_THAT(all_ends<std::string>(body), UnorderedElementsAre("now early late "));
  // The actor does not wait for what comes after "late".
  EXPECT_THAT(all_ends<std::string>(body, delivery::causal, {.time = caf_options::timers::any_time}),
              UnorderedElementsAre("late ", "now late ", "early late ", "now early late ", "early now late "));
}

TEST(Caf, LetsRequestsAndReceivesTimeOut) {
  const auto body = [](caf::actor_system& system, std::string& heard) {
    caf::response_promise kept;  // CAF 1 answers for one that is thrown away
    const auto silent = system.spawn([&kept](caf::event_based_actor* self) -> caf::behavior {
      return {[=, &kept](int) {
        kept = self->make_response_promise();
        return kept;
      }};
    });
    const auto keeps_it = silent;
    caf::scoped_actor self{system};
    self->request(silent, 5s, 1)
        .receive([&](int) { heard += "reply "; },
                 [&](caf::error& e) {
                   heard += to_string(e.code() == static_cast<std::uint8_t>(caf::sec::request_timeout)
                                          ? caf::sec::request_timeout
                                          : caf::sec::none) +
                            " ";
                 });
    self->receive([&](int) { heard += "message"; }, caf::after(1s) >> [&] { heard += "timeout"; });
  };
  EXPECT_THAT(all_ends<std::string>(body), UnorderedElementsAre("request_timeout timeout"));
}

TEST(Caf, LeavesTheTimeLimitOfAReceiveAloneWhenAMessageIsNotTaken) {
  const std::function<void(caf::actor_system&, std::string&)> body = [](caf::actor_system& system, std::string& heard) {
    caf::scoped_actor self{system};
    caf::anon_send(self, std::string("not this"));
    system.spawn([to = caf::actor_cast<caf::actor>(self)](caf::event_based_actor* me) { me->send(to, 5); });
    self->receive([&](int number) { heard += std::to_string(number); }, caf::after(1s) >> [&] { heard += "timeout"; });
  };
  EXPECT_THAT(all_ends<std::string>(body), UnorderedElementsAre("5"));
  EXPECT_THAT(all_ends<std::string>(body, delivery::causal, {.time = caf_options::timers::any_time}),
              UnorderedElementsAre("5", "timeout"));
}

TEST(Caf, StopsTheClockAndLetsSleepersSleep) {
  const auto ends = all_ends<std::int64_t>([](caf::actor_system& system, std::int64_t& slept) {
    const auto before = std::chrono::steady_clock::now();
    system.spawn([](caf::event_based_actor*) { std::this_thread::sleep_for(3h); });
    std::this_thread::sleep_for(24h);
    slept = std::chrono::duration_cast<std::chrono::hours>(std::chrono::steady_clock::now() - before).count();
  });
  EXPECT_THAT(ends, UnorderedElementsAre(24));
}

TEST(Caf, LetsUrgentMessagesOvertake) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto listener = system.spawn([&heard](caf::event_based_actor* self) -> caf::behavior {
      return {[=, &heard](int number) {
        heard += std::to_string(number);
        if (heard.size() == 3) self->quit();
      }};
    });
    system.spawn([=](caf::event_based_actor* self) {
      self->send(listener, 1);
      self->send(listener, 2);
      self->send<caf::message_priority::high>(listener, 3);
    });
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre("123", "132", "312"));
}

TEST(Caf, StartsLazyActorsWithTheirFirstMessageAndDetachedOnesLikeOthers) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto lazy = system.spawn<caf::lazy_init>([&heard](caf::event_based_actor* self) -> caf::behavior {
      heard += "begun ";
      return {[=, &heard](int) {
        heard += "lazy ";
        self->quit();
      }};
    });
    const auto detached = system.spawn<caf::detached>([&heard, lazy](caf::event_based_actor* self) -> caf::behavior {
      return {[=, &heard](int) {
        heard += "detached ";
        self->send(lazy, 1);
        self->quit();
      }};
    });
    caf::anon_send(detached, 1);
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre("detached begun lazy "));
}

TEST(Caf, HandsOutTheWorkOfAPool) {
  const auto answers = [](const std::function<caf::actor_pool::policy()>& how) {
    return all_ends<std::string>([how](caf::actor_system& system, std::string& heard) {
      auto next = std::make_shared<int>(0);
      const auto make = [&system, next]() -> caf::actor {
        return system.spawn([n = ++*next]() -> caf::behavior { return {[n](int x) { return n * 10 + x; }}; });
      };
      caf::scoped_actor self{system};
      const auto pool = both::pool_of(system, 2, make, how());
      for (const int x : {1, 2})
        self->request(pool, caf::infinite, x)
            .receive([&](int y) { heard += std::to_string(y) + " "; }, [](caf::error&) {});
      self->send_exit(pool, caf::exit_reason::user_shutdown);
    });
  };
  EXPECT_THAT(answers(caf::actor_pool::round_robin), UnorderedElementsAre("11 22 "));
  EXPECT_THAT(answers(caf::actor_pool::random), UnorderedElementsAre("11 12 ", "11 22 ", "21 12 ", "21 22 "));
}

#if !HARRIER_CAF_1  // which has no groups

TEST(Caf, TellsLocalGroups) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    const auto group = system.groups().anonymous();
    for (int i = 0; i < 2; ++i)
      system.spawn_in_group(group, [&heard](caf::event_based_actor* self) -> caf::behavior {
        return {[=, &heard](int x) {
          heard += x;
          self->quit();
        }};
      });
    caf::anon_send(group, 4);
    system.await_all_actors_done();
  });
  EXPECT_THAT(ends, UnorderedElementsAre(8));
}

TEST(Caf, LetsActorsJoinAGroupBeforeOrAfterSomethingIsPublished) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto group = system.groups().get_local("all");
    std::vector<caf::actor> listeners;
    for (const char* name : {"a", "b"})
      listeners.push_back(system.spawn([=, &heard](caf::event_based_actor* self) -> caf::behavior {
        self->join(self->system().groups().get_local("all"));
        return {[=, &heard](int) { heard += name; }, [=](stop_atom) { self->quit(); }};
      }));
    system.spawn([=](caf::event_based_actor* self) { self->send(group, 1); });
    std::this_thread::sleep_for(1h);
    for (const auto& each : listeners) caf::anon_send(each, stop_atom::value);
  });
  EXPECT_THAT(ends, UnorderedElementsAre("", "a", "b", "ab", "ba"));
}

#endif

TEST(Caf, FindsActorsInTheRegistry) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    system.registry().put(both::key("server"), caf::actor_cast<caf::strong_actor_ptr>(system.spawn(server)));
    const auto found = caf::actor_cast<caf::actor>(system.registry().get(both::key("server")));
    caf::scoped_actor self{system};
    self->send(found, put_atom::value, 3);
    self->request(found, caf::infinite, get_atom::value).receive([&](int value) { heard = value; }, [](caf::error&) {});
    system.registry().erase(both::key("server"));
  });
  EXPECT_THAT(ends, UnorderedElementsAre(3));
}

TEST(Caf, CallsTypedActorsAsFunctions) {
  using both::adder;
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    auto f = caf::make_function_view(
        system.spawn([]() -> adder::behavior_type { return {[](add_atom, int x, int y) { return x + y; }}; }));
    heard = *f(add_atom::value, 2, 3);
  });
  EXPECT_THAT(ends, UnorderedElementsAre(5));
}

TEST(Caf, AnswersRequestsToActorsThatHaveEnded) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto mortal = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      return {[=](stop_atom) { self->quit(); }, [](int x) { return x; }};
    });
    caf::anon_send(mortal, stop_atom::value);
    caf::scoped_actor self{system};
    self->request(mortal, caf::infinite, 1)
        .receive([&](int) { heard = "reply"; }, [&](caf::error&) { heard = "error"; });
  });
  EXPECT_THAT(ends, UnorderedElementsAre("error"));
}

TEST(Caf, MayShutDownWithoutWaitingForActors) {
  const auto found = explored(
      [](caf::actor_system& system) {
        system.await_actors_before_shutdown(false);
        const auto of = system.spawn(server);
        caf::anon_send(of, put_atom::value, 1);
      },
      "exhaustive");
  EXPECT_THAT(findings_of(found), IsEmpty());
  EXPECT_EQ(found.executions, 1);
}

// How it is searched.

caf::behavior keeps_number(caf::event_based_actor*) {
  return {[number = 0](both::put_atom, int put) mutable { number = put; }, [](both::get_atom) { return 1; }};
}

/// How often main was run for each execution of a search.
double runs_of_main_by(void (*client)(caf::event_based_actor*, const caf::actor&)) {
  int runs = 0;
  options how;
  how.search.engine = "optimal";
  how.search.observers = false;
  how.judging.check_determinism = repetition::off;  // by further runs
  const auto found = explore(caf_program([&](caf::actor_system& system) {
                               ++runs;
                               const auto store = system.spawn(keeps_number);
                               for (int i = 0; i < 3; ++i) system.spawn(client, store);
                             }),
                             how);
  EXPECT_TRUE(found.exhausted);
  return runs / static_cast<double>(found.executions);
}

void asks_twice(caf::event_based_actor* self, const caf::actor& store) {
  self->send(store, both::put_atom::value, 5);
  self->request(store, caf::infinite, both::get_atom::value).then([=](int) {
    self->request(store, caf::infinite, both::get_atom::value).then([](int) {});
  });
}

TEST(CafSearch, TriesNothingWhereNobodyRefusesMessages) { EXPECT_LT(runs_of_main_by(asks_twice), 1.1); }

}  // namespace
}  // namespace harrier
