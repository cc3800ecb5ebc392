#pragma once

#include <algorithm>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <harrier/harrier.hpp>

namespace harrier {

/// A way of searching that is the default, or can become it.
struct way {
  std::string name;
  std::function<void(options&)> ask;
};
inline std::ostream& operator<<(std::ostream& out, const way& w) { return out << w.name; }

/// For INSTANTIATE_TEST_SUITE_P.
struct name_of_way {
  template <class Info>
  std::string operator()(const Info& of) const {
    return of.param.name;
  }
};

inline std::vector<way> ways_of_searching() {
  const auto engine = [](std::string name) { return [name](options& how) { how.search.engine = name; }; };
  const auto stateful = [](auto more) {
    return [more](options& how) {
      how.search.engine = "stateful";
      more(how);
    };
  };
  return {
      {"auto", engine("auto")},
      {"exhaustive", engine("exhaustive")},
      {"optimal", engine("optimal")},
      {"optimal_with_observers",
       [](options& how) {
         how.search.engine = "optimal";
         how.search.observers = true;
       }},
      {"trust", engine("trust")},
      {"optimal_by_fields",
       [](options& how) {
         how.search.engine = "optimal";
         how.search.independence = independence::fields;
       }},
      {"source_semantic",
       [](options& how) {
         how.search.engine = "source";
         how.search.independence = independence::semantic;
       }},
      {"optimal_memoising",
       [](options& how) {
         how.search.engine = "optimal";
         how.search.memoise = memoising::on;
       }},
      {"exhaustive_memoising",
       [](options& how) {
         how.search.engine = "exhaustive";
         how.search.memoise = memoising::on;
       }},
      {"stateful", stateful([](options&) {})},
      {"stateful_awake", stateful([](options& how) { how.search.sleep_sets = false; })},
      {"stateful_big_steps", stateful([](options& how) { how.states.steps = step_size::big; })},
      {"stateful_exact", stateful([](options& how) { how.states.visited = visited_states::exact; })},
      {"stateful_canonical", stateful([](options& how) { how.states.comparison = state_comparison::canonical; })},
      {"stateful_by_breadth", stateful([](options& how) { how.states.order = search_order::breadth_first; })},
      {"stateful_by_two", stateful([](options& how) { how.search.jobs = 2; })},
  };
}

/// What is found, by its words, of all executions.
inline std::set<std::string> words_found(const program& tested, options how) {
  how.judging.keep_going = true;
  std::set<std::string> found;
  for (const auto& f : explore(tested, how).findings) found.insert(f.message);
  return found;
}

/// Searches in each of the ways.
class EachWay : public testing::TestWithParam<way> {
protected:
  EachWay() { GetParam().ask(how); }
  std::set<std::string> found(const program& tested) const { return words_found(tested, how); }
  std::set<std::string> found(auto driver) const { return found(make_program(std::move(driver))); }

  options how;
};

}  // namespace harrier
