// What an engine takes: a search of a system, and a row of what it can (named_engine). This one is not in the table of
// engines, which is all that keeps it from having a name on the command line.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include <harrier/harrier.hpp>

#include "../../src/engine/search_by_one.hpp"
#include "../../src/explore/by_stages.hpp"
#include "../../src/explore/engines.hpp"
#include "../../src/explore/start.hpp"

namespace harrier {
namespace {

/// Each order of deliveries, one after the other. @return whether nobody stopped it
bool run_each_order(search_context& s) {
  auto& system = s.tested;
  if (s.watcher.stopping()) return false;
  auto next = system.first_deliverable();
  if (next == no_message) s.watcher.execution_ended(system);
  bool is_all = true;
  for (; next != no_message; next = system.next_deliverable(next)) {
    system.deliver(next);
    is_all = run_each_order(s) && is_all;
    system.undo();
  }
  return is_all;
}

const named_engine each_order{.name = "each-order",
                              .judges = judged::every_order,
                              .search = [](const search_request&) -> std::unique_ptr<shared_search> {
                                return std::make_unique<search_by_one<bool (*)(search_context&)>>(run_each_order);
                              }};

class counting_ends final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_ended(system&) override { ++ends; }
  void execution_blocked(system&) override {}

  std::uint64_t ends = 0;
};

struct account {
  int balance = 0;
  void add(int amount) { balance += amount; }
};

void pay_two_accounts(self& me) {
  const auto one = me.create<account>();
  const auto other = me.create<account>();
  for (const int amount : {1, 2}) {
    me.send<&account::add>(one, amount);
    me.send<&account::add>(other, amount);
  }
}

TEST(AnotherEngine, NeedsNothingButItsSearch) {
  const auto tested = make_program(pay_two_accounts);
  options how;
  how.search.engine = "exhaustive";
  const auto started = start_as_asked(tested, how);
  counting_ends watcher;
  search_context context{*started, watcher};

  const auto search = search_by(each_order, {.tested = tested, .initial = *started, .how = how});
  search->work(context);

  EXPECT_TRUE(search->is_explored());
  EXPECT_EQ(watcher.ends, explore(tested, how).executions);
}

}  // namespace
}  // namespace harrier
