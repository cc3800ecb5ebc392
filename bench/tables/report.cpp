#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace harrier::tables {
namespace {

struct printed_cell {
  std::string published;
  std::string ours;
  std::string mark;
};

template <class T>
std::size_t place_of(std::vector<T>& list, const T& item) {
  const auto found = std::find(list.begin(), list.end(), item);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(item);
  return list.size() - 1;
}

std::string together(const std::vector<std::string>& figures) {
  std::string text;
  for (const auto& f : figures)
    if (!f.empty()) text += (text.empty() ? "" : " / ") + f;
  return text.empty() ? "-" : text;
}

std::string published(const cell& c) {
  return together({c.paths.printed, c.transitions.printed, c.states.printed, c.depth.printed});
}

/// What is published of the cell, and both paths and transitions if nothing is.
std::string ours(const trial& t) {
  if (!t.paths) return "-";
  const auto& c = t.published;
  const bool neither = !c.paths.given() && !c.transitions.given();
  const auto shown = [](bool wanted, const std::optional<std::uint64_t>& x) {
    return wanted && x ? std::to_string(*x) : std::string();
  };
  return together({shown(c.paths.given() || neither, t.paths), shown(c.transitions.given() || neither, t.transitions),
                   shown(c.states.given(), t.states), shown(c.depth.given(), t.depth)});
}

std::string mark(const trial& t, std::vector<std::string>& notes) {
  const std::string sign = t.outcome == trial::verdict::equal       ? "="
                           : t.outcome == trial::verdict::different ? "!="
                                                                    : "";
  return t.why.empty() ? sign : fmt::format("{}[{}]", sign, place_of(notes, t.why) + 1);
}

/// The rows of a table: subject and row name, then a cell for each column.
struct grid {
  std::vector<std::string> columns;
  std::vector<std::pair<std::string, std::string>> rows;
  std::vector<std::vector<printed_cell>> cells;
  std::vector<std::string> notes;

  explicit grid(const std::vector<trial>& trials) {
    for (const auto& t : trials) place_of(columns, t.published.column);
    for (const auto& t : trials) {
      const auto row = place_of(rows, std::pair(t.published.subject, t.published.row));
      cells.resize(rows.size(), std::vector<printed_cell>(columns.size()));
      cells[row][place_of(columns, t.published.column)] = {published(t.published), ours(t), mark(t, notes)};
    }
  }

  template <class Member>
  [[nodiscard]] std::size_t width(std::size_t column, std::size_t least, Member member) const {
    for (const auto& row : cells) least = std::max(least, (row[column].*member).size());
    return least;
  }
};

std::string without_end_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string rows_of(const grid& g) {
  std::size_t subject = 0;
  std::size_t name = 0;
  for (const auto& [s, r] : g.rows) {
    subject = std::max(subject, s.size());
    name = std::max(name, r.size());
  }
  auto heads = std::string(subject + name + 3, ' ');
  auto second = heads;
  struct widths {
    std::size_t published, ours, mark;
  };
  std::vector<widths> all;
  for (std::size_t c = 0; c < g.columns.size(); ++c) {
    widths w{g.width(c, 9, &printed_cell::published), g.width(c, 4, &printed_cell::ours),
             g.width(c, 1, &printed_cell::mark)};
    w.mark = std::max(w.mark, g.columns[c].size() - std::min(g.columns[c].size(), w.published + w.ours + 4));
    all.push_back(w);
    heads += fmt::format("  {:<{}}", g.columns[c], w.published + w.ours + w.mark + 4);
    second += fmt::format("  {:>{}}  {:>{}}  {:<{}}", "published", w.published, "ours", w.ours, "", w.mark);
  }
  auto text = without_end_spaces(heads) + without_end_spaces(second);
  for (std::size_t r = 0; r < g.rows.size(); ++r) {
    auto line = fmt::format("{:<{}}  {:<{}} ", g.rows[r].first, subject, g.rows[r].second, name);
    for (std::size_t c = 0; c < g.columns.size(); ++c) {
      const auto& x = g.cells[r][c];
      line += fmt::format("  {:>{}}  {:>{}}  {:<{}}", x.published, all[c].published, x.ours, all[c].ours, x.mark,
                          all[c].mark);
    }
    text += without_end_spaces(line);
  }
  return text;
}

std::string sums_of(const std::vector<trial>& trials) {
  std::vector<std::string> columns;
  std::vector<tally> sums;
  for (const auto& t : trials) {
    const auto c = place_of(columns, t.published.column);
    sums.resize(columns.size());
    sums[c].add(t);
  }
  std::string text;
  for (std::size_t c = 0; c < columns.size(); ++c) text += fmt::format("{}: {}\n", columns[c], to_text(sums[c]));
  return text;
}

nlohmann::ordered_json number_or_null(const figure& f) {
  return f.given() ? nlohmann::ordered_json(f.value()) : nlohmann::ordered_json(nullptr);
}

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& x) {
  return x ? nlohmann::ordered_json(*x) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json to_json(const trial& t) {
  const auto& p = t.published;
  return {{"subject", p.subject},
          {"row", p.row},
          {"column", p.column},
          {"program", p.program},
          {"engine", p.engine},
          {"ordering", p.ordering},
          {"published",
           {{"paths", number_or_null(p.paths)},
            {"transitions", number_or_null(p.transitions)},
            {"states", number_or_null(p.states)},
            {"depth", number_or_null(p.depth)},
            {"cut", p.paths.cut()}}},
          {"ours",
           {{"paths", or_null(t.paths)},
            {"transitions", or_null(t.transitions)},
            {"states", or_null(t.states)},
            {"depth", or_null(t.depth)},
            {"blocked", t.blocked},
            {"seconds", t.seconds}}},
          {"counts", !p.beside()},
          {"verdict", to_string(t.outcome)},
          {"why", t.why}};
}

}  // namespace

tally outcome::sum() const {
  tally all;
  for (const auto& t : trials)
    if (!t.published.beside()) all.add(t);
  return all;
}

std::string to_text(const tally& sum) {
  auto text = fmt::format("{} equal, {} different", sum.equal, sum.different);
  if (sum.cut_there > 0) text += fmt::format(", {} published as cut by time", sum.cut_there);
  if (sum.illegible > 0) text += fmt::format(", {} without a published figure", sum.illegible);
  if (sum.not_run > 0) text += fmt::format(", {} not run", sum.not_run);
  return text;
}

std::string to_text(const outcome& table) {
  const grid g(table.trials);
  auto text = table.about.title + '\n';
  if (!table.about.convention.empty()) text += table.about.convention + '\n';
  text += '\n' + rows_of(g) + '\n';
  for (std::size_t i = 0; i < g.notes.size(); ++i) text += fmt::format("[{}] {}\n", i + 1, g.notes[i]);
  return text + sums_of(table.trials);
}

nlohmann::ordered_json to_json(const tally& sum) {
  return {{"equal", sum.equal},
          {"different", sum.different},
          {"published_cut", sum.cut_there},
          {"no_published_figure", sum.illegible},
          {"not_run", sum.not_run}};
}

nlohmann::ordered_json to_json(const outcome& table) {
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (const auto& t : table.trials) cells.push_back(to_json(t));
  return {{"table", table.about.name},
          {"title", table.about.title},
          {"convention", table.about.convention},
          {"cells", std::move(cells)},
          {"sum", to_json(table.sum())}};
}

}  // namespace harrier::tables
