// CAF programs whose messages are lost or doubled, and whose actors crash, as if they were on several machines.
#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/replay/replay.hpp>

#include "natively/sample.hpp"

namespace harrier {
namespace {

using both::stop_atom;
using natively::heard;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using texts = std::set<std::string>;

constexpr std::uint64_t runs_by_caf = 40;

constexpr auto as_end = "heard: ";

/// `runs` as a program that tells at its end what was heard.
program telling(natively::body runs) {
  return caf_program(std::function<void()>([runs] {
    const auto notes = std::make_unique<heard>();
    {
      caf::actor_system_config config;
      caf::actor_system system(config);
      runs(system, *notes);
      system.await_all_actors_done();
    }
    throw std::runtime_error(as_end + notes->all());
  }));
}

exploration explored_with(const program& tested, const faults& may_happen, const std::string& engine) {
  options asked;
  asked.search.engine = engine;
  asked.judging.keep_going = true;
  asked.judging.undelivered = undelivered::ignore;
  asked.search.faults = may_happen;
  return explore(tested, asked);
}

/// What was heard in all executions: without a reduction, and with one.
texts ends(natively::body runs, const faults& may_happen) {
  texts found[2];
  const char* const engines[] = {"exhaustive", "optimal"};
  for (int i = 0; i < 2; ++i) {
    const auto all = explored_with(telling(runs), may_happen, engines[i]);
    EXPECT_THAT(all.stopped_by, IsEmpty());
    for (const auto& f : all.findings) {
      const auto at = f.message.find(as_end);
      found[i].insert(at == std::string::npos ? f.message : f.message.substr(at + std::string(as_end).size()));
    }
  }
  EXPECT_EQ(found[0], found[1]);
  return found[1];
}

void kill_at_any_moment(caf::actor_system& system, const caf::actor& whom) {
  system.spawn([=](caf::event_based_actor*) {
    natively::jitter();
    caf::anon_send_exit(whom, caf::exit_reason::kill);
  });
}

/// Numbers, and how another ended.
void note_until_down(caf::scoped_actor& self, heard& all) {
  bool is_over = false;
  self->receive_while([&] { return !is_over; })([&](int number) { all.note("main", std::to_string(number)); },
                                                [&](const caf::down_msg& d) {
                                                  const bool was_killed = d.reason == caf::exit_reason::kill;
                                                  all.note("main", was_killed ? "killed" : "down");
                                                  is_over = true;
                                                });
}

/// Each number that it gets it sends to `to`.
caf::behavior echo(caf::event_based_actor* self, const caf::actor& to) {
  return {[=](int number) { self->send(to, number); },
          [=](stop_atom) {
            natively::jitter();
            self->quit();
          }};
}

/// Main hears two numbers from an actor, and of its end.
void two_numbers(caf::actor_system& system, heard& all) {
  caf::scoped_actor self{system};
  const auto sender = system.spawn(echo, caf::actor_cast<caf::actor>(self));
  self->monitor(sender);
  self->send(sender, 1);
  self->send(sender, 2);
  self->send(sender, stop_atom::value);
  note_until_down(self, all);
}

TEST(CafFaults, LoseNothingUnlessAsked) { EXPECT_THAT(ends(two_numbers, {}), ElementsAre("main: 1 2 down")); }

TEST(CafFaults, LoseAsManyMessagesOfAChannelAsAsked) {
  EXPECT_THAT(ends(two_numbers, {.lose = 1}), UnorderedElementsAre("main: 1 2 down", "main: 1 down", "main: 2 down"));
  EXPECT_THAT(ends(two_numbers, {.lose = 2}),
              UnorderedElementsAre("main: 1 2 down", "main: 1 down", "main: 2 down", "main: down"));
}

TEST(CafFaults, CutAChannelForSomeOfItsMessages) {
  EXPECT_THAT(ends(two_numbers, {.partition = 1}),
              UnorderedElementsAre("main: 1 2 down", "main: 1 down", "main: 2 down", "main: down"));
}

TEST(CafFaults, HaveMessagesArriveTwice) {
  EXPECT_THAT(ends(two_numbers, {.duplicate = 1}),
              UnorderedElementsAre("main: 1 2 down", "main: 1 1 2 down", "main: 1 2 2 down"));
}

/// One actor asks another, which adds up, twice.
void two_requests(caf::actor_system& system, heard& all) {
  auto* const notes = &all;
  const auto counter = system.spawn([](caf::event_based_actor*) -> caf::behavior {
    const auto total = std::make_shared<int>(0);
    return {[=](int number) { return *total += number; }};
  });
  system.spawn([=](caf::event_based_actor* self) {
    self->request(counter, caf::infinite, 1).then([=](int) {
      self->request(counter, caf::infinite, 10).then([=](int total) { notes->note("asker", std::to_string(total)); });
    });
  });
}

TEST(CafFaults, HandleARequestTwiceAndTakeItsAnswerOnce) {
  EXPECT_THAT(ends(two_requests, {.duplicate = 1}), UnorderedElementsAre("asker: 11", "asker: 12"));
}

TEST(CafFaults, LeaveWhoAsksWithoutAnAnswer) {
  EXPECT_THAT(ends(two_requests, {.lose = 1}), UnorderedElementsAre("asker: 11", ""));
}

// Crashes: as an actor that is killed from outside at any moment.

void killed_while_it_sends(caf::actor_system& system, heard& all, bool is_killed) {
  caf::scoped_actor self{system};
  const auto sender = system.spawn(echo, caf::actor_cast<caf::actor>(self));
  self->monitor(sender);
  if (is_killed) kill_at_any_moment(system, sender);
  natively::jitter();
  self->send(sender, 1);
  natively::jitter();
  self->send(sender, 2);
  natively::jitter();
  self->send(sender, stop_atom::value);
  note_until_down(self, all);
}

void killed_while_it_is_asked(caf::actor_system& system, heard& all, bool is_killed) {
  caf::scoped_actor self{system};
  const auto adder = system.spawn([](caf::event_based_actor*) -> caf::behavior {
    const auto total = std::make_shared<int>(0);
    return {[=](int number) {
      natively::jitter();
      return *total += number;
    }};
  });
  if (is_killed) kill_at_any_moment(system, adder);
  for (const int number : {1, 10})
    self->request(adder, caf::infinite, number)
        .receive([&](int total) { all.note("main", std::to_string(total)); },
                 [&](const caf::error&) { all.note("main", "no answer"); });
}

/// Who is linked to it ends, too, and main hears of that one's end.
void killed_with_who_is_linked(caf::actor_system& system, heard& all, bool is_killed) {
  caf::scoped_actor self{system};
  const auto first = system.spawn([](caf::event_based_actor* me) -> caf::behavior {
    return {[=](stop_atom) { me->quit(caf::exit_reason::user_shutdown); }};
  });
  const auto second = system.spawn([=](caf::event_based_actor* me) -> caf::behavior {
    me->link_to(first);
    return {[=](int number) { return number; }};
  });
  self->monitor(second);
  if (is_killed) kill_at_any_moment(system, first);
  self->send(second, 5);
  natively::jitter();
  self->send(first, stop_atom::value);
  note_until_down(self, all);
}

struct killed {
  std::string name;
  natively::body runs;
  natively::body runs_with_killer;
  /// Nobody else can crash, so that both have the same ends.
  bool is_alone;
};

class CafCrash : public testing::TestWithParam<killed> {};

TEST_P(CafCrash, ShowsWhatIsSeenOfOneThatIsKilledAtAnyMoment) {
  const auto crashed = ends(GetParam().runs, {.crash = 1, .in_all = 1});
  const auto with_killer = ends(GetParam().runs_with_killer, {});
  EXPECT_THAT(with_killer, IsSubsetOf(crashed));
  if (GetParam().is_alone) {
    EXPECT_EQ(with_killer, crashed);
  }
}

TEST_P(CafCrash, ShowsWhatCafDoes) {
  texts seen;
  for (std::uint64_t run = 1; run <= runs_by_caf; ++run)
    seen.insert(natively::run_by_caf({.name = GetParam().name, .runs = GetParam().runs_with_killer}, run));
  EXPECT_THAT(seen, IsSubsetOf(ends(GetParam().runs, {.crash = 1, .in_all = 1})));
}

template <void (*Runs)(caf::actor_system&, heard&, bool)>
killed program_of(const std::string& name, bool is_alone) {
  return {name, [](caf::actor_system& system, heard& all) { Runs(system, all, false); },
          [](caf::actor_system& system, heard& all) { Runs(system, all, true); }, is_alone};
}

INSTANTIATE_TEST_SUITE_P(Program, CafCrash,
                         testing::Values(program_of<killed_while_it_sends>("WhileItSends", true),
                                         program_of<killed_while_it_is_asked>("WhileItIsAsked", true),
                                         program_of<killed_with_who_is_linked>("WithWhoIsLinked", false)),
                         [](const auto& of) { return of.param.name; });

// How it is told, and that it comes again.

/// Main asks, and waits for the answer.
void asked_by_main(caf::actor_system& system) {
  caf::scoped_actor self{system};
  const auto adder =
      system.spawn([](caf::event_based_actor*) -> caf::behavior { return {[](int number) { return number + 1; }}; });
  self->request(adder, caf::infinite, 1).receive([](int) {}, [](const caf::error&) {});
}

TEST(CafFaults, OfWhichOneIsADeadlockStandInItsTraceAndComeAgain) {
  const auto tested = caf_program(asked_by_main);
  const auto all = explored_with(tested, {.lose = 1}, "optimal");
  ASSERT_THAT(all.findings, SizeIs(1));
  const auto& found = all.findings.front();
  EXPECT_EQ(found.kind, finding_kind::deadlock);
  std::vector<std::string> told;
  for (const auto& step : found.trace) told.insert(told.end(), step.faults.begin(), step.faults.end());
  EXPECT_THAT(told, ElementsAre("reply(2) to driver is lost"));

  replay_listener nobody;
  const auto again = replay(tested, {.finding = found, .delivery = delivery::causal, .faults = {.lose = 1}}, nobody);
  EXPECT_EQ(again.way, replay_end::how::found_again);
}

TEST(CafFaults, ThatAreCrashesAnswerARequest) {
  const auto all = explored_with(caf_program(asked_by_main), {.crash = 1}, "exhaustive");
  EXPECT_THAT(all.findings, IsEmpty());
  EXPECT_THAT(all.stopped_by, IsEmpty());
  EXPECT_GT(all.executions, 1U);
}

TEST(CafFaults, AreRefusedWhereCafsActorsWouldHaveToBeSeen) {
  EXPECT_THROW(explored_with(caf_program(asked_by_main), {.lose = 1, .heal = 100}, "optimal"), error);
  EXPECT_THROW(explored_with(caf_program(asked_by_main), {.timeouts = 1}, "optimal"), error);
}

}  // namespace
}  // namespace harrier
