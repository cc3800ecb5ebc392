// Nodes elect the strongest of them, as bullies do. Read README.md beside this file.
#include <chrono>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <vector>

using namespace std::chrono_literals;

struct node {
  int strength = 0;
  /// The fix: who hears of a leader no longer waits for answers.
  bool stands_down = false;
  std::vector<harrier::ref<node>> weaker;
  std::vector<harrier::ref<node>> stronger;
  int leader = -1;  ///< its strength; none yet: -1

  void meet(const std::vector<harrier::ref<node>>& those_weaker,
            const std::vector<harrier::ref<node>>& those_stronger) {
    weaker = those_weaker;
    stronger = those_stronger;
  }

  void start(harrier::self& self) { self.after<&node::hears_of_no_leader>(500ms); }

  void hears_of_no_leader(harrier::self& self) {
    if (leader < 0) campaign(self);
  }

  /// Somebody weaker wants to lead. The answer is not needed where a leader can say so.
  void election(harrier::self& self, harrier::ref<node> from) {
    if (leader == strength) {
      self.send<&node::victory>(from, strength);
      return;
    }
    self.send<&node::alive>(from);
    if (leader < 0) campaign(self);
  }

  void alive(harrier::self& self) {
    self.cancel<&node::hears_no_answer>();
    if (leader < 0) rest(self);
  }

  void hears_no_answer(harrier::self& self) { lead(self); }

  void victory(harrier::self& self, int of) {
    if (of < strength || of < leader) return;  // it is late, or will hear from somebody stronger
    leader = of;
    if (!stands_down) return;
    self.cancel<&node::hears_no_answer>();
    self.cancel<&node::hears_of_no_leader>();
  }

private:
  void campaign(harrier::self& self) {
    if (stronger.empty()) return lead(self);
    for (const auto one : stronger) self.send<&node::election>(one, self.me<node>());
    self.cancel<&node::hears_no_answer>();
    self.after<&node::hears_no_answer>(100ms);
  }
  /// Somebody stronger is there and will lead; if it does not, there will be another election.
  void rest(harrier::self& self) {
    self.cancel<&node::hears_of_no_leader>();
    self.after<&node::hears_of_no_leader>(500ms);
  }
  void lead(harrier::self& self) {
    leader = strength;
    self.note("a node leads");
    for (const auto one : weaker) self.send<&node::victory>(one, strength);
  }
};

/// All know one another before the first explored step.
struct election {
  std::int64_t nodes;
  bool stands_down;
  std::vector<harrier::ref<node>> all;

  void set_up(harrier::self& self) {
    for (int i = 0; i < nodes; ++i) all.push_back(self.create<node>(i, stands_down));
    for (std::int64_t i = 0; i < nodes; ++i)
      self.send<&node::meet>(all[i], std::vector(all.begin(), all.begin() + i),
                             std::vector(all.begin() + i + 1, all.end()));
  }
  void test(harrier::self& self) {
    for (const auto one : all) self.send<&node::start>(one);
  }
};

harrier::program elected(std::int64_t nodes, bool stands_down) {
  auto tested = harrier::make_program(election{nodes, stands_down, {}});
  return harrier::converges(std::move(tested), "one node leads, and all know it", [](const harrier::states& now) {
    const auto all = now.all<node>();
    for (const node& one : all)
      if (one.leader < 0 || one.leader != all.front().get().leader) return false;
    return true;
  });
}

int main(int argc, char** argv) {
  return harrier::main(argc, argv,
                       {{"bully",
                         "nodes elect the strongest of them",
                         {{.name = "variant",
                           .value = "buggy",
                           .about = "whether a node that hears of a leader still waits for answers",
                           .words = {"buggy", "fixed"}},
                          {.name = "nodes", .value = 2, .about = "how many nodes", .least = 1, .greatest = 9}},
                         [](const harrier::arguments& given) {
                           return elected(given.number("nodes"), given.word("variant") == "fixed");
                         }}});
}
