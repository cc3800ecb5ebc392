// Global variables of CAF programs: those that main resets at its start are the running execution's alone.
#include <gmock/gmock.h>

#include <caf/all.hpp>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/explore/explore.hpp>

#include "explored.hpp"

namespace of_a_program {

int mains = 0;  // that have begun
int shared = 0;
std::mutex of_shared;

}  // namespace of_a_program

namespace harrier {
namespace {

using of_a_program::mains;
using of_a_program::of_shared;
using of_a_program::shared;

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

int handled_too_late = 0;

/// Takes what it waits for first, so that harrier must try what it takes.
caf::behavior choosy(caf::event_based_actor* self, int main) {
  const auto note = [=] { handled_too_late += mains != main ? 1 : 0; };
  return {[=](int) {
            note();
            self->become([=](double) {
              note();
              self->become([=](int) { note(); });
            });
          },
          [=](const std::string&) { note(); }};
}

void sends_to_choosy(caf::actor_system& system) {
  const int mine = ++mains;
  for (int i = 0; i < 2; ++i) {
    const auto to = system.spawn(choosy, mine);
    for (int sender = 0; sender < 2; ++sender)
      system.spawn([=](caf::event_based_actor* self) {
        self->set_default_handler(caf::skip);
        self->send(to, sender);
        self->send(to, 0.5);
      });
  }
}

class GlobalsOfACafProgram : public testing::TestWithParam<std::string> {};

TEST_P(GlobalsOfACafProgram, AreNotResetByALaterMainWhileARunGoesOn) {
  handled_too_late = 0;
  static_cast<void>(explored(sends_to_choosy, GetParam()));
  EXPECT_EQ(handled_too_late, 0);
}

/// The end that only one order of the two writers has, who share no receiver.
void writes_twice(caf::actor_system& system) {
  shared = 0;
  const auto write = [&](int value) {
    caf::anon_send(system.spawn([] { return caf::behavior{[](int to) { shared = to; }}; }), value);
  };
  write(1);
  write(2);
  system.await_all_actors_done();
  if (shared == 1) throw std::runtime_error("the first was last");
}

TEST_P(GlobalsOfACafProgram, ThatHandlersWriteMakeTheirStepsDependent) {
  const auto found = explored(writes_twice, GetParam());
  EXPECT_THAT(findings_of(found), ElementsAre("exception: main threw: the first was last"));
}

void adds_up(caf::actor_system& system) {
  shared = 0;
  for (int i = 0; i < 2; ++i)
    caf::anon_send(system.spawn([] { return caf::behavior{[](int value) { shared += value; }}; }), 1);
}

TEST_P(GlobalsOfACafProgram, ThatHandlersWriteAreNamedSinceTheyMayDoSoInTheMiddleOfAnother) {
  const auto found = explored(adds_up, GetParam());
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_FALSE(found.exhausted);
  EXPECT_THAT(found.stopped_by, AllOf(HasSubstr(not_covered), HasSubstr("::shared)")));
}

TEST_P(GlobalsOfACafProgram, ThatAMutexGuardsAreCovered) {
  const auto found = explored(
      [](caf::actor_system& system) {
        shared = 0;
        for (int i = 0; i < 2; ++i)
          caf::anon_send(system.spawn([] {
            return caf::behavior{[](int value) {
              const std::lock_guard lock(of_shared);
              shared += value;
            }};
          }),
                         1);
      },
      GetParam());
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_TRUE(found.exhausted) << found.stopped_by;
}

TEST_P(GlobalsOfACafProgram, ThatAreSetOnceOrByMainAloneAreCovered) {
  const auto found = explored(
      [](caf::actor_system& system) {
        shared = 7;
        for (int i = 0; i < 2; ++i)
          caf::anon_send(system.spawn([] {
            return caf::behavior{[](int) {
              static const std::vector<int> table(3);
              return table.size() + static_cast<std::size_t>(shared);
            }};
          }),
                         1);
        system.await_all_actors_done();
        shared = 8;
      },
      GetParam());
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_TRUE(found.exhausted) << found.stopped_by;
}

TEST_P(GlobalsOfACafProgram, AreAsVariablesOfMainToWhichActorsRefer) {
  const auto found = explored(
      [](caf::actor_system& system) {
        int last = 0;
        for (int i = 1; i <= 2; ++i)
          caf::anon_send(system.spawn([&] { return caf::behavior{[&](int value) { last = value; }}; }), i);
        system.await_all_actors_done();
        if (last == 1) throw std::runtime_error("the first was last");
      },
      GetParam());
  EXPECT_THAT(findings_of(found), ElementsAre("exception: main threw: the first was last"));
  EXPECT_THAT(found.stopped_by, HasSubstr("(one of main's)"));
}

INSTANTIATE_TEST_SUITE_P(Each, GlobalsOfACafProgram, testing::Values("exhaustive", "optimal", "source"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace harrier
