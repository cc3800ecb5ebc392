#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>

#include <src/distributed/bundle.hpp>
#include <src/distributed/ledger.hpp>

namespace harrier::distributed {
namespace {

/// A tree of leaves 0 to n - 1, an item being a range of them: `first,last`.
struct range {
  int first, last;
  [[nodiscard]] std::string bytes() const { return std::to_string(first) + "," + std::to_string(last); }
};

range range_of(const std::string& bytes) {
  const auto comma = bytes.find(',');
  return {std::stoi(bytes.substr(0, comma)), std::stoi(bytes.substr(comma + 1))};
}

/// Somebody explores `item`, for as long as is drawn: he counts some of it, and gives back the rest.
template <class Random>
item_result explored(const std::string& item, Random& random) {
  auto [first, last] = range_of(item);
  item_result result;
  result.item = name_of(item);
  const auto counted = std::uniform_int_distribution<int>(1, last - first)(random);
  result.seen.result.executions = static_cast<std::uint64_t>(counted);
  first += counted;
  if (first == last) return result;
  const auto middle = std::uniform_int_distribution<int>(first, last - 1)(random);
  if (middle > first) result.children.push_back(range{first, middle}.bytes());
  result.children.push_back(range{middle, last}.bytes());
  return result;
}

TEST(Ledger, CountsEachExecutionOnceThoughItemsAreExploredAgainAndSplitOtherwise) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::minstd_rand random(seed);
    ledger all(range{0, 300}.bytes());
    std::uint64_t executions = 0;
    std::vector<item_result> on_their_way;  // results of workers, some of which explored the same item
    while (!all.is_complete()) {
      for (int i = 0; i < 3; ++i) {
        const auto which = std::uniform_int_distribution<std::size_t>(0, all.outstanding().size() - 1)(random);
        on_their_way.push_back(
            explored(std::next(all.outstanding().begin(), static_cast<std::ptrdiff_t>(which))->second, random));
      }
      std::shuffle(on_their_way.begin(), on_their_way.end(), random);
      const auto result = on_their_way.back();
      if (random() % 3 != 0) on_their_way.pop_back();  // else it is delivered again
      if (all.take(result) == ledger::verdict::taken) executions += result.seen.result.executions;
    }
    ASSERT_EQ(executions, 300U) << "seed " << seed;
  }
}

TEST(Ledger, DropsTheSecondResultOfAnItemWithItsChildren) {
  ledger all("0,9");
  EXPECT_EQ(all.take({.item = name_of("0,9"), .seen = {}, .children = {"0,5", "5,9"}, .ends_run = {}}),
            ledger::verdict::taken);
  EXPECT_EQ(all.take({.item = name_of("0,9"), .seen = {}, .children = {"0,3", "3,9"}, .ends_run = {}}),
            ledger::verdict::known);
  EXPECT_EQ(all.outstanding().size(), 2U);
  EXPECT_TRUE(all.outstanding().contains(name_of("0,5")));
}

TEST(Ledger, KnowsNoItemThatNoResultTakenSpokeOf) {
  ledger all("0,9");
  EXPECT_EQ(all.take({.item = name_of("0,3"), .seen = {}, .children = {}, .ends_run = {}}), ledger::verdict::unknown);
  EXPECT_FALSE(all.is_complete());
}

TEST(Ledger, RefusesAResultThatLeavesWhatItBeganWith) {
  ledger all("0,9");
  EXPECT_THROW(all.take({.item = name_of("0,9"), .seen = {}, .children = {"0,9"}, .ends_run = {}}), error);
  EXPECT_THROW(all.take({.item = name_of("0,9"), .seen = {}, .children = {"0,3", "0,3"}, .ends_run = {}}), error);
}

}  // namespace
}  // namespace harrier::distributed
