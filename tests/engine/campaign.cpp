// Compares all searches on random programs for as long as asked: scripts/campaign.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>

#include "cells.hpp"
#include "compare.hpp"
#include "mutants.hpp"
#include "outside_oracle.hpp"

using namespace harrier;
using namespace harrier::differential;

namespace {

volatile std::sig_atomic_t interrupted = 0;

struct totals {
  std::uint64_t tried = 0, programs = 0, traces = 0, oracle_executions = 0, findings = 0, with_findings = 0;
  std::map<std::string, std::uint64_t> executions, blocked;
  std::vector<std::uint64_t> features;
  std::vector<std::uint64_t> differing;
};

void take_in(totals& t, const comparison& c) {
  ++t.programs;
  t.traces += c.oracle.traces.size();
  t.oracle_executions += c.oracle.executions;
  t.findings += c.oracle.findings.size();
  if (!c.oracle.findings.empty()) ++t.with_findings;
  for (const auto& [name, n] : c.executions) t.executions[name] += n;
  for (const auto& [name, n] : c.blocked) t.blocked[name] += n;
  const auto list = feature_list();
  t.features.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) t.features[i] += (c.oracle.shown.*list[i].second) ? 1 : 0;
}

/// The search at the start of a line of comparison::differences.
std::string culprit(const std::string& line) { return line.substr(0, line.find(':')); }

void report(const litmus::random_program& tables, const comparison& c, watch_for what) {
  std::printf("\nDIFFERENCE at seed %llu, ordering %s:\n", static_cast<unsigned long long>(tables.seed),
              ordering_for(tables.seed).c_str());
  for (const auto& line : c.differences) std::printf("  %s\n", line.c_str());
  const auto who = culprit(c.differences.front());
  const auto small = minimise(tables, [&](const litmus::random_program& candidate) {
    const auto again = compare(candidate, what);
    for (const auto& line : again.differences)
      if (culprit(line) == who) return true;
    return false;
  });
  std::printf("the smallest program on which %s differs:\n%s", who.c_str(), litmus::to_text(small).c_str());
  what.texts = true;
  for (const auto& line : compare(small, what).differences) std::printf("  %s\n", line.c_str());
  std::fflush(stdout);
}

unsigned long long n(std::uint64_t x) { return x; }

/// What each search took, and what the programs showed.
void print_searches(const totals& t, bool observers) {
  std::printf("findings %llu in %llu programs\n\n", n(t.findings), n(t.with_findings));
  std::printf("%-35s %14s %14s %10s\n", "search", "executions", "a trace", "blocked");
  for (const auto& s : observers ? searches_with_observers() : searches()) {
    const auto runs = t.executions.contains(s.name) ? t.executions.at(s.name) : 0;
    const auto blocked = t.blocked.contains(s.name) ? t.blocked.at(s.name) : 0;
    std::printf("%-35s %14llu %14.3f %10llu\n", s.name.c_str(), n(runs),
                static_cast<double>(runs) / static_cast<double>(t.traces == 0 ? 1 : t.traces), n(blocked));
  }
  std::printf("\n%-60s %10s\n", "programs in which some execution shows", "");
  const auto list = feature_list();
  for (std::size_t i = 0; i < t.features.size(); ++i)
    std::printf("%-60s %10llu %5.1f%%\n", list[i].first, n(t.features[i]),
                100 * static_cast<double>(t.features[i]) / static_cast<double>(t.programs));
}

void print(const totals& t, double seconds, bool outside_oracle, bool observers) {
  std::printf("\nprograms %llu (of %llu generated; the others have %s), %.0f s\n", n(t.programs), n(t.tried),
              outside_oracle ? "too many executions" : "one execution, or too many", seconds);
  std::printf("traces %llu, executions of the oracle %llu\n", n(t.traces), n(t.oracle_executions));
  if (!outside_oracle) print_searches(t, observers);
  const auto* const who =
      outside_oracle ? "exhaustive agrees with the outside oracle" : "all searches agree with the oracle";
  std::printf("\n%s\n", t.differing.empty() ? who : "DIFFERENCES at the seeds:");
  for (const auto seed : t.differing) std::printf("  %llu\n", n(seed));
}

/// Each program is run as often as there are mutants: small ones are enough.
constexpr std::uint64_t largest_for_mutants = 500;

/// How many programs show that each mutant is wrong, and that no harmless variant is.
int judge_mutants(std::uint64_t programs, std::uint64_t seed, const std::vector<std::string>& only, delivery model) {
  struct score {
    std::uint64_t caught = 0, first = 0, lost = 0;
    double seconds = 0;
  };
  std::map<std::string, score> scores;
  std::vector<mutant> all = all_mutants();
  all.insert(all.end(), all_variants().begin(), all_variants().end());
  if (!only.empty())
    std::erase_if(all,
                  [&](const mutant& m) { return std::find(only.begin(), only.end(), m.wrong.name) == only.end(); });
  std::erase_if(all, [&](const mutant& m) { return m.model != model; });
  std::uint64_t done = 0;
  for (; done < programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto oracle = oracle_of(tested, {.model = model});
    if (!oracle || oracle->executions > largest_for_mutants) continue;
    ++done;
    for (const auto& m : all) {
      const auto lines =
          differences(*oracle, m.wrong, observe(tested, m.wrong, ordering_for(seed), much_larger, {.model = model}));
      if (lines.empty()) continue;
      auto& s = scores[m.wrong.name];
      if (s.caught++ == 0) s.first = seed;
      for (const auto& line : lines)
        if (line.find("lost") != std::string::npos) {
          ++s.lost;
          break;
        }
    }
  }
  int failures = 0;
  std::printf("%llu programs\n%-36s %8s %8s %8s\n", static_cast<unsigned long long>(done), "mutant", "caught by",
              "losing", "at seed");
  for (const auto& m : all) {
    const auto& s = scores[m.wrong.name];
    const bool harmless = std::any_of(all_variants().begin(), all_variants().end(),
                                      [&](const mutant& v) { return v.wrong.name == m.wrong.name; });
    if ((s.caught == 0) != harmless) ++failures;
    std::printf("%-36s %8llu %8llu %8llu  %s%s\n", m.wrong.name.c_str(), static_cast<unsigned long long>(s.caught),
                static_cast<unsigned long long>(s.lost), static_cast<unsigned long long>(s.first),
                harmless ? "(harmless) " : "", m.change.c_str());
  }
  return failures == 0 ? 0 : 1;
}

/// Larger programs are left out when exhaustive is compared with the outside oracle.
constexpr limits largest_for_outside{3000, 60'000};

/// Compares exhaustive with the outside oracle on one program.
void compare_outside(const litmus::random_program& tables, delivery model, totals& t) {
  const auto compared = [model](const litmus::random_program& p) {
    return outside::compare_with_outside(p, model, largest_for_outside);
  };
  const auto c = compared(tables);
  if (!c.fits) return;
  ++t.programs;
  t.traces += c.expected.traces.size();
  t.oracle_executions += c.expected.executions;
  if (c.difference.empty()) return;
  t.differing.push_back(tables.seed);
  if (t.differing.size() > 3) return;
  const auto small = minimise(tables, [&](const auto& p) { return !compared(p).difference.empty(); });
  std::printf("\nDIFFERENCE, on the smallest program that shows one: %s\n", compared(small).difference.c_str());
  std::fflush(stdout);
}

/// Compares every search, or those that tell observers apart, with exhaustive on one program.
void compare_searches(const litmus::random_program& tables, delivery model, bool observers, totals& t) {
  // Going back is proved exact on one program in 16: it makes every delivery three times.
  const auto c =
      compare(tables, {.features = true, .check_undo = tables.seed % 16 == 0, .observers = observers, .model = model});
  if (!c.fits) return;
  take_in(t, c);
  if (c.differences.empty()) return;
  t.differing.push_back(tables.seed);
  if (t.differing.size() <= 3) report(tables, c, {.observers = observers, .model = model});
}

/// What the searches that tell fields apart make of random programs whose handlers touch some of them.
struct field_totals {
  std::uint64_t programs = 0, executions = 0, classes = 0, differing = 0;
  std::array<std::uint64_t, searches_of_cells.size()> blocked{};
};

void compare_fields(cell_kind kind, std::uint64_t seed, delivery model, field_totals& t) {
  const auto tested = make_cells(kind, seed);
  const auto oracle = every_order(tested, kind, model);
  if (!oracle.is_complete || oracle.executions < 2) return;
  ++t.programs;
  t.executions += oracle.executions;
  t.classes += oracle.classes.size();
  bool differs = false;
  for (std::size_t i = 0; i < searches_of_cells.size(); ++i) {
    const auto seen = seen_by(searches_of_cells[i], tested, kind, model, seed);
    t.blocked[i] += seen.blocked;
    for (const auto& line : differences(oracle, seen)) {
      differs = true;
      std::printf("DIFFERENCE at seed %llu, %s, search %zu: %s\n", n(seed), to_string(kind).c_str(), i, line.c_str());
    }
  }
  if (differs) ++t.differing;
}

/// A line of campaign_of_tries.
struct tried_totals {
  std::uint64_t programs = 0, orders = 0, differing = 0;
  std::array<std::uint64_t, searches_that_try.size()> executions{}, blocked{};

  template <class Seen>
  void take_in(std::size_t i, std::uint64_t seed, const std::string& kind, const Seen& seen,
               const std::string& difference) {
    executions[i] += seen.executions;
    blocked[i] += seen.blocked;
    if (difference.empty()) return;
    ++differing;
    std::printf("DIFFERENCE at seed %llu, %s, search %zu: %s\n", n(seed), kind.c_str(), i, difference.c_str());
  }
  void print(const std::string& kind) const {
    std::printf("%-10s %10llu %14llu %12llu %11llu %12llu %11llu %10llu\n", kind.c_str(), n(programs), n(orders),
                n(executions[0]), n(executions[1]), n(blocked[0]), n(blocked[1]), n(differing));
    std::fflush(stdout);
  }
};

tried_totals try_cells(cell_kind kind, std::uint64_t programs, std::uint64_t seed, delivery model) {
  tried_totals t;
  for (; interrupted == 0 && t.programs < programs; ++seed) {
    const auto tested = make_cells(kind, seed);
    const auto oracle = every_order(tested, kind, model);
    if (!oracle.is_complete || oracle.executions < 2) continue;
    ++t.programs;
    t.orders += oracle.executions;
    for (std::size_t i = 0; i < searches_that_try.size(); ++i) {
      const auto seen = seen_by(searches_that_try[i], tested, kind, model, seed);
      t.take_in(i, seed, to_string(kind), seen, difference_in_ends(oracle, seen));
    }
  }
  return t;
}

/// Of the programs that have guards, calls, draws, creation and failures.
tried_totals try_tables(std::uint64_t programs, std::uint64_t seed, delivery model) {
  tried_totals t;
  for (; interrupted == 0 && t.programs < programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    const auto oracle = oracle_of(tested, {.model = model});
    if (!oracle) continue;
    ++t.programs;
    t.orders += oracle->executions;
    for (std::size_t i = 0; i < searches_that_try.size(); ++i) {
      const search tries{"tries", search::promise::covers, true, searches_that_try[i]};
      const auto seen = observe(tested, tries, ordering_for(seed), much_larger, {.model = model});
      t.take_in(i, seed, "tables", seen, difference_in_ends(*oracle, seen));
    }
  }
  return t;
}

/// The same for the searches that try whether messages commute.
int campaign_of_tries(std::uint64_t programs, std::uint64_t seed, delivery model) {
  std::printf("%-10s %10s %14s %24s %24s %10s\n", "tries", "programs", "orders", "executions: two ways", "given up",
              "differing");
  std::uint64_t differing = 0;
  for (const auto kind : {cell_kind::plain, cell_kind::guarded}) {
    const auto t = try_cells(kind, programs, seed, model);
    t.print(to_string(kind));
    differing += t.differing;
  }
  const auto t = try_tables(programs, seed, model);
  t.print("tables");
  return differing + t.differing == 0 ? 0 : 1;
}

int campaign_of_fields(std::uint64_t programs, std::uint64_t seed, delivery model) {
  std::printf("%-10s %10s %14s %12s %32s %10s\n", "fields", "programs", "executions", "classes",
              "given up: one, turns, workers", "differing");
  std::uint64_t differing = 0;
  for (const auto kind : all_cell_kinds) {
    field_totals t;
    for (auto next = seed; interrupted == 0 && t.programs < programs; ++next) compare_fields(kind, next, model, t);
    std::printf("%-10s %10llu %14llu %12llu %14llu %8llu %8llu %10llu\n", to_string(kind).c_str(), n(t.programs),
                n(t.executions), n(t.classes), n(t.blocked[0]), n(t.blocked[1]), n(t.blocked[2]), n(t.differing));
    std::fflush(stdout);
    differing += t.differing;
  }
  return differing == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares every search with exhaustive exploration on random programs; exit 1 if one differs.");
  double seconds = 0;
  std::uint64_t programs = 0;
  std::uint64_t seed = 1;
  bool show = false;
  app.add_option("--seconds", seconds, "Stop after that time");
  app.add_option("--programs", programs, "Stop after that many programs (default 10000, if no --seconds)");
  app.add_option("--seed", seed, "The first program's seed; the next one has the next seed")->capture_default_str();
  app.add_flag("--show", show, "Print the program of --seed and end");
  bool outside_oracle = false;
  app.add_flag("--outside", outside_oracle, "Compare exhaustive with the outside oracle instead; small programs only");
  bool observers = false;
  app.add_flag("--observers", observers, "The searches that tell observers apart, with exhaustive executions so told");
  bool fields = false;
  app.add_flag("--fields", fields, "The searches that tell fields apart, on programs of each kind of field");
  bool semantic = false;
  app.add_flag("--semantic", semantic, "The searches that try whether messages commute, on programs of their own");
  bool mutants = false;
  app.add_flag("--mutants", mutants, "Count how many programs show that each wrong variant of an engine is wrong");
  std::vector<std::string> only;
  app.add_option("--only", only, "Of --mutants, those only");
  auto model = delivery::unordered;
  app.add_option_function<std::string>(
      "--delivery", [&](const std::string& name) { model = delivery_of(name); }, "Under that delivery model");
  CLI11_PARSE(app, argc, argv);
  if (show) {
    std::printf("%s", litmus::to_text(litmus::make_random(seed)).c_str());
    return 0;
  }
  if (programs == 0) programs = seconds > 0 ? std::numeric_limits<std::uint64_t>::max() : 10'000;

  if (mutants) return judge_mutants(programs, seed, only, model);

  for (const auto signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });  // then it sums up
  if (semantic) return campaign_of_tries(programs, seed, model);
  if (fields) return campaign_of_fields(programs, seed, model);

  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  totals t;
  for (; interrupted == 0 && t.programs < programs && (seconds <= 0 || passed() < seconds); ++seed) {
    ++t.tried;
    const auto tables = litmus::make_random(seed);
    if (outside_oracle)
      compare_outside(tables, model, t);
    else
      compare_searches(tables, model, observers, t);
  }
  print(t, passed(), outside_oracle, observers);
  return t.differing.empty() ? 0 : 1;
}
