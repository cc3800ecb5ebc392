// Searches that are shared by several jobs, or stopped, written to a checkpoint and resumed: what tests of them have in
// common.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>

#include "../litmus/random_program.hpp"
#include "../litmus/so_many.hpp"

namespace harrier {

/// A name for a file that is gone at the end.
class file_name {
public:
  file_name() : text_(std::filesystem::temp_directory_path() / ("harrier-checkpoint-" + std::to_string(getpid()))) {}
  file_name(const file_name&) = delete;
  file_name& operator=(const file_name&) = delete;
  ~file_name() { std::filesystem::remove(text_); }
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  std::string text_;
};

inline options by(const std::string& engine) {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::off;
  how.limits.max_depth = 1000;
  return how;
}

/// The words of a finding, but for those that name actors as one of its executions does: the others of its class, of
/// which each may be the one that is shown, have other numbers.
inline std::string words_of(const finding& f) {
  return f.kind == finding_kind::deadlock || f.kind == finding_kind::undelivered ? std::string() : f.message;
}

/// Executions, and which findings there are, how often: what must not depend on how many jobs there were, nor on
/// interruptions.
inline auto seen(const exploration& e) {
  std::vector<std::tuple<std::string, std::string, std::uint32_t, std::uint64_t>> findings;
  for (const auto* list : {&e.findings, &e.warnings})
    for (const auto& f : *list) findings.emplace_back(to_string(f.kind), words_of(f), f.line, f.occurrences);
  std::sort(findings.begin(), findings.end());
  return std::tuple(e.executions, e.truncated, e.assumed_away, e.blocked, e.max_depth, e.actors, e.exhausted,
                    e.outcomes, findings);
}

/// Explores with interruptions after a few executions each, by up to four jobs, and a new checkpoint each time.
inline exploration with_interruptions(const program& tested, options how, std::minstd_rand& drawn, std::uint64_t most) {
  const auto below = [&](std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(drawn); };
  const file_name file;
  how.kept.checkpoint = file.text();
  for (;;) {
    how.search.jobs = 1 + below(4);
    const auto so_far = how.limits.max_executions;
    how.limits.max_executions = std::min(most == 0 ? so_far + 1000 : most, so_far + 1 + below(60));
    auto result = explore(tested, how);
    if (result.exhausted || (most != 0 && result.executions >= most)) return result;
    how.limits.max_executions =
        std::max(how.limits.max_executions, result.executions + result.truncated + result.assumed_away);
    how.kept.resume = file.text();
  }
}

/// Calls `judge(tested, how, alone)` for random programs, as `interpret` makes them, that a search `how` explores to
/// the end: `alone` is what one worker counts.
template <class Judge, class Interpret>
void for_programs_that_end(options how, Interpret interpret, Judge judge) {
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 1; programs < litmus::so_many(3); ++seed) {
    const auto tables = litmus::make_random(seed);
    const program tested = interpret(tables, seed);
    how.limits.max_executions = 300;
    std::optional<exploration> alone;
    try {
      alone = explore(tested, how);
    } catch (const untestable_program&) {
      continue;
    }
    if (!alone->exhausted || alone->executions < 2) continue;
    ++programs;
    how.limits.max_executions = 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    judge(tested, how, *alone);
  }
}

template <class Judge>
void for_programs_that_end(options how, Judge judge) {
  for_programs_that_end(
      std::move(how), [](const litmus::random_program& tables, std::uint64_t) { return litmus::interpret(tables); },
      judge);
}

/// Takes numbers; some orders are wrong.
struct adder {
  int sum = 0;
  void add(self& me, int n) {
    sum = sum * 2 + n;
    me.check(sum != 26, "the sum is not 26");
  }
};
inline void two_adders(self& me) {
  const ref<adder> both[] = {me.create<adder>(), me.create<adder>()};
  for (const auto& a : both)
    for (int n = 1; n <= 4; ++n) me.send<&adder::add>(a, n);
}

inline std::string error_of(const program& tested, const options& how) {
  try {
    static_cast<void>(explore(tested, how));
    return {};
  } catch (const error& e) {
    return e.what();
  }
}

}  // namespace harrier
