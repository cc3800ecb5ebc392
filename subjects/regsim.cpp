// Workers start one another and then register with the first of them.
//
// Source: S. Tasharofi et al., "TransDPOR", FMOODS/FORTE 2012, table 1 (regsim, n = 6).
#include <vector>

#include "entries.hpp"

namespace {

struct worker {
  void boot(harrier::self& self, harrier::ref<worker> registry) { self.send<&worker::result>(registry); }
  void result() {}
};

struct master {
  void boot(harrier::self& self, std::int64_t n) {
    std::vector<harrier::ref<worker>> workers;
    for (std::int64_t i = 0; i < n; ++i) workers.push_back(self.create<worker>());
    self.send<&worker::result>(workers[0]);
    for (std::int64_t i = 1; i < n; ++i) self.send<&worker::boot>(workers[i], workers[0]);
  }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::regsim() {
  return {"regsim",
          "workers register with the first of them",
          {{.name = "n", .value = 6, .about = "how many workers", .least = 1, .greatest = 1000}},
          [](const arguments& given) {
            return make_program(
                [n = given.number("n")](self& self) { self.send<&master::boot>(self.create<master>(), n); });
          }};
}
