// CAF programs that fail, that are refused, and what is said of them.
#include <gmock/gmock.h>

#undef NDEBUG  // the programs assert
#include <cassert>

#include <memory>
#include <stdexcept>
#include <string>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "both_versions.hpp"
#include "explored.hpp"
#include "set_get_get.hpp"

namespace harrier::told {

/// CAF cannot look into it.
struct opaque {
  int* place = nullptr;
};

}  // namespace harrier::told

HARRIER_TEST_TYPES(findings_test, 100)
HARRIER_TEST_TYPE(findings_test, harrier::told::opaque)
HARRIER_TEST_TYPES_END(findings_test)

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

using both::get_atom;
using both::put_atom;
using both::stop_atom;

// What is found.

TEST(CafFinding, IsAnAssertionThatFailsInAHandlerABlockingActorOrMain) {
  const auto in_handler = [](caf::actor_system& system) {
    caf::anon_send(system.spawn([]() -> caf::behavior { return {[](int x) { assert(x > 1); }}; }), 1);
  };
  const auto in_blocking = [](caf::actor_system& system) {
    caf::anon_send(system.spawn([](caf::blocking_actor* self) { self->receive([](int x) { assert(x > 2); }); }), 1);
  };
  const auto in_main = [](caf::actor_system& system) {
    caf::scoped_actor self{system};
    caf::anon_send(self, 1);
    self->receive([](int x) { assert(x > 3); });
  };
  EXPECT_THAT(findings_of(explored(in_handler, "optimal")), ElementsAre("assertion: x > 1"));
  EXPECT_THAT(findings_of(explored(in_blocking, "optimal")), ElementsAre("assertion: x > 2"));
  EXPECT_THAT(findings_of(explored(in_main, "optimal")), ElementsAre("assertion: x > 3"));
}

TEST(CafFinding, IsAnExceptionThatNobodyHandles) {
  const auto throwing = [](caf::actor_system& system, bool handles) {
    caf::anon_send(system.spawn([=](caf::event_based_actor* self) -> caf::behavior {
      if (handles)
        self->set_exception_handler([](std::exception_ptr&) { return caf::make_error(caf::sec::runtime_error); });
      return {[](int) { throw std::runtime_error("no"); }};
    }),
                   1);
  };
  EXPECT_THAT(findings_of(explored([=](caf::actor_system& s) { throwing(s, false); }, "optimal")),
              ElementsAre("exception: a handler threw: no"));
  EXPECT_THAT(findings_of(explored([=](caf::actor_system& s) { throwing(s, true); }, "optimal")), IsEmpty());
}

TEST(CafFinding, IsAMessageWithoutAHandler) {
  const auto found = explored(
      [](caf::actor_system& system) { caf::anon_send(system.spawn(server), std::string("what?")); }, "optimal");
  EXPECT_THAT(findings_of(found), ElementsAre(R"(unexpected: it has no handler for ("what?"))"));
}

TEST(CafFinding, IsWaitingForEver) {
  const auto in_receive = [](caf::actor_system& system) {
    caf::scoped_actor self{system};
    const auto of = system.spawn(server);
    self->receive([](int) {});
  };
  const auto for_actors = [](caf::actor_system& system) {
    const auto of = system.spawn(server);
    system.await_all_actors_done();
  };
  EXPECT_THAT(
      findings_of(explored(in_receive, "optimal")),
      ElementsAre("deadlock: nothing can be delivered, and main waits in receive() for a message that nobody sends"));
  EXPECT_THAT(
      findings_of(explored(for_actors, "optimal")),
      ElementsAre(
          "deadlock: nothing can be delivered, and main waits until all actors are done, which server_0 is never"));
}

TEST(CafFinding, MayBeAWarningOfALetterToTheDead) {
  const auto found = explored(
      [](caf::actor_system& system) {
        const auto mortal =
            system.spawn([](caf::event_based_actor* self) -> caf::behavior { return {[=](int) { self->quit(); }}; });
        caf::anon_send(mortal, 1);
        caf::anon_send(mortal, 2);
      },
      "optimal");
  ASSERT_THAT(found.warnings, SizeIs(1));
  EXPECT_THAT(found.warnings.front().message, HasSubstr("was never delivered"));
}

TEST(CafFinding, IsWhatDependsOnSomethingOutside) {
  int runs = 0;
  const auto found = explored(
      [&runs](caf::actor_system& system) {
        const auto of = system.spawn(server);
        for (int i = 0; i < 2; ++i) system.spawn(client, of, ++runs);
        if (runs > 20) caf::anon_send(of, get_atom::value);
      },
      "optimal");
  ASSERT_THAT(found.findings, Not(IsEmpty()));
  EXPECT_EQ(found.findings.back().kind, finding_kind::nondeterminism);
}

TEST(CafFinding, IsAMessageThatIsNotTheSameEachTime) {
  int sent = 0;
  const auto found = explored(
      [&sent](caf::actor_system& system) {
        const auto of = system.spawn(server);
        for (const int value : {1, 2})
          system.spawn([=, &sent](caf::event_based_actor* self) { self->send(of, put_atom::value, value + ++sent); });
      },
      "exhaustive");
  ASSERT_THAT(found.findings, Not(IsEmpty()));
  EXPECT_EQ(found.findings.back().kind, finding_kind::nondeterminism);
}

TEST(CafTrace, NamesTheTypeOfWhatCannotBeLookedInto) {
  const auto body = [](caf::actor_system& system) {
    const auto gone = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      return {[=](const told::opaque&) { assert(self == nullptr); }};
    });
    caf::anon_send(gone, told::opaque{});
  };
  const auto found = explored(body, "optimal");
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_THAT(found.findings.front().trace.back().message, HasSubstr("<opaque>"));
}

/// An actor to which nothing refers answers before it tells of its end. The search learns on its way that there is one,
/// and that messages are refused.
TEST(CafFinding, IsNotWhatComesBeforeAnAnswerThatIsOwed) {
  const auto body = [](caf::actor_system& system) {
    system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      const auto answers = std::make_shared<int>(0);
      self->set_down_handler([=](caf::down_msg&) {
        if (*answers != 2) throw std::runtime_error("an answer is missing");
      });
      const auto skips = self->spawn([](caf::event_based_actor* other) -> caf::behavior {
        other->set_default_handler(caf::skip);
        return {[](stop_atom) {}};
      });
      self->monitor(skips);
      for (const int number : {1, 2})
        self->request(skips, caf::infinite, number).then([](int) {}, [=](const caf::error&) { ++*answers; });
      return {[](int) {}};
    });
  };
  for (const auto* engine : {"optimal", "exhaustive"})
    EXPECT_THAT(explored(body, engine).findings, IsEmpty()) << engine;
}

/// Whatever it has learnt on its way.
TEST(CafFinding, IsRepeatedByASearchThatStopsAtIt) {
  const auto body = [](caf::actor_system& system) {
    system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      self->set_down_handler([](caf::down_msg&) { throw std::runtime_error("it has ended"); });
      const auto skips = self->spawn([](caf::event_based_actor* other) -> caf::behavior {
        other->set_default_handler(caf::skip);
        return {[](stop_atom) {}};
      });
      self->monitor(skips);
      self->send(skips, 1);
      return {[](int) {}};
    });
  };
  const auto found = explore(caf_program(main_function(body)), options{});
  ASSERT_EQ(found.findings.size(), 1);
  EXPECT_EQ(found.findings.front().trace.size(), found.findings.front().schedule.size());
  EXPECT_THAT(found.findings.front().trace.back().message, StartsWith("down("));
}

TEST(CafFinding, ComesAfterWhatADestructorSends) {
  struct says {
    caf::actor to;
    ~says() { caf::anon_send(to, 9); }
  };
  const auto ends = all_ends<std::string>([](caf::actor_system& system, std::string& heard) {
    const auto listener = system.spawn([&heard](caf::event_based_actor*) -> caf::behavior {
      return {[&heard](int number) { heard += std::to_string(number); }};
    });
    system.spawn([said = std::make_shared<says>(says{listener})](caf::event_based_actor*) -> caf::behavior {
      return {[said](int) {}};
    });
  });
  EXPECT_THAT(ends, Not(IsEmpty()));
}

// What is refused.

TEST(CafRefusal, NamesTheFeatureAndTheReason) {
  const auto registered = [](caf::actor_system& system) {
    const auto to = system.spawn(server);
    const auto put = [to](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int) { self->system().registry().put(both::key("it"), caf::actor_cast<caf::strong_actor_ptr>(to)); }};
    };
    const auto get = [](caf::event_based_actor* self) -> caf::behavior {
      return {[=](int) { static_cast<void>(self->system().registry().get(both::key("it"))); }};
    };
    caf::anon_send(system.spawn(put), 1);
    caf::anon_send(system.spawn(get), 1);
  };
  EXPECT_THAT(refusal_of_program([=] {
                caf::actor_system_config config;
                caf::actor_system system(config);
                registered(system);
              }),
              HasSubstr("'it' is changed by one of them while another looks at it"));
  EXPECT_THAT(refusal_of_program([] {}), HasSubstr("it has made no caf::actor_system"));
  options mailboxes;
  mailboxes.search.delivery = delivery::mailbox;
  EXPECT_THROW(static_cast<void>(explore(caf_program([](caf::actor_system&) {}), mailboxes)), untestable_program);
  EXPECT_THAT(refusal_of_program([] {
                caf::actor_system_config config;
                config.set(std::string(both::scheduler) + "policy", both::testing());
                caf::actor_system system(config);
              }),
              HasSubstr("CAF's scheduler for tests"));
}

}  // namespace
}  // namespace harrier
