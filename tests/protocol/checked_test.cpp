#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/strict.hpp>

#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

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

TEST(Checked, RefusesAReceiveThatCannotTellAnEarlyMessageFromTheNextOne) {
  EXPECT_THAT(projected("(s/alt (s/cat (-->> T ::a ::b) (-->> U ::c ::b) (-->> V ::b ::d))"
                        "       (s/cat (-->> U ::c ::b) (-->> T ::a ::b) (-->> W ::b ::d)))")
                  .problems,
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

// --- Against an oracle: every run of the machines, up to a length, must be for each role a beginning of what it does
// in some run of the session; and where the machines are stuck, nothing waits and the session can have ended.

using history = std::vector<std::vector<action>>;  // by role

class runs_of_machines {
public:
  runs_of_machines(const explored_session& s, const checked_projection& projection, std::size_t length)
      : space_(projection, 3), length_(length), strict_(*s.terms), global_(explore(strict_)) {
    visit(0, history(projection.names.roles().size()), 0);
  }

  std::string failure;

private:
  void visit(state_id state, const history& done, std::size_t depth) {
    if (!failure.empty() || !seen_.insert(done).second) return;
    const auto steps = space_.steps(state);
    const bool stuck = steps.empty();
    if (!explained(done, stuck)) failure = describe(done) + (stuck ? " (stuck)" : "");
    if (stuck && space_.pending(state)) failure = describe(done) + " (a message waits for ever)";
    if (depth == length_) return;
    for (const auto& t : steps) {
      auto next = done;
      const auto a = space_.names().actions()[t.action];
      next[a.subject()].push_back(a);
      visit(t.target, next, depth + 1);
    }
  }

  bool explained(const history& done, bool ended) const {
    using place = std::pair<state_id, std::vector<std::size_t>>;
    std::set<place> seen;
    std::vector<place> stack{{0, std::vector<std::size_t>(done.size(), 0)}};
    while (!stack.empty()) {
      auto [s, at] = stack.back();
      stack.pop_back();
      if (!seen.insert({s, at}).second) continue;
      bool all = true;
      for (std::size_t r = 0; r < done.size(); ++r) all &= at[r] == done[r].size();
      if (all && (!ended || global_.steps[s].empty())) return true;
      for (const auto& t : global_.steps[s]) {
        const auto a = strict_.names().actions()[t.action];
        auto next = at;
        const auto r = a.subject();
        if (at[r] < done[r].size()) {
          if (done[r][at[r]] != a) continue;
          ++next[r];
        } else if (ended) {
          continue;
        }
        stack.emplace_back(t.target, next);
      }
    }
    return false;
  }

  std::string describe(const history& done) const {
    std::string text;
    for (const auto& role : done) {
      for (const auto& a : role) text += space_.names().describe(a) + "; ";
    }
    return text;
  }

  checked_space space_;
  std::size_t length_;
  strict_space strict_;
  state_graph global_;
  std::set<history> seen_;
};

class random_protocol {
public:
  explicit random_protocol(unsigned seed) : random_(seed) {}

  std::string term(int depth) {
    const auto kind = depth == 0 ? 0 : pick(8);
    if (kind < 3) return message();
    if (kind < 5) return "(s/cat " + term(depth - 1) + " " + term(depth - 1) + ")";
    if (kind < 7) return "(s/alt " + term(depth - 1) + " " + term(depth - 1) + ")";
    return pick(2) == 0 ? "(s/par " + term(depth - 1) + " " + term(depth - 1) + ")"
                        : "(s/* " + term(depth - 1) + " " + term(depth - 1) + ")";
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string message() {
    const char* roles[] = {"::a", "::b", "::c"};
    const auto from = pick(3);
    const auto to = (from + 1 + pick(2)) % 3;
    return std::string("(-->> ") + (pick(3) == 0 ? "U " : "T ") + roles[from] + " " + roles[to] + ")";
  }
  std::mt19937 random_;
};

TEST(Checked, IsSoundForRandomSessions) {
  int accepted = 0;
  int marked = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const auto text = random_protocol(seed).term(3);
    const auto s = session(session_p(text), "p", {}, 60);
    if (!s.graph.complete()) continue;
    const auto projection = project_checked(s);
    if (!projection.problems.empty()) continue;
    ++accepted;
    marked += projection.marked ? 1 : 0;
    EXPECT_EQ(runs_of_machines(s, projection, 7).failure, "") << "seed " << seed << ": " << text;
  }
  EXPECT_GT(accepted, 80);
  RecordProperty("accepted", accepted);
  RecordProperty("marked", marked);
}

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
