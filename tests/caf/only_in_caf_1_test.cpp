// What CAF 1 alone has: what is refused of it, and how it is shown.
#include <gmock/gmock.h>

#undef NDEBUG  // the programs assert
#include <caf/actor_from_state.hpp>
#include <caf/actor_system_module.hpp>
#include <caf/scheduled_actor/flow.hpp>
#include <cassert>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "both_versions.hpp"
#include "explored.hpp"

extern "C" [[gnu::weak]] void __lsan_disable();
extern "C" [[gnu::weak]] void __lsan_enable();

namespace harrier {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using both::stop_atom;

std::string refusal_in(const main_function& body) {
  return refusal_of_program([&] {
    caf::actor_system_config config;
    caf::actor_system system(config);
    body(system);
  });
}

/// A module, as io::middleman is one.
class some_module final : public caf::actor_system_module {
public:
  void start() override {}
  void stop() override {}
  void init(caf::actor_system_config&) override {}
  [[nodiscard]] id_t id() const override { return middleman; }
  void* subtype_ptr() override { return this; }
  static caf::actor_system_module* make(caf::actor_system&) { return new some_module; }
  static void add_module_options(caf::actor_system_config&) {}
  static void check_abi_compatibility(caf::version::abi_token) {}
};

TEST(Caf1Refusal, IsOfModules) {
  EXPECT_THAT(refusal_of_program([] {
                caf::actor_system_config config;
                config.load<some_module>();
                caf::actor_system system(config);
              }),
              HasSubstr("modules of CAF: io::middleman"));
}

/// As CAF's fixture for tests makes one.
class system_with_own_clock : public caf::actor_system {
public:
  explicit system_with_own_clock(caf::actor_system_config& config) : actor_system(config, set_up, nullptr) {}

private:
  static void set_up(caf::actor_system&, caf::actor_system_config&, void*) {}
};

TEST(Caf1Refusal, IsOfSystemsThatAProgramSetsUp) {
  EXPECT_THAT(refusal_of_program([] {
                caf::actor_system_config config;
                system_with_own_clock system(config);
              }),
              HasSubstr("an actor system with a scheduler or a clock of its own"));
}

TEST(Caf1Refusal, IsOfStreamsFromOneActorToAnother) {
  EXPECT_THAT(refusal_in([](caf::actor_system& system) {
                const auto sinks = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
                  return {[=](const caf::stream& from) { self->observe_as<int>(from, 30, 10).for_each([](int) {}); }};
                });
                system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
                  self->mail(self->make_observable().iota(1).take(3).to_stream("numbers", 1ms, 10)).send(sinks);
                  return {[](stop_atom) {}};
                });
              }),
              HasSubstr("uses streams"));
}

/// What is made meanwhile may be lost.
class may_be_lost {
public:
  may_be_lost() {
    if (__lsan_disable != nullptr) __lsan_disable();
  }
  may_be_lost(const may_be_lost&) = delete;
  may_be_lost& operator=(const may_be_lost&) = delete;
  ~may_be_lost() {
    if (__lsan_enable != nullptr) __lsan_enable();
  }
};

TEST(Caf1Refusal, IsOfFlowsFromOneActorToAnother) {
  const may_be_lost buffer_and_reader;  // CAF's refer to each other until the flow has ended, which is not begun here
  EXPECT_THAT(
      refusal_in([](caf::actor_system& system) {
        auto [pull, push] = caf::async::make_spsc_buffer_resource<int>();
        system.spawn(
            [push = push](caf::event_based_actor* self) { self->make_observable().iota(1).take(3).subscribe(push); });
        system.spawn([pull = pull](caf::event_based_actor* self) { pull.observe_on(self).for_each([](int) {}); });
      }),
      HasSubstr("flows or futures of caf::async from one actor to another"));
}

TEST(Caf1Refusal, IsOfWhatCafsClockCalls) {
  EXPECT_THAT(refusal_in([](caf::actor_system& system) {
                system.clock().schedule(system.clock().now() + 1s, caf::make_action([] {}));
              }),
              HasSubstr("functions that CAF's clock calls"));
}

TEST(Caf1Refusal, IsOfActorsThatGetMessagesBeforeTheyAreLaunched) {
  EXPECT_THAT(refusal_in([](caf::actor_system& system) {
                auto [self, launch] = system.spawn_inactive();
                self->become([](int) {});
                caf::anon_mail(1).send(caf::actor(self));
                launch();
              }),
              HasSubstr("before it is launched"));
}

caf::behavior mortal(caf::event_based_actor* self) {
  return {[=](stop_atom) { self->quit(caf::exit_reason::user_shutdown); }};
}

TEST(Caf1Trace, ShowsTheFunctionThatIsCalledAtAnEndAsTheMessageItIs) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto of = system.spawn(mortal);
        const auto watches = system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
          self->monitor(of, [=](const caf::error&) { assert(self == nullptr); });
          return {[](stop_atom) {}};
        });
        caf::scoped_actor self{system};
        self->mail(stop_atom::value).send(of);
        self->wait_for(of);
      },
      "optimal");
  ASSERT_THAT(findings_of(found), ElementsAre("assertion: self == nullptr"));
  EXPECT_EQ(found.findings.front().trace.back().message, "down(caf::down_msg(mortal_0, user_shutdown))");
}

struct unnamed_counter {
  explicit unnamed_counter(caf::event_based_actor*) {}
  static caf::behavior make_behavior() {
    return {[](int number) { assert(number == 0); }};
  }
};
struct named_counter : unnamed_counter {
  using unnamed_counter::unnamed_counter;
  static constexpr const char* name = "counter";
};

template <class State>
std::string name_of_actor_with() {
  const auto found = explored(
      [](caf::actor_system& system) { caf::anon_mail(1).send(system.spawn(caf::actor_from_state<State>)); }, "optimal");
  return found.findings.empty() ? "nothing was found" : found.findings.front().trace.back().receiver;
}

TEST(Caf1Trace, NamesAnActorOfAStateAfterIt) {
  EXPECT_EQ(name_of_actor_with<named_counter>(), "counter_0");
  EXPECT_EQ(name_of_actor_with<unnamed_counter>(), "unnamed_counter_0");
}

TEST(Caf1Monitor, IsForgottenByWhoTakesItBack) {
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto of = system.spawn(mortal);
    const auto watches = system.spawn([=, &heard](caf::event_based_actor* self) -> caf::behavior {
      auto word = self->monitor(of, [&heard](const caf::error&) { heard += "down "; });
      return {[=, &heard](int) mutable {
                word.dispose();
                heard += "no more ";
              },
              [=](stop_atom) { self->quit(); }};
    });
    system.spawn([=](caf::event_based_actor* self) { self->mail(1).send(watches); });
    system.spawn([=](caf::event_based_actor* self) { self->mail(stop_atom::value).send(of); });
    caf::scoped_actor self{system};
    self->wait_for(of);
    self->mail(stop_atom::value).send(watches);
    self->wait_for(watches);
  });
  EXPECT_THAT(ends, UnorderedElementsAre("", "down ", "down no more ", "no more "));
}

TEST(Caf1Timers, ComeLastUnlessTheyAreTakenBack) {
  const auto body = [](caf::actor_system& system, std::string& heard) {
    system.spawn([&heard](caf::event_based_actor* self) -> caf::behavior {
      auto late = self->mail(std::string("late ")).delay(2h).send(self);
      self->run_delayed(1h, [&heard] { heard += "an hour later "; });
      self->mail(1).send(self);
      return {[&heard, late](int) mutable {
                heard += "now ";
                late.dispose();
              },
              [&heard](const std::string& what) { heard += what; }};
    });
    std::this_thread::sleep_for(24h);
  };
  EXPECT_THAT(all_ends<std::string>(body), UnorderedElementsAre("now an hour later "));
}

TEST(Caf1Coverage, IsSaidToLackTimersThatComeEarlier) {
  const auto found = explored(
      [](caf::actor_system& system) {
        system.spawn([](caf::event_based_actor* self) { self->run_delayed(1h, [=] { self->quit(); }); });
      },
      "optimal");
  EXPECT_THAT(found.stopped_by, HasSubstr("--timers any"));
}

}  // namespace
}  // namespace harrier
