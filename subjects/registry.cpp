// A registry notes in which order workers come to it.
//
// Source: S. Tasharofi, R. K. Karmani, S. Lauterburg, A. Legay, D. Marinov, G. Agha, "TransDPOR: A Novel Dynamic
// Partial-Order Reduction Technique for Testing Actor Programs", FMOODS/FORTE 2012, figure 1.
//
// The smallest program in which reductions differ: of 30 interleavings only 6 orders of arrival are different.
#include <vector>

#include "entries.hpp"

namespace {

struct registry {
  std::vector<int> arrivals;

  void enlist(int who) { arrivals.push_back(who); }
};

struct worker {
  harrier::ref<registry> office;
  int number;

  void work(harrier::self& self) { self.send<&registry::enlist>(office, number); }
};

void hire(harrier::self& self, int workers) {
  const auto office = self.create<registry>();
  std::vector<harrier::ref<worker>> staff;
  for (int i = 1; i <= workers; ++i) staff.push_back(self.create<worker>(office, i));
  self.send<&registry::enlist>(office, 0);
  for (const auto w : staff) self.send<&worker::work>(w);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::registry() {
  return {
      "registry",
      "workers report to a registry, which notes the order",
      {{.name = "workers", .value = 2, .about = "how many workers", .least = 0, .greatest = 1000}},
      [](const arguments& given) {
        return make_program([workers = static_cast<int>(given.number("workers"))](self& self) { hire(self, workers); });
      }};
}
