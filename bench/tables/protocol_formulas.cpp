// The formulas of the thesis on Prut4j. Those about topologies are printed in it, and are run on our own definitions;
// the others are in its supplement, which is read if it is there. Of the games and kernels that the supplement at hand
// lacks, formulas of the same kinds are run, made here.
#include "protocol_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>

#include <harrier/core/error.hpp>
#include <harrier/protocol/check.hpp>
#include <harrier/protocol/parse.hpp>

namespace harrier::tables {
namespace {

namespace fs = std::filesystem;
using protocol::module_mode;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw error(fmt::format("cannot read {}", file.string()));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct session {
  fs::path file;
  std::string name;
  std::vector<int> arguments;
};

struct claim {
  std::string formula;
  bool holds = true;
};

protocol::property_report checked(const session& s, module_mode mode, std::optional<run_ends> ends,
                                  const std::vector<claim>& claims) {
  const auto parsed = protocol::parse(text_of(s.file), s.file.string());
  if (!parsed.value) throw error(protocol::to_string(parsed.diagnostics));
  std::vector<protocol::value> arguments;
  for (const auto a : s.arguments) arguments.emplace_back(std::int64_t{a});
  std::vector<std::string> formulas;
  for (const auto& c : claims) formulas.push_back(c.formula);
  protocol::generate_options module;
  module.mode = mode;
  protocol::property_options how;
  how.ends = ends;
  return check_session(protocol::explore_session(parsed.value, s.name, arguments), s.name, module,
                       protocol::checked_thing::definition, formulas, how);
}

/// Adds what comes out to `row`.
void run_into(formula_row& row, const session& s, module_mode mode, std::optional<run_ends> ends,
              const std::vector<claim>& claims) {
  const auto started = std::chrono::steady_clock::now();
  const auto report = checked(s, mode, ends, claims);
  row.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    ++row.run;
    if (report.properties[i].holds == claims[i].holds) ++row.as_expected;
    if (!report.properties[i].note.empty()) ++row.notes;
  }
}

// --- table 10.1

struct topology {
  const char* name;
  const char* definition;
  const char* session;
  std::vector<int> arguments;
  const char* in_corpus;
  const char* published;  // by property, + or -
};

const std::vector<topology>& topologies() {
  static const std::vector<topology> all{
      {"directed ring", "token-ring", "token-ring", {4, 0}, "token-directed-ring", "++--+-"},
      {"undirected ring", "token-ring", "token-ring-both-ways", {4, 0}, "token-undirected-ring", "-+--+-"},
      {"star", "token-star", "token-star", {4}, "token-star", "-+++++"},
      {"binary tree", "token-tree", "token-tree", {4, 0}, "token-binary-tree", "---+++"},
      {"full mesh", "token-mesh", "token-full-mesh", {4, 0}, "token-full-mesh", "----+-"},
      {"2D mesh", "token-mesh", "token-grid", {4, 0}, "token-2d-mesh", "----++"},
  };
  return all;
}

// Whoever of `from` has received sends next to one of `to`.
std::string passes_on(int from, const std::vector<int>& to) {
  std::string next;
  for (const auto t : to)
    next += fmt::format("{}\"node_{}_ SEND <Token> TO node_{}_\"", next.empty() ? "" : " || ", from, t);
  return fmt::format("(G(\"node_{}_ RECV <Token>\" => X({})))", from, next);
}

std::vector<std::string> six_properties() {
  return {passes_on(1, {2}),       passes_on(1, {0, 2}),
          passes_on(1, {0}),       passes_on(1, {0, 3}) + " && " + passes_on(2, {0}),
          passes_on(1, {0, 2, 3}), passes_on(1, {0, 3}) + " && " + passes_on(2, {0, 3})};
}

void run_topologies(formula_table& result, const fs::path& examples) {
  const auto properties = six_properties();
  for (const auto& t : topologies()) {
    formula_row row{"Table 10.1", t.name, "ours, with the thesis' formulas", properties.size(), 0, 0, 0, 0, {}};
    std::vector<claim> claims;
    for (std::size_t i = 0; i < properties.size(); ++i) claims.push_back({properties[i], t.published[i] == '+'});
    const session s{examples / (std::string(t.definition) + ".dcj"), t.session, t.arguments};
    run_into(row, s, module_mode::strict, run_ends::ignore, claims);
    const auto report = checked(s, module_mode::strict, run_ends::ignore, claims);
    for (std::size_t i = 0; i < claims.size(); ++i)
      result.topologies.push_back({i + 1, t.name, claims[i].holds, report.properties[i].holds});
    result.rows.push_back(std::move(row));
  }
}

// --- the supplement

using lines_of_table = std::vector<std::map<std::string, std::string>>;

lines_of_table read_table(const fs::path& file) {
  std::istringstream in(text_of(file));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream rest(line);
    for (std::string one; std::getline(rest, one, '\t');) result.push_back(one);
    return result;
  };
  std::string line;
  std::getline(in, line);
  const auto head = cells(line);
  lines_of_table result;
  while (std::getline(in, line)) {
    const auto row = cells(line);
    auto& named = result.emplace_back();
    for (std::size_t i = 0; i < std::min(head.size(), row.size()); ++i) named[head[i]] = row[i];
  }
  return result;
}

std::string place_of(const std::string& definition) {
  if (definition.starts_with("token-")) return "Table 10.1";
  return definition == "cg" || definition == "is" ? "Section 10.3" : "Section 10.2";
}

void run_corpus(formula_table& result, const fs::path& corpus) {
  struct key {
    std::string definition;
    std::string mode;
    auto operator<=>(const key&) const = default;
  };
  std::map<key, std::pair<session, std::vector<claim>>> groups;
  std::map<std::string, formula_row> rows;
  for (const auto& line : read_table(corpus / "verdicts.tsv")) {
    const auto& name = line.at("definition");
    auto& [s, claims] = groups[{name, line.at("prut4j_mode")}];
    const auto n = std::stoi("0" + line.at("n"));
    const bool has_start = name.starts_with("token-");
    s = {corpus / "definitions" / (name + ".dcj"), name,
         n == 0      ? std::vector<int>{}
         : has_start ? std::vector<int>{n, 0}
                     : std::vector<int>{n}};
    claims.push_back({text_of(corpus / line.at("formula")), line.at("prut4j_expected") == "T"});
  }
  for (const auto& [which, group] : groups) {
    auto& row = rows[which.definition];
    row.place = place_of(which.definition);
    row.what = which.definition;
    row.source = "the supplement's";
    row.published = row.published.value_or(0) + group.second.size();
    run_into(row, group.first, *protocol::parse_mode(which.mode), run_ends::ignore, group.second);
  }
  for (auto& [name, row] : rows) result.rows.push_back(std::move(row));
}

// --- a checkout of Prut4j

// A class of its tests: which definition it is about, and how the class that it tests enforces it.
struct test_class {
  const char* name;
  const char* definition;
  std::vector<int> arguments;
  module_mode mode;
  const char* place;
  std::size_t published;
};

const std::vector<test_class>& test_classes() {
  constexpr auto liberal = module_mode::liberal;
  constexpr auto strict = module_mode::strict;
  static const std::vector<test_class> all{
      {"TokenDirectedRing", "network_topologies/token-directed-ring", {4, 0}, liberal, "Table 10.1", 6},
      {"TokenUndirectedRing", "network_topologies/token-undirected-ring", {4, 0}, liberal, "Table 10.1", 6},
      {"TokenStar", "network_topologies/token-star", {4, 0}, liberal, "Table 10.1", 6},
      {"TokenBinaryTree", "network_topologies/token-binary-tree", {4, 0}, liberal, "Table 10.1", 6},
      {"TokenFullMesh", "network_topologies/token-full-mesh", {4, 0}, liberal, "Table 10.1", 6},
      {"TokenTwoDMesh", "network_topologies/token-2d-mesh", {4, 0}, liberal, "Table 10.1", 6},
      {"Chess", "games/chess", {}, liberal, "Section 10.2", 9},
      {"TicTacToe", "games/tic-tac-toe", {}, strict, "Section 10.2", 7},
      {"TicTacToeOptimized", "games/tic-tac-toe", {}, liberal, "Section 10.2", 7},
      {"RockPaperScissors", "games/rock-paper-scissors", {3}, strict, "Section 10.2", 22},
      {"GoFish", "games/go-fish", {3}, liberal, "Section 10.2", 23},
      {"CG", "npb/cg", {2}, liberal, "Section 10.3", 11},
      {"FT", "npb/ft", {2}, liberal, "Section 10.3", 11},
      {"IS", "npb/is", {2}, liberal, "Section 10.3", 11},
      {"MG", "npb/mg", {2}, liberal, "Section 10.3", 11},
  };
  return all;
}

fs::path tests_of(const fs::path& checkout) { return checkout / "tests" / "src" / "test" / "java"; }

fs::path file_named(const std::string& name, const fs::path& below) {
  for (const auto& entry : fs::recursive_directory_iterator(below))
    if (entry.path().filename() == name) return entry.path();
  throw error(fmt::format("there is no {} below {}", name, below.string()));
}

void run_checkout(formula_table& result, const fs::path& checkout) {
  static const std::regex asked(R"r(TestFormulaFromFile\("([^"]+)"\s*,\s*(true|false))r");
  for (const auto& c : test_classes()) {
    const auto source = text_of(file_named(std::string(c.name) + "ProtocolTests.java", tests_of(checkout)));
    std::vector<claim> claims;
    for (std::sregex_iterator at(source.begin(), source.end(), asked), end; at != end; ++at)
      claims.push_back({text_of(checkout / "tests" / (*at)[1].str()), (*at)[2] == "true"});
    const auto file = checkout / "code-generator" / "protocol_definitions" / (std::string(c.definition) + ".dcj");
    formula_row row{c.place, c.name, "the supplement's", c.published, 0, 0, 0, 0, {}};
    run_into(row, {file, file.stem().string(), c.arguments}, c.mode, run_ends::ignore, claims);
    if (row.run != c.published)
      row.remark = fmt::format("its last version has {}; the thesis counts {}", row.run, c.published);
    result.rows.push_back(std::move(row));
  }
}

// --- formulas of our own, of the kinds that the thesis names

struct channel {
  std::string from;
  std::string to;
};

std::vector<channel> between_all(const std::vector<std::string>& roles) {
  std::vector<channel> result;
  for (const auto& from : roles)
    for (const auto& to : roles)
      if (from != to) result.push_back({from, to});
  return result;
}

// At most one message waits in a channel, and it is received.
void add_kinds_of_channels(const std::vector<channel>& channels, std::vector<claim>& claims) {
  for (const auto& c : channels) {
    const auto sent = fmt::format("\"{} SEND * TO {}\"", c.from, c.to);
    claims.push_back({fmt::format("G({0} => X(!{0} U \"{1} RECV * FROM {2}\"))", sent, c.to, c.from)});
    claims.push_back({fmt::format("G({} => X(F(\"{} RECV *\")))", sent, c.to)});
  }
}

const std::vector<std::string>& players() {
  static const std::vector<std::string> all{"player_0_", "player_1_", "player_2_"};
  return all;
}

std::vector<claim> claims_on_rock_paper_scissors() {
  std::vector<claim> claims;
  add_kinds_of_channels(between_all(players()), claims);
  claims.push_back({"G(F(\"* SEND *\" || \"* RECV *\"))"});
  for (const auto& other : {players()[1], players()[2]})
    claims.push_back({fmt::format("!\"player_0_ RECV *\" U \"player_0_ SEND * TO {}\"", other)});
  for (const auto& p : players()) claims.push_back({fmt::format("G(F(\"{} SEND *\"))", p), false});  // it may drop out
  return claims;
}

std::vector<claim> claims_on_go_fish() {
  auto roles = players();
  roles.emplace_back("dealer");
  std::vector<claim> claims;
  add_kinds_of_channels(between_all(roles), claims);
  for (const auto& c : between_all(players()))  // whoever has not got the card has the next turn
    claims.push_back({fmt::format("G(\"{0} SEND <Go> TO {1}\" => X(!\"* SEND <Ask> TO *\" U \"{0} SEND <Ask> TO *\"))",
                                  c.from, c.to)});
  claims.push_back({"F(G(!\"dealer SEND <Turn> TO *\"))"});
  return claims;
}

// The eleven of a kernel, for two workers of a kind. A worker of one kind of several may never be asked.
std::vector<claim> claims_on_kernel(const std::string& kind, const std::string& task) {
  std::vector<claim> claims{{fmt::format("G(\"master SEND <Exit> TO *\" => G(!\"master SEND <{}> TO *\"))", task)}};
  for (const auto* number : {"_0_", "_1_"}) {
    const auto worker = kind + number;
    const auto asked = fmt::format("\"master SEND * TO {}\"", worker);
    const auto answers = fmt::format("\"{} SEND <Done> TO master\"", worker);
    const auto takes = fmt::format("\"{} RECV *\"", worker);
    claims.push_back({fmt::format("G({0} => X(!{0} U \"* RECV *\"))", asked)});
    claims.push_back({fmt::format("G({} => X(F({})))", asked, takes)});
    claims.push_back({fmt::format("G({0} => X(!{0} U {1}))", asked, answers)});
    claims.push_back({fmt::format("G({} => X(F({})))", asked, answers)});
    claims.push_back({fmt::format("!\"{} SEND * TO master\" W {}", worker, takes)});
  }
  return claims;
}

void run_ours(formula_table& result, const fs::path& examples, bool has_published_ones) {
  const auto* const kinds_only = has_published_ones
                                     ? "of the kinds that the thesis names"
                                     : "of the kinds that the thesis names: a checkout of Prut4j has those published";
  formula_row rps{"Section 10.2", "rock-paper-scissors", "ours", 22, 0, 0, 0, 0, kinds_only};
  run_into(rps, {examples / "rock-paper-scissors.dcj", "rock-paper-scissors", {3}}, module_mode::strict,
           run_ends::ignore, claims_on_rock_paper_scissors());
  formula_row fish{"Section 10.2", "go-fish", "ours", 23, 0, 0, 0, 0, kinds_only};
  run_into(fish, {examples / "go-fish.dcj", "go-fish", {3}}, module_mode::strict, run_ends::ignore,
           claims_on_go_fish());
  result.rows.push_back(std::move(rps));
  result.rows.push_back(std::move(fish));
  const std::map<std::string, std::vector<std::pair<std::string, std::string>>> kinds{
      {"cg", {{"worker", "Compute"}}},
      {"is", {{"worker", "Rank"}}},
      {"ft", {{"evolve", "Evolve"}, {"fft", "Fft"}}},
      {"mg", {{"interp", "Interp"}, {"psinv", "Psinv"}, {"rprj", "Rprj"}, {"resid", "Resid"}}}};
  for (const auto* kernel : {"cg", "ft", "is", "mg"}) {
    formula_row row{"Section 10.3", kernel, "ours", 11, 0, 0, 0, 0, "eleven for each kind of worker"};
    for (const auto& [kind, task] : kinds.at(kernel))
      run_into(row, {examples / (std::string(kernel) + ".dcj"), kernel, {2}}, module_mode::liberal_checked,
               run_ends::ignore, claims_on_kernel(kind, task));
    result.rows.push_back(std::move(row));
  }
}

void add_what_is_not_formulas(formula_table& result) {
  double seconds = 0;
  std::size_t formulas = 0;
  for (const auto& row : result.rows) {
    seconds += row.seconds;
    formulas += row.run;
  }
  const auto say = [&](const char* place, const char* what, std::string remark) {
    result.rows.push_back({place, what, {}, {}, 0, 0, 0, 0, std::move(remark)});
  };
  say("Table 11.1", "time of all tests",
      fmt::format(
          "theirs: 148 in 47 s and 45 s on two laptops, Java, modules generated and explored. Ours: the {} above "
          "in {:.2f} s here, on definitions, without generating code",
          formulas, seconds));
  say("Table 11.2", "the machine of the measurements",
      "a node of 24 cores; there is nothing to repeat, and none like it at hand");
  for (const auto* figure : {"Figure 11.1", "Figure 11.2", "Figure 11.3", "Figure 11.4"}) {
    const auto kernel = std::map<std::string_view, const char*>{
        {"Figure 11.1", "CG"},
        {"Figure 11.2", "FT"},
        {"Figure 11.3", "IS"},
        {"Figure 11.4",
         "MG"}}.at(figure);
    say(figure, kernel,
        "slowdown over a reference: bench/npb measures it, and bench/README.md has the table and the plot");
  }
}

std::string mark(std::optional<bool> holds) { return !holds ? "?" : *holds ? "+" : "-"; }

}  // namespace

formula_table run_protocol_formulas(const std::string& examples, const std::string& corpus) {
  formula_table result;
  run_topologies(result, examples);
  bool has_all = false;
  if (fs::exists(fs::path(corpus) / "verdicts.tsv")) {
    run_corpus(result, corpus);
  } else if (fs::exists(tests_of(corpus))) {
    run_checkout(result, corpus);
    has_all = true;
  } else {
    const auto remark = fmt::format("the published definitions and formulas are not in {}: not run", corpus);
    for (const auto& [place, what, published] :
         {std::tuple{"Table 10.1", "six topologies", 36U}, std::tuple{"Section 10.2", "chess", 9U},
          std::tuple{"Section 10.2", "tic-tac-toe", 14U}, std::tuple{"Section 10.3", "cg", 11U},
          std::tuple{"Section 10.3", "is", 11U}}) {
      result.rows.push_back({place, what, {}, published, 0, 0, 0, 0, remark});
    }
  }
  run_ours(result, examples, has_all);
  add_what_is_not_formulas(result);
  return result;
}

bool all_as_expected(const formula_table& table) {
  return std::all_of(table.rows.begin(), table.rows.end(), [](const auto& r) { return r.run == r.as_expected; });
}

std::string to_text(const formula_table& table) {
  std::string text =
      "Table 10.1 of the thesis on Prut4j: + holds, - is violated; published, then ours, on our own definitions with "
      "four nodes\n";
  std::map<std::size_t, std::string> lines;
  std::string head = "property";
  std::size_t equal = 0;
  for (const auto& c : table.topologies) {
    if (c.property == 1) head += fmt::format("  {:>15}", c.topology);
    lines[c.property] += fmt::format("  {:>15}", mark(c.published) + " " + mark(c.ours));
    equal += c.ours == c.published ? 1U : 0U;
  }
  text += head + "\n";
  for (const auto& [property, line] : lines) text += fmt::format("{:>8}{}\n", property, line);
  text += fmt::format("{} of {} cells as published\n\nChapters 10 and 11: formulas\n", equal, table.topologies.size());
  text += fmt::format("{:<13} {:<32} {:<32} {:>9} {:>4} {:>11} {:>5} {:>8}\n", "place", "what", "definitions, formulas",
                      "published", "run", "as expected", "notes", "seconds");
  for (const auto& r : table.rows) {
    text += fmt::format("{:<13} {:<32} {:<32} {:>9}", r.place, r.what, r.source,
                        r.published ? fmt::to_string(*r.published) : "");
    if (r.run != 0) text += fmt::format(" {:>4} {:>11} {:>5} {:>8.2f}", r.run, r.as_expected, r.notes, r.seconds);
    text += "\n";
    if (!r.remark.empty()) text += fmt::format("{:14}{}\n", "", r.remark);
  }
  return text;
}

nlohmann::ordered_json to_json(const formula_table& table) {
  nlohmann::ordered_json json{{"topologies", nlohmann::ordered_json::array()},
                              {"rows", nlohmann::ordered_json::array()}};
  for (const auto& c : table.topologies) {
    auto& cell = json["topologies"].emplace_back(nlohmann::ordered_json{
        {"property", c.property}, {"topology", c.topology}, {"published", c.published}, {"ours", nullptr}});
    if (c.ours) cell["ours"] = *c.ours;
  }
  for (const auto& r : table.rows) {
    auto& row = json["rows"].emplace_back(
        nlohmann::ordered_json{{"place", r.place}, {"what", r.what}, {"source", r.source}, {"published", nullptr}});
    if (r.published) row["published"] = *r.published;
    row["run"] = r.run;
    row["as_expected"] = r.as_expected;
    row["notes"] = r.notes;
    row["seconds"] = r.seconds;
    row["remark"] = r.remark;
  }
  return json;
}

}  // namespace harrier::tables
