// The executions of a registry with two workers that engines run, in their order: what scripts/pictures draws as trees.
//
// A line for each engine: its name, a tab, and the executions, with tabs between them. A delivery is a word:
// `enlist(1)`, or `work()2`, of the worker with that number.
#include <harrier/harrier.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

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

void hire(harrier::self& self) {
  const auto office = self.create<registry>();
  const auto one = self.create<worker>(office, 1);
  const auto two = self.create<worker>(office, 2);
  self.send<&registry::enlist>(office, 0);
  self.send<&worker::work>(one);
  self.send<&worker::work>(two);
}

class writer final : public harrier::monitor {
public:
  std::optional<harrier::record> stepped(const harrier::system& /*now*/) override { return std::nullopt; }
  std::vector<harrier::record> ended(const harrier::system& end) override {
    std::cout << '\t';
    for (std::size_t i = end.setup_steps(); i < end.step_count(); ++i) {
      const auto& delivered = end.step_at(i);
      const auto what = end.message_text(delivered.message);
      std::cout << (i == end.setup_steps() ? "" : " ") << what;
      if (what == "work()") std::cout << delivered.receiver - 1;
    }
    return {};
  }
};

void write(const std::string& engine) {
  writer by;
  harrier::options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.check_determinism = harrier::repetition::off;
  how.judging.by = &by;
  std::cout << engine;
  if (!harrier::explore(harrier::make_program(hire), how).exhausted) throw harrier::error("it did not end");
  std::cout << '\n';
}

}  // namespace

int main() {
  for (const auto* engine : {"exhaustive", "persistent", "transdpor", "optimal"}) write(engine);
}
