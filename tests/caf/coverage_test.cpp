// What a search of a CAF program does not cover, it says: each of these programs was seen to end, natively, as in no
// execution.
#include <gmock/gmock.h>

#include <caf/all.hpp>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "both_versions.hpp"
#include "explored.hpp"

namespace of_a_program_that_is_watched {

int written_by_main = 0;
std::mutex of_written;

}  // namespace of_a_program_that_is_watched

namespace coverage {

struct counter {
  int value = 0;
};
using shared_counter = std::shared_ptr<counter>;
using shared_promise = std::shared_ptr<std::promise<int>>;

}  // namespace coverage

HARRIER_TEST_TYPES(coverage_test, 130)
HARRIER_TEST_TYPE(coverage_test, coverage::shared_counter)
HARRIER_TEST_TYPE(coverage_test, coverage::shared_promise)
HARRIER_TEST_TYPES_END(coverage_test)

namespace harrier {
namespace {

using coverage::shared_counter;
using coverage::shared_promise;
using of_a_program_that_is_watched::of_written;
using of_a_program_that_is_watched::written_by_main;

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr auto memory_is_left_out =
    "not covered: actors that use memory to which a message leads (a shared_ptr, say) while another is in the middle "
    "of "
    "a handler that uses it";

class CafCoverage : public testing::TestWithParam<std::string> {};

/// Main goes on while the actor handles its message.
TEST_P(CafCoverage, DoesWithoutActorsThatReadWhatMainWritesAfterItsFirstMessage) {
  const auto found = explored(
      [](caf::actor_system& system) {
        written_by_main = 0;
        caf::anon_send(system.spawn([] { return caf::behavior{[](int) { static_cast<void>(written_by_main == 0); }}; }),
                       1);
        written_by_main = 5;
      },
      GetParam());
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_THAT(found.stopped_by, AllOf(StartsWith(not_covered), HasSubstr("::written_by_main)")));
}

TEST_P(CafCoverage, HasActorsThatReadWhatMainWritesWithAMutex) {
  const auto found = explored(
      [](caf::actor_system& system) {
        written_by_main = 0;
        caf::anon_send(system.spawn([] {
          return caf::behavior{[](int) {
            const std::lock_guard lock(of_written);
            static_cast<void>(written_by_main == 0);
          }};
        }),
                       1);
        const std::lock_guard lock(of_written);
        written_by_main = 5;
      },
      GetParam());
  EXPECT_THAT(found.stopped_by, IsEmpty());
}

TEST_P(CafCoverage, DoesWithoutActorsThatShareAMessagesMemoryInTheMiddleOfTheirHandlers) {
  const auto adds = []() -> caf::behavior { return {[](const shared_counter& to) { to->value += 1; }}; };
  const auto found = explored(
      [=](caf::actor_system& system) {
        const auto both = std::make_shared<coverage::counter>();
        caf::anon_send(system.spawn(adds), both);
        caf::anon_send(system.spawn(adds), both);
      },
      GetParam());
  EXPECT_EQ(found.executions, 2U);
  EXPECT_EQ(found.stopped_by, memory_is_left_out);
}

TEST_P(CafCoverage, DoesWithoutAnActorThatReadsWhatMainWritesThereAfterItHasSentThat) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto sent = std::make_shared<coverage::counter>();
        caf::anon_send(system.spawn([]() -> caf::behavior {
          return {[](const shared_counter& got) { static_cast<void>(got->value == 0); }};
        }),
                       sent);
        sent->value = 5;
      },
      GetParam());
  EXPECT_EQ(found.stopped_by, memory_is_left_out);
}

/// CAF 1 knows the type by the name that was given to it here, which does not tell what it is.
TEST_P(CafCoverage, HasPromisesInMessages) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto promise = std::make_shared<std::promise<int>>();
        caf::anon_send(
            system.spawn([]() -> caf::behavior { return {[](const shared_promise& to) { to->set_value(1); }}; }),
            promise);
        promise->get_future().wait();
      },
      GetParam());
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_EQ(found.stopped_by, HARRIER_CAF_1 != 0 ? memory_is_left_out : "");
}

/// CAF 0.17 shows it the urgent number, which it has skipped, again only after another urgent message: never.
TEST_P(CafCoverage, DoesWithoutWhatCafNeverShowsAgain) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto to = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
          self->set_default_handler(caf::skip);
          return {[=](const std::string&) { self->become([](int) {}); }};
        });
        system.spawn([=](caf::event_based_actor* self) {
          self->send(to, 1);
          self->send(to, std::string("go"));
          self->send(to, 2);
        });
        system.spawn([=](caf::event_based_actor* self) { self->send<caf::message_priority::high>(to, 3); });
      },
      GetParam());
  EXPECT_THAT(found.findings, IsEmpty());
  if (HARRIER_CAF_1 != 0)
    EXPECT_THAT(found.stopped_by, IsEmpty());
  else
    EXPECT_THAT(found.stopped_by, AllOf(StartsWith(not_covered), HasSubstr("shown again late or never")));
}

INSTANTIATE_TEST_SUITE_P(Each, CafCoverage, testing::Values("exhaustive", "optimal", "source"),
                         [](const auto& of) { return of.param; });

/// Nothing need be waited for that another thread does.
TEST(CafThread, ThatIsIdleDoesNotKeepAnybodyFromWaitingForAnActor) {
  const auto found = explored(
      [](caf::actor_system& system) {
        std::promise<void> of_main;
        std::thread idle([&] { of_main.get_future().wait(); });
        const auto by_actor = std::make_shared<std::promise<int>>();
        caf::anon_send(system.spawn([=]() -> caf::behavior { return {[=](int x) { by_actor->set_value(x); }}; }), 1);
        by_actor->get_future().wait();
        of_main.set_value();
        idle.join();
      },
      "optimal");
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_TRUE(found.exhausted) << found.stopped_by;
}

}  // namespace
}  // namespace harrier
