// Tests as CAF's users write them. What they note of each execution, fixture_test.cpp holds against what can be.
#include "fixture_samples.hpp"

#include <caf/all.hpp>
#include <caf/test/outline.hpp>
#include <caf/test/scenario.hpp>
#include <caf/test/test.hpp>
#include <chrono>
#include <string>

#include <harrier/adapter/caf_fixture/fixture.hpp>

using namespace std::chrono_literals;

std::set<std::string>& noted() {
  static auto& all = *new std::set<std::string>;  // not watched as a variable that actors share
  return all;
}

namespace {

struct history {
  std::string text;
};
caf::behavior keeps_history(caf::stateful_actor<history>* self) {
  return {[self](const std::string& what) { self->state().text += what; }, [self](int) { return self->state().text; }};
}

/// Tells `to` that on which it is told the word.
caf::behavior tells(caf::event_based_actor* self, const caf::actor& to, const std::string& word) {
  return {[=](int) { self->mail(word).send(to); }};
}

class fixture : public harrier::caf_fixture {
public:
  caf::actor log = sys.spawn(keeps_history);
  caf::actor a = sys.spawn(tells, log, std::string("a"));
  caf::actor b = sys.spawn(tells, log, std::string("b"));

  void tell_both() {
    caf::anon_mail(1).send(a);
    caf::anon_mail(1).send(b);
  }
  std::string logged() {
    caf::scoped_actor self{sys};
    auto answer = self->mail(1).request(log, caf::infinite);
    dispatch_messages();
    std::string text;
    std::move(answer).receive([&](const std::string& all) { text = all; }, [](const caf::error&) {});
    return text;
  }
};

}  // namespace

SUITE("explored") {
  WITH_FIXTURE(fixture) {
    TEST("dispatch_messages takes them in all orders") {
      tell_both();
      check_eq(dispatch_messages(), 4u);
      noted().insert(logged());
    }

    TEST("what waits before is taken before what comes of it") {
      caf::anon_mail(1).send(a);
      caf::anon_mail(std::string("m")).send(log);
      dispatch_messages();
      check_eq(logged(), "ma");
    }

    TEST("what the test dispatches itself is as in CAF") {
      inject().with(1.0).to(a);
      caf::anon_mail(1.0).send(a);
      check(dispatch_message());
    }

    TEST("dispatch_message takes the next one of any actor") {
      tell_both();
      check(dispatch_message());
      std::string order = mail_count(a) == 0 ? "a" : "b";
      check_eq(mail_count(), 2u);
      while (dispatch_message()) order += std::to_string(mail_count(log));
      noted().insert(order);
    }

    TEST("expect is in the order that it says") {
      tell_both();
      expect<int>().with(1).to(b);
      expect<std::string>().with("b").from(b).to(log);
      allow<int>().to(a);
      expect<std::string>().with("a").from(a).to(log);
      inject().with(std::string("c")).to(log);
      disallow<int>().to(a);
      noted().insert(logged());
    }

    TEST("prepone says which is next") {
      tell_both();
      check(prepone<int>().to(b));
      dispatch_message();
      noted().insert(mail_count(b) == 0 ? "b" : "a");
      dispatch_messages();
    }

    TEST("inject_exit ends that actor there and then") {
      tell_both();
      inject_exit(a);
      check(terminated(a));
      dispatch_messages();
      noted().insert(logged());
    }

    TEST("sections are run each") {
      tell_both();
      SECTION("one") {
        dispatch_messages();
        noted().insert("one " + logged());
      }
      SECTION("two") {
        expect<int>().to(a);
        dispatch_messages();
        noted().insert("two " + logged());
      }
    }

    TEST("who is referred to no more ends at once") {
      auto mortal = sys.spawn(tells, log, std::string("m"));
      const auto watches = sys.spawn([this, mortal](caf::event_based_actor* self) -> caf::behavior {
        self->monitor(mortal, [this](const caf::error&) { caf::anon_mail(std::string("down")).send(log); });
        return {[](int) {}};
      });
      check_eq(mail_count(), 0u);
      mortal = nullptr;
      const auto heard = std::to_string(mail_count(watches));
      dispatch_messages();
      noted().insert(heard + logged());
    }

    TEST("time is the test's") {
      const auto late = sys.spawn([this](caf::event_based_actor* self) -> caf::behavior {
        self->mail(1).delay(10s).send(self);
        return {[this](int) { caf::anon_mail(std::string("late")).send(log); }};
      });
      tell_both();
      dispatch_messages();
      check_eq(num_timeouts(), 1u);
      check_eq(advance_time(10s), 1u);
      dispatch_messages();
      noted().insert(logged());
    }

    TEST("a check that fails in one order is found") {
      tell_both();
      dispatch_messages();
      check_eq(logged(), "ab");
    }

    TEST("what is required ends the test") {
      tell_both();
      dispatch_messages();
      require_eq(logged(), "ab");
      noted().insert("went on");
    }

    TEST("what is meant to fail is no finding") {
      should_fail([this] { check_eq(mail_count(), 1u); });
    }

    TEST("a test that throws fails") {
      tell_both();
      dispatch_messages();
      if (logged() == "ba") throw std::runtime_error("b was first");
    }

    TEST("who waits in a handler is refused") {
      sys.spawn([](caf::blocking_actor*) {});
    }

    TEST("who skips and is then dispatched to by itself is refused") {
      const auto skips = sys.spawn([](caf::event_based_actor* self) -> caf::behavior {
        self->set_default_handler(caf::skip);
        return {[](int) {}};
      });
      caf::anon_mail(std::string("skipped")).send(skips);
      dispatch_messages();
      inject().with(1).to(skips);
    }

    SCENARIO("scenarios are explored") {
      GIVEN("two that tell") {
        tell_both();
        WHEN("all is dispatched") {
          dispatch_messages();
          THEN("either was first") { noted().insert(logged()); }
        }
      }
    }

    OUTLINE("outlines are explored") {
      GIVEN("that <who> was told before") {
        const auto who = block_parameters<std::string>();
        caf::anon_mail(1).send(who == "a" ? a : b);
        WHEN("all is dispatched") {
          dispatch_messages();
          tell_both();
          dispatch_messages();
          THEN("either was first") { noted().insert(logged()); }
        }
      }
      EXAMPLES = R"(
    | who |
    | a   |
    | b   |
  )";
    }

  }  // WITH_FIXTURE(fixture)

  WITH_FIXTURE(caf::test::fixture::deterministic) {
    TEST("the fixture of CAF's runs a test once") {
      const auto log = sys.spawn(keeps_history);
      caf::anon_mail(1).send(sys.spawn(tells, log, std::string("a")));
      caf::anon_mail(1).send(sys.spawn(tells, log, std::string("b")));
      noted().insert(std::to_string(dispatch_messages()));
    }

  }  // WITH_FIXTURE(caf::test::fixture::deterministic)

}  // SUITE("explored")
