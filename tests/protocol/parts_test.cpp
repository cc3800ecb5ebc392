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

// A machine for each branch that a role is in, however few states one for all of them had.
checked_projection with_many_machines(const session_parts& parts, int questions = 4000) {
  auto watch = patience(questions);
  watch.largest_product = 1;
  return project_checked(parts, watch);
}
checked_projection with_one_machine_each(checked_projection projection) {
  std::vector<local_machine> all;
  for (role_id r = 0; r < projection.names.roles().size(); ++r) {
    std::vector<local_machine> of_role;
    for (const auto& m : projection.machines) {
      if (m.role == r) of_role.push_back(m);
    }
    all.push_back(in_one(std::move(of_role), projection.names));
  }
  projection.machines = std::move(all);
  return projection;
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
  const auto s = session(text, "p");
  const runs_of_session runs(s);

  for (const auto& projection : {project_checked(apart(text, "p")), with_many_machines(apart(text, "p"))}) {
    ASSERT_THAT(projection.problems, IsEmpty());
    EXPECT_EQ(runs_of_machines(runs, projection, 6).failure, "") << "is in no run of the session";
    EXPECT_EQ(runs_lost(runs, projection, 6).failure, "") << "is lost";
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, Streams,
                         testing::Values("(s/par (s/* (-->> A ::a ::c)) (s/* (-->> B ::b ::c)))",
                                         "(s/par (s/* (-->> A ::a ::b)) (s/* (-->> B ::b ::c)))",
                                         "(s/par (s/* (-->> A ::a ::b)) (s/* (-->> B ::a ::c) (-->> C ::a ::c)))"));

TEST(Parts, OfAPoolWhoseWorkersShareTheirMasterAreProjectedOneByOne) {
  const auto pool = with_roles(
      "(s/defsession ::p [n] (s/par-every [i (range n)]"
      " (s/* [(-->> Ask ::a (::w i)) (-->> Answer (::w i) ::a)] (-->> Stop ::a (::w i)))))");
  const auto small = project_checked(apart(pool, "p", {4}));
  const auto large = project_checked(apart(pool, "p", {64}));

  ASSERT_THAT(small.problems, IsEmpty());
  EXPECT_THAT(apart(pool, "p", {64}).parts, SizeIs(64));
  ASSERT_THAT(small.machines, SizeIs(5));
  EXPECT_EQ(small.machines[0].states.size(), 81U) << "the master may be in one of three places with each";
  ASSERT_THAT(large.machines, SizeIs(128)) << "the master has one for each";
  for (const auto& m : large.machines) EXPECT_THAT(m.states, SizeIs(3));
}

TEST(Parts, OfARoleAreOneMachineWhereTheyMustBeUnlessThatIsTooLarge) {
  const auto pool = with_roles(
      "(s/defsession ::p [n] (s/par (s/cat (-->> Go ::a ::b)"
      " (s/par-every [i (range n)] (s/cat (-->> Ask ::a (::w i)) (-->> Answer (::w i) ::a))) (-->> End ::a ::b))"
      " (-->> Other ::a ::c)))");
  std::string said;
  try {
    static_cast<void>(project_checked(apart(pool, "p", {16})));
  } catch (const error& e) {
    said = e.what();
  }

  ASSERT_THAT(project_checked(apart(pool, "p", {5})).machines, SizeIs(9)) << "two of a, and one of each other role";
  EXPECT_EQ(said,
            "the session cannot be projected to a: it has 16 machines beside each other, which must be one for that, "
            "and together they have more than 1000000 states");
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
  int several = 0;
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
      const auto many = with_many_machines(in_parts);
      several += many.machines.size() > parts.machines.size() ? 1 : 0;
      EXPECT_EQ(in_words(with_one_machine_each(many)), in_words(whole));
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
  EXPECT_GT(several, 3) << "a role has several machines";
  EXPECT_GT(refused, 5);
  RecordProperty("accepted", accepted);
  RecordProperty("refused", refused);
}

// What all do, in which order, is what the definition says, with as much room as it says.
class Channels : public testing::TestWithParam<const char*> {};

TEST_P(Channels, AreProjectedOneByOneAndDoWhatTheSessionDoes) {
  const std::string body = GetParam();
  auto with_capacity = [&](const std::string& capacity) {
    auto text = body;
    for (auto at = text.find('K'); at != std::string::npos; at = text.find('K')) text.replace(at, 1, capacity);
    return session_p(text);
  };
  const auto parts = apart(with_capacity("2"), "p");
  const auto projection = project_checked(parts);
  const auto s = session(with_capacity("2"), "p");
  const runs_of_session runs(s);

  ASSERT_THAT(projection.problems, IsEmpty());
  EXPECT_GT(parts.parts.size(), 1U);
  EXPECT_EQ(runs_of_machines(runs, projection, 7).failure, "") << "is in no run of the session";
  EXPECT_EQ(runs_lost(runs, projection, 7).failure, "") << "is lost";
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Channels,
    testing::Values(
        "(s/par (s/channel ::a ::b K (s/* (-->> T ::a ::b))) (s/channel ::b ::a K (s/* (-->> U ::b ::a))))",
        "(s/par (s/channel ::a ::b K (s/* (-->> T ::a ::b) (-->> U ::a ::b))) (s/channel ::b ::a K (s/* (-->> T ::b "
        "::a) (-->> U ::b ::a))))",
        "(s/par (s/channel ::a ::b K (s/* (-->> T ::a ::b))) (s/channel ::b ::c K (s/* (-->> T ::b ::c)))"
        " (s/channel ::c ::a K (s/* (-->> T ::c ::a))))",
        "(s/cat (-->> T ::a ::b) (s/par (s/channel ::a ::b K (-->> T ::a ::b) (-->> U ::a ::b)) (s/channel ::b ::a K"
        " (-->> T ::b ::a) (-->> T ::b ::a))) (-->> V ::b ::a))",
        "(s/par (s/channel ::a ::b K (s/* (-->> T ::a ::b))) (s/channel ::b ::a K (s/* (-->> U ::b ::a)))"
        " (s/* (-->> V ::d ::a)))"));

// Two messages that are no channel's may be under way at once where the channel behind them holds one.
TEST(Channels, HaveRoomForWhatIsUnderWayBeforeThem) {
  const auto text = session_p(
      "(s/cat (s/par (-->> U ::a ::c) (-->> U ::a ::c)) (-->> T ::c ::a) (s/par (s/channel ::a ::c 1 (-->> T ::a ::c)"
      " (-->> T ::a ::c)) (s/channel ::c ::a 1 (-->> T ::c ::a))))");
  const auto parts = apart(text, "p");
  const auto projection = project_checked(parts);
  const auto s = session(text, "p");

  ASSERT_THAT(projection.problems, IsEmpty());
  EXPECT_GT(parts.parts.size(), 2U);
  EXPECT_EQ(projection.rooms, project_checked(s).rooms);
  EXPECT_EQ(projection.rooms.at({0, 1}), 2U);
  EXPECT_EQ(runs_lost(runs_of_session(s), projection, 7).failure, "") << "is lost";
}

// Channels beside and between other things, some of which have the same roles.
std::string random_channels(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return random() % n; };
  const auto message = [&](const std::string& from, const std::string& to) {
    return std::string("(-->> ") + (pick(3) == 0 ? "U " : "T ") + from + " " + to + ")";
  };
  const std::string roles[] = {"::a", "::b", "::c"};
  const auto branch = [&] {
    const auto& from = roles[pick(3)];
    const auto& to = roles[(static_cast<std::size_t>(&from - roles) + 1 + pick(2)) % 3];
    if (pick(3) == 0) return message(from, to);
    const auto one = message(from, to);
    const auto two = message(from, to);
    const std::string bodies[] = {"(s/* " + one + ")", "(s/* " + one + " " + two + ")", one + " " + two,
                                  "(s/alt " + one + " (s/cat " + two + " " + one + "))"};
    return "(s/channel " + from + " " + to + " " + std::to_string(1 + pick(2)) + " " + bodies[pick(4)] + ")";
  };
  const auto some = [&] { return pick(2) == 0 ? message("::a", "::b") : pick(2) == 0 ? branch() : std::string(); };
  const auto before = some();
  const auto beside = "(s/par " + branch() + " " + branch() + (pick(2) == 0 ? " " + branch() : "") + ")";
  return session_p("(s/cat " + before + " " + beside + " " + some() + ")");
}

// A bound that is what the session needs makes nobody wait for ever, and loses no run.
TEST(Channels, OfRandomSessionsHaveAsMuchRoomAsTheSessionNeeds) {
  int accepted = 0;
  int apart_accepted = 0;
  for (unsigned seed = 0; seed < litmus::so_many(60); ++seed) {
    const auto text = random_channels(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto s = session(text, "p", {}, 600);
    if (!s.graph.complete()) continue;
    const auto parts = apart(text, "p");
    const auto projection = project_checked(parts, patience(4000));
    if (!projection.complete || !projection.problems.empty()) continue;
    ++accepted;
    apart_accepted += parts.parts.size() > 1 ? 1 : 0;
    const runs_of_session runs(s);
    EXPECT_EQ(runs_of_machines(runs, projection, 6).failure, "") << "is in no run of the session";
    EXPECT_EQ(runs_lost(runs, projection, 7).failure, "") << "is lost";
  }
  EXPECT_GT(accepted, 15);
  EXPECT_GT(apart_accepted, 5);
  RecordProperty("accepted", accepted);
}

TEST(Parts, AreOneWhereChannelsBetweenTheSameRolesAreBesideSomethingElseOfTheirs) {
  const auto parts = apart(
      "(s/par (s/channel ::a ::b 2 (s/* (-->> T ::a ::b))) (s/channel ::b ::a 2 (s/* (-->> U ::b ::a)))"
      " (s/* (-->> V ::a ::b)))");

  EXPECT_THAT(parts.parts, SizeIs(1));
}

bool has(arrangement::form form, const arrangement& order) {
  return order.is == form ||
         std::any_of(order.of.begin(), order.of.end(), [&](const arrangement& part) { return has(form, part); });
}
bool has_sequence(const session_parts& session) { return has(arrangement::form::sequence, session.order); }

// A node has the results of two trees, puts them together, and tells the node above it.
constexpr auto reduction_tree =
    "(s/defsession ::t [i n] (s/if (<= (+ i i 2) n) [(s/par (::t (+ i i 1) n) (::t (+ i i 2) n))"
    "   (-->> Sum (::w (+ i i 1)) (::w i)) (-->> Sum (::w (+ i i 2)) (::w i))]))";

TEST(Parts, AreFoundBelowWhatFollowsThem) {
  const auto session = apart(with_roles(reduction_tree), "t", {0, 30});
  const auto projection = project_checked(session);

  EXPECT_LT(session.states(), 200U) << "the product has more than a million";
  EXPECT_THAT(projection.machines, SizeIs(31));
  ASSERT_THAT(projection.problems, IsEmpty());
  for (const auto& m : projection.machines) EXPECT_LE(m.states.size(), 4U);
}

TEST(Parts, AreFoundBelowWhatIsBeforeThem) {
  const auto session =
      apart(with_roles("(s/defsession ::t [i n] (s/if (<= (+ i i 2) n) [(-->> Do (::w i) (::w (+ i i 1)))"
                       "  (-->> Do (::w i) (::w (+ i i 2))) (s/par (::t (+ i i 1) n) (::t (+ i i 2) n))]))"),
            "t", {0, 30});

  EXPECT_LT(session.states(), 200U);
  EXPECT_THAT(project_checked(session).problems, IsEmpty());
}

class Sequences : public testing::TestWithParam<const char*> {};

TEST_P(Sequences, AreTakenApartAndDoWhatTheSessionDoes) {
  const auto text = session_p(GetParam());
  const auto parts = apart(text, "p");
  const auto s = session(text, "p");
  const runs_of_session runs(s);

  EXPECT_TRUE(has_sequence(parts));
  for (const auto& projection : {project_checked(parts), with_many_machines(parts)}) {
    ASSERT_THAT(projection.problems, IsEmpty());
    EXPECT_EQ(runs_of_machines(runs, projection, 7).failure, "") << "is in no run of the session";
    EXPECT_EQ(runs_lost(runs, projection, 7).failure, "") << "is lost";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Sequences,
    testing::Values("(s/cat (-->> T ::a ::b) (s/par (-->> T ::a ::c) (-->> U ::b ::d)))",
                    "(s/cat (s/par (-->> T ::a ::b) (-->> U ::c ::d)) (-->> T ::a ::b) (-->> T ::b ::c))",
                    "(s/cat (s/par [(-->> T ::a ::b) (-->> T ::b ::a)] (-->> U ::c ::d)) (s/* (-->> T ::a ::b)))",
                    "(s/cat (s/* [(-->> T ::a ::b) (-->> T ::b ::c)] [(-->> U ::a ::b) (-->> U ::b ::c)])"
                    "       (s/par (s/* (-->> T ::a ::b)) (s/* (-->> A ::c ::d))))",
                    "(s/par (s/cat (s/par (-->> T ::a ::b) (-->> U ::c ::d)) (-->> U ::a ::c)) (-->> V ::a ::w))",
                    // a has two things beside each other, something before and behind them, and two once more
                    "(s/cat (-->> T ::a ::b) (s/par [(-->> T ::a ::b) (-->> U ::b ::a)] [(-->> T ::a ::c) (-->> U ::c"
                    " ::a)]) (s/par (-->> V ::a ::b) (-->> W ::c ::a)))",
                    // and in one of them again
                    "(s/par (-->> W ::w ::a) (s/cat (s/par (-->> T ::a ::b) (-->> U ::c ::a)) (-->> V ::a ::b)))"));

class Joined : public testing::TestWithParam<const char*> {};

TEST_P(Joined, IsWhatCannotBeTakenApart) {
  const auto parts = apart(GetParam());

  EXPECT_FALSE(has_sequence(parts));
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Joined,
    testing::Values(
        // b does not know when the first part is over
        "(s/cat (s/* (-->> T ::a ::b)) (s/par (-->> T ::a ::c) (-->> U ::b ::d)))",
        // the first part need not come to an end
        "(s/cat (s/alt (s/loop :l [] (-->> T ::a ::b) (s/recur :l)) [(-->> U ::a ::b)]) (s/par (-->> T ::a ::c)"
        " (-->> U ::b ::d)))",
        // b waits for a or for c, and a may send the same message later
        "(s/cat (s/alt [(-->> X ::c ::a) (-->> T ::a ::b)] [(-->> Y ::c ::a) (-->> Z ::c ::b)])"
        " (s/par (-->> T ::a ::b) (-->> U ::c ::d)))",
        // the loop is a part of itself
        "(s/loop :l [] (s/par (-->> T ::a ::b) (-->> U ::c ::d)) (s/recur :l))"));

TEST(Parts, ThatCannotBeToldFromWhatFollowsAreToldByMarksOfTheWhole) {
  const auto text = session_p(
      "(s/cat (s/alt [(-->> X ::c ::a) (-->> T ::a ::b)] [(-->> Y ::c ::a) (-->> Z ::c ::b)])"
      " (s/par (-->> T ::a ::b) (-->> U ::c ::d)))");
  const auto projection = project_checked(apart(text, "p"));
  const auto s = session(text, "p");
  const runs_of_session runs(s);

  EXPECT_THAT(projection.problems, IsEmpty());
  EXPECT_TRUE(projection.marked);
  EXPECT_EQ(runs_of_machines(runs, projection, 8).failure, "") << "is in no run of the session";
}

TEST(Parts, ThatAreRefusedAreSoWithWhatIsBeforeThem) {
  const auto text =
      session_p("(s/cat (s/par (-->> T ::a ::b) (-->> U ::c ::d)) (s/alt (-->> X ::a ::b) (-->> Y ::b ::a)))");
  const auto parts = apart(text, "p");
  const auto projection = project_checked(parts);
  const auto s = session(text, "p");
  const runs_of_session runs(s);

  ASSERT_TRUE(has_sequence(parts));
  ASSERT_THAT(projection.problems, Not(IsEmpty()));
  const auto& p = projection.problems[0];
  EXPECT_TRUE(p.refuted);
  EXPECT_FALSE(runs.explain(runs.in_history(p.wrong, p.what), false));
  EXPECT_TRUE(runs.explain(runs.in_history(p.right, p.what), false));
  EXPECT_THAT(in_words(review(parts)), UnorderedElementsAreArray(in_words(review(s))));
}

TEST(Parts, OfASequenceGiveTheModuleOfTheWhole) {
  generate_options options;
  options.mode = module_mode::liberal_checked;
  const auto text = session_p(
      "(s/cat (-->> T ::a ::c) (s/par [(-->> T ::a ::b) (-->> U ::b ::a)] (-->> U ::c ::d)) (-->> T ::a ::b)"
      "       (-->> V ::b ::d))");
  const auto parts = apart(text, "p");

  ASSERT_TRUE(has_sequence(parts));
  EXPECT_EQ(generate(parts, "p", options).code, generate(session(text, "p"), "p", options).code);
}

// Something before, something after, and in between two things beside each other, which may be such things in turn.
std::string random_sequence(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return random() % n; };
  random_protocol first(seed);
  random_protocol second(seed + 10'000, {{"::d", pick(2) == 0 ? "::a" : "::e", "::f"}, "::u", "::anew"});
  random_protocol third(seed + 20'000, {{"::x", pick(3) == 0 ? "::a" : "::y", "::z"}, "::t", "::afresh"});
  random_protocol around(seed + 30'000, {{"::a", "::d", pick(2) == 0 ? "::b" : "::x"}, "::s", "::over"});
  const auto called = first.called() + second.called() + third.called() + around.called();
  const auto depth = static_cast<int>(pick(3));
  const auto inner = "(s/par " + first.term(depth) + " " + second.term(1) + ")";
  const auto one = pick(2) == 0 ? "(s/cat " + first.term(1) + " " + inner + ")" : inner;
  const auto both = "(s/par " + one + " " + third.term(static_cast<int>(pick(2))) + ")";
  const auto before = pick(2) == 0 ? around.term(static_cast<int>(pick(2))) + " " : "";
  const auto after = pick(2) == 0 ? " " + around.term(static_cast<int>(pick(3))) : "";
  return called + session_p("(s/cat " + before + both + after + ")");
}

TEST(Parts, OfRandomSequencesAreProjectedAsTheWholeIs) {
  int taken_apart = 0;
  int accepted = 0;
  int several = 0;
  int refused = 0;
  for (unsigned seed = 0; seed < litmus::so_many(200); ++seed) {
    const auto text = random_sequence(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const auto s = session(text, "p", {}, 300);
    if (!s.graph.complete()) continue;
    const auto in_parts = apart(text, "p");
    ASSERT_EQ(in_parts.names.roles().size(), s.terms->names().roles().size());
    if (!has_sequence(in_parts)) continue;
    const auto whole = project_checked(s, patience(4000));
    const auto parts = project_checked(in_parts, patience(4000));
    if (!whole.complete || !parts.complete) continue;
    ++taken_apart;
    const runs_of_session runs(s);
    if (parts.problems.empty()) {
      ++accepted;
      EXPECT_EQ(runs_of_machines(runs, parts, 4).failure, "") << "is in no run of the session";
      EXPECT_EQ(runs_lost(runs, parts, 6).failure, "") << "is lost";
      EXPECT_TRUE(whole.problems.empty() || !whole.problems[0].refuted);
      const auto many = with_many_machines(in_parts);
      several += many.machines.size() > parts.machines.size() ? 1 : 0;
      EXPECT_EQ(in_words(with_one_machine_each(many)), in_words(parts));
      EXPECT_EQ(runs_of_machines(runs, many, 4).failure, "") << "is in no run of the session";
      EXPECT_EQ(runs_lost(runs, many, 6).failure, "") << "is lost";
      if (!whole.problems.empty()) continue;
      EXPECT_EQ(parts.open_ends.size(), whole.open_ends.size());
      if (!whole.marked) {
        EXPECT_EQ(in_words(parts), in_words(whole));
      }
    } else {
      EXPECT_FALSE(whole.problems.empty());
      const auto& p = parts.problems[0];
      if (!p.refuted) continue;
      ++refused;
      EXPECT_FALSE(runs.explain(runs.in_history(p.wrong, p.what), false)) << p.message;
      EXPECT_TRUE(runs.explain(runs.in_history(p.right, p.what), false)) << p.message;
    }
  }
  EXPECT_GT(taken_apart, 20);
  EXPECT_GT(accepted, 10);
  EXPECT_GT(several, 5) << "a role has several machines";
  EXPECT_GT(refused, 5);
  RecordProperty("taken_apart", taken_apart);
  RecordProperty("accepted", accepted);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace harrier::protocol
