#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <harrier/protocol/generate.hpp>
#include <harrier/protocol/parts.hpp>

#include "../litmus/so_many.hpp"
#include "runs.hpp"
#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

session_parts apart(const std::string& text, const std::string& name, const std::vector<int>& arguments = {},
                    std::size_t max_states = 0) {
  return explore_parts(parsed(text), name, numbers(arguments), max_states);
}
session_parts apart(const std::string& body) { return apart(session_p(body), "p"); }

std::vector<std::size_t> sizes(const session_parts& session) {
  std::vector<std::size_t> result;
  for (const auto& part : session.parts) result.push_back(part.graph.states());
  return result;
}

TEST(Parts, AreTheBranchesOfAParThatHaveNoRoleInCommon) {
  EXPECT_THAT(sizes(apart("(s/par (-->> T ::a ::b) (-->> U ::c ::d))")), ElementsAre(3U, 3U));
}

TEST(Parts, AreFoundBehindCallsChoicesAndBindings) {
  EXPECT_THAT(sizes(apart(with_roles("(s/defsession ::q [i] (s/if (< i 5) (s/par (-->> T (::w i) (::w (+ i 5)))"
                                     "                                           (::r (+ i 10)))))"
                                     "(s/defsession ::r [i] (s/let [j (+ i 5)] (-->> T (::w i) (::w j))))"
                                     "(s/defsession ::p [] (s/par-every [i (range 3)] (::q i)))"),
                          "p")),
              SizeIs(6));
}

TEST(Parts, MayHaveARoleInCommon) {
  EXPECT_THAT(sizes(apart("(s/par (s/* (-->> A ::a ::c)) (s/* (-->> B ::b ::c)))")), SizeIs(2)) << "two producers";
  EXPECT_THAT(sizes(apart("(s/par (s/* (-->> A ::a ::b)) (s/* (-->> B ::b ::c)) (s/* (-->> C ::c ::d)))")), SizeIs(3))
      << "a pipeline";
}

TEST(Parts, KeepTogetherBranchesThatAreConnectedByRolesInTwoWaysNowOrLater) {
  const auto session =
      apart("(s/par (-->> T ::a ::b) (-->> U ::c ::d) (s/cat (-->> T ::w (::w 1)) (-->> T ::w ::b) (-->> T ::b ::a)))");

  EXPECT_THAT(sizes(session), SizeIs(2));
  EXPECT_THAT(sizes(apart("(s/par (-->> A ::a ::b) (-->> B ::b ::c) (-->> C ::c ::a) (-->> D ::a ::d))")), SizeIs(2))
      << "three are on a ring";
}

// Each of the two is without fault; what they do together is in no run of the session.
TEST(Parts, KeepTogetherTwoBranchesWhoseOrdersContradictEachOther) {
  const auto together =
      apart("(s/par (s/cat (-->> X ::d ::a) (-->> Y ::c ::b)) (s/cat (-->> U ::c ::w) (-->> V ::d ::w)))");
  const auto projection = project_checked(together);

  EXPECT_THAT(together.parts, SizeIs(1));
  ASSERT_THAT(projection.problems, Not(IsEmpty()));
}

TEST(Parts, OfWhatIsNoParAreTheWholeSession) {
  const auto whole = session(session_p("(s/* (-->> T ::a ::b) (-->> U ::c ::d))"), "p");
  const auto one = apart("(s/* (-->> T ::a ::b) (-->> U ::c ::d))");

  EXPECT_THAT(sizes(one), ElementsAre(whole.graph.states()));
  EXPECT_EQ(one.names.roles(), whole.terms->names().roles());
}

TEST(Parts, OfASessionWithoutAnEndStopAtTheLimitOfStates) {
  const auto endless = with_roles(
      "(s/defsession ::q [r x] (s/cat (-->> T (::a r) (::b r)) (::q r (inc x))))"
      "(s/defsession ::p [] (s/par (::q 0 0) (::q 1 0)))");

  EXPECT_FALSE(apart(endless, "p", {}, 1000).complete);
  EXPECT_LE(apart(endless, "p", {}, 1000).states(), 1010U);
}

TEST(Parts, OfASessionThatCallsItselfWithoutAnActionAreTheWhole) {
  EXPECT_THAT(apart(session_p("(s/par (::p) (-->> T ::a ::b))"), "p", {}, 100).parts, SizeIs(1));
}

TEST(Parts, StopWhenTheyAreAskedTo) {
  EXPECT_FALSE(explore_parts(parsed(session_p("(s/par (-->> T ::a ::b) (-->> U ::c ::d))")), "p", {}, 0, [] {
                 return true;
               }).complete);
}

std::vector<std::string> in_words(const std::vector<diagnostic>& diagnostics) {
  std::vector<std::string> result;
  for (const auto& d : diagnostics) result.push_back(to_string(d));
  return result;
}

// The states in the order in which a search of the machine meets them, and moves by what is done, so that no numbers
// make a difference.
local_machine in_order(const local_machine& machine, const alphabet& names) {
  local_machine result{machine.role, {}};
  std::map<std::uint32_t, std::uint32_t> numbers{{0, 0}};
  std::vector<std::uint32_t> states{0};
  for (std::size_t s = 0; s < states.size(); ++s) {
    auto moves = machine.states[states[s]];
    std::sort(moves.begin(), moves.end(), [&](const auto& a, const auto& b) {
      return std::pair(names.describe(a.what), a.mark) < std::pair(names.describe(b.what), b.mark);
    });
    for (auto& m : moves) {
      const auto [place, is_new] = numbers.try_emplace(m.next, static_cast<std::uint32_t>(states.size()));
      if (is_new) states.push_back(m.next);
      m.next = place->second;
    }
    result.states.push_back(std::move(moves));
  }
  return result;
}

// By name of the role, so that its number makes no difference.
std::map<std::string, std::vector<std::vector<std::string>>> in_words(const checked_projection& projection) {
  std::map<std::string, std::vector<std::vector<std::string>>> result;
  for (const auto& m : projection.machines) {
    auto& states = result[projection.names.roles()[m.role]];
    for (const auto& moves : in_order(m, projection.names).states) {
      auto& all = states.emplace_back();
      for (const auto& move : moves) {
        all.push_back(projection.names.describe(move.what) + " then " + std::to_string(move.next) + " line " +
                      std::to_string(move.at.line) + ":" + std::to_string(move.at.column));
      }
    }
  }
  return result;
}

TEST(Parts, HaveTheWarningsOfTheWhole) {
  const auto text = session_p(
      "(s/par (s/alt (-->> T ::a ::b) (-->> T ::b ::a)) (s/cat (-->> T ::c ::d) (s/alt (-->> T ::c ::d) (-->> U ::d "
      "::c))) (s/alt-every [i (range 0)] (-->> T ::w ::w)))");

  EXPECT_THAT(in_words(review(apart(text, "p"))), UnorderedElementsAreArray(in_words(review(session(text, "p")))));
}

TEST(Parts, OfManyBranchesAreProjectedWithoutTheirProduct) {
  const auto session =
      apart(with_roles(
                "(s/defsession ::p [n] (s/par-every [i (range n)] (-->> T (::a i) (::b i)) (-->> U (::b i) (::a i))))"),
            "p", {40});
  const auto projection = project_checked(session);

  EXPECT_EQ(session.states(), 40U * 5U);
  EXPECT_THAT(projection.machines, SizeIs(80));
  EXPECT_THAT(projection.problems, IsEmpty());
}

// Which role may wait for ever depends on whether the others' parts end.
class Streams : public testing::TestWithParam<const char*> {};

TEST_P(Streams, AreProjectedAndDoWhatTheSessionDoes) {
  const auto text = session_p(GetParam());
  const auto projection = project_checked(apart(text, "p"));
  const auto s = session(text, "p");
  const runs_of_session runs(s);

  ASSERT_THAT(projection.problems, IsEmpty());
  EXPECT_EQ(runs_of_machines(runs, projection, 6).failure, "") << "is in no run of the session";
  EXPECT_EQ(runs_lost(runs, projection, 6).failure, "") << "is lost";
}

INSTANTIATE_TEST_SUITE_P(Parts, Streams,
                         testing::Values("(s/par (s/* (-->> A ::a ::c)) (s/* (-->> B ::b ::c)))",
                                         "(s/par (s/* (-->> A ::a ::b)) (s/* (-->> B ::b ::c)))",
                                         "(s/par (s/* (-->> A ::a ::b)) (s/* (-->> B ::a ::c) (-->> C ::a ::c)))"));

TEST(Parts, OfAPoolWhoseWorkersShareTheirMasterAreProjectedOneByOne) {
  const auto session =
      apart(with_roles("(s/defsession ::p [n] (s/par-every [i (range n)]"
                       " (s/* [(-->> Ask ::a (::w i)) (-->> Answer (::w i) ::a)] (-->> Stop ::a (::w i)))))"),
            "p", {6});
  const auto projection = project_checked(session);

  ASSERT_THAT(projection.problems, IsEmpty());
  EXPECT_THAT(session.parts, SizeIs(6));
  EXPECT_EQ(projection.machines[0].states.size(), 729U) << "the master may be in one of three places with each";
}

TEST(Parts, WarnOfRolesThatAreNotToldOfTheEndAsTheWholeDoes) {
  const std::string ends = "(s/* (-->> T ::a ::b) (-->> U ::a ::c))";
  for (const std::string other : {"(-->> T ::w ::d)", "(s/loop :l [] (-->> T ::w ::d) (s/recur :l))"}) {
    const auto text = session_p("(s/par " + ends + other + ")");
    const auto whole = project_checked(session(text, "p"));
    const auto parts = project_checked(apart(text, "p"));

    EXPECT_EQ(parts.open_ends.size(), whole.open_ends.size()) << other;
    for (std::size_t i = 0; i < whole.open_ends.size(); ++i) {
      EXPECT_EQ(parts.open_ends[i].role, whole.open_ends[i].role);
      EXPECT_EQ(parts.open_ends[i].message, whole.open_ends[i].message);
    }
  }
}

TEST(Parts, GiveTheModuleOfTheWhole) {
  generate_options options;
  options.mode = module_mode::liberal_checked;
  const auto text = session_p(
      "(s/par (-->> T ::d ::c) (s/* (-->> V ::a ::b) (-->> U ::a ::b)) (s/par-every [i (range 2)]"
      " (-->> T (::w i) (::w (+ i 2))) (-->> W (::w (+ i 2)) (::w i))))");
  const auto whole = generate(session(text, "p"), "p", options);
  const auto parts = generate(apart(text, "p"), "p", options);

  EXPECT_NE(whole.code, "");
  EXPECT_EQ(parts.code, whole.code);
  EXPECT_EQ(machine_of(apart(text, "p"), "w_3_", options).first, machine_of(session(text, "p"), "w_3_", options).first);
}

// Only the part that needs them has marks; of the whole both would.
TEST(Parts, MarkMessagesWhereTheTypeDoesNotTellTheBranch) {
  const auto text = session_p(
      "(s/par (s/alt (s/cat (-->> X ::a ::b) (-->> T ::b ::c) (-->> X ::c ::d))"
      "              (s/cat (-->> Y ::a ::b) (-->> T ::b ::c) (-->> Y ::c ::d)))"
      "       (s/cat (-->> T ::w (::w 1)) (-->> T ::w (::w 1))))");
  const auto s = session(text, "p");
  const auto projection = project_checked(apart(text, "p"));
  const runs_of_session runs(s);

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_TRUE(projection.marked);
  EXPECT_EQ(runs_of_machines(runs, projection, 8).failure, "") << "is in no run of the session";
  EXPECT_EQ(runs_lost(runs, projection, 8).failure, "") << "is lost";
}

// Three random sessions beside each other, of which some have roles in common.
std::string random_branches(unsigned seed) {
  random_protocol first(seed);
  random_protocol second(seed + 10'000, {{"::d", "::e", "::f"}, "::u", "::anew"});
  random_protocol third(seed + 20'000, {{"::x", "::y", seed % 3 == 0 ? "::a" : "::z"}, "::t", "::afresh"});
  const auto called = first.called() + second.called() + third.called();
  return called + session_p("(s/par " + first.term(2) + " " + second.term(2) + " " + third.term(1) + ")");
}

TEST(Parts, OfRandomSessionsAreProjectedAsTheWholeIs) {
  int accepted = 0;
  int refused = 0;
  for (unsigned seed = 0; seed < litmus::so_many(90); ++seed) {
    const auto text = random_branches(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto s = session(text, "p", {}, 600);
    if (!s.graph.complete()) continue;
    const auto in_parts = apart(text, "p");
    ASSERT_EQ(in_parts.names.roles().size(), s.terms->names().roles().size());
    const auto whole = project_checked(s, patience(4000));
    const auto parts = project_checked(in_parts, patience(4000));
    if (!whole.complete || !parts.complete) continue;
    if (whole.problems.empty()) {
      ++accepted;
      EXPECT_THAT(parts.problems, IsEmpty());
      EXPECT_EQ(parts.open_ends.size(), whole.open_ends.size());
      EXPECT_EQ(in_words(parts), in_words(whole));
    } else if (whole.problems[0].refuted) {
      ++refused;
      ASSERT_THAT(parts.problems, Not(IsEmpty()));
      const auto& p = parts.problems[0];
      const runs_of_session runs(s);
      EXPECT_TRUE(p.refuted);
      EXPECT_FALSE(runs.explain(runs.in_history(p.wrong, p.what), false)) << p.message;
      EXPECT_TRUE(runs.explain(runs.in_history(p.right, p.what), false)) << p.message;
    }
  }
  EXPECT_GT(accepted, 15);
  EXPECT_GT(refused, 5);
  RecordProperty("accepted", accepted);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace harrier::protocol
