#include "task_selection.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include <harrier/explore/explore.hpp>

#include "programs.hpp"
#include "trial.hpp"

namespace harrier::tables {
namespace {

std::vector<task_row> published() {
  return {
      {"figure 3", "figure-3", {6, 0, 0}, {2, 0, 0}},
      {"PSort(4,2)", "pipesort-tasks n=4 told=2", {5'760, 25'829, 1.389}, {288, 1'304, 0.071}},
      {"", "pipesort-tasks n=5 told=2"},
      {"RegSim(6,1)", "regsim-tasks workers=6 tasks=1", {10'080, 27'415, 0.804}, {720, 3'923, 0.135}},
      {"RegSim(4,2)", "regsim-tasks workers=4 tasks=2", {11'520, 31'576, 0.860}, {384, 2'132, 0.070}},
      {"", "regsim-tasks workers=4 tasks=2 told=declarations"},
      {"DHT(a)", "dht clients=2", {1'152, 3'905, 0.132}, {36, 141, 0.005}},
      {"DHT(b)", "dht clients=3", {480, 2'304, 0.097}, {12, 85, 0.004}},
      {"", "dht clients=3 stripes=1"},
      {"Mail(2,2)", "mail users=2 letters=1", {2'648, 11'377, 0.553}, {460, 2'270, 0.119}},
      {"Mail(2,3)", "mail users=2 letters=2", {1'665'500, 5'109'783, 200, 0, false}, {27'880, 94'222, 4.022}},
      {"BB(3,1)", "bounded-buffer producers=2 consumers=2", {155'520, 475'205, 23.907}, {4'320, 13'214, 0.674}},
      {"BB(4,2)", "bounded-buffer producers=3 consumers=3", {1'099'008, 3'028'298, 165.114}, {45'792, 126'192, 6.938}},
      {"", "bounded-buffer producers=3 consumers=3 buffer=guards"},
  };
}

exploration explored(const task_row& row, double seconds, std::optional<bool> observers, independence by) {
  options how;
  how.search.engine = by == independence::semantic ? "source" : "optimal";
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.limits.time_limit = seconds;
  how.judging.check_determinism = repetition::off;
  how.search.observers = observers;
  how.search.independence = by;
  return explore(program_named(row.program), how);
}

task_row::figures figures_of(const exploration& result) {
  return {.executions = result.executions,
          .states = result.transitions + 1,
          .seconds = result.seconds,
          .blocked = result.blocked,
          .ended = ended(result)};
}

std::uint64_t ends_of(const task_row& row, double seconds) {
  options how;
  how.search.engine = "stateful";
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.limits.time_limit = seconds;
  how.judging.check_determinism = repetition::off;
  const auto result = explore(program_named(row.program), how);
  return ended(result) && result.states ? result.states->final_states : 0;
}

task_row with_ours(task_row row, double seconds) {
  row.plain = figures_of(explored(row, seconds, false, independence::receiver));
  row.observing = figures_of(explored(row, seconds, {}, independence::receiver));
  row.fields = figures_of(explored(row, seconds, {}, independence::fields));
  row.semantic = figures_of(explored(row, seconds, {}, independence::semantic));
  row.ends = ends_of(row, seconds);
  return row;
}

std::string number(const task_row::figures& f) { return fmt::format("{}{}", f.ended ? "" : ">", f.executions); }

std::string ratio(double without, double with, bool is_exact) {
  return fmt::format("{}{:.1f}", is_exact ? "" : ">", without / with);
}

/// How many times as many executions the first has; if it did not end, at least.
std::string factor(const task_row::figures& without, const task_row::figures& with) {
  if (!with.ended || with.executions == 0) return "-";
  return ratio(static_cast<double>(without.executions), static_cast<double>(with.executions), without.ended);
}

/// The same of seconds, of which few are not worth a division.
std::string factor_in_time(const task_row::figures& without, const task_row::figures& with) {
  constexpr double measurable = 0.1;
  if (!with.ended || with.seconds <= 0 || without.seconds < measurable) return "-";
  return ratio(without.seconds, with.seconds, without.ended);
}

nlohmann::ordered_json to_json(const task_row::figures& f) {
  nlohmann::ordered_json json = {{"executions", f.executions}, {"ended", f.ended}};
  if (f.states > 0) json["states"] = f.states;  // of figure 3 the executions alone are published
  if (f.states > 0) json["seconds"] = f.seconds;
  if (f.blocked > 0) json["blocked"] = f.blocked;
  return json;
}

}  // namespace

std::vector<task_row> run_task_selection(double seconds) {
  std::vector<task_row> rows;
  for (const auto& row : published()) rows.push_back(with_ours(row, seconds));
  return rows;
}

std::string to_text(const std::vector<task_row>& rows) {
  auto text = fmt::format(
      "Albert et al., FORTE 2014, table 1: the selection of tasks (ours: engine optimal, programs of the same kind)\n"
      "{:<11} {:>9} {:>7} {:>6}   {:<52} {:>9} {:>9} {:>8}   {:>9}   {:>8} {:>8} {:>8} {:>8}   {:>6} {:>7}   {:>8} "
      "{:>8} {:>8} {:>8}   {:>6} {:>7}   {:>5}\n",
      "", "without", "with", "factor", "ours", "receiver", "states", "seconds", "observers", "fields", "given up",
      "states", "seconds", "factor", "in time", "semantic", "given up", "states", "seconds", "factor", "in time",
      "ends");
  for (const auto& r : rows) {
    const bool is_theirs = !r.test.empty();
    text += fmt::format(
        "{:<11} {:>9} {:>7} {:>6}   {:<52} {:>9} {:>9} {:>8.4f}   {:>9}   {:>8} {:>8} {:>8} {:>8.4f}   {:>6} {:>7}   "
        "{:>8} {:>8} {:>8} {:>8.4f}   {:>6} {:>7}   {:>5}\n",
        r.test, is_theirs ? number(r.published_without) : "", is_theirs ? number(r.published_with) : "",
        is_theirs ? factor(r.published_without, r.published_with) : "", r.program, number(r.plain), r.plain.states,
        r.plain.seconds, number(r.observing), number(r.fields), r.fields.blocked, r.fields.states, r.fields.seconds,
        factor(r.plain, r.fields), factor_in_time(r.plain, r.fields), number(r.semantic), r.semantic.blocked,
        r.semantic.states, r.semantic.seconds, factor(r.plain, r.semantic), factor_in_time(r.plain, r.semantic),
        r.ends > 0 ? std::to_string(r.ends) : "-");
  }
  return text +
         "\nExecutions with --independence receiver --observers off, then as it is by default, then with "
         "--independence\n"
         "fields, then with --independence semantic (engine source). Given up: executions in which all that was left "
         "slept.\n"
         "States: the nodes of the tree of the search, which are the deliveries and one; those that check what is "
         "declared,\n"
         "or that try messages in both orders, are not among them.\n"
         "Ends: how many distinct states executions end in, by engine stateful: no search can have fewer "
         "executions.\n"
         "The programs are not the paper's, which are not printed, but written from their names:\n"
         "docs/algorithms/tables.md says what commutes in each. Rows without a name are ours alone.\n";
}

nlohmann::ordered_json to_json(const std::vector<task_row>& rows) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& r : rows) {
    nlohmann::ordered_json row = {{"test", r.test}, {"program", r.program}};
    if (!r.test.empty()) {
      row["published_without"] = to_json(r.published_without);
      row["published_with"] = to_json(r.published_with);
    }
    row["receiver"] = to_json(r.plain);
    row["observers"] = to_json(r.observing);
    row["fields"] = to_json(r.fields);
    row["semantic"] = to_json(r.semantic);
    row["ends"] = r.ends;
    json.push_back(row);
  }
  return json;
}

}  // namespace harrier::tables
