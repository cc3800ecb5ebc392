#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/protocol/evaluate.hpp>
#include <harrier/protocol/lts.hpp>
#include <harrier/protocol/parse.hpp>

namespace harrier::protocol {

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The project's own definitions.
inline std::filesystem::path own(const std::string& name) {
  return std::filesystem::path(HARRIER_EXAMPLES) / (name + ".dcj");
}

/// The published corpus: optional, beside the project.
inline std::filesystem::path published() { return HARRIER_PUBLISHED; }
inline bool is_published() { return std::filesystem::exists(published() / "sizes.tsv"); }
constexpr auto skip_reason = "the published corpus is not beside the project (../shared/prut4j)";

inline std::shared_ptr<const specification> parsed(const std::string& text) {
  auto result = parse(text, "test.dcj");
  if (!result.value) throw std::runtime_error(to_string(result.diagnostics));
  return result.value;
}

inline std::vector<value> numbers(const std::vector<int>& arguments) {
  std::vector<value> result;
  for (const auto a : arguments) result.emplace_back(std::int64_t{a});
  return result;
}

inline explored_session session(const std::string& text, const std::string& name,
                                const std::vector<int>& arguments = {}, std::size_t max_states = 100'000) {
  return explore_session(parsed(text), name, numbers(arguments), max_states);
}

/// Roles a, b, c and messages between them: `(-->> T ::a ::b)`.
inline std::string with_roles(const std::string& body) {
  return "(s/defrole ::a) (s/defrole ::b) (s/defrole ::c) (s/defrole ::d) (s/defrole ::w) " + body;
}
inline std::string session_p(const std::string& body) { return with_roles("(s/defsession ::p [] " + body + ")"); }

using table_row = std::map<std::string, std::string>;

/// Tab-separated, the first line the names of the columns.
inline std::vector<table_row> table(const std::filesystem::path& file) {
  std::istringstream in(contents(file));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result(1);
    for (const char c : line) {
      if (c == '\t') {
        result.emplace_back();
      } else {
        result.back() += c;
      }
    }
    return result;
  };
  std::string line;
  std::getline(in, line);
  const auto head = cells(line);
  std::vector<table_row> rows;
  while (std::getline(in, line)) {
    const auto row = cells(line);
    auto& named = rows.emplace_back();
    for (std::size_t i = 0; i < head.size() && i < row.size(); ++i) named[head[i]] = row[i];
  }
  return rows;
}

/// The arguments of the published sessions for `n`.
inline std::vector<int> published_arguments(const std::string& definition, int n) {
  if (definition == "chess" || definition == "tic-tac-toe") return {};
  if (definition == "cg" || definition == "is") return {n};
  return {n, 0};
}

}  // namespace harrier::protocol
