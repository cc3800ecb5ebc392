#include "selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include <harrier/core/error.hpp>

#include "trial.hpp"

namespace harrier::tables {
namespace {

std::vector<selection_row> published() {
  return {
      {"QSort(5)", "quicksort n=5", {16, 72, 23, 0.014}, {}},
      {"QSort(6)", "quicksort n=6", {32, 146, 55, 0.029}, {}},
      {"Fib(5)", "fib n=5", {16, 72, 23, 0.017}, {}},
      {"Fib(7)", "fib n=7", {4'096, 16'760, 6'495, 5.425}, {}},
      {"Pi(3)", "pi workers=3", {6, 38, 3, 0.010}, {}},
      {"Pi(5)", "pi workers=5", {120, 932, 5, 0.065}, {}},
      {"PSort(4,1)", "pipesort n=4", {288, 1'294, 144, 0.070}, {}},
  };
}

std::uint64_t statistic_of(const exploration& result, std::string_view name) {
  for (const auto& s : result.statistics)
    if (s.name == name) return static_cast<std::uint64_t>(s.value);
  return 0;
}

selection_row::figures figures_of(const exploration& result) {
  return {.executions = result.executions,
          .states = result.transitions + 1,
          .without = statistic_of(result, "states ordered") - statistic_of(result, "states with a stable actor"),
          .seconds = result.seconds};
}

selection_row with_ours(selection_row row, double seconds) {
  row.ours = figures_of(explore_fully(row.program, "dcute", "stability", seconds));
  const auto by_age = explore_fully(row.program, "dcute", "fifo", seconds);
  row.with_fifo = figures_of(by_age);
  row.fifo_ended = ended(by_age);
  return row;
}

nlohmann::ordered_json to_json(const selection_row::figures& f) {
  return {{"executions", f.executions}, {"states", f.states}, {"without", f.without}, {"seconds", f.seconds}};
}

std::string cells(const selection_row::figures& f) {
  return fmt::format("{:>8} {:>8} {:>6} {:>9.4f}s", f.executions, f.states, f.without, f.seconds);
}

}  // namespace

std::vector<selection_row> run_selection(double seconds) {
  std::vector<selection_row> rows;
  for (const auto& row : published()) rows.push_back(with_ours(row, seconds));
  return rows;
}

selection_row run_selection(const std::string& test, double seconds) {
  for (const auto& row : published())
    if (row.test == test) return with_ours(row, seconds);
  throw error("table 1 of Albert et al. has no test " + test);
}

bool all_as_published(const std::vector<selection_row>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const auto& r) { return r.ours.executions == r.published.executions; });
}

std::string to_text(const std::vector<selection_row>& rows) {
  auto text = fmt::format(
      "Albert et al., FORTE 2014, table 1: the selection of actors (ours: engine dcute, ordering stability)\n"
      "{:<11} {:>8} {:>8} {:>6} {:>10}   {:>8} {:>8} {:>6} {:>10}   {:>11} {:>10}\n",
      "", "published", "states", "H", "seconds", "ours", "states", "H", "seconds", "with fifo", "seconds");
  for (const auto& r : rows)
    text += fmt::format("{:<11} {}   {}   {:>1}{:>10} {:>9.4f}s\n", r.test, cells(r.published), cells(r.ours),
                        r.fifo_ended ? "" : ">", r.with_fifo.executions, r.with_fifo.seconds);
  return text +
         "\nExecutions: what is left are the orders of the messages of one actor; no state is come back to for "
         "another\n"
         "actor. States: the nodes of the tree of the search. H: those of them, ends left out, where no actor was "
         "known\n"
         "to be stable. Theirs counts an actor whose class is on a chain of calls as not stable if any actor of the\n"
         "class has a reference to it; ours if a message can get to one that has. Where states differ, the order of\n"
         "stable actors does. PSort(4,2), RegSim, DHT, Mail and BB are about the selection of tasks.\n";
}

nlohmann::ordered_json to_json(const std::vector<selection_row>& rows) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& r : rows)
    json.push_back({{"test", r.test},
                    {"program", r.program},
                    {"published", to_json(r.published)},
                    {"ours", to_json(r.ours)},
                    {"with_fifo", to_json(r.with_fifo)},
                    {"fifo_ended", r.fifo_ended}});
  return json;
}

}  // namespace harrier::tables
