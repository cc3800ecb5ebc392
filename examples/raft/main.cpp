// Runs one of the variants of variants.hpp. Read README.md beside this file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <string>
#include <utility>
#include <vector>

#include "clients.hpp"
#include "raft.hpp"
#include "safety.hpp"
#include "variants.hpp"

struct cluster {
  variant as;
  std::vector<harrier::ref<server>> all;

  void set_up(harrier::self& self) {
    for (std::int64_t i = 0; i < as.nodes; ++i)
      all.push_back(self.create<server>(as.has, as.pipelines, as.retries, as.pre_votes, static_cast<int>(as.terms)));
    for (std::size_t i = 0; i < all.size(); ++i) self.send<&server::meet>(all[i], all, static_cast<int>(i));
  }
  void test(harrier::self& self) const {
    for (const auto one : all) {
      for (std::int64_t i = 0; i < as.requests; ++i) self.send<&server::request>(one, static_cast<int>(i));
      for (std::int64_t i = 0; i < as.compactions; ++i) self.send<&server::compact>(one);
    }
    for (std::int64_t i = 0; i < as.clients; ++i)
      self.send<&client::start>(self.create<client>(all[static_cast<std::size_t>(i) % all.size()],
                                                    i % 2 == 0 ? reading : static_cast<int>(i)));
  }
};

harrier::program raft(const harrier::arguments& given) {
  auto as = *std::ranges::find(variants(), given.word("variant"), &variant::name);
  for (const auto& [name, field] : {std::pair("nodes", &variant::nodes), std::pair("requests", &variant::requests),
                                    std::pair("compactions", &variant::compactions),
                                    std::pair("terms", &variant::terms), std::pair("clients", &variant::clients)})
    if (given.number(name) >= 0) as.*field = given.number(name);
  if (as.clients > 0 && as.compactions > 0)
    throw harrier::error("clients are answered from the log, so it is not to be compacted: leave out compactions");
  auto tested = harrier::make_program(cluster{as, {}});
  tested.usual_delivery = as.network;
  auto promised = as.is_specified ? safety() : std::vector<harrier::specification>();
  if (as.clients > 0) promised.push_back(one_register());
  if (!promised.empty()) tested = harrier::specified(std::move(tested), std::move(promised));
  return harrier::with_faults(std::move(tested), as.may_happen);
}

int main(int argc, char** argv) {
  std::vector<std::string> names;
  for (const auto& one : variants()) names.emplace_back(one.name);
  const auto as_needed = [](const char* name, const char* about, std::int64_t greatest) {
    return harrier::parameter{.name = name, .value = -1, .about = about, .least = -1, .greatest = greatest};
  };
  return harrier::main(
      argc, argv,
      {{"raft",
        "servers elect a leader, which replicates a log",
        {{.name = "variant", .value = "fixed", .about = "the bug", .words = names},
         as_needed("nodes", "how many servers (-1: what the variant needs)", 9),
         as_needed("requests", "how many requests each server is sent, which it takes while it leads", 9),
         as_needed("compactions", "how often each server compacts its log", 9),
         as_needed("clients", "how many clients ask each another server for something, and wait for its answer", 9),
         as_needed("terms", "how many terms there are at most", 9)},
        raft}});
}
