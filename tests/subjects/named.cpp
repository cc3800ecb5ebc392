#include "named.hpp"

#include <algorithm>

#include <harrier/core/error.hpp>

namespace harrier::subjects {

program named(const std::string& name, const std::vector<std::pair<std::string, std::string>>& given) {
  for (const auto& entry : catalogue()) {
    if (entry.name != name) continue;
    arguments values(entry.parameters);
    for (const auto& [parameter, value] : given) values.set(parameter, value);
    return entry.make(values);
  }
  throw error("no program is called " + name);
}

std::vector<small_program> smallest() {
  std::vector<small_program> all;
  for (const auto& entry : catalogue()) {
    arguments values(entry.parameters);
    std::vector<parameter> words;
    for (const auto& p : entry.parameters) {
      if (std::holds_alternative<std::int64_t>(p.value))
        values.set(p.name, std::to_string(std::max<std::int64_t>(p.least, 2)));
      else if (!p.words.empty())
        words.push_back(p);
    }
    if (words.empty()) all.push_back({entry.name, entry.make(values)});
    for (const auto& p : words)
      for (const auto& word : p.words) {
        values.set(p.name, word);
        if (entry.name == "fib-collector" && word == "scala") values.set("n", "4");
        all.push_back({entry.name + "_" + word, entry.make(values)});
      }
  }
  for (auto& each : all) std::replace(each.name.begin(), each.name.end(), '-', '_');
  return all;
}

exploration explore_all(const program& tested) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::off;
  return explore(tested, how);
}

}  // namespace harrier::subjects
