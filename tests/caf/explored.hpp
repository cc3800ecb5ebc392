#pragma once

#include <gmock/gmock.h>

#include <caf/all.hpp>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

namespace harrier {

using main_function = std::function<void(caf::actor_system&)>;

inline exploration explored(const main_function& body, const std::string& engine, delivery model = delivery::causal,
                            caf_options how = {}) {
  options asked;
  asked.search.engine = engine;
  asked.search.delivery = model;
  asked.judging.keep_going = true;
  asked.judging.undelivered = undelivered::warn;
  return explore(caf_program(body, how), asked);
}

/// What a program noted at its end, over all of its executions.
template <class Value>
std::set<Value> all_ends(const std::function<void(caf::actor_system&, Value&)>& body, delivery model = delivery::causal,
                         caf_options how = {}) {
  std::set<Value> ends;
  const auto whole = [&](caf::actor_system& system) {
    Value noted{};
    body(system, noted);
    system.await_all_actors_done();
    ends.insert(noted);
  };
  for (const auto* engine : {"exhaustive", "optimal"}) {
    const auto before = std::exchange(ends, {});
    const auto found = explored(whole, engine, model, how);
    EXPECT_THAT(found.findings, testing::IsEmpty()) << engine << ": " << found.findings.front().message;
    EXPECT_TRUE(before.empty() || before == ends) << "a reduction has lost an end";
  }
  return ends;
}

/// Why it is refused.
inline std::string refusal_of_program(const std::function<void()>& body) {
  try {
    options asked;
    static_cast<void>(explore(caf_program(body), asked));
  } catch (const untestable_program& e) {
    return e.what();
  }
  return "nothing was refused";
}

/// The kinds and texts of what was found, each once.
inline std::vector<std::string> findings_of(const exploration& r) {
  std::set<std::string> all;
  for (const auto& f : r.findings) all.insert(std::string(to_string(f.kind)) + ": " + f.message);
  return {all.begin(), all.end()};
}

}  // namespace harrier
