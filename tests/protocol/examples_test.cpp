#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/liberal.hpp>
#include <harrier/protocol/strict.hpp>

#include "support.hpp"

namespace harrier::protocol {
namespace {

// Sizes agree with those of the published definitions of the same protocols, where the terms are built alike.
struct sizes {
  const char* file;
  const char* session;
  std::vector<int> arguments;
  std::pair<std::size_t, std::size_t> definition;
  std::pair<std::size_t, std::size_t> strict;
  std::pair<std::size_t, std::size_t> liberal;
  bool is_sound;
};

class Example : public ::testing::TestWithParam<sizes> {};

std::pair<std::size_t, std::size_t> size_of(const state_graph& g) { return {g.states(), g.transitions()}; }

TEST_P(Example, HasItsSizesInEveryReading) {
  const auto& p = GetParam();
  const auto s = session(contents(own(p.file)), p.session, p.arguments);
  strict_space strict(*s.terms);
  liberal_space liberal(s.graph, s.terms->names());

  EXPECT_EQ(size_of(s.graph), p.definition);
  EXPECT_EQ(size_of(explore(strict)), p.strict);
  EXPECT_EQ(size_of(explore(liberal)), p.liberal);
  EXPECT_EQ(project_checked(s).problems.empty(), p.is_sound);
}

INSTANTIATE_TEST_SUITE_P(
    , Example,
    ::testing::Values(sizes{"token-ring", "token-ring", {4, 0}, {9, 9}, {9, 9}, {9, 9}, true},
                      sizes{"token-ring", "token-ring-both-ways", {4, 0}, {13, 18}, {13, 18}, {13, 18}, true},
                      sizes{"token-star", "token-star", {4}, {11, 15}, {11, 15}, {11, 15}, true},
                      sizes{"token-tree", "token-tree", {4, 0}, {11, 14}, {11, 14}, {11, 14}, true},
                      sizes{"token-mesh", "token-full-mesh", {4, 0}, {17, 27}, {17, 27}, {17, 27}, true},
                      sizes{"token-mesh", "token-grid", {5, 0}, {16, 22}, {16, 22}, {16, 22}, true},
                      sizes{"chess", "chess", {}, {5, 5}, {5, 5}, {5, 5}, true},
                      sizes{"tic-tac-toe", "tic-tac-toe", {}, {5, 6}, {5, 6}, {15, 22}, false},
                      sizes{"cg", "cg", {3}, {31, 32}, {31, 32}, {158, 322}, true},
                      sizes{"is", "is", {2}, {21, 22}, {21, 22}, {47, 75}, true},
                      sizes{"ft", "ft", {2}, {40, 43}, {40, 43}, {194, 462}, true},
                      sizes{"mg", "mg", {2}, {78, 85}, {78, 85}, {3656, 16764}, true},
                      sizes{"go-fish", "go-fish", {3}, {74, 96}, {80, 102}, {187, 234}, true},
                      sizes{
                          "rock-paper-scissors", "rock-paper-scissors", {3}, {37, 66}, {55, 84}, {2297, 5124}, false}),
    [](const auto& instance) {
      std::string name = std::string(instance.param.session) + "_" + std::to_string(instance.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace harrier::protocol
