// Actor programs and the protocols that they should follow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/harrier.hpp>
#include <harrier/protocol/conformance.hpp>
#include <harrier/protocol/parse.hpp>

#include <src/explore/session.hpp>

namespace harrier::protocol {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct server {
  int value = 0;
  void set(int v) { value = v; }
  int get() const { return value; }
  void bye(self& me) { me.destroy(); }
};

struct client {
  ref<server> store;
  int wanted = 0;
  task start(self& me) {
    me.send<&server::set>(store, wanted);
    co_await me.call<&server::get>(store);
    me.send<&server::bye>(store);
  }
};

void hasty(self& me) { me.send<&client::start>(me.create<client>(me.create<server>(), 5)); }

constexpr auto careful = R"((s/defrole ::c) (s/defrole ::s)
(s/defsession ::use []
  (s/-->> Set ::c ::s) (s/-->> Get ::c ::s) (s/-->> Reply ::s ::c) (s/-->> Bye ::c ::s)))";

constexpr auto as_it_is = R"((s/defrole ::c) (s/defrole ::s)
(s/defsession ::use []
  (s/par (s/-->> Set ::c ::s)
         [(s/-->> Get ::c ::s) (s/-->> Reply ::s ::c) (s/-->> Bye ::c ::s)])))";

conformance_monitor follows(const char* definition, cast played = {{{"client", "c"}, {"server_0", "s"}}, {}}) {
  return {parse(definition).value, "use", {}, std::move(played)};
}

exploration judged(const program& tested, monitor& judge, const char* engine = "exhaustive") {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.judging.by = &judge;
  return explore(tested, how);
}

TEST(AnActorProgram, LeavesItsProtocolAtAnAction) {
  auto judge = follows(careful);
  const auto result = judged(make_program(hasty), judge);

  ASSERT_THAT(result.findings, SizeIs(1));
  const auto& f = result.findings[0];
  EXPECT_EQ(f.kind, finding_kind::conformance);
  EXPECT_THAT(f.message,
              AllOf(HasSubstr("client_1 SEND get TO server_0 leaves session use"),
                    HasSubstr("as c SEND get TO s it is not allowed here"), HasSubstr("allowed is s RECV * FROM c")));
  EXPECT_THAT(f.trace, SizeIs(1));
  EXPECT_EQ(f.actor, "client_1");
}

TEST(AnActorProgram, MayStopBeforeItsProtocolDoes) {
  auto judge = follows(as_it_is);
  const auto result = judged(make_program(hasty), judge);

  ASSERT_THAT(result.findings, SizeIs(1));  // `bye` came before `set`, which is never taken
  EXPECT_THAT(result.findings[0].message, AllOf(HasSubstr("the execution ends, but session use continues"),
                                                HasSubstr("allowed is s RECV * FROM c")));
  EXPECT_EQ(result.findings[0].actor, "");
  EXPECT_THAT(result.findings[0].trace.back().message, "bye()");
}

TEST(AnActorProgram, FollowsItsProtocolUpToMessagesThatAreNoPartOfIt) {
  auto judge = follows(
      R"((s/defrole ::c) (s/defrole ::s)
(s/defsession ::use [] (s/-->> Question ::c ::s) (s/-->> Answer ::s ::c) (s/close ::c ::s)))",
      {{{"CLIENT", "C"}, {"Server_0", "S"}}, {{"get", "question"}, {"reply", "answer"}, {"set", "-"}, {"bye", "-"}}});
  const auto result = judged(make_program(hasty), judge);

  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("every execution is a run of session use")));
}

TEST(AnActorProgram, IsJudgedByAMonitorForEachWorkerAndConcludedByAll) {
  const auto tested = make_program(hasty);
  for (const auto* definition : {careful, as_it_is}) {
    auto alone = follows(definition);
    const auto expected = judged(tested, alone);

    auto judge = follows(definition);
    options how;
    how.search.engine = "exhaustive";
    how.judging.keep_going = true;
    how.judging.undelivered = undelivered::ignore;
    how.judging.by = &judge;
    session two(tested, how);
    two.hire();
    auto& second = two.hire();  // which does all the work
    search_context search{*second.tested, second.watcher};
    const auto result = two.conclude(explore_alone(search, share_exhaustive(made_by::one)));

    EXPECT_EQ(result.executions, expected.executions);
    EXPECT_EQ(result.notes, expected.notes);
    ASSERT_EQ(result.findings.size(), expected.findings.size());
    EXPECT_EQ(result.findings[0].message, expected.findings[0].message);
    EXPECT_EQ(result.findings[0].occurrences, expected.findings[0].occurrences);
  }
}

TEST(AnActorProgram, IsJudgedByTheSameProtocolAfterAnInterruption) {
  const auto tested = make_program(hasty);
  const auto name = testing::TempDir() + "harrier-judged-" + std::to_string(getpid());
  const auto by = [&](conformance_monitor& judge) {
    options how;
    how.search.engine = "exhaustive";
    how.limits.max_depth = 3;
    how.judging.keep_going = true;
    how.judging.by = &judge;
    how.kept.checkpoint = name;
    return how;
  };
  auto alone = follows(as_it_is);
  const auto expected = explore(tested, by(alone));
  ASSERT_GT(expected.truncated, 1U);
  auto before = follows(as_it_is);
  auto how = by(before);
  how.limits.max_executions = 1;
  static_cast<void>(explore(tested, how));

  auto other_roles = follows(as_it_is, {{{"client", "c"}, {"server_0", "s"}}, {{"bye", "get"}}});
  how = by(other_roles);
  how.kept.resume = name;
  EXPECT_THAT([&] { static_cast<void>(explore(tested, how)); },
              testing::ThrowsMessage<error>(AllOf(HasSubstr("session use"), HasSubstr("message bye as get"))));
  auto other_protocol = follows(careful);
  how = by(other_protocol);
  how.kept.resume = name;
  EXPECT_THAT([&] { static_cast<void>(explore(tested, how)); },
              testing::ThrowsMessage<error>(HasSubstr("session use, its graph")));
  auto after = follows(as_it_is);
  how = by(after);
  how.kept.resume = name;
  const auto result = explore(tested, how);
  EXPECT_EQ(result.truncated, expected.truncated);
  EXPECT_EQ(result.notes, expected.notes);
  EXPECT_EQ(result.findings.size(), expected.findings.size());
  std::remove(name.c_str());
}

TEST(AnActorProgram, IsAlsoJudgedByWhatTheDriverDoes) {
  auto judge = follows(R"((s/defrole ::d) (s/defrole ::c) (s/defsession ::use [] (s/-->> Begin ::d ::c)))",
                       {{{"driver", "d"}, {"client", "c"}}, {}});
  const auto result = judged(make_program(hasty), judge);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].message, HasSubstr("driver SEND start TO client_1 leaves session use"));
  EXPECT_THAT(result.findings[0].schedule, IsEmpty());
}

TEST(AnActorProgram, IsTriedInEveryBranchOfAnAmbiguousProtocol) {
  auto judge = follows(R"((s/defrole ::c) (s/defrole ::s)
(s/defsession ::use []
  (s/alt [(s/-->> Get ::c ::s) (s/-->> Bye ::c ::s)] [(s/-->> Get ::c ::s) (s/-->> Reply ::s ::c)])))",
                       {{{"client", "c"}, {"server_0", "s"}}, {{"set", "-"}, {"bye", "-"}}});

  EXPECT_THAT(judged(make_program(hasty), judge).findings, IsEmpty());
}

TEST(AnActorProgram, IsNotComparedUnderAReduction) {
  auto judge = follows(careful);

  EXPECT_THAT([&] { static_cast<void>(judged(make_program(hasty), judge, "optimal")); },
              testing::ThrowsMessage<error>(AllOf(HasSubstr("engine optimal"), HasSubstr("session use"),
                                                  HasSubstr("engine exhaustive runs all"))));
}

void two_clients(self& me) {
  const auto store = me.create<server>();
  me.send<&client::start>(me.create<client>(store, 1));
  me.send<&client::start>(me.create<client>(store, 2));
}

TEST(AClass, PlaysARoleOnlyIfItHasOneActor) {
  auto judge = follows(careful);

  EXPECT_THAT([&] { static_cast<void>(judged(make_program(two_clients), judge)); },
              testing::ThrowsMessage<error>(HasSubstr("client_1 and client_2 are both of that class")));
}

struct wrong_cast {
  const char* definition;
  cast played;
  const char* complaint;
};
void PrintTo(const wrong_cast& w, std::ostream* out) { *out << w.complaint; }

class AWrongCast : public testing::TestWithParam<wrong_cast> {};

TEST_P(AWrongCast, IsRefused) {
  EXPECT_THAT([&] { follows(GetParam().definition, GetParam().played); },
              testing::ThrowsMessage<error>(HasSubstr(GetParam().complaint)));
}

INSTANTIATE_TEST_SUITE_P(
    Casts, AWrongCast,
    testing::Values(wrong_cast{careful, {{{"client", "c"}}, {}}, "nobody plays role s of session use"},
                    wrong_cast{careful, {{{"client", "c"}, {"server", "x"}}, {}}, "has no role x; it has c, s"},
                    wrong_cast{careful, {{{"client", "c"}, {"server", "s"}}, {{"set", "Sett"}}}, "did you mean 'set'?"},
                    wrong_cast{"(s/defrole ::c) (s/defrole ::s) (s/defsession ::use [] (s/--> Get ::c ::s))",
                               {{{"client", "c"}, {"server", "s"}}, {}},
                               "has the handshake"}));

TEST(AName, ThatNoExecutionHasIsToldOf) {
  auto judge = follows(careful, {{{"clinet", "c"}, {"server_0", "s"}}, {{"put", "Set"}}});
  const auto result = judged(make_program(hasty), judge);

  EXPECT_THAT(result.notes,
              AllOf(Contains(HasSubstr("an actor called clinet")), Contains(HasSubstr("called put, for set"))));
}

}  // namespace
}  // namespace harrier::protocol
