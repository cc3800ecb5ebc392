#include "sources.hpp"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace harrier::test {
namespace {

std::string line_of(unsigned line, const std::string& text) {
  return "line " + std::to_string(line) + ": " + (text.empty() ? "none" : text);
}

/// `line 12: `
std::string start_of(const std::string& line) { return line.substr(0, line.find(':') + 2); }

template <class Describe>
std::vector<std::string> in_lines_of(const std::vector<std::string>& as, const analysed_source& source,
                                     Describe describe) {
  std::vector<std::string> lines;
  for (const auto& h : source.handlers) {
    const auto line = line_of(h.where.line, describe(h));
    if (std::any_of(as.begin(), as.end(), [&](const auto& other) { return start_of(other) == start_of(line); }))
      lines.push_back(line);
  }
  return lines;
}

void add(std::string& to, const char* what, const std::vector<named_access>& fields) {
  if (fields.empty()) return;
  to += (to.empty() ? "" : "; ") + std::string(what);
  for (const auto& f : fields) to += " " + f.name;
}

void add_any(std::string& to, const std::vector<source_remark>& remarks) {
  for (const auto& r : remarks) to += (to.empty() ? "any: " : "; any: ") + r.text;
}

}  // namespace

std::string case_named(const std::string& name) { return std::string(CASES "/") + name; }

analysed_source analysed(const std::string& file, const std::string& but_for) {
  return analyse({file, {"-I" HARRIER_INCLUDE}, but_for});
}

void write_text(const std::string& file, const std::string& text) {
  if (!(std::ofstream(file) << text << std::flush)) throw std::runtime_error("cannot write " + file);
}

written_source::written_source(const std::string& text, const std::string& name) {
  auto pattern = (std::filesystem::temp_directory_path() / "harrier-analyse-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  folder_ = pattern;
  file_ = beside(name);
  write_text(file_, text);
}

written_source::~written_source() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string written_source::beside(const std::string& name) const { return folder_ + "/" + name; }

std::vector<std::string> expected(const std::string& file, const std::string& mark) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto at = line.find("// " + mark);
    if (at == std::string::npos) continue;
    auto text = line.substr(std::min(line.size(), at + 3 + mark.size() + 1));
    lines.push_back(line_of(number, text == "none" ? "" : text));
  }
  return lines;
}

std::vector<std::string> fields_of(const analysed_source& source, const std::vector<std::string>& as) {
  return in_lines_of(as, source, [](const analysed_handler& h) {
    std::string text;
    if (h.any_field.empty()) {
      add(text, "reads", h.reads);
      add(text, "writes", h.writes);
    }
    add_any(text, h.any_field);
    add(text, "shared", h.shared);
    return text;
  });
}

std::vector<std::string> sends_of(const analysed_source& source, const std::vector<std::string>& as) {
  return in_lines_of(as, source, [](const analysed_handler& h) {
    std::string text;
    for (const auto& s : h.sends) text += (text.empty() ? "" : ", ") + s.handler + " to " + s.to;
    add_any(text, h.any_send);
    return text;
  });
}

}  // namespace harrier::test
