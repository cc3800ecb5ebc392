#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/generate.hpp>
#include <harrier/protocol/strict.hpp>

#include "../litmus/so_many.hpp"
#include "runs.hpp"
#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

checked_projection projected(const std::string& body) { return project_checked(session(session_p(body), "p")); }

TEST(Checked, ProjectsWhatIsOrderedByMessages) {
  EXPECT_THAT(projected("(-->> T ::a ::b) (-->> U ::b ::c)").problems, IsEmpty());
}

TEST(Checked, ProjectsIndependentMessagesWithoutOrderingThem) {
  const auto projection = projected("(-->> T ::a ::b) (-->> U ::c ::d)");
  checked_space space(projection);

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_EQ(explore(space).states(), 9U) << "as (s/par ...)";
}

TEST(Checked, ProjectsInterleaving) {
  EXPECT_THAT(projected("(s/par (-->> T ::a ::b) (-->> U ::c ::b))").problems, IsEmpty());
}

TEST(Checked, ProjectsAStreamWithoutABound) {
  const auto projection = projected("(s/* (-->> T ::a ::b))");
  checked_space space(projection, 2);

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_EQ(explore(space).states(), 3U);
}

TEST(Checked, RefusesAChoiceOfTwoRolesWithTwoRunsThatLookAlike) {
  const auto projection = projected("(s/alt (-->> T ::a ::b) (-->> T ::b ::a))");

  ASSERT_THAT(projection.problems, Not(IsEmpty()));
  EXPECT_THAT(projection.problems[0].message, HasSubstr("cannot know whether it may do this"));
  EXPECT_THAT(projection.problems[0].right, IsEmpty());
  EXPECT_THAT(projection.problems[0].wrong, ElementsAre("b SEND T TO a"));
  EXPECT_THAT(projection.machines, IsEmpty());
}

TEST(Checked, RefusesAChoiceThatAThirdRoleIsNotTold) {
  EXPECT_THAT(
      projected("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::c ::b)) (s/cat (-->> U ::a ::b) (-->> U ::c ::b)))").problems,
      Not(IsEmpty()));
}

TEST(Checked, MarksMessagesWhereTheTypeDoesNotTellTheBranch) {
  const auto projection = projected(
      "(s/alt (s/cat (-->> X ::a ::b) (-->> T ::b ::c) (-->> X ::c ::d))"
      "       (s/cat (-->> Y ::a ::b) (-->> T ::b ::c) (-->> Y ::c ::d)))");

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_TRUE(projection.marked);
}

TEST(Checked, WarnsOfARoleThatIsNotToldOfTheEnd) {
  const auto projection = projected("(s/* (-->> T ::a ::b) (s/cat (-->> U ::a ::c)))");

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_THAT(projection.open_ends, Not(IsEmpty()));
}

TEST(Checked, RefusesHandshakes) { EXPECT_THROW(projected("(--> T ::a ::b)"), error); }

TEST(Checked, StopsWhenItsWatchSaysSo) {
  const auto s = session(session_p("(s/* (-->> T ::a ::b) (-->> U ::a ::b))"), "p");

  const auto projection = project_checked(s, {[] { return true; }, {}});

  EXPECT_FALSE(projection.complete);
  EXPECT_THAT(projection.machines, IsEmpty());
  EXPECT_THAT(projection.problems, IsEmpty());
}

TEST(Checked, GivesNoModuleWhenItsWatchStopsTheProjection) {
  const auto s = session(session_p("(-->> T ::a ::b)"), "p");
  generate_options options;
  options.mode = module_mode::liberal_checked;
  options.watch.enough = [] { return true; };

  const auto module = generate(s, "p", options);

  EXPECT_FALSE(module.complete);
  EXPECT_EQ(module.code, "");
  EXPECT_THAT(module.diagnostics, IsEmpty());
}

TEST(Checked, TellsHowManyRolesAreDone) {
  std::vector<std::size_t> done;
  const auto s = session(session_p("(-->> T ::a ::b) (-->> U ::b ::c)"), "p");

  const auto projection = project_checked(
      s, {{}, [&](std::string_view, std::size_t roles_done, std::size_t) { done.push_back(roles_done); }});

  EXPECT_TRUE(projection.complete);
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3));
}

TEST(Checked, ProjectsASenderThatIsNeverToldThatOthersHaveGoneOn) {
  EXPECT_THAT(projected("(s/* (-->> T ::a ::b) (-->> U ::c ::a))").problems, IsEmpty())
      << "a may send on after c has sent: it takes that message later";
}

TEST(Checked, ShowsWithARefusalARunThatNothingExplains) {
  const auto projection = projected("(s/alt (-->> T ::a ::b) (-->> T ::b ::a))");

  ASSERT_THAT(projection.problems, Not(IsEmpty()));
  EXPECT_TRUE(projection.problems[0].refuted);
}

// --- A refusal is justified by a run, which is soon found, or says that there is no justification.

/// A session with many workers, in whose refusal only three or four roles take part.
explored_session many_workers(const std::string& turn, int workers) {
  return session(with_roles("(s/defsession ::p [n] (s/* (s/alt-every [i (range n)] [" + turn + "])))"), "p", {workers});
}

const std::string told_and_logged = "(-->> T ::a (::w i)) (-->> Log (::w i) ::b) (-->> T (::w i) ::a)";
const std::string locked_and_logged =
    "(-->> Acquire (::w i) ::a) (-->> Grant ::a (::w i)) (-->> Log (::w i) ::b) (-->> Release (::w i) ::a)";
const std::string picked = "(-->> Pick ::a (::w i)) (-->> Done (::w i) ::b)";

class RefusalOfManyWorkers : public testing::TestWithParam<std::string> {};

TEST_P(RefusalOfManyWorkers, ShowsAShortRunOfTheRolesThatNoRunOfTheSessionExplains) {
  for (const int workers : {2, 8, 32}) {
    const auto s = many_workers(GetParam(), workers);
    const auto projection = project_checked(s);

    ASSERT_THAT(projection.problems, Not(IsEmpty())) << workers;
    const auto& p = projection.problems[0];
    EXPECT_TRUE(p.refuted);
    EXPECT_LE(p.wrong.size(), 12U);
    const runs_of_session runs(s);
    EXPECT_FALSE(runs.explain(runs.in_history(p.wrong, p.what), false)) << p.message;
    EXPECT_TRUE(runs.explain(runs.in_history(p.right, p.what), false)) << p.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Checked, RefusalOfManyWorkers, testing::Values(told_and_logged, locked_and_logged, picked));

TEST(Checked, SaysOfARunThatMayBeWrongThatItIsNotShownToBe) {
  // No run speaks against it, and nothing that is tried proves it.
  const auto s = session(
      session_p(
          "(s/par (s/* (s/cat (-->> T ::b ::c) (-->> T ::b ::a))) (s/* (s/alt (-->> U ::b ::a) (-->> T ::b ::a))))"),
      "p");
  const auto projection = project_checked(s, without_a_clock());

  ASSERT_THAT(projection.problems, Not(IsEmpty()));
  for (const auto& p : projection.problems) EXPECT_FALSE(p.refuted);
  EXPECT_THAT(
      to_diagnostic(projection.problems[0], projection, "locks.dcj", severity::error).message,
      AllOf(HasSubstr("may not know whether it may do this"), HasSubstr("that it is wrong there was not shown")));
}

TEST(Checked, SaysWhichMovesTheSearchForAProofLeftUndecidedAtItsLimit) {
  const auto s = session(session_p("(s/par (s/* (-->> T ::b ::c) (-->> V ::b ::a)) (s/* (-->> U ::a ::b)))"), "p");
  constexpr double at_once = 1e-9;
  const auto limited = project_checked(s, {{}, {}, {at_once, 0}});

  ASSERT_THAT(limited.problems, Not(IsEmpty()));
  EXPECT_FALSE(limited.problems[0].refuted);
  EXPECT_NE(limited.problems[0].at.line, 0U);
  EXPECT_THAT(to_diagnostic(limited.problems[0], limited, "p.dcj", severity::error).message,
              HasSubstr("came to its limit of 1e-09 s; --proof-time and --proof-memory allow more"));
  EXPECT_THAT(project_checked(s, without_a_clock()).problems, IsEmpty());
}

// --- Sessions with few states and many roles, which must not cost what all their roles do together would.

std::vector<std::size_t> sizes_of_machines(const checked_projection& projection) {
  std::vector<std::size_t> sizes;
  for (const auto& m : projection.machines) sizes.push_back(m.states.size());
  return sizes;
}

checked_projection projected_example(const std::string& file, const std::string& name,
                                     const std::vector<int>& arguments) {
  return project_checked(session(contents(own(file)), name, arguments));
}

TEST(CheckedAtScale, ProjectsAStarOf48) {
  const auto sizes = sizes_of_machines(projected_example("token-star", "token-star", {48}));

  ASSERT_THAT(sizes, SizeIs(48));
  EXPECT_EQ(sizes[0], 48U) << "who has the token";
  EXPECT_EQ(sizes[47], 2U);
}

TEST(CheckedAtScale, ProjectsAMeshOf16) {
  EXPECT_THAT(sizes_of_machines(projected_example("token-mesh", "token-full-mesh", {16, 0})),
              AllOf(SizeIs(16), Each(2U)));
}

TEST(CheckedAtScale, ProjectsARingOf300) {
  EXPECT_THAT(sizes_of_machines(projected_example("token-ring", "token-ring", {300, 0})), AllOf(SizeIs(300), Each(2U)));
}

TEST(CheckedAtScale, ProjectsAPoolWhoseWorkersAreIndependent) {
  const auto s = session(
      "(s/defrole ::master) (s/defrole ::worker)"
      "(s/defsession ::pool [n] (s/par-every [i (range n)]"
      "  (s/* [(s/-->> Work ::master (::worker i)) (s/-->> Done (::worker i) ::master)]"
      "       (s/-->> Stop ::master (::worker i)))))",
      "pool", {4});

  EXPECT_THAT(sizes_of_machines(project_checked(s)), UnorderedElementsAre(81U, 3U, 3U, 3U, 3U));
}

TEST(CheckedAtScale, ProjectsRoundsInWhichWorkersAnswerInAnyOrder) {
  const auto s = session(
      "(s/defrole ::master) (s/defrole ::worker)"
      "(s/defsession ::rounds [n]"
      "  (s/* [(s/par-every [i (range n)] (s/-->> Compute ::master (::worker i)))"
      "        (s/par-every [i (range n)] (s/-->> Done (::worker i) ::master))]"
      "       (s/cat-every [i (range n)] (s/-->> Exit ::master (::worker i)))))",
      "rounds", {4});

  EXPECT_THAT(project_checked(s).problems, IsEmpty());
}

TEST(CheckedAtScale, ProjectsAMasterWithNinetySixWorkersOfFourKinds) {
  std::string alternatives;
  std::string exits;
  for (const std::string kind : {"interp", "psinv", "rprj", "resid"}) {
    const auto worker = "(::" + kind + " i)";
    alternatives += "[(s/cat-every [i (range n)] (s/-->> Work ::master " + worker +
                    ")) (s/cat-every [i (range n)] (s/-->> Done " + worker + " ::master))]";
    exits += "(s/cat-every [i (range n)] (s/-->> Exit ::master " + worker + ") (s/-->> Done " + worker + " ::master))";
  }
  const auto s = session(
      "(s/defrole ::master) (s/defrole ::interp) (s/defrole ::psinv) (s/defrole ::rprj)"
      "(s/defrole ::resid) (s/defsession ::kernel [n] (s/* (s/alt " +
          alternatives + ")) " + exits + ")",
      "kernel", {24});

  const auto projection = project_checked(s);

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_THAT(projection.machines, SizeIs(97));
}

TEST(Checked, DoesWhatRandomSessionsDoAndRefusesWhatNobodyCouldProject) {
  int accepted = 0;
  int refuted = 0;
  int undecided = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto text = random_protocol(seed).definition();
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto s = session(text, "p", {}, 60);
    if (!s.graph.complete()) continue;
    const auto projection = project_checked(s, patience());
    const runs_of_session runs(s);
    if (projection.complete && projection.problems.empty()) {
      ++accepted;
      EXPECT_EQ(runs_of_machines(runs, projection, 7).failure, "") << "is in no run of the session";
      EXPECT_EQ(runs_lost(runs, projection, 9).failure, "") << "is lost";
    } else if (projection.complete && projection.problems[0].refuted) {
      ++refuted;
      const auto& p = projection.problems[0];
      EXPECT_FALSE(runs.explain(runs.in_history(p.wrong, p.what), false)) << p.message;
      EXPECT_TRUE(runs.explain(runs.in_history(p.right, p.what), false)) << p.message;
    } else {
      ++undecided;
    }
  }
  EXPECT_GT(accepted, 150);
  EXPECT_GT(refuted, 100);
  EXPECT_LT(undecided, 15) << "what is neither accepted nor refused for a reason";
  RecordProperty("accepted", accepted);
  RecordProperty("refuted", refuted);
  RecordProperty("undecided", undecided);
}

void is_proved_and_does_what_it_says(const explored_session& s, std::size_t length) {
  const auto projection = project_checked(s, without_a_clock());
  const runs_of_session runs(s);

  ASSERT_THAT(projection.problems, IsEmpty());
  EXPECT_EQ(runs_of_machines(runs, projection, length).failure, "") << "is in no run of the session";
  EXPECT_EQ(runs_lost(runs, projection, length).failure, "") << "is lost";
}

// --- around one role

class Servers : public testing::TestWithParam<const char*> {};

TEST_P(Servers, WhoTakeTheirClientsOneByOneAreProjectedHoweverManyThereAre) {
  is_proved_and_does_what_it_says(many_workers(GetParam(), 3), 9);
  EXPECT_THAT(project_checked(many_workers(GetParam(), 64), patience(100'000)).problems, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Checked, Servers,
    testing::Values("(-->> Put (::w i) ::a)", "(-->> Request (::w i) ::a) (-->> Reply ::a (::w i))",
                    "(-->> Acquire (::w i) ::a) (-->> Grant ::a (::w i)) (-->> Release (::w i) ::a)",
                    "(-->> Ask ::a (::w i)) (-->> Answer (::w i) ::a)",
                    "(-->> Request (::w i) ::a) (-->> Query ::a ::b) (-->> Get ::b ::d) (-->> Data ::d ::b)"
                    " (-->> Result ::b ::a) (-->> Reply ::a (::w i))"));

// Of these each lacks something of what sessions around one role are accepted for.
class NearlyServers : public testing::TestWithParam<const char*> {};

TEST_P(NearlyServers, AreRefusedByARun) {
  const auto s = session(session_p(GetParam()), "p");
  const auto projection = project_checked(s, without_a_clock());
  const runs_of_session runs(s);

  ASSERT_THAT(projection.problems, Not(IsEmpty()));
  const auto& p = projection.problems[0];
  ASSERT_TRUE(p.refuted);
  EXPECT_FALSE(runs.explain(runs.in_history(p.wrong, p.what), false)) << p.message;
}

INSTANTIATE_TEST_SUITE_P(
    Checked, NearlyServers,
    testing::Values(
        "(s/* (s/alt (-->> T ::a ::b) (-->> U ::b ::a)) (-->> V ::c ::a))",  // b may send and receive
        "(s/alt (s/cat (-->> T ::b ::a) (-->> U ::a ::c)) (s/cat (-->> T ::c ::a) (-->> U ::a ::b)) (-->> W ::b ::a))",
        "(s/* (s/alt (s/cat (-->> T ::b ::a) (-->> U ::b ::d)) (s/cat (-->> T ::c ::a) (-->> U ::c ::d))))",  // two at
                                                                                                              // d
        "(s/alt (-->> T ::b ::a) (-->> T ::c ::a))"));  // one of them, and once

// A random session in which b and c deal with a, and d with b alone.
class around_a {
public:
  explicit around_a(unsigned seed) : random_(seed) {}

  std::string term(unsigned depth) {
    const auto kind = depth == 0 ? 0 : pick(10);
    if (kind < 2) return message();
    if (kind < 5) return "(s/cat " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind < 7) return "(s/alt " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind == 7) return "(s/par " + term(depth - 1) + " " + term(depth - 1) + ")";
    return "(s/* " + term(depth - 1) + (pick(3) == 0 ? " " + term(depth - 1) : "") + ")";
  }

private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_()) % n; }
  std::string message() {
    const std::pair<const char*, const char*> between[] = {{"::a", "::b"}, {"::a", "::c"}, {"::b", "::d"}};
    const char* const types[] = {"T", "U", "V"};
    const auto [one, other] = between[pick(1 + pick(3))];
    const std::string type = types[pick(3)];
    const bool there = pick(2) == 0;
    return "(-->> " + type + " " + (there ? one : other) + " " + (there ? other : one) + ")";
  }

  std::mt19937 random_;
};

TEST(Checked, DoesWhatRandomSessionsAroundOneRoleDo) {
  int accepted = 0;
  int refuted = 0;
  int undecided = 0;
  for (unsigned seed = 0; seed < litmus::so_many(300); ++seed) {
    const auto text = session_p("(s/* " + around_a(seed).term(3) + ")");
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto s = session(text, "p", {}, 60);
    if (!s.graph.complete()) continue;
    const auto projection = project_checked(s, patience());
    if (!projection.complete) continue;
    if (projection.problems.empty()) {
      ++accepted;
      const runs_of_session runs(s);
      EXPECT_EQ(runs_of_machines(runs, projection, 7).failure, "") << "is in no run of the session";
      EXPECT_EQ(runs_lost(runs, projection, 7).failure, "") << "is lost";
    } else {
      ++(projection.problems[0].refuted ? refuted : undecided);
    }
  }
  EXPECT_GT(accepted, 80);
  EXPECT_GT(refuted, 80);
  EXPECT_LT(undecided, 5);
  RecordProperty("accepted", accepted);
  RecordProperty("refuted", refuted);
  RecordProperty("undecided", undecided);
}

// Loops beside each other that have roles in common. What an action of one branch has to wait for in the session need
// not have been seen by its role, and no order of the two branches is that of all.
std::string random_loops(unsigned seed) {
  random_protocol one(seed);
  random_protocol other(seed + 100'000);
  const auto called = one.called();
  return called + session_p("(s/par (s/* " + one.term(1) + ") (s/* " + other.term(1) + "))");
}

TEST(Checked, DoesWhatRandomLoopsBesideEachOtherDo) {
  int accepted = 0;
  int undecided = 0;
  for (unsigned seed = 0; seed < litmus::so_many(120); ++seed) {
    const auto text = random_loops(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto s = session(text, "p", {}, 60);
    if (!s.graph.complete()) continue;
    const auto projection = project_checked(s, patience());
    if (!projection.complete) continue;
    const runs_of_session runs(s);
    if (projection.problems.empty()) {
      ++accepted;
      EXPECT_EQ(runs_of_machines(runs, projection, 8).failure, "") << "is in no run of the session";
      EXPECT_EQ(runs_lost(runs, projection, 8).failure, "") << "is lost";
    } else if (!projection.problems[0].refuted) {
      ++undecided;
    }
  }
  EXPECT_GT(accepted, 8);
  EXPECT_LT(undecided, 5);
  RecordProperty("accepted", accepted);
  RecordProperty("undecided", undecided);
}

class LoopsBesideEachOther : public testing::TestWithParam<const char*> {};

TEST_P(LoopsBesideEachOther, AreProvedWithRunsInWhichSomeActionsComeSooner) {
  is_proved_and_does_what_it_says(session(session_p(GetParam()), "p"), 10);
}

INSTANTIATE_TEST_SUITE_P(
    Checked, LoopsBesideEachOther,
    testing::Values(
        "(s/par (s/* (-->> T ::b ::c) (-->> V ::b ::a)) (s/* (-->> U ::a ::b)))",  // c is behind
        "(s/par (s/* (s/cat (-->> T ::b ::c) (-->> W ::c ::d)) (-->> V ::b ::a)) (s/* (-->> U ::a ::b)))",
        "(s/par (s/* (s/cat (-->> U ::b ::a) (-->> T ::b ::a))) (s/* (-->> T ::b ::a)))",  // which T was it?
        "(s/par (s/* (-->> U ::a ::c)) (s/* (s/cat (-->> U ::b ::c) (-->> U ::a ::c))))",
        "(s/par (s/* (-->> T ::a ::c)) (s/* (s/cat (-->> T ::a ::c) (-->> T ::c ::b))))"));

// No role's move is certain in these, and the sessions are right: what shows it is that there are only so many runs.
class SoManyRuns : public testing::TestWithParam<const char*> {};

TEST_P(SoManyRuns, AreAllLookedAtWhereNothingElseIsAProof) {
  is_proved_and_does_what_it_says(session(session_p(GetParam()), "p"), 20);
}

INSTANTIATE_TEST_SUITE_P(
    Checked, SoManyRuns,
    testing::Values(
        "(s/alt (s/cat (-->> T ::a ::b) (-->> U ::c ::b) (-->> V ::b ::d) (-->> X ::d ::w))"  // U may be early
        "       (s/cat (-->> U ::c ::b) (-->> T ::a ::b) (-->> W ::b ::d) (-->> X ::d ::w)))",
        "(s/par (s/cat (-->> T ::c ::a) (-->> T ::a ::c)) (-->> U ::c ::a))",
        "(s/par (s/par (-->> U ::b ::c) (s/cat (-->> U ::a ::c) (-->> T ::a ::c))) (-->> U ::c ::b))",
        "(s/cat (s/par (s/cat (-->> U ::c ::b) (-->> T ::c ::b)) (s/cat (-->> T ::c ::b) (-->> U ::a ::b)))"
        " (-->> U ::c ::b))",
        "(s/par (-->> U ::c ::b) (s/cat (s/cat (-->> U ::a ::b) (-->> U ::c ::b))"
        " (s/cat (-->> T ::b ::a) (-->> U ::a ::c))))"));

TEST(PublishedDefinitions, AreProjectedUnlessTheirChoicesAreNotLocated) {
  if (!is_published()) GTEST_SKIP() << skip_reason;
  for (const auto& row : table(published() / "sizes.tsv")) {
    const auto& name = row.at("definition");
    SCOPED_TRACE(name + " " + row.at("n"));
    const auto spec = parse(contents(published() / "definitions" / (name + ".dcj")), name).value;
    const auto projection =
        project_checked(explore_session(spec, name, numbers(published_arguments(name, std::stoi(row.at("n"))))));

    EXPECT_EQ(projection.problems.empty(), name != "tic-tac-toe");
    EXPECT_FALSE(projection.marked);
  }
}

}  // namespace
}  // namespace harrier::protocol
