// A registry and two workers whose messages touch different fields.
//
// Source: E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing", FORTE 2014, figure 3: the registry of TransDPOR's figure 1 with field accesses.
//
// Of the 6 orders in which the registry takes p, m and t two differ in what they leave behind: p touches another field
// than m and t do, as --independence fields sees.
#include "entries.hpp"

namespace {

struct reg {
  harrier::tracked<int> f = 1;
  harrier::tracked<int> g = 1;

  void p() { ++f; }
  void m() { g *= 2; }
  void t() { ++g; }
};

struct worker_1 {
  void q(harrier::self& self, harrier::ref<reg> rg) { self.send<&reg::m>(rg); }
};

struct worker_2 {
  void h(harrier::self& self, harrier::ref<reg> rg) { self.send<&reg::t>(rg); }
};

void figure_3(harrier::self& self) {
  const auto rg = self.create<reg>();
  const auto wk1 = self.create<worker_1>();
  const auto wk2 = self.create<worker_2>();
  self.send<&reg::p>(rg);
  self.send<&worker_1::q>(wk1, rg);
  self.send<&worker_2::h>(wk2, rg);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::figure_3() {
  return {"figure-3", "a registry whose messages touch different fields", {}, [](const arguments&) {
            return make_program(::figure_3);
          }};
}
