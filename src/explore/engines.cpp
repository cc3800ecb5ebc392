#include "engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <harrier/core/error.hpp>
#include <harrier/engine/dcute.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/random_walk.hpp>
#include <harrier/engine/round_robin.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>
#include <harrier/engine/transdpor_as_measured.hpp>
#include <harrier/engine/trust.hpp>
#include <harrier/explore/explore.hpp>

#include "search_states.hpp"

namespace harrier {
namespace {

bool run_exhaustive(system& s, observer& o, const options&, exploration&, const program&) {
  return explore_exhaustive(s, o);
}
bool run_optimal(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_optimal(s, o, how.ordering);
}
bool run_dcute(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_dcute(s, o, how.ordering);
}
bool run_persistent(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_persistent(s, o, how.ordering, how.sleep_sets.value_or(false));
}
bool run_transdpor(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_transdpor(s, o, how.ordering, how.sleep_sets.value_or(false));
}
bool run_transdpor_as_measured(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_transdpor_as_measured(s, o, how.ordering, how.sleep_sets.value_or(false));
}
bool run_source(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_source(s, o, how.ordering);
}
bool run_trust(system& s, observer& o, const options& how, exploration&, const program& tested) {
  if (how.delivery != delivery::mailbox) return explore_trust(s, o);
  return explore_trust_with_mailboxes(s, *tested.start(delivery::mailbox_interleaved), o);
}
bool run_stateful(system& s, observer& o, const options& how, exploration& result, const program&) {
  return search_states(s, o, how, result);
}
bool run_random(system& s, observer& o, const options& how, exploration&, const program&) {
  return explore_random(s, o, how.seed);
}
bool run_round_robin(system& s, observer& o, const options&, exploration&, const program&) {
  return explore_round_robin(s, o);
}

constexpr std::array engines = {
    named_engine{"optimal", false, true, false, judged::one_order, run_optimal},
    named_engine{"exhaustive", false, false, false, judged::every_order, run_exhaustive},
    named_engine{"dcute", false, true, false, judged::one_order, run_dcute},
    named_engine{"persistent", true, true, false, judged::one_order, run_persistent},
    named_engine{"transdpor", true, true, false, judged::one_order, run_transdpor},
    named_engine{"source", false, true, false, judged::one_order, run_source},
    named_engine{"trust", false, false, false, judged::one_order, run_trust},
    named_engine{"stateful", true, false, false, judged::nothing, run_stateful},
    named_engine{"transdpor-as-measured", true, true, false, judged::one_order, run_transdpor_as_measured, false,
                 "engine transdpor-as-measured only reproduces a published table: it loses executions when an actor "
                 "destroys itself, has guards or calls; transdpor does not"},
    named_engine{"random", false, false, true, judged::every_order, run_random},
    named_engine{"round-robin", false, false, false, judged::every_order, run_round_robin},
};

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const auto& e : engines) names.emplace_back(e.name);
  names.emplace_back("auto");
  return names;
}

const named_engine& engine_named(std::string_view name) {
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const auto& e) { return e.name == name; });
  if (found == engines.end())
    throw error(fmt::format("unknown engine '{}'; there are {}", name, fmt::join(engine_names(), ", ")));
  return *found;
}

}  // namespace harrier
