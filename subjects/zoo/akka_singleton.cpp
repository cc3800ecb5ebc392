// Akka.NET: two members of a cluster both run what must exist once.
//
// Source: akkadotnet/akka.net#6973, #7297 (cluster singleton hand-over). The oldest member runs the singleton. A member
// that has not learned its own number yet counts as number 0, which is less than any other: so if the oldest one leaves
// before that, it takes itself for the oldest, and another member takes itself for it, too.
// Repaired: who has no number is younger than all others.
#include "entries.hpp"

namespace zoo_akka_singleton {

struct member {
  bool newcomers_are_youngest;
  int number;  ///< in which order they came; 0: not known yet
  int oldest_of_others;
  bool runs_singleton = false;

  void is_up(int as_number) { number = as_number; }
  void oldest_left(harrier::self& self) {
    const bool is_newcomer = number == 0;
    if (is_newcomer && newcomers_are_youngest) return;
    runs_singleton = number < oldest_of_others;
    if (runs_singleton) self.note("took over");
  }
};

}  // namespace zoo_akka_singleton

harrier::catalogue_entry harrier::subjects::zoo::akka_singleton() {
  using namespace zoo_akka_singleton;
  return entry("akka-singleton", "two members of a cluster both run what must exist once", [](variant as) {
    auto tested = make_program([as](self& cluster) {
      const bool is_fixed = as == variant::fixed;
      const auto second = cluster.create<member>(is_fixed, 2, 3);
      const auto third = cluster.create<member>(is_fixed, 0, 2);
      cluster.send<&member::is_up>(third, 3);
      cluster.send<&member::oldest_left>(second);
      cluster.send<&member::oldest_left>(third);
    });
    return specified(std::move(tested), {always("one member runs the singleton", [](view<member> a, view<member> b) {
                       return !(a->runs_singleton && b->runs_singleton);
                     })});
  });
}
