// Items over the wire: explored in any pieces by anybody, they come to what one search comes to.
#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include <src/distributed/bundle.hpp>
#include <src/distributed/compute.hpp>
#include <src/distributed/result.hpp>

#include "../litmus/random_program.hpp"

namespace harrier::distributed {
namespace {

options by_trust() {
  options how;
  how.search.engine = "trust";
  how.judging.keep_going = true;
  how.limits.max_depth = 1000;
  how.limits.max_executions = 200;
  return how;
}

/// What comes of the whole program, explored in pieces that end after so many graphs as are drawn, each going over
/// the wire.
exploration in_pieces(const program& tested, options how, unsigned seed) {
  std::minstd_rand random(seed);
  how.limits.max_executions = 0;
  exploration all;
  std::vector<std::string> items = {bytes_of(to_json(bundle(1)))};
  while (!items.empty()) {
    const auto which = std::uniform_int_distribution<std::size_t>(0, items.size() - 1)(random);
    std::swap(items[which], items.back());
    const auto graphs = bundle_from(json_from(items.back()));
    EXPECT_EQ(bytes_of(to_json(graphs)), items.back());
    items.pop_back();
    auto left = std::uniform_int_distribution<unsigned>(1, 40)(random);
    const auto result = result_from(bytes_of(explore_bundle(tested, how, graphs, [&] { return --left == 0; })));
    all.executions += result.seen.result.executions;
    all.blocked += result.seen.result.blocked;
    for (const auto& [word, count] : result.seen.result.outcomes) all.outcomes[word] += count;
    all.max_depth = std::max(all.max_depth, result.seen.result.max_depth);
    items.insert(items.end(), result.children.begin(), result.children.end());
  }
  return all;
}

TEST(Bundle, ExploredInPiecesComesToWhatTheWholeComesTo) {
  unsigned compared = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    try {
      const auto whole = explore(tested, by_trust());
      if (!whole.exhausted || whole.executions < 2) continue;
      const auto pieces = in_pieces(tested, by_trust(), seed);
      ASSERT_EQ(pieces.executions, whole.executions) << "seed " << seed;
      ASSERT_EQ(pieces.outcomes, whole.outcomes) << "seed " << seed;
      ASSERT_EQ(pieces.max_depth, whole.max_depth) << "seed " << seed;
      ASSERT_EQ(pieces.blocked, 0U);
      ++compared;
    } catch (const untestable_program&) {
      continue;
    }
  }
  EXPECT_GE(compared, 20U);
}

TEST(Bundle, OfAnotherProgramIsRefused) {
  const auto tables = litmus::make_random(2);
  const auto tested = litmus::interpret(tables);
  bundle wrong(1);
  wrong[0].execution = {{0, 999}};
  EXPECT_THROW(static_cast<void>(explore_bundle(tested, by_trust(), wrong, [] { return false; })), error);
}

TEST(Bundle, ThatIsDamagedIsRefused) {
  EXPECT_THROW(static_cast<void>(json_from("\xff")), error);
  for (const auto* text : {R"([1])", R"([[[0,["x"]],[0,[]],true]])", R"([[[7,[]],[0,[]],true]])",
                           R"([[[0,[1]],[0,[]],true]])", R"([[[0,[]],[0,[]],3]])"})
    EXPECT_THROW(static_cast<void>(bundle_from(json_value::parse(text))), error) << text;
}

TEST(Result, ThatIsDamagedIsRefused) {
  EXPECT_THROW(static_cast<void>(result_from("")), error);
  EXPECT_THROW(static_cast<void>(result_from(bytes_of(json_value{{"item", 3}}))), error);
}

}  // namespace
}  // namespace harrier::distributed
