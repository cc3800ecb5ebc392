#include "checkpoint_subject.hpp"

#include <fmt/format.h>

#include <utility>

#include "independences.hpp"
#include "option_words.hpp"
#include "search_states.hpp"

namespace harrier {

checkpoint_subject subject_of(const search_plan& plan, const options& how, const std::string& judged_by) {
  auto all = how.kept.searched;
  const auto add = [&](std::string name, std::string value) { all.emplace_back(std::move(name), std::move(value)); };
  for (const auto& o : options_in_words())
    if (!o.subject.empty()) add(o.subject, o.written(how));
  for (const auto& kind : fault_kinds())
    if (how.search.faults != faults{}) add(std::string(kind.name), fmt::format("{}", how.search.faults.*kind.budget));
  add(std::string(observers_of_subject), plan.tells_observers ? "on" : "off");
  add("the independence of messages", std::string(independence_as(plan.independence).name));
  add("the environment", how.judging.may_be_left                         ? "the program's own"
                         : how.judging.environment == environment::empty ? "empty"
                                                                         : "total");
  add("the comparison of states", word_for(states_asked_for(how).comparison));
  add("what executions are judged by", judged_by);
  add("the build of the program", build_of_this_binary());
  return all;
}

}  // namespace harrier
