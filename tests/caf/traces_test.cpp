// How a person reads what was found: actors, messages, and who waits for whom.
#include <gmock/gmock.h>

#undef NDEBUG  // the programs assert
#include <algorithm>
#include <cassert>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/explore/explore.hpp>

#include "both_versions.hpp"
#include "explored.hpp"

namespace harrier::traced {

/// CAF cannot look into them.
struct opaque {};
template <class Of>
struct box {
  Of content;
};

}  // namespace harrier::traced

HARRIER_TEST_TYPES(traces_test, 110)
HARRIER_TEST_TYPE(traces_test, harrier::traced::opaque)
HARRIER_TEST_TYPE(traces_test, std::vector<harrier::traced::opaque>)
HARRIER_TEST_TYPE(traces_test, harrier::traced::box<std::string>)
HARRIER_TEST_TYPES_END(traces_test)

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using both::hold_atom;
using both::read_atom;

/// The first event of who fails, as it stands in the trace: `name_1.kind(content)`.
std::string first_of_failure(const main_function& body) {
  const auto found = explored(body, "optimal");
  if (found.findings.size() != 1) return "nothing was found";
  const auto& last = found.findings.front().trace.back();
  return last.receiver + "." + last.message;
}

template <class Function>
std::string name_of_who_fails(Function f) {
  return first_of_failure([f](caf::actor_system& system) { caf::anon_send(system.spawn(f), 1); });
}

caf::behavior fails() {
  return {[](int) { assert(!"reached"); }};
}

caf::behavior worker(caf::event_based_actor*) { return fails(); }
template <class>
caf::behavior any_worker(caf::event_based_actor*) {
  return fails();
}
caf::behavior quiet_worker(caf::event_based_actor*) noexcept { return fails(); }
void waiter(caf::blocking_actor* self) {
  self->receive([](int) { assert(!"reached"); });
}
struct unnamed {};
caf::behavior with_state(caf::stateful_actor<unnamed>*) { return fails(); }
struct maker {
  caf::behavior operator()(caf::event_based_actor*) const { return fails(); }
};

std::string taking_1(const std::string& who) { return who + "." + both::int32_name + "(1)"; }

TEST(CafTrace, CallsAnActorByItsFunction) {
  EXPECT_EQ(name_of_who_fails(worker), taking_1("worker_0"));
  EXPECT_EQ(name_of_who_fails(any_worker<int>), taking_1("any_worker_0"));
  EXPECT_EQ(name_of_who_fails(quiet_worker), taking_1("quiet_worker_0"));
  EXPECT_EQ(name_of_who_fails(waiter), taking_1("waiter_0"));
  EXPECT_EQ(name_of_who_fails(with_state), taking_1("with_state_0"));
  EXPECT_EQ(name_of_who_fails(maker{}), taking_1("maker_0"));
}

std::string name_of_a_lambda() {
  return name_of_who_fails([](caf::event_based_actor*) { return fails(); });
}

TEST(CafTrace, CallsALambdaByTheFunctionInWhichItIs) {
  EXPECT_EQ(name_of_a_lambda(), taking_1("lambda_in_name_of_a_lambda_0"));
  const auto inner = [] { return name_of_who_fails(+[](caf::event_based_actor*) { return fails(); }); };
  EXPECT_EQ(inner(), taking_1("lambda_in_TestBody_0"));
}

template <class Content>
std::string message_of(Content content) {
  return first_of_failure([content](caf::actor_system& system) {
    caf::anon_send(system.spawn([](caf::event_based_actor*) -> caf::behavior {
      return {[](const Content&) { assert(!"reached"); }};
    }),
                   content);
  });
}

std::string content_of(const std::string& event) { return event.substr(event.find('.') + 1); }

TEST(CafTrace, ShowsACharAsOneAndAsTheNumberThatCafMakesOfIt) {
  EXPECT_EQ(content_of(message_of('x')), std::string(both::int8_name) + "(120 'x')");
  EXPECT_EQ(content_of(message_of('\n')), std::string(both::int8_name) + "(10)");
  EXPECT_EQ(content_of(message_of('\x80')), std::string(both::int8_name) + "(-128)");
}

TEST(CafTrace, NamesTheTypeOfWhatCannotBeLookedIntoWhereverItIs) {
  EXPECT_EQ(content_of(message_of(traced::opaque{})), "opaque(<opaque>)");
  EXPECT_EQ(content_of(message_of(std::vector<traced::opaque>(2))),
            HARRIER_CAF_1 ? "vector(<vector<opaque>>)" : "vector([<opaque>, <opaque>])");
  EXPECT_EQ(content_of(message_of(traced::box<std::string>{})), "box(<box<string>>)");
}

caf::behavior hoarder(caf::event_based_actor* self) {
  self->set_default_handler(caf::skip);
  return {[](hold_atom) {}};
}

caf::behavior middleman(caf::event_based_actor* self, const caf::actor& behind) {
  return {[=](read_atom) {
    auto promise = self->make_response_promise<int>();
    self->request(behind, caf::infinite, read_atom::value).then([=](int value) mutable { promise.deliver(value); });
    return promise;
  }};
}

TEST(CafDeadlock, SaysWhoWaitsForWhom) {
  const auto found = explored(
      [](caf::actor_system& system) {
        caf::scoped_actor self{system};
        const auto of = system.spawn(middleman, system.spawn(hoarder));
        self->request(of, caf::infinite, read_atom::value).receive([](int) {}, [](caf::error&) {});
      },
      "optimal");
  EXPECT_THAT(findings_of(found),
              ElementsAre("deadlock: nothing can be delivered, and main waits in receive(), since middleman_1 has not "
                          "replied to read; middleman_1 waits for the reply of hoarder_0 to read; hoarder_0 skips "
                          "read()"));
}

TEST(CafDeadlock, SaysWhoHasWhatWasHandedOn) {
  const auto found = explored(
      [](caf::actor_system& system) {
        caf::scoped_actor self{system};
        const auto behind = system.spawn(hoarder);
        const auto of = system.spawn([behind](caf::event_based_actor* me) -> caf::behavior {
          return {[=](read_atom) { return me->delegate(behind, hold_atom::value, 1); }};
        });
        self->request(of, caf::infinite, read_atom::value).receive([](int) {}, [](caf::error&) {});
      },
      "optimal");
  EXPECT_THAT(findings_of(found),
              ElementsAre("deadlock: nothing can be delivered, and main waits in receive(), since hoarder_0 has not "
                          "replied to hold; hoarder_0 skips hold(1)"));
}

TEST(CafDeadlock, SaysWhyActorsAreNotDone) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto of = system.spawn(middleman, system.spawn(hoarder));
        caf::anon_send(of, read_atom::value);
        system.await_all_actors_done();
      },
      "optimal");
  EXPECT_THAT(findings_of(found),
              ElementsAre("deadlock: nothing can be delivered, and main waits until all actors are done, which "
                          "hoarder_0, middleman_1 are never; hoarder_0 skips read(); middleman_1 waits for the reply "
                          "of hoarder_0 to read"));
}

TEST(CafDeadlock, SaysWhoHoldsAMutex) {
  const auto found = explored(
      [](caf::actor_system& system) {
        std::mutex guard;
        const std::lock_guard held(guard);
        const auto locker = [&guard](caf::event_based_actor*) -> caf::behavior {
          return {[&guard](int) { const std::lock_guard mine(guard); }};
        };
        caf::scoped_actor self{system};
        self->request(system.spawn(locker), caf::infinite, 1).receive([] {}, [](caf::error&) {});
      },
      "optimal");
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_THAT(found.findings.front().message, testing::HasSubstr(" waits for a mutex that main holds"));
}

caf::behavior child(caf::event_based_actor*) { return fails(); }

caf::behavior parent(caf::event_based_actor* self, const caf::actor& to) {
  return {[=](int) { self->send(to, self->spawn(child)); }};
}

/// By the steps that create one, what they send that names an actor.
std::vector<std::pair<std::string, std::string>> created_and_named(const finding& f) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& step : f.trace)
    for (const auto& sent : step.sends)
      if (sent.message.starts_with("actor(")) all.emplace_back(step.creates.front(), sent.message);
  return all;
}

/// Which of the children is the first of all depends on the order.
TEST(CafTrace, CallsAnActorInAMessageAsItIsCalledInThatExecution) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto judge = system.spawn([](caf::event_based_actor*) -> caf::behavior {
          return {[heard = 0](const caf::actor&) mutable { assert(++heard < 2); }};
        });
        caf::anon_send(system.spawn(parent, judge), 1);
        caf::anon_send(system.spawn(parent, judge), 1);
      },
      "exhaustive");
  ASSERT_THAT(findings_of(found), ElementsAre("assertion: ++heard < 2"));
  EXPECT_THAT(created_and_named(found.findings.front()),
              UnorderedElementsAre(std::pair("child_3", "actor(child_3)"), std::pair("child_4", "actor(child_4)")));
}

}  // namespace
}  // namespace harrier
