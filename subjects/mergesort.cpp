// Mergesort: a sorter halves its array, has two new sorters sort the halves, and merges them.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011, table 3.1:
// `foundry` boots the first sorter by a message, in `scala` the main program asks it at once.
#include <algorithm>
#include <optional>
#include <vector>

#include "entries.hpp"
#include "java_random.hpp"

namespace {

using array = std::vector<int>;

struct sorter {
  harrier::ref<sorter> caller;
  std::optional<array> first_half;

  void boot(harrier::self& self, const array& numbers) {
    self.send<&sorter::sort>(self.me<sorter>(), harrier::ref<sorter>(), numbers);
  }

  void sort(harrier::self& self, harrier::ref<sorter> for_whom, const array& a) {
    caller = for_whom;
    if (a.size() <= 1) return finish(self, a);
    const auto middle = a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2);
    const auto left = self.create<sorter>();
    const auto right = self.create<sorter>();
    self.send<&sorter::sort>(left, self.me<sorter>(), array(a.begin(), middle));
    self.send<&sorter::sort>(right, self.me<sorter>(), array(middle, a.end()));
  }

  void merge(harrier::self& self, const array& half) {
    if (!first_half) {
      first_half = half;
      return;
    }
    array whole;
    std::merge(first_half->begin(), first_half->end(), half.begin(), half.end(), std::back_inserter(whole));
    self.check(std::is_sorted(whole.begin(), whole.end()), "two sorted halves are merged");
    finish(self, whole);
  }

  void finish(harrier::self& self, const array& a) {
    if (caller) self.send<&sorter::merge>(caller, a);
  }
};

array random_numbers(std::int64_t n) {
  auto random = harrier::subjects::java_random::seeded(19 + n);
  array numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(random.next_int(100));
  return numbers;
}

}  // namespace

harrier::catalogue_entry harrier::subjects::mergesort() {
  return {"mergesort",
          "sorters halve an array and merge the sorted halves",
          {{.name = "n", .value = 4, .about = "how many numbers", .least = 1, .greatest = 1000},
           {.name = "variant", .value = "foundry", .about = "whose figures", .words = {"foundry", "scala"}}},
          [](const arguments& given) {
            const auto numbers = random_numbers(given.number("n"));
            if (given.word("variant") == "scala")
              return make_program(
                  [numbers](self& self) { self.send<&sorter::sort>(self.create<sorter>(), ref<sorter>(), numbers); });
            return make_program([numbers](self& self) { self.send<&sorter::boot>(self.create<sorter>(), numbers); });
          }};
}
