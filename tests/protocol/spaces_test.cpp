#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <harrier/protocol/liberal.hpp>
#include <harrier/protocol/strict.hpp>

#include "support.hpp"

namespace harrier::protocol {
namespace {

std::size_t dead_states(const state_graph& graph) { return count(graph).dead; }

TEST(Strict, KeepsTheTypeOfWhatIsUnderWay) {
  const auto s = session(session_p("(s/alt (-->> T ::a ::b) (-->> U ::a ::b))"), "p");
  strict_space strict(*s.terms);
  const auto graph = explore(strict);

  EXPECT_EQ(s.graph.states(), 3U);
  EXPECT_EQ(graph.states(), 4U) << "one for T under way, one for U";
}

TEST(Strict, KeepsTheOrderOfMessagesBetweenTwoRoles) {
  const auto s = session(session_p("(s/par (-->> T ::a ::b) (-->> U ::a ::b))"), "p");
  strict_space strict(*s.terms);
  const auto graph = explore(strict);

  EXPECT_EQ(dead_states(graph), 1U);
  EXPECT_EQ(graph.states(), 12U) << "wherever both were sent, T or U is first, and either receive may take it";
}

TEST(Liberal, LetsASenderRunAhead) {
  const auto s = session(session_p("(s/* (-->> T ::a ::b))"), "p");
  liberal_space unbounded(s.graph, s.terms->names());
  liberal_space bounded(s.graph, s.terms->names(), 3);

  EXPECT_FALSE(explore(unbounded, 1000).complete());
  EXPECT_TRUE(explore(bounded, 1000).complete());
}

TEST(Liberal, RefusesHandshakes) {
  const auto s = session(session_p("(--> T ::a ::b)"), "p");

  EXPECT_THROW(liberal_space(s.graph, s.terms->names()), error);
}

TEST(Liberal, RefusesChannelsWithTheirLine) {
  const auto s =
      session("(s/defrole ::a) (s/defrole ::b)\n(s/defsession ::p []\n  (s/channel ::a ::b 2 (-->> T ::a ::b)))", "p");
  std::string why;
  try {
    liberal_space space(s);
  } catch (const definition_error& e) {
    why = e.what();
  }

  EXPECT_THAT(why, ::testing::HasSubstr("test.dcj:3:3: error: s/channel: mode liberal"));
}

std::string local_states(const liberal_space& space) {
  std::map<std::string, std::size_t> by_role;
  for (const auto& p : space.projections()) by_role[space.names().roles()[p.role]] = p.members.size();
  std::string text;
  for (const auto& [role, states] : by_role) text += (text.empty() ? "" : "+") + std::to_string(states);
  return text;
}

table_row liberal_row(const explored_session& s) {
  liberal_space space(s.graph, s.terms->names());
  const auto graph = explore(space);
  std::size_t dead_with_messages = 0;
  std::size_t longest = 0;
  std::size_t losing = 0;
  std::size_t mistaking = 0;
  for (state_id state = 0; state < graph.states(); ++state) {
    dead_with_messages += graph.steps[state].empty() && space.pending(state) ? 1U : 0U;
    longest = std::max(longest, space.longest_queue(state));
    losing += space.losing(state).size();
    mistaking += space.mistaking(state).size();
  }
  const auto text = [](std::size_t n) { return std::to_string(n); };
  return {{"liberal_local_states", local_states(space)},  {"liberal_states", text(graph.states())},
          {"liberal_trans", text(graph.transitions())},   {"liberal_complete", graph.complete() ? "yes" : "no"},
          {"liberal_dead", text(dead_states(graph))},     {"liberal_dead_with_msgs", text(dead_with_messages)},
          {"liberal_max_queue", text(longest)},           {"liberal_mismatch_states", text(losing)},
          {"single_recv_mismatch_takes", text(mistaking)}};
}

TEST(PublishedDefinitions, HaveTheirStrictAndLiberalSizes) {
  if (!is_published()) GTEST_SKIP() << skip_reason;
  for (const auto& row : table(published() / "sizes.tsv")) {
    const auto& name = row.at("definition");
    SCOPED_TRACE(name + " " + row.at("n"));
    const auto spec = parse(contents(published() / "definitions" / (name + ".dcj")), name).value;
    const auto s = explore_session(spec, name, numbers(published_arguments(name, std::stoi(row.at("n")))));
    strict_space strict(*s.terms);
    const auto graph = explore(strict);

    EXPECT_EQ(std::to_string(graph.states()), row.at("strict_states"));
    EXPECT_EQ(std::to_string(graph.transitions()), row.at("strict_trans"));
    EXPECT_EQ(std::to_string(dead_states(graph)), row.at("strict_dead"));
    for (const auto& [column, size] : liberal_row(s)) EXPECT_EQ(size, row.at(column)) << column;
  }
}

}  // namespace
}  // namespace harrier::protocol
