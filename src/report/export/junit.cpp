// JUnit's report, in the parts of it that GitHub's actions and GitLab read.
#include <fmt/format.h>

#include <harrier/core/printable.hpp>
#include <harrier/report/ci.hpp>
#include <harrier/report/explanation.hpp>
#include <harrier/report/text.hpp>

#include "source_line.hpp"
#include "words.hpp"

namespace harrier {
namespace {

constexpr std::size_t longest_attribute = 1000;

std::string in_xml(const std::string& text) {
  auto result = escaped_by(text, [](char c) -> std::string {
    switch (c) {
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      case '"': return "&quot;";
      default: return {};
    }
  });
  // The two characters that are printable, and no characters of XML.
  replace_each(result, "\xEF\xBF\xBE", "\\ufffe");
  replace_each(result, "\xEF\xBF\xBF", "\\uffff");
  return result;
}

std::string in_attribute(const std::string& text) { return in_xml(shortened(printable(text), longest_attribute)); }

class junit_writer {
public:
  junit_writer(const exploration& result, const std::vector<explanation>& why)
      : result_(result), why_(why), suite_(result.program) {
    for (const auto& [name, value] : result.parameters) suite_ += " " + name + "=" + value;
  }

  std::string write(bool require_covered) {
    add_exploration();
    for (std::size_t i = 0; i < result_.findings.size(); ++i) add_finding(result_.findings[i], explanation_of(i, why_));
    for (const auto& [name, is_reached] : result_.points)
      if (require_covered && !is_reached)
        add_case("covers: " + name, {}, "failure", "uncovered", "never happened, in any execution", printable(name));
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"harrier\" tests=\"{0}\" failures=\"{1}\" errors=\"{2}\" skipped=\"{3}\" time=\"{4:.3f}\">\n"
        "  <testsuite name=\"{5}\" tests=\"{0}\" failures=\"{1}\" errors=\"{2}\" skipped=\"{3}\" time=\"{4:.3f}\">\n"
        "{6}  </testsuite>\n</testsuites>\n",
        tests_, failures_, errors_, skipped_, result_.seconds, in_attribute(suite_), cases_);
  }

private:
  void open_case(const std::string& name, const std::string& attributes, double seconds) {
    ++tests_;
    cases_ += fmt::format("    <testcase classname=\"{}\" name=\"{}\"{} time=\"{:.3f}\">\n", in_attribute(suite_),
                          in_attribute(name), attributes, seconds);
  }

  void add_case(const std::string& name, const std::string& attributes, const char* element, const std::string& type,
                const std::string& message, const std::string& text) {
    ++(element == std::string_view("error") ? errors_ : failures_);
    open_case(name, attributes, 0);
    cases_ += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", element,
                          in_attribute(type), in_attribute(message), in_xml(text));
  }

  /// What it proves. That there are findings is said by their own test cases.
  void add_exploration() {
    open_case("explored completely", {}, result_.seconds);
    if (!result_.exhausted) {
      ++skipped_;
      cases_ += fmt::format("      <skipped message=\"stopped by {}: not everything was explored\"/>\n",
                            in_attribute(result_.stopped_by));
    }
    cases_ += fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", in_xml(summary_of(result_)));
  }

  void add_finding(const finding& f, const explanation& why) {
    auto attributes = f.file.empty() ? std::string() : fmt::format(" file=\"{}\"", in_attribute(f.file));
    if (!f.file.empty() && f.line != 0) attributes += fmt::format(" line=\"{}\"", f.line);
    const auto kind = std::string(to_string(f.kind));
    add_case(kind + ": " + summary_line(f), attributes, is_of_the_search(f.kind) ? "error" : "failure", kind, f.message,
             to_text(f) + (why.sentence.empty() ? "" : "\n" + to_text(why)));
  }

  const exploration& result_;
  const std::vector<explanation>& why_;
  std::string suite_;
  std::string cases_;
  std::size_t tests_ = 0;
  std::size_t failures_ = 0;
  std::size_t errors_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace

std::string to_junit(const exploration& result, bool require_covered, const std::vector<explanation>& why) {
  return junit_writer(result, why).write(require_covered);
}

}  // namespace harrier
