#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/protocol/check.hpp>
#include <harrier/protocol/proposition.hpp>

#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

alphabet some_names() {
  alphabet names;
  static_cast<void>(names.role("worker[0]"));
  static_cast<void>(names.role("master"));
  static_cast<void>(names.type("game.Move"));
  return names;
}

bool holds(const std::string& text, const action& a) {
  std::vector<diagnostic> diagnostics;
  const auto names = some_names();
  const bool result = parse_proposition(text, names, diagnostics).holds(a, names);
  EXPECT_THAT(to_string(diagnostics), IsEmpty());
  return result;
}

std::string complaint(const std::string& text) {
  std::vector<diagnostic> diagnostics;
  static_cast<void>(parse_proposition(text, some_names(), diagnostics));
  return to_string(diagnostics);
}

const action sent{action_kind::send, 0, 1, 0};
const action received{action_kind::receive, 0, 1, 0};
const action closed{action_kind::close, 0, 1, no_type};
const action handed{action_kind::handshake, 0, 1, 0};

TEST(Proposition, NamesRoleVerbTypeAndTheOtherRole) {
  EXPECT_TRUE(holds("worker_0_ SEND <Move> TO master", sent));
  EXPECT_TRUE(holds("worker[0] send game.move to MASTER", sent));
  EXPECT_TRUE(holds("master RECV Move FROM worker_0_", received));
  EXPECT_FALSE(holds("worker_0_ RECV Move", received)) << "the receiver is the subject";
  EXPECT_FALSE(holds("worker_0_ SEND", received));
}

TEST(Proposition, TakesAStarOrNothingForAnything) {
  EXPECT_TRUE(holds("* SEND * TO *", sent));
  EXPECT_TRUE(holds("* RECV", received));
}

TEST(Proposition, HoldsOfNoCloseAndOfBothSidesOfAHandshake) {
  EXPECT_FALSE(holds("* SEND", closed));
  EXPECT_TRUE(holds("worker_0_ SEND", handed));
  EXPECT_TRUE(holds("master RECV", handed));
}

TEST(Proposition, WarnsOfRolesAndTypesThatThereAreNot) {
  EXPECT_THAT(complaint("worker_0 SEND Move"),
              HasSubstr("no role `worker_0` in this session; this holds nowhere (expected worker_0_)"));
  EXPECT_THAT(complaint("master SEND Ask TO *"), HasSubstr("no type `Ask`"));
}

TEST(Proposition, RejectsWhatIsAboutNoAction) {
  EXPECT_THAT(complaint("master SEND Move TO"), HasSubstr("is not a proposition"));
  EXPECT_THAT(complaint("master sends"), HasSubstr("role SEND|RECV type [TO|FROM role]"));
}

std::vector<std::optional<bool>> verdicts(explored_session& s, const std::string& name, module_mode mode,
                                          checked_thing what, const std::vector<std::string>& formulas,
                                          property_options options = {}) {
  generate_options module;
  module.mode = mode;
  std::vector<std::optional<bool>> result;
  for (const auto& v : check_session(s, name, module, what, formulas, options).properties) result.push_back(v.holds);
  return result;
}

property_options ending(run_ends ends) {
  property_options options;
  options.ends = ends;
  return options;
}

TEST(Check, ReadsEndsInThreeWays) {
  auto s = session(session_p("(-->> T ::a ::b)"), "p");
  const std::vector<std::string> formulas{"F \"b SEND\"", "G (\"a SEND\" | \"b RECV\")", "X X true"};

  EXPECT_THAT(verdicts(s, "p", module_mode::strict, checked_thing::definition, formulas, ending(run_ends::ignore)),
              ElementsAre(true, true, true));
  EXPECT_THAT(verdicts(s, "p", module_mode::strict, checked_thing::definition, formulas, ending(run_ends::stutter)),
              ElementsAre(false, false, true));
  EXPECT_THAT(verdicts(s, "p", module_mode::strict, checked_thing::definition, formulas, ending(run_ends::finite)),
              ElementsAre(false, true, false));
}

property_report report_on(explored_session s, const std::string& formula, const property_options& options = {}) {
  const std::string formulas[] = {formula};
  return check_session(s, "p", {}, checked_thing::definition, formulas, options);
}

const char* const ends_always = "(-->> T ::a ::b)";
const char* const may_end = "(s/* (-->> T ::a ::b) (-->> U ::a ::b))";

TEST(Check, ReadsRunsAsTheyAreIfAllEndAndNobodySaysOtherwise) {
  const auto ending_one = report_on(session(session_p(ends_always), "p"), "false");
  EXPECT_EQ(ending_one.ends, run_ends::finite);
  EXPECT_EQ(ending_one.infinite_runs, false);
  EXPECT_EQ(ending_one.properties[0].holds, false);

  const auto other = report_on(session(session_p(may_end), "p"), "G !\"a SEND U\"");
  EXPECT_EQ(other.ends, run_ends::ignore);
  EXPECT_EQ(other.infinite_runs, true);
  EXPECT_EQ(other.properties[0].holds, true);
}

TEST(Check, SaysThatAllHoldsWhereNoRunCounts) {
  const auto report = report_on(session(session_p(ends_always), "p"), "false", ending(run_ends::ignore));

  EXPECT_EQ(report.properties[0].holds, true);
  EXPECT_TRUE(report.no_run_counts);
  EXPECT_THAT(report.properties[0].note, HasSubstr("all runs end, and runs that end do not count"));
  EXPECT_EQ(report_on(session(session_p(ends_always), "p"), "true", ending(run_ends::stutter)).properties[0].note, "");
}

TEST(Check, SaysThatAllHoldsWhereTheFairRunsEnd) {
  property_options fair;
  fair.fair = true;
  const auto s = session_p("(s/loop :l [] (s/alt (s/cat (s/close ::a ::b) (s/recur :l)) (s/close ::c ::d)))");
  const auto report = report_on(session(s, "p"), "false", fair);

  EXPECT_EQ(report.infinite_runs, true);
  EXPECT_TRUE(report.no_run_counts);
  EXPECT_THAT(report.properties[0].note, HasSubstr("no run that is fair is infinite"));
}

TEST(Check, LeavesOpenWhetherAllRunsEndWhereALimitCutTheSearch) {
  property_options options;
  options.max_states = 10;
  explored_session s = explore_session(
      parsed(with_roles("(s/defsession ::p [x] (s/cat (-->> T ::a ::b) (::p (inc x))))")), "p", numbers({0}), 10);
  const auto report = report_on(std::move(s), "true", options);

  EXPECT_EQ(report.infinite_runs, std::nullopt);
  EXPECT_EQ(report.ends, run_ends::ignore);
  EXPECT_FALSE(report.no_run_counts);
}

std::string note_on(const std::string& formula, run_ends ends) {
  const auto report = report_on(session(session_p(may_end), "p"), formula, ending(ends));
  return report.properties[0].holds == true ? report.properties[0].note : "does not hold";
}

TEST(Check, SaysWhatNeverHappensIfThatIsWhyAFormulaHolds) {
  EXPECT_THAT(note_on("G (\"b SEND\" -> F \"c SEND\")", run_ends::ignore),
              HasSubstr("\"b SEND\" is true of no action of the runs that count"));
  EXPECT_THAT(note_on("F \"a SEND\" & G (\"b SEND\" -> false)", run_ends::ignore), "");
  EXPECT_THAT(note_on("F \"a SEND\" & G (\"b SEND\" -> F \"c SEND\")", run_ends::ignore), HasSubstr("\"b SEND\""));
  EXPECT_THAT(note_on("G (F \"c SEND\" | (\"a SEND\" | \"b RECV\"))", run_ends::ignore), HasSubstr("of every action"));
  EXPECT_THAT(note_on("G ((\"a SEND\" & \"b RECV\") -> X \"b SEND\")", run_ends::ignore),
              HasSubstr("\"a SEND\" & \"b RECV\" is true of no action"));
}

TEST(Check, SaysNothingOfFormulasThatClaimThatSomethingNeverHappens) {
  for (const auto* formula : {"G !\"b SEND\"", "G (!\"b SEND\" & F \"a SEND\")", "G (\"a SEND\" -> X \"b RECV\")",
                              "F \"b SEND\" | F \"a SEND\"", "true"}) {
    EXPECT_EQ(note_on(formula, run_ends::ignore), "") << formula;
  }
}

// The message U ends the session.
TEST(Check, LooksOnlyAtActionsOfRunsThatCount) {
  const std::string formula = "G (\"a SEND U\" -> X \"b RECV U\")";

  EXPECT_THAT(note_on(formula, run_ends::ignore), HasSubstr("\"a SEND U\" is true of no action"));
  EXPECT_EQ(note_on(formula, run_ends::finite), "");
  EXPECT_EQ(note_on(formula, run_ends::stutter), "");
}

TEST(Check, NeverSaysThatAPropertyHoldsWhenALimitCutTheSearch) {
  auto s = session(with_roles("(s/defsession ::p [x] (s/alt (s/loop :l [] (-->> U ::c ::d) (s/recur :l))"
                              "                             (s/cat (-->> T ::a ::b) (::p (inc x)))))"),
                   "p", {0}, 100);
  property_options options;
  options.max_states = 100;

  EXPECT_THAT(
      verdicts(s, "p", module_mode::strict, checked_thing::definition, {"G !\"d SEND\"", "G !\"c SEND\""}, options),
      ElementsAre(std::nullopt, false));
}

TEST(Check, CountsOnlyFairRunsIfAsked) {
  auto s = session(session_p("(s/par (s/* (-->> T ::a ::b)) (-->> U ::c ::d))"), "p");
  property_options fair;
  fair.fair = true;
  const std::vector<std::string> formulas{"F \"c SEND\""};

  EXPECT_THAT(verdicts(s, "p", module_mode::strict, checked_thing::definition, formulas), ElementsAre(false));
  EXPECT_THAT(verdicts(s, "p", module_mode::strict, checked_thing::definition, formulas, fair), ElementsAre(true));
}

TEST(Check, CollectsAllMistakesInFormulas) {
  auto s = session(session_p("(-->> T ::a ::b)"), "p");
  try {
    static_cast<void>(verdicts(s, "p", module_mode::strict, checked_thing::definition, {"G (", "F \"nonsense\""}));
    FAIL();
  } catch (const property_error& e) {
    EXPECT_THAT(e.what(), ::testing::AllOf(HasSubstr("property 1:1:"), HasSubstr("property 2: error: \"nonsense\"")));
  }
}

struct known_answer {
  const char* definition;
  const char* session;
  std::vector<int> arguments;
  const char* formula;
  run_ends ends;
  bool strict;
  bool liberal;
};

class OwnDefinition : public ::testing::TestWithParam<known_answer> {};

TEST_P(OwnDefinition, HasTheRightVerdictFromGeneratedCodeAndFromTheDefinition) {
  const auto& p = GetParam();
  auto s = session(contents(own(p.definition)), p.session, p.arguments);
  for (const auto what : {checked_thing::module, checked_thing::definition}) {
    EXPECT_THAT(verdicts(s, p.session, module_mode::strict, what, {p.formula}, ending(p.ends)), ElementsAre(p.strict));
    EXPECT_THAT(verdicts(s, p.session, module_mode::liberal, what, {p.formula}, ending(p.ends)),
                ElementsAre(p.liberal));
  }
}

INSTANTIATE_TEST_SUITE_P(
    , OwnDefinition,
    ::testing::Values(
        known_answer{"token-ring",
                     "token-ring",
                     {4, 0},
                     "G(\"node_1_ RECV\" => X \"node_1_ SEND * TO node_2_\")",
                     run_ends::ignore,
                     true,
                     true},
        known_answer{"token-star",
                     "token-star",
                     {4},
                     "G(\"node_1_ RECV\" => X \"node_1_ SEND * TO node_2_\")",
                     run_ends::ignore,
                     false,
                     false},
        known_answer{"chess",
                     "chess",
                     {},
                     "G(\"white SEND\" -> X(!\"white SEND\" U \"black SEND\"))",
                     run_ends::finite,
                     true,
                     true},
        known_answer{"tic-tac-toe",
                     "tic-tac-toe",
                     {},
                     "G(\"player_1_ SEND\" => X(!\"player_1_ SEND\" U \"player_1_ RECV\"))",
                     run_ends::ignore,
                     true,
                     true},
        known_answer{"tic-tac-toe",
                     "tic-tac-toe",
                     {},
                     "G(\"player_1_ SEND\" => X(\"player_2_ RECV\"))",
                     run_ends::ignore,
                     true,
                     false},
        known_answer{"cg", "cg", {2}, "G !\"master SEND <Exit> TO *\"", run_ends::ignore, true, true},
        known_answer{"cg", "cg", {2}, "G !\"master SEND <Exit> TO *\"", run_ends::finite, false, false},
        known_answer{"cg",
                     "cg",
                     {2},
                     "G(\"master SEND * TO worker_0_\" => X(!\"master SEND\" U \"worker_0_ RECV\"))",
                     run_ends::ignore,
                     true,
                     false},
        known_answer{"go-fish", "go-fish", {3}, "F G !\"dealer SEND <Turn> TO *\"", run_ends::ignore, true, true}));

// What is published of the kernels CG and IS, for each kind of worker that a kernel has. A worker of one kind of
// several may never be asked for anything: then it answers nothing, for ever.
struct kind_of_worker {
  const char* session;
  const char* kind;
  const char* task;
  const char* until;
};

std::vector<std::string> eleven_formulas(const kind_of_worker& of) {
  std::vector<std::string> all{std::string("G(\"master SEND <Exit> TO *\" => G(!\"master SEND <") + of.task +
                               "> TO *\"))"};
  for (const char* number : {"_0_", "_1_"}) {
    const std::string worker = std::string(of.kind) + number;
    const std::string asked = "\"master SEND * TO " + worker + "\"";
    const std::string answers = "\"" + worker + " SEND <Done> TO master\"";
    const std::string takes = "\"" + worker + " RECV *\"";
    all.push_back("G(" + asked + " => X(!" + asked + " U \"* RECV *\"))");
    all.push_back("G(" + asked + " => X(F(" + takes + ")))");
    all.push_back("G(" + asked + " => X(!" + asked + " U " + answers + "))");
    all.push_back("G(" + asked + " => X(F(" + answers + ")))");
    all.push_back("!\"" + worker + " SEND * TO master\" " + of.until + " " + takes);
  }
  return all;
}

class KernelSession : public ::testing::TestWithParam<kind_of_worker> {};

TEST_P(KernelSession, KeepsTheElevenFormulas) {
  const auto& p = GetParam();
  auto s = session(contents(own(p.session)), p.session, {2});

  for (const auto mode : {module_mode::strict, module_mode::liberal_checked}) {
    EXPECT_THAT(verdicts(s, p.session, mode, checked_thing::definition, eleven_formulas(p)),
                ::testing::AllOf(::testing::SizeIs(11), ::testing::Each(true)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    , KernelSession,
    ::testing::Values(kind_of_worker{"cg", "worker", "Compute", "U"}, kind_of_worker{"is", "worker", "Rank", "U"},
                      kind_of_worker{"ft", "evolve", "Evolve", "W"}, kind_of_worker{"ft", "fft", "Fft", "W"},
                      kind_of_worker{"mg", "interp", "Interp", "W"}, kind_of_worker{"mg", "psinv", "Psinv", "W"},
                      kind_of_worker{"mg", "rprj", "Rprj", "W"}, kind_of_worker{"mg", "resid", "Resid", "W"}),
    [](const auto& instance) { return std::string(instance.param.session) + "_" + instance.param.kind; });

TEST(PublishedVerdicts, AreRightFromGeneratedCodeAndFromTheDefinition) {
  if (!is_published()) GTEST_SKIP() << skip_reason;
  const std::pair<run_ends, std::string> readings[] = {
      {run_ends::ignore, "ignore"}, {run_ends::stutter, "stutter"}, {run_ends::finite, "ltlf"}};
  std::map<std::string, std::vector<table_row>> by_definition;
  for (const auto& row : table(published() / "verdicts.tsv")) by_definition[row.at("definition")].push_back(row);
  for (const auto& [name, rows] : by_definition) {
    const auto spec = parse(contents(published() / "definitions" / (name + ".dcj")), name).value;
    auto s = explore_session(spec, name, numbers(published_arguments(name, std::stoi("0" + rows[0].at("n")))));
    std::vector<std::string> formulas;
    for (const auto& row : rows) formulas.push_back(contents(published() / row.at("formula")));
    for (const auto mode : {module_mode::strict, module_mode::liberal}) {
      for (const auto& [ends, column] : readings) {
        for (const auto what : {checked_thing::module, checked_thing::definition}) {
          const auto got = verdicts(s, name, mode, what, formulas, ending(ends));
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool truth = rows[i].at(std::string(to_string(mode)) + "_" + column)[0] == 'T';
            EXPECT_EQ(got[i], truth) << name << ' ' << rows[i].at("formula") << ' ' << to_string(mode) << ' ' << column;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace harrier::protocol
