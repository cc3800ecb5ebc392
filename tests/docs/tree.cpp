// The executions of a registry with two workers that engines run, in their order: what scripts/pictures draws as trees.
//
// A line for each engine: its name, a tab, and the executions, with tabs between them. A delivery is a word:
// `enlist(1)`, or `work()2`, of the worker with that number.
#include <harrier/harrier.hpp>

#include <iostream>
#include <string>
#include <vector>

#include "../subjects/named.hpp"

namespace {

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

void write(const harrier::program& registry, const std::string& engine) {
  writer by;
  harrier::options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.check_determinism = harrier::repetition::off;
  how.judging.by = &by;
  std::cout << engine;
  if (!harrier::explore(registry, how).exhausted) throw harrier::error("it did not end");
  std::cout << '\n';
}

}  // namespace

int main() {
  const auto registry = harrier::subjects::named("registry", {{"workers", "2"}});
  for (const auto* engine : {"exhaustive", "persistent", "transdpor", "optimal"}) write(registry, engine);
}
