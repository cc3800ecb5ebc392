// Temporal properties of actor programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "../litmus/random_program.hpp"
#include "../litmus/so_many.hpp"
#include "../property/oracle.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct store {
  int value = 0;
  void set(int v) { value = v; }
  int get() const { return value; }
};

struct client {
  ref<store> from;
  task start(self& me) {
    me.send<&store::set>(from, 5);
    co_await me.call<&store::get>(from);
    co_await me.call<&store::get>(from);
  }
};

void two_reads(self& me) { me.send<&client::start>(me.create<client>(me.create<store>())); }

exploration judged(const program& tested, monitor& judge, const std::string& engine = "exhaustive") {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.by = &judge;
  return explore(tested, how);
}

exploration judged(const program& tested, const std::string& formula, const std::string& engine = "exhaustive",
                   run_ends ends = run_ends::finite) {
  ltl_monitor judge(formula, ends);
  return judged(tested, judge, engine);
}

TEST(TemporalProperty, IsViolatedAtTheDeliveryAfterWhichThatIsCertain) {
  const auto result = judged(make_program(two_reads), R"(G !"store_0 RECV set")");

  ASSERT_THAT(result.findings, SizeIs(1));
  const auto& f = result.findings[0];
  EXPECT_EQ(f.kind, finding_kind::ltl);
  EXPECT_EQ(f.message, "G !\"store_0 RECV set\" is violated");
  EXPECT_EQ(f.actor, "store_0");
  EXPECT_EQ(f.occurrences, 5U);  // set comes at any point of the two reads
  ASSERT_THAT(f.trace, SizeIs(2));
  EXPECT_EQ(f.trace.back().message, "set(5)");
  EXPECT_THAT(f.trace.back().findings, ElementsAre(HasSubstr("ltl: G !")));
}

TEST(TemporalProperty, IsViolatedAtTheEndIfOnlyThatShowsIt) {
  const auto result = judged(make_program(two_reads), R"(F "store_0 RECV put")");

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_THAT(result.findings[0].message, HasSubstr("is violated as the execution ends here"));
  EXPECT_EQ(result.findings[0].actor, "");
  EXPECT_THAT(result.findings[0].trace, SizeIs(6));
  EXPECT_THAT(result.findings[0].trace.back().findings, IsEmpty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("has a message called put")));
}

TEST(TemporalProperty, HoldsInEveryExecution) {
  const auto result = judged(make_program(two_reads), R"(G("store RECV get" -> F "client RECV reply"))");

  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("holds in every execution (ends: finite)")));
}

struct word_of_two_reads {
  const char* formula;
  bool holds;
};
void PrintTo(const word_of_two_reads& w, std::ostream* out) { *out << w.formula; }

class WordOfTwoReads : public testing::TestWithParam<word_of_two_reads> {};

TEST_P(WordOfTwoReads, IsReceivesAndSendsInTheirOrder) {
  EXPECT_EQ(judged(make_program(two_reads), GetParam().formula).findings.empty(), GetParam().holds);
}

INSTANTIATE_TEST_SUITE_P(
    Actions, WordOfTwoReads,
    testing::Values(word_of_two_reads{R"("driver SEND start TO client_1")", true},
                    word_of_two_reads{R"(X "client_1 RECV start FROM driver")", true},
                    word_of_two_reads{R"(X X "client SEND set TO store")", true},
                    word_of_two_reads{R"(X X X "Client_1 SEND GET")", true},
                    word_of_two_reads{R"(X X X X "* RECV * FROM client_1")", true},
                    word_of_two_reads{R"(X X X X "store RECV set")", false},  // or get
                    word_of_two_reads{R"(G("store RECV get" -> X "store SEND reply TO client"))", true},
                    word_of_two_reads{R"(F("client RECV reply FROM store" & X "client SEND get"))", true},
                    word_of_two_reads{R"("true" & !"false")", true},
                    word_of_two_reads{R"(F("client RECV reply" & !X "true"))", false}));

struct refused {
  const char* formula;
  const char* why;
};
void PrintTo(const refused& r, std::ostream* out) { *out << r.formula; }

class UnderAReduction : public testing::TestWithParam<refused> {};

TEST_P(UnderAReduction, APropertyOfSeveralActorsIsRefused) {
  for (const auto* engine : {"optimal", "trust", "dcute"}) {
    try {
      judged(make_program(two_reads), GetParam().formula, engine);
      FAIL() << "not refused by " << engine;
    } catch (const error& e) {
      EXPECT_THAT(e.what(), AllOf(HasSubstr("engine " + std::string(engine)), HasSubstr(GetParam().why),
                                  HasSubstr("; engine exhaustive runs all"), Not(HasSubstr("\n"))));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Refused, UnderAReduction,
    testing::Values(refused{R"(F "store_0 RECV set" -> F "client_1 RECV reply")", "two actors, store_0 and client_1"},
                    refused{R"(F "store RECV set")", "about every store (store_0 is one actor)"},
                    refused{R"(F "* RECV set")", "about any actor"},
                    refused{R"(F "stor_0 RECV set")", "did you mean 'store_0'?"},
                    refused{R"(F "store_0 RECV set FROM client_7")", "names client_7"},
                    refused{R"(G("store_0 RECV get" -> X "store_0 SEND reply"))", "depends on when others act"},
                    refused{R"(F G !"store_0 RECV get")", "depends on when others act"},
                    refused{"X true", "depends on how many actions there are"}));

/// Lets a monitor be used where it is refused.
class unchecked final : public monitor {
public:
  explicit unchecked(monitor& inner) : inner_(inner) {}
  std::optional<record> stepped(const system& s) override { return inner_.stepped(s); }
  void undone(const system& s) override { inner_.undone(s); }
  std::vector<record> ended(const system& s) override { return inner_.ended(s); }

private:
  monitor& inner_;
};

struct target {
  bool is_hit = false;
  void hit() { is_hit = true; }
};
void two_hits(self& me) {
  me.send<&target::hit>(me.create<target>());
  me.send<&target::hit>(me.create<target>());
}

// What is refused would be judged wrongly: there is one class, and its executions differ in the formulas.
TEST(UnderReductions, ARefusedPropertyWouldHoldByChance) {
  const std::vector<std::string> formulas = {R"(!"target_0 RECV" U "target_1 RECV")",
                                             R"(!"target_1 RECV" U "target_0 RECV")",
                                             R"(F("target_0 RECV" & !X "true"))",
                                             R"(F("target_1 RECV" & !X "true"))",
                                             R"(F G !"target_0 RECV")",
                                             R"(F G !"target_1 RECV")"};
  int violated = 0;
  for (const auto& formula : formulas) {
    ltl_monitor judge(formula);
    unchecked anyway(judge);
    EXPECT_THAT(judged(make_program(two_hits), formula).findings, SizeIs(1)) << formula;
    violated += static_cast<int>(judged(make_program(two_hits), anyway, "optimal").findings.size());
  }
  EXPECT_EQ(violated, 3);
}

TEST(UnderReductions, APropertyOfOneActorIsJudgedAsByAllExecutions) {
  const std::string set_last = R"(G("store_0 RECV set" -> G !"store_0 RECV get"))";
  const std::string answered = R"(G("store_0 RECV get" -> F "store_0 SEND reply TO client"))";
  for (const auto* engine : {"optimal", "trust", "source", "dcute", "persistent", "transdpor"}) {
    EXPECT_THAT(judged(make_program(two_reads), set_last, engine).findings, SizeIs(1)) << engine;
    const auto result = judged(make_program(two_reads), answered, engine);
    EXPECT_THAT(result.findings, IsEmpty()) << engine;
    EXPECT_THAT(result.notes, Contains(HasSubstr("holds in every execution")));
  }
}

TEST(AnEngineThatComparesStates, JudgesNoExecutions) {
  EXPECT_THAT([] { static_cast<void>(judged(make_program(two_reads), "true", "stateful")); },
              testing::ThrowsMessage<error>(AllOf(HasSubstr("engine stateful"), HasSubstr("engine exhaustive can"))));
}

struct player {
  void ball(self& me, ref<player> from) { me.send<&player::ball>(from, me.me<player>()); }
};
void endless(self& me) {
  const auto left = me.create<player>();
  me.send<&player::ball>(left, me.create<player>());
}

TEST(AnEndlessExecution, DecidesWhatItsBeginningDecides) {
  options how;
  how.limits.max_depth = 50;
  ltl_monitor never_four(R"(G !("player_0 RECV ball" & F("player_0 SEND ball" & F("player_0 RECV ball"))))");
  ltl_monitor for_ever(R"(G("player_0 RECV ball" -> F "player_0 SEND ball"))");
  how.judging.by = &never_four;
  const auto violated = explore(make_program(endless), how);
  how.judging.by = &for_ever;
  const auto open = explore(make_program(endless), how);

  ASSERT_THAT(violated.findings, SizeIs(1));
  EXPECT_THAT(violated.findings[0].schedule, SizeIs(3));
  EXPECT_THAT(open.findings, IsEmpty());
  EXPECT_FALSE(open.exhausted);
  EXPECT_THAT(open.notes, Contains(HasSubstr("undecided in 1 execution cut")));
}

TEST(TwoMonitors, AreBothHeard) {
  ltl_monitor never(R"(G !"store_0 RECV set")");
  ltl_monitor at_last(R"(F "store_0 RECV set")");
  ltl_monitor no_reply(R"(G !"client RECV reply")");
  monitors all({&never, &at_last, &no_reply});
  const auto result = judged(make_program(two_reads), all);

  ASSERT_THAT(result.findings, SizeIs(2));
  EXPECT_THAT(result.findings[0].message, HasSubstr("store_0"));
  EXPECT_THAT(result.findings[1].message, HasSubstr("client"));
}

TEST(AWrongFormula, IsOneLine) {
  const auto complaint = [](const char* text) -> std::string {
    try {
      ltl_monitor judge(text);
    } catch (const error& e) {
      return e.what();
    }
    return "none";
  };

  EXPECT_THAT(complaint("G (\n \"a SEND b\" ->"),
              AllOf(HasSubstr("property G ( \"a SEND b\" ->: at "), Not(HasSubstr("\n"))));
  EXPECT_THAT(complaint("F \"a SENDS b\" & \"c\""), HasSubstr("no proposition about an action: \"a SENDS b\", \"c\""));
  EXPECT_THAT(complaint("F \"a SEND b TO\""), HasSubstr("\"a SEND b TO\""));
}

// --- random programs and formulas

/// The word of an execution, made from its messages instead of its steps.
test::letters word_of(const system& s, const std::vector<std::string>& atoms) {
  std::vector<std::tuple<std::size_t, std::size_t, std::string, std::string>> actions;  // step, place in it, texts
  for (message_slot m = 1; m <= s.message_count(); ++m) {
    const auto by = s.message_at(m).sent_by;
    const bool starts_the_driver = s.message_at(m).receiver == 0 && s.message_at(m).kind == message::role::plain;
    if (by == no_step || starts_the_driver) continue;
    const auto text = s.message_text(m);
    const auto name = text.substr(0, text.find('('));
    const auto from = s.actor_name(s.step_at(by).receiver);
    const auto to = s.actor_name(s.message_at(m).receiver);
    const auto also = s.message_at(m).kind == message::role::reply ? "reply" : name;
    actions.emplace_back(by, m, from + " SEND " + name + " ", from + " SEND " + also + " ");
    for (std::size_t i = 0; i < s.step_count(); ++i)
      if (s.step_at(i).message == m) actions.emplace_back(i, 0, to + " RECV " + name + " ", to + " RECV " + also + " ");
  }
  std::sort(actions.begin(), actions.end());
  test::letters word;
  for (const auto& [step, place, text, other] : actions) {
    auto& letter = word.emplace_back();
    for (const auto& atom : atoms)
      if (text.starts_with(atom + " ") || other.starts_with(atom + " ")) letter.insert(atom);
  }
  return word;
}

/// Counts the complete executions that violate a formula, by the definition of each operator.
class counting final : public monitor {
public:
  counting(formula f, run_ends ends) : formula_(std::move(f)), ends_(ends) {}
  std::optional<record> stepped(const system&) override { return {}; }
  std::vector<record> ended(const system& s) override {
    if (s.aborted()) return {};
    auto word = word_of(s, {formula_.atoms().begin(), formula_.atoms().end()});
    std::optional<std::size_t> loop;
    if (ends_ == run_ends::stutter) {
      loop = word.size();
      word.emplace_back();
    }
    const bool holds = test::satisfies({word, loop}, formula_);
    violated += holds ? 0 : 1;
    std::map<actor_id, std::vector<message_id>> deliveries;
    for (std::size_t i = 0; i < s.step_count(); ++i)
      deliveries[s.actor_at(s.step_at(i).receiver).id].push_back(s.step_at(i).label);
    verdicts_[deliveries].insert(holds);
    return {};
  }
  [[nodiscard]] bool is_the_same_in_each_class() const {
    return std::all_of(verdicts_.begin(), verdicts_.end(), [](const auto& c) { return c.second.size() == 1; });
  }
  std::uint64_t violated = 0;

private:
  formula formula_;
  run_ends ends_;
  std::map<std::map<actor_id, std::vector<message_id>>, std::set<bool>> verdicts_;  // by class
};

/// `f` with the atoms a, b and c replaced.
std::string with_atoms(const formula& f, const std::vector<std::string>& atoms) {
  const auto text = to_string(f);
  const auto is_letter = [&](std::size_t i) { return i < text.size() && std::islower(text[i]) != 0; };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_atom = is_letter(i) && !is_letter(i + 1) && (i == 0 || !is_letter(i - 1));
    result += is_atom ? "\"" + atoms[static_cast<std::size_t>(text[i] - 'a')] + "\"" : std::string(1, text[i]);
  }
  return result;
}

bool has_aborts(const exploration& result) {
  return std::any_of(result.findings.begin(), result.findings.end(), [](const finding& f) {
    return f.kind == finding_kind::exception || f.kind == finding_kind::assertion;
  });
}

std::uint64_t occurrences(const exploration& result, finding_kind kind) {
  std::uint64_t count = 0;
  for (const auto& f : result.findings) count += f.kind == kind ? f.occurrences : 0;
  return count;
}

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, AreJudgedAsByTheDefinitionsAndAlikeUnderReductions) {
  constexpr std::uint64_t most_executions = 400;
  const std::vector<std::string> kinds{"", "", " take", " work", " reply"};
  const std::vector<std::string> shapes{"G(a -> F b)", "!a U b",       "!a W b",         "F(a & F(b & F c))",
                                        "G !a | F b",  "G(a -> G !b)", "!a U (b & F c)", "(F a) U (F b)",
                                        "F G !a",      "G F a",        "a U b"};
  std::mt19937 random(GetParam());
  std::size_t compared = 0;
  std::size_t reduced = 0;
  std::size_t violated = 0;
  for (unsigned i = 0; i < litmus::so_many(25); ++i) {
    const auto tables = litmus::make_random(GetParam() * 1000 + i);
    const auto tested = litmus::interpret(tables);
    const auto actor = [&] { return "node_" + std::to_string(test::below(random, tables.roots.size())); };
    const auto one = actor();
    std::vector<std::string> atoms;
    const bool about_one = test::below(random, 2) == 0;
    for (int a = 0; a < 3; ++a)
      atoms.push_back((about_one || test::below(random, 2) != 0 ? one : actor()) +
                      (test::below(random, 3) != 0 ? " RECV" : " SEND") + kinds[test::below(random, kinds.size())]);
    const auto shape = test::below(random, 4) != 0
                           ? parse_formula(shapes[test::below(random, shapes.size())]).value.value()
                           : test::random_formula(random, test::below(random, 7));
    const auto formula = with_atoms(shape, atoms);
    const auto ends = test::below(random, 2) == 0 ? run_ends::finite : run_ends::stutter;
    options how;
    how.search.engine = "exhaustive";
    how.judging.keep_going = true;
    how.limits.max_executions = most_executions;
    how.judging.undelivered = undelivered::ignore;
    ltl_monitor judge(formula, ends);
    try {
      static_cast<void>(tested.start());
    } catch (const untestable_program&) {
      continue;
    }
    counting oracle(parse_formula(formula).value.value(), ends);
    how.judging.by = &judge;
    const auto result = explore(tested, how);
    how.judging.by = &oracle;
    static_cast<void>(explore(tested, how));
    const auto found = occurrences(result, finding_kind::ltl);
    if (has_aborts(result))
      EXPECT_GE(found, oracle.violated) << formula << "\n" << litmus::to_text(tables);
    else
      EXPECT_EQ(found, oracle.violated) << formula << "\n" << litmus::to_text(tables);
    ++compared;
    violated += found > 0 ? 1 : 0;
    if (!judge.order_dependence(*tested.start()).empty()) continue;
    EXPECT_TRUE(oracle.is_the_same_in_each_class()) << formula << "\n" << litmus::to_text(tables);
    if (!result.exhausted) continue;
    for (const auto* engine : {"optimal", "trust", "dcute", "persistent", "transdpor"}) {
      ltl_monitor again(formula, ends);
      how.search.engine = engine;
      how.judging.by = &again;
      how.search.sleep_sets = how.search.engine == "transdpor";
      const auto other = explore(tested, how);
      EXPECT_EQ(occurrences(other, finding_kind::ltl) > 0, found > 0) << engine << ": " << formula << "\n"
                                                                      << litmus::to_text(tables);
      how.search.sleep_sets = false;
    }
    ++reduced;
  }
  EXPECT_GT(compared, 15U);
  EXPECT_GT(reduced, 3U);
  EXPECT_GT(violated, 4U);
}

INSTANTIATE_TEST_SUITE_P(Temporal, RandomPrograms, testing::Range(1U, 5U));

}  // namespace
}  // namespace harrier
