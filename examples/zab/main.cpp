// What is tried with zab.hpp. Read README.md beside this file.
#include <cstddef>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <utility>
#include <vector>

#include "zab.hpp"

struct ensemble {
  bug has;
  std::int64_t servers;
  std::int64_t requests;
  std::vector<harrier::ref<server>> all;

  void set_up(harrier::self& self) {
    for (int i = 0; i < servers; ++i)  // the first has something that the others lack
      all.push_back(self.create<server>(has, i, 0, 0, 1, i == 0 ? std::vector<int>{1} : std::vector<int>{}));
    for (const auto one : all) self.send<&server::meet>(one, all);
  }
  void test(harrier::self& self) const {
    for (const auto one : all)
      for (int i = 0; i < requests; ++i) self.send<&server::request>(one, 2 + i);
  }
  void finally(harrier::final_states& end) const {
    const auto there = end.all<server>();
    for (const server& leader : there) {
      if (leader.now != role::leading) continue;
      std::size_t having = 0;
      for (const server& one : there) having += one.log->size() >= static_cast<std::size_t>(leader.committed) ? 1 : 0;
      end.check(having > there.size() / 2, "what a leader has committed is on the disks of a majority");
    }
  }
};

harrier::program zab(const harrier::arguments& given) {
  const auto variant = given.word("variant");
  const auto has = variant == "zookeeper-3911"   ? bug::zookeeper_3911
                   : variant == "zookeeper-4394" ? bug::zookeeper_4394
                                                 : bug::none;
  const std::int64_t requests = given.number("requests") >= 0 ? given.number("requests")
                                : has == bug::zookeeper_4394  ? 1
                                                              : 0;
  auto tested = harrier::make_program(ensemble{has, given.number("servers"), requests, {}});
  tested.usual_delivery = harrier::delivery::fifo;
  return harrier::with_faults(std::move(tested), {.crash = has == bug::zookeeper_4394 ? 0U : 1U, .timeouts = 1});
}

int main(int argc, char** argv) {
  return harrier::main(argc, argv,
                       {{"zab",
                         "servers elect a leader, which brings the others up to date",
                         {{.name = "variant",
                           .value = "fixed",
                           .about = "the bug",
                           .words = {"fixed", "zookeeper-3911", "zookeeper-4394"}},
                          {.name = "servers", .value = 3, .about = "how many servers", .least = 1, .greatest = 9},
                          {.name = "requests",
                           .value = -1,
                           .about = "how many requests each takes while it leads (-1: what the variant needs)",
                           .least = -1,
                           .greatest = 9}},
                         zab}});
}
