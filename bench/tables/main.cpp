#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "eta.hpp"
#include "figures.hpp"
#include "protocol_formulas.hpp"
#include "report.hpp"
#include "selection.hpp"
#include "task_selection.hpp"
#include "trial.hpp"

namespace {

using namespace harrier::tables;

struct request {
  std::vector<std::string> tables;
  bool json = false;
  bool compare = false;
  std::string figure_folder;
  std::string figures = HARRIER_PUBLISHED_FIGURES;
  std::string protocols = HARRIER_PUBLISHED_PROTOCOLS;
  limits how_far;
};

std::vector<outcome> run(const request& asked) {
  const auto cells = read_figures(asked.figures);
  laboratory lab(asked.how_far);
  std::vector<outcome> outcomes;
  for (const auto& table : all_tables()) {
    const auto& wanted = asked.tables;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), table.name) == wanted.end()) continue;
    outcomes.push_back({table, {}});
    for (const auto& c : cells)
      if (c.table == table.name) outcomes.back().trials.push_back(lab.run(c));
  }
  return outcomes;
}

tally sum_of(const std::vector<outcome>& outcomes) {
  tally all;
  for (const auto& o : outcomes)
    for (const auto& t : o.trials)
      if (!t.published.beside()) all.add(t);
  return all;
}

/// Whether a cell that counts differs and nobody knows why.
bool unexplained(const std::vector<outcome>& outcomes) {
  for (const auto& o : outcomes)
    for (const auto& t : o.trials)
      if (!t.published.beside() && t.outcome == trial::verdict::different && t.why.empty()) return true;
  return false;
}

/// Whether each of Eta's spaces that was gone through is as large as published.
bool all_as_published(const std::vector<eta_row>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const auto& r) { return !r.all.executions || *r.all.executions == r.all.published; });
}

/// @return whether the rows about actors are as published; those about tasks are of other programs.
bool print_selection(double seconds, bool as_json) {
  const auto actors = run_selection(seconds);
  const auto tasks = run_task_selection(seconds);
  if (as_json)
    fmt::print("{}\n", nlohmann::ordered_json{{"actors", to_json(actors)}, {"tasks", to_json(tasks)}}.dump(2));
  else
    fmt::print("{}\n{}\n", to_text(actors), to_text(tasks));
  return all_as_published(actors);
}

/// @return whether all formulas that were run came out as published or meant.
bool print_formulas(const std::string& corpus, bool as_json) {
  const auto table = run_protocol_formulas(HARRIER_PROTOCOLS, corpus);
  fmt::print("{}\n", as_json ? to_json(table).dump(2) : to_text(table));
  return all_as_expected(table);
}

void print(const std::vector<outcome>& outcomes, double seconds, bool as_json) {
  const auto all = sum_of(outcomes);
  if (as_json) {
    nlohmann::ordered_json json;
    json["tables"] = nlohmann::ordered_json::array();
    for (const auto& o : outcomes) json["tables"].push_back(to_json(o));
    json["sum"] = to_json(all);
    json["seconds"] = seconds;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  for (const auto& o : outcomes) fmt::print("{}\n", to_text(o));
  for (const auto& o : outcomes) fmt::print("table {:<4} {}\n", o.about.name, to_text(o.sum()));
  fmt::print("all        {}; {:.1f} s\n", to_text(all), seconds);
}

}  // namespace

int main(int argc, char** argv) {
  request asked;
  CLI::App app(
      "The literature's tables beside ours.\n"
      "Exit status: 0 every cell that differs has its reason below the table, 1 one has none, 2 wrong usage.");
  std::vector<std::string> names;
  for (const auto& t : all_tables()) names.push_back(t.name);
  const std::vector<std::string> of_their_own{"eta", "001", "004"};
  names.insert(names.end(), of_their_own.begin(), of_their_own.end());
  app.add_option("--table", asked.tables,
                 "Only this table (3.1 ... 4.2: Lauterburg; T1, T2: Tasharofi et al.; eta: Simsa et al.; 001: Albert "
                 "et al.; 004: "
                 "chapters 10 and 11 of the thesis on Prut4j)")
      ->check(CLI::IsMember(names));
  app.add_flag("--json", asked.json, "Print JSON");
  app.add_flag("--compare", asked.compare, "Compare engines instead, in Markdown");
  app.add_option("--figure-1", asked.figure_folder,
                 "Eta's figure 1 into this folder: different executions over time (a second a curve, or --time-limit)");
  app.add_option("--time-limit", asked.how_far.seconds, "Seconds for one cell")->capture_default_str();
  app.add_option("--at-most", asked.how_far.deliveries, "Leave out cells with more published transitions")
      ->capture_default_str();
  app.add_option("--protocols", asked.protocols,
                 "A checkout of Prut4j, or a folder with its definitions, formulas and verdicts, for 004")
      ->capture_default_str();
  app.add_option("--figures", asked.figures, "The published figures")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    if (asked.compare) {
      fmt::print("{}", compare_engines(asked.how_far.seconds));
      return 0;
    }
    if (!asked.figure_folder.empty()) {
      draw_eta_figure(asked.figure_folder, app.count("--time-limit") == 0 ? 1 : asked.how_far.seconds);
      return 0;
    }
    for (const auto& name : of_their_own) {
      if (std::find(asked.tables.begin(), asked.tables.end(), name) == asked.tables.end()) continue;
      if (asked.tables.size() > 1) {
        fmt::print(stderr, "tables: table {} is printed alone; ask for one table at a time\n", name);
        return 2;
      }
      if (name == "004") return print_formulas(asked.protocols, asked.json) ? 0 : 1;
      if (name == "001") return print_selection(asked.how_far.seconds, asked.json) ? 0 : 1;
      const auto rows = run_eta(asked.how_far.seconds);
      fmt::print("{}\n", asked.json ? to_json(rows).dump(2) : to_text(rows));
      return all_as_published(rows) ? 0 : 1;
    }
    const auto started = std::chrono::steady_clock::now();
    const auto outcomes = run(asked);
    print(outcomes, std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(), asked.json);
    return unexplained(outcomes) ? 1 : 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "tables: {}\n", e.what());
    return 2;
  }
}
