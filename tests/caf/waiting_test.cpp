// What a CAF program waits for besides messages: threads of its own, futures, condition variables, mutexes, time; and
// what becomes of it when its execution is left while it waits.
#include <gmock/gmock.h>

#undef NDEBUG  // the programs assert
#include <cassert>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include <harrier/core/error.hpp>

#include "both_versions.hpp"
#include "explored.hpp"

namespace harrier {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using promised = std::shared_ptr<std::promise<int>>;
using both::stop_atom;

/// Says what it gets, and ends.
caf::behavior promising(caf::event_based_actor* self, const promised& to) {
  return {[=](int x) {
    to->set_value(x);
    self->quit();
  }};
}

caf::behavior stopping(caf::event_based_actor* self) {
  return {[](int x) { return x; }, [=](stop_atom) { self->quit(); }};
}

struct event {
  std::mutex mutex;
  std::condition_variable happens;
  bool has_happened = false;
};

/// At the first message, if it is to.
caf::behavior signalling(caf::event_based_actor* self, const std::shared_ptr<event>& of, bool is_to) {
  return {[=](int) {
    {
      const std::lock_guard lock(of->mutex);
      of->has_happened = is_to;
    }
    of->happens.notify_all();
    self->quit();
  }};
}

TEST(CafWaiting, ForAFutureEndsWhenAnActorHasSetIt) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    const auto to = std::make_shared<std::promise<int>>();
    auto promise = to->get_future();
    caf::anon_send(system.spawn(promising, to), 5);
    const auto other = system.spawn(stopping);
    caf::anon_send(other, stop_atom::value);
    heard = promise.get();
  });
  EXPECT_THAT(ends, UnorderedElementsAre(5));
}

TEST(CafWaiting, ForAFutureOfAnActorIsTheActorsOwnToo) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    const auto to = std::make_shared<std::promise<int>>();
    const std::shared_future<int> promise = to->get_future();
    const auto waits = system.spawn([=, &heard](caf::event_based_actor* self) -> caf::behavior {
      return {[=, &heard](int) {
        heard = promise.get();
        self->quit();
      }};
    });
    caf::anon_send(waits, 1);
    caf::anon_send(system.spawn(promising, to), 6);
  });
  EXPECT_THAT(ends, UnorderedElementsAre(6));
}

TEST(CafWaiting, ForAConditionVariableEndsWhenAnActorHasSeenToIt) {
  const auto ends = all_ends<bool>([](caf::actor_system& system, bool& heard) {
    const auto happens = std::make_shared<event>();
    caf::anon_send(system.spawn(signalling, happens, true), 1);
    std::unique_lock lock(happens->mutex);
    happens->happens.wait(lock, [&] { return happens->has_happened; });
    heard = happens->has_happened;
  });
  EXPECT_THAT(ends, UnorderedElementsAre(true));
}

TEST(CafWaiting, ForAMutexEndsWhenTheActorThatHoldsItHasGoneOn) {  // whoever of the two has it first
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto shared = std::make_shared<std::mutex>();
    const auto holds = system.spawn([=, &heard](caf::blocking_actor* self) {
      const std::lock_guard lock(*shared);
      self->receive([&](int) { heard += "held "; });
    });
    system.spawn([=, &heard](caf::event_based_actor*) {
      const std::lock_guard lock(*shared);
      heard += "got ";
    });
    caf::anon_send(holds, 1);
  });
  EXPECT_THAT(ends, UnorderedElementsAre("held got ", "got held "));
}

TEST(CafWaiting, ForWhatNobodySetsIsADeadlock) {
  const auto for_future = [](caf::actor_system& system) {
    const auto to = std::make_shared<std::promise<int>>();
    const auto never = system.spawn(promising, to);
    static_cast<void>(to->get_future().get());
  };
  const auto for_event = [](caf::actor_system& system) {
    const auto happens = std::make_shared<event>();
    caf::anon_send(system.spawn(signalling, happens, false), 1);
    std::unique_lock lock(happens->mutex);
    happens->happens.wait(lock, [&] { return happens->has_happened; });
  };
  for (const auto& body : {main_function(for_future), main_function(for_event)})
    for (const auto* engine : {"optimal", "exhaustive"})
      EXPECT_THAT(findings_of(explored(body, engine)),
                  ElementsAre(HasSubstr(
                      "main waits for a future, a condition variable or a mutex that nobody will ever provide")));
}

TEST(CafWaiting, EndsAtItsTimeLimit) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto to = std::make_shared<std::promise<int>>();
    const auto promise = to->get_future();
    const auto promises = system.spawn(promising, to);
    heard += promise.wait_for(1s) == std::future_status::timeout ? "timeout " : "ready ";
    caf::anon_send(promises, 1);
    heard += promise.wait_for(1s) == std::future_status::timeout ? "timeout " : "ready ";
    const auto happens = std::make_shared<event>();
    std::unique_lock lock(happens->mutex);
    const auto has_happened = [&] { return happens->has_happened; };
    heard += happens->happens.wait_for(lock, 1s, has_happened) ? "event" : "none";
  });
  EXPECT_THAT(ends, UnorderedElementsAre("timeout ready none"));
}

TEST(CafWaiting, ForAThreadOfItsOwnThatUsesNoActorIsWaiting) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    const auto adds = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int x) {
        self->quit();
        return std::async(std::launch::async, [=] { return x + 1; }).get();
      }};
    });
    int answer = 0;
    caf::scoped_actor self{system};
    self->request(adds, caf::infinite, std::async(std::launch::async, [] { return 1; }).get())
        .receive([&](int x) { answer = x; }, [](caf::error&) {});
    std::thread([&] { heard = answer; }).join();
  });
  EXPECT_THAT(ends, UnorderedElementsAre(2));
}

/// What is said when a thread of the program's own does that with an actor that waits for numbers.
std::string refusal_of(const std::function<void(caf::actor_system&, const caf::actor&)>& done_in_a_thread) {
  const auto body = [&](caf::actor_system& system) {
    const auto target = system.spawn(stopping);
    std::thread([&] { done_in_a_thread(system, target); }).join();
    caf::anon_send(target, stop_atom::value);
  };
  try {
    static_cast<void>(explored(body, "optimal"));
  } catch (const untestable_program& e) {
    return e.what();
  }
  return "nothing was refused";
}

TEST(CafThread, ThatUsesActorsIsRefused) {
  const auto is_refused = HasSubstr("that uses actors from threads of its own");
  EXPECT_THAT(refusal_of([](caf::actor_system&, const caf::actor& target) { caf::anon_send(target, 1); }), is_refused);
  EXPECT_THAT(refusal_of([](caf::actor_system& system, const caf::actor&) { system.spawn(stopping); }), is_refused);
  EXPECT_THAT(refusal_of([](caf::actor_system&, const caf::actor& target) { target->attach_functor([] {}); }),
              is_refused);
  EXPECT_THAT(refusal_of([](caf::actor_system&, const caf::actor&) {
                caf::actor_system_config config;
                caf::actor_system system(config);
              }),
              is_refused);
}

TEST(CafThread, ThatSendsLateIsWaitedForBeforeAnybodyIsBlamed) {
  const auto body = [](caf::actor_system& system) {
    caf::scoped_actor self{system};
    auto told = std::make_shared<std::promise<void>>();
    std::thread([me = caf::actor_cast<caf::actor>(self), told] {
      std::this_thread::yield();
      caf::anon_send(me, 1);
    }).detach();
    self->receive([](int) {});
  };
  EXPECT_THROW(static_cast<void>(explored(body, "optimal")), untestable_program);
}

TEST(CafTime, GoesOnForWhoeverWaitedThoughTimersComeAnyTime) {
  const auto ends = all_ends<std::string>(
      [](caf::actor_system& system, std::string& heard) {
        caf::anon_send(system.spawn(stopping), stop_atom::value);
        const auto begin = std::chrono::steady_clock::now();
        std::this_thread::sleep_until(begin + 3s);
        const auto end = std::chrono::system_clock::now() + 2s;
        while (std::chrono::system_clock::now() < end) std::this_thread::sleep_for(1s);
        heard = std::to_string((std::chrono::steady_clock::now() - begin) / 1s);
      },
      delivery::causal, {.time = caf_options::timers::any_time});
  EXPECT_THAT(ends, UnorderedElementsAre("5"));
}

TEST(CafTime, OfAReceiveThatTookAMessageDoesNotComeAnyMore) {
  const auto ticking = [](caf::stateful_actor<int>* self) -> caf::behavior {
    return {[=](int x) {
              if (x == 7) self->quit();
            },
            caf::after(1s) >>
                [=] {
                  if (++both::state_of(self) == 4) throw std::runtime_error("four");
                }};
  };
  const auto body = [=](caf::actor_system& system) {
    for (const auto& each : {system.spawn(ticking), system.spawn(ticking)})
      for (const int x : {1, 7}) caf::anon_send(each, x);
  };
  for (const auto* engine : {"optimal", "exhaustive", "random"}) {
    options asked;
    asked.search.engine = engine;
    asked.judging.keep_going = true;
    asked.limits.max_executions = 2000;
    const auto found = explore(caf_program(main_function(body), {.time = caf_options::timers::any_time}), asked);
    EXPECT_THAT(findings_of(found), Each(HasSubstr("a handler threw: four"))) << engine;
  }
}

TEST(CafRandomness, IsTheSameEachTime) {
  const auto ends = all_ends<int>([](caf::actor_system& system, int& heard) {
    caf::anon_send(system.spawn(stopping), stop_atom::value);
    heard = static_cast<int>(std::random_device()() % 100 + static_cast<unsigned>(std::rand() % 100));
    heard += static_cast<int>(::random() % 100 + ::lrand48() % 100) + static_cast<int>(::drand48() * 100);
  });
  EXPECT_EQ(ends.size(), 1U);
}

TEST(CafMain, SendsInOrderAlsoAfterItHasWaitedForTheOthers) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    caf::anon_send(system.spawn(stopping), stop_atom::value);
    system.await_all_actors_done();
    const auto listener = system.spawn([&heard](caf::event_based_actor* self) -> caf::behavior {
      return {[&heard](int x) { heard += std::to_string(x); }, [=](stop_atom) { self->quit(); }};
    });
    caf::anon_send(listener, 1);
    caf::anon_send(listener, 2);
    caf::anon_send(listener, stop_atom::value);
  });
  EXPECT_THAT(ends, UnorderedElementsAre("12"));
}

TEST(CafMain, IsLeftWhereItMustNotThrow) {
  struct receives {
    caf::actor_system& system;
    ~receives() {
      caf::scoped_actor self{system};
      self->receive([](int) {});
    }
  };
  const auto body = [](caf::actor_system& system) {
    for (int i = 0; i < 2; ++i) {
      const auto each = system.spawn(stopping);
      caf::anon_send(each, 1);
      caf::anon_send(each, stop_atom::value);
    }
    const receives at_the_end{system};
  };
  const auto found = explored(body, "exhaustive");
  EXPECT_THAT(findings_of(found), ElementsAre(HasSubstr("main waits in receive()")));
  EXPECT_EQ(found.executions, 6);
}

TEST(CafFinding, IsAnAnswerThatNobodyExpects) {
  const auto body = [](caf::actor_system& system) {
    const auto answers = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int) {
        self->quit();
        return std::string("text");
      }};
    });
    system.spawn([=](caf::event_based_actor* self) { self->request(answers, caf::infinite, 1).then([](int) {}); });
  };
  EXPECT_THAT(findings_of(explored(body, "optimal")),
              ElementsAre("unexpected: it has no handler for what its request was answered with, and ends"));
}

TEST(CafOptions, AreCausalUnlessSomethingElseIsSaid) {
  const auto body = [](caf::actor_system& system) { caf::anon_send(system.spawn(stopping), stop_atom::value); };
  options asked;
  EXPECT_EQ(explore(caf_program(main_function(body)), asked).delivery, "causal");
  asked.search.delivery = delivery::unordered;
  EXPECT_EQ(explore(caf_program(main_function(body)), asked).delivery, "unordered");
}

// What is not covered.

TEST(CafCoverageOfTime, DoesWithoutTimersThatComeEarlierUnlessTheyAreAskedFor) {
  const auto body = [](caf::actor_system& system) {
    system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      self->delayed_send(self, 1s, stop_atom::value);
      return {[=](stop_atom) { self->quit(); }};
    });
  };
  const auto late = explored(body, "optimal");
  EXPECT_FALSE(late.exhausted);
  EXPECT_EQ(late.stopped_by, "not covered: timers that come before nothing else can happen (--timers any)");

  const auto any = explored(body, "optimal", delivery::causal, {.time = caf_options::timers::any_time});
  EXPECT_TRUE(any.exhausted) << any.stopped_by;
}

TEST(CafCoverageOfEnds, DoesWithoutAnActorThatIsLookedForByItsAddressWhenNothingRefersToIt) {
  const auto body = [](caf::actor_system& system) {
    const auto address = caf::actor_cast<caf::actor_addr>(system.spawn(stopping));
    system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
      const auto there = caf::actor_cast<caf::actor>(address);
      if (there) self->send(there, 1);
      return {};
    });
  };
  EXPECT_EQ(explored(body, "optimal").stopped_by,
            "not covered: an actor to which nothing refers, and for whose address another looks meanwhile");
}

/// Two actors with one mutex, one after the other.
void with_a_mutex(caf::actor_system& system) {
  const auto shared = std::make_shared<std::mutex>();
  for (int i = 0; i < 2; ++i)
    caf::anon_send(system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int) {
        const std::lock_guard lock(*shared);
        self->quit();
      }};
    }),
                   1);
}

TEST(CafMemory, MakesWhatUsesItDependent) {
  EXPECT_EQ(explored(with_a_mutex, "optimal").executions, 2U);
  EXPECT_EQ(explored(with_a_mutex, "source").executions, 2U);
  EXPECT_EQ(explored(with_a_mutex, "exhaustive").executions, 2U);
}

TEST(CafMemory, IsRefusedByAnEngineThatDoesNotSeeIt) {
  EXPECT_THROW(static_cast<void>(explored(with_a_mutex, "trust")), error);
}

TEST(CafMemory, OfOneActorAloneIsNobodysBusiness) {
  const auto body = [](caf::actor_system& system) {
    for (int i = 0; i < 2; ++i)
      caf::anon_send(
          system.spawn([own = std::make_shared<std::mutex>()](caf::event_based_actor* self) -> caf::behavior {
            return {[=](int) {
              const std::lock_guard lock(*own);
              self->quit();
            }};
          }),
          1);
  };
  EXPECT_EQ(explored(body, "optimal").executions, 1U);
}

TEST(CafExecution, IsNotRunAgainForEachOfItsDeliveries) {
  constexpr int deliveries = 1000;
  int calls = 0;
  const auto body = [&](caf::actor_system& system) {
    system.spawn([&](caf::event_based_actor* self) -> caf::behavior {
      self->send(self, 1);
      return {[&calls, self](int number) {
        ++calls;
        if (number < deliveries) self->send(self, number + 1);
      }};
    });
  };
  EXPECT_EQ(explored(body, "exhaustive").executions, 1);
  EXPECT_LT(calls, 100 * deliveries) << "the check that it repeats itself would take the square";
}

TEST(CafTime, LetsAnAnswerComeTooLateForWhoHasLeft) {
  const auto body = [](caf::actor_system& system) {
    const auto answers = system.spawn([]() -> caf::behavior { return {[](int number) { return number; }}; });
    caf::scoped_actor self{system};
    self->request(answers, 1s, 1).receive([](int) {}, [](caf::error&) {});
  };
  const auto found = explored(body, "optimal", delivery::causal, {.time = caf_options::timers::any_time});
  EXPECT_TRUE(found.exhausted) << found.stopped_by;
  EXPECT_THAT(findings_of(found), IsEmpty());
}

TEST(CafQueue, OfManyMessagesIsNotTriedFromItsEnd) {
  int runs = 0;
  const auto body = [&](caf::actor_system& system) {
    ++runs;
    const auto one = system.spawn(stopping);
    for (int i = 0; i < 100; ++i) caf::anon_send(one, i);
    caf::anon_send(one, stop_atom::value);
  };
  EXPECT_EQ(explored(body, "exhaustive").executions, 1);
  EXPECT_LT(runs, 500) << "each delivery would try all that follow it";
}

}  // namespace
}  // namespace harrier
