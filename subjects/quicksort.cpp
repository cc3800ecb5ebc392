// Quicksort: a sorter splits its array, has two new sorters sort the parts, and joins them.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011,
// tables 3.2, 4.2; also in TransDPOR (FMOODS/FORTE 2012).
//
// What can be explored depends on the shape of the recursion alone, so `tree` may give that in place of an array: in
// preorder, 1 for a split and 0 for an array that needs none, 110110000 say.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entries.hpp"
#include "java_random.hpp"

namespace {

using array = std::vector<int>;

bool needs_no_sorting(const array& a) {
  return std::adjacent_find(a.begin(), a.end(), std::not_equal_to<>{}) == a.end();
}

/// Less and greater than the first element; those equal to it go to the smaller side.
std::pair<array, array> split(const array& a) {
  array less, equal, greater;
  for (const int x : a) (x < a.front() ? less : x == a.front() ? equal : greater).push_back(x);
  auto& side = greater.empty() ? greater : less.empty() ? less : greater.size() <= less.size() ? greater : less;
  side.insert(side.end(), equal.begin(), equal.end());
  return {less, greater};
}

struct sorter {
  harrier::ref<sorter> caller;
  std::optional<array> first_part;

  void sort(harrier::self& self, harrier::ref<sorter> for_whom, const array& a) {
    caller = for_whom;
    if (needs_no_sorting(a)) return finish(self, a);
    const auto [less, greater] = split(a);
    const auto left = self.create<sorter>();
    const auto right = self.create<sorter>();
    self.send<&sorter::sort>(left, self.me<sorter>(), less);
    self.send<&sorter::sort>(right, self.me<sorter>(), greater);
  }

  void done(harrier::self& self, const array& part) {
    if (!first_part) {
      first_part = part;
      return;
    }
    array whole;
    std::merge(first_part->begin(), first_part->end(), part.begin(), part.end(), std::back_inserter(whole));
    self.check(std::is_sorted(whole.begin(), whole.end()), "two sorted parts are joined");
    finish(self, whole);
  }

  void finish(harrier::self& self, const array& a) {
    if (caller) self.send<&sorter::done>(caller, a);
  }
};

struct starter {
  void boot(harrier::self& self, const array& numbers) {
    const auto root = self.create<sorter>();
    self.send<&sorter::sort>(root, harrier::ref<sorter>(), numbers);
  }
};

array random_numbers(std::int64_t n) {
  auto random = harrier::subjects::java_random::seeded(19 + n);
  array numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(random.next_int(100));
  return numbers;
}

std::string shape_of(const array& a) {
  if (needs_no_sorting(a)) return "0";
  const auto [less, greater] = split(a);
  return (shape_of(less) + shape_of(greater)).insert(0, 1, '1');
}

/// The first permutation of 1, 2, ... whose recursion has that shape.
array numbers_of_shape(const std::string& tree) {
  const auto leaves = std::count(tree.begin(), tree.end(), '0');
  array numbers(static_cast<std::size_t>(leaves));
  std::iota(numbers.begin(), numbers.end(), 1);
  if (leaves < 1 || leaves > 8 || tree.size() != numbers.size() * 2 - 1)
    throw harrier::error(
        "quicksort: '" + tree +
        "' is no binary tree in preorder, 1 for a split and 0 for a leaf, with 1 to 8 leaves; 1101000 is one");
  do {
    if (shape_of(numbers) == tree) return numbers;
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  throw harrier::error("quicksort: no recursion of quicksort has the shape '" + tree + "'; 1101000 is one");
}

}  // namespace

harrier::catalogue_entry harrier::subjects::quicksort() {
  return {"quicksort",
          "sorters split an array and join the sorted parts",
          {{.name = "n", .value = 6, .about = "how many numbers", .least = 1, .greatest = 1000},
           {.name = "tree", .value = "", .about = "shape of the recursion in preorder, in place of n: 110110000"}},
          [](const arguments& given) {
            const auto& tree = given.word("tree");
            const auto numbers = tree.empty() ? random_numbers(given.number("n")) : numbers_of_shape(tree);
            return make_program([numbers](self& self) { self.send<&starter::boot>(self.create<starter>(), numbers); });
          }};
}
