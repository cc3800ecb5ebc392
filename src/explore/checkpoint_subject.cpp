#include "checkpoint_subject.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "independences.hpp"
#include "search_states.hpp"

namespace harrier {

checkpoint_subject subject_of(const search_plan& plan, const options& how, const std::string& judged_by) {
  auto all = how.searched;
  const auto add = [&](std::string name, std::string value) { all.emplace_back(std::move(name), std::move(value)); };
  const auto number = [](auto value) { return fmt::format("{}", static_cast<std::uint64_t>(value)); };
  add(std::string(engine_of_subject), how.engine);
  add("the delivery model", std::string(to_string(how.delivery)));
  for (const auto& kind : fault_kinds())
    if (how.faults != faults{}) add(std::string(kind.name), number(how.faults.*kind.budget));
  add("the ordering", how.ordering);
  add("the use of sleep sets", !how.sleep_sets ? "the engine's own" : *how.sleep_sets ? "on" : "off");
  add(std::string(observers_of_subject), plan.tells_observers ? "on" : "off");
  add("the independence of messages", std::string(independence_as(plan.independence).name));
  add("the environment", how.may_be_left                         ? "the program's own"
                         : how.environment == environment::empty ? "empty"
                                                                 : "total");
  add("what is made of undelivered messages", how.undelivered == undelivered::ignore ? "nothing"
                                              : how.undelivered == undelivered::warn ? "a warning"
                                                                                     : "an error");
  add("the depth limit", number(how.max_depth));
  add("the seed", number(how.seed));
  add("the bug depth", number(how.bug_depth));
  const auto states = states_asked_for(how);
  add("the comparison of states", states.comparison == state_comparison::none          ? "none"
                                  : states.comparison == state_comparison::exact       ? "exact"
                                  : states.comparison == state_comparison::as_measured ? "as-measured"
                                                                                       : "canonical");
  add("the size of steps", how.steps == step_size::big ? "big" : "little");
  add("the order of states", how.search == search_order::breadth_first ? "bfs" : "dfs");
  add("what is remembered of states", how.visited == visited_states::exact ? "all" : "96 bits");
  for (const auto& name : how.interchangeable) add("interchangeable class " + name, "there");
  add("what executions are judged by", judged_by);
  add("the build of the program", build_of_this_binary());
  return all;
}

}  // namespace harrier
