// Exports of traces, each opened by a program that people open it with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run.hpp"

namespace {

using any_json = nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Names of actors that mean something in one format or another.
const std::vector<std::string> hostile_names = {"end",
                                                "; rm -rf /",
                                                "a\nb",
                                                "#quot;",
                                                "<b>x</b>",
                                                "\"q\\",
                                                "style x:y",
                                                "p0",
                                                "%%{init: {}}%%",
                                                "$$x^2$$",
                                                "\ufb02\u00b0lt\u00b6\u00df",
                                                "note over",
                                                "__proto__",
                                                "constructor",
                                                "\x1b[31m",
                                                "",
                                                "[[http://evil]]",
                                                "~~a~~",
                                                "@enduml",
                                                "!include /etc/passwd",
                                                "== x ==",
                                                std::string(1'000'000, 'x')};

/// Messages that do.
const std::vector<std::string> hostile_messages = {"\"; click A href \"javascript:alert(1)\"",
                                                   "</svg><script>alert(1)</script>",
                                                   "**b** //i// __u__ \"\"m\"\" --s--",
                                                   "<img:/etc/passwd>",
                                                   "%date()",
                                                   "&lt;i&gt; &#60;",
                                                   "\\n\\N\\G",
                                                   "wrap: end",
                                                   "<U+0041>",
                                                   "~<b>x",
                                                   "<br/>",
                                                   "<:smile:>",
                                                   "#60;",
                                                   "a --> end",
                                                   "classDef style a:b#c;",
                                                   "<math>x</math>",
                                                   "{0} [a](1)"};

any_json hostile_trace() {
  auto steps = any_json::array();
  for (std::size_t i = 0; i < hostile_names.size(); ++i) {
    const auto& message = hostile_messages[i % hostile_messages.size()];
    const auto next = (i + 1) % hostile_names.size();
    steps.push_back(
        {{"id", std::to_string(i) + ".0"},
         {"message", message},
         {"receiver", hostile_names[i]},
         {"state", message},
         {"choices", any_json::array()},
         {"sends",
          {{{"message", hostile_messages[next % hostile_messages.size()]}, {"receiver", hostile_names[next]}},
           {{"message", "lost " + message}, {"receiver", hostile_names[i]}}}},
         {"faults", {"lost " + message + " to " + hostile_names[i] + " is lost"}},
         {"creates", {hostile_names[i]}},
         {"destroys", false},
         {"findings", {"assertion: " + message}}});
  }
  return {{"format", "harrier-trace"},
          {"version", 1},
          {"program", hostile_names[5]},
          {"parameters", {{"a", "b"}}},
          {"engine", "optimal"},
          {"ordering", "fifo"},
          {"sleep_sets", false},
          {"seed", 0},
          {"delivery", "unordered"},
          {"environment", "total"},
          {"finding",
           {{"kind", "assertion"},
            {"message", hostile_messages[1]},
            {"actor", hostile_names[1]},
            {"file", "a b.cpp"},
            {"line", 3},
            {"details", {hostile_messages[0]}},
            {"occurrences", 1}}},
          {"steps", steps}};
}

std::string consumer(const std::string& name) { return std::string(E2E_CONSUMERS) + "/" + name; }

/// Every message is to be read as it is, somewhere in `texts`.
void expect_hostile_messages(const any_json& texts) {
  const auto all = texts.get<std::vector<std::string>>();
  for (const auto& message : hostile_messages) EXPECT_THAT(all, Contains(HasSubstr(message)));
  for (const auto* name : {"; rm -rf /", "a\\nb", "<b>x</b>", "\"q\\", "%%{init: {}}%%", "\\x1b[31m", "(no name)"})
    EXPECT_THAT(all, Contains(HasSubstr(name)));
}

class Export : public testing::Test {
protected:
  std::string written(const any_json& trace, const std::string& format) {
    std::ofstream(here_ / "trace.json") << trace;
    const auto result = e2e::programs({"replay", here_ / "trace.json", "--format", format});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, IsEmpty());
    const auto file = here_ / ("trace." + format);
    std::ofstream(file) << result.out;
    return file;
  }
  static any_json printed_by(const std::vector<std::string>& words) {
    const auto result = e2e::run(words);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    return any_json::parse(result.out, nullptr, false);
  }
  any_json saved(const std::string& program) {
    const auto file = here_ / "saved.json";
    EXPECT_EQ(e2e::programs({"explore", program, "--save-trace", file}).status, 1);
    return any_json::parse(e2e::content_of(file));
  }

  e2e::folder here_;
};

TEST_F(Export, NeedsNoProgram) {
  EXPECT_THAT(e2e::content_of(written(hostile_trace(), "mermaid")), HasSubstr("sequenceDiagram"));
}

TEST_F(Export, OfAnUnknownFormatIsRefusedInOneLine) {
  const auto result = e2e::programs({"replay", "trace.json", "--format", "mermaids"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(HasSubstr("--format mermaids: one of mermaid, plantuml, shiviz, dot, perfetto"),
                                HasSubstr("did you mean"), testing::EndsWith("\n")));
}

TEST_F(Export, GoesNotWithStepping) {
  const auto result = e2e::programs({"replay", "trace.json", "--format", "dot", "--step"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("leave out --step"));
}

TEST_F(Export, IsDrawnByGraphviz) {
  if (!e2e::can_run({"dot", "-V"})) GTEST_SKIP() << "graphviz is not installed; scripts/setup tests does that";
  for (const auto& trace : {saved("failing-check"), hostile_trace()}) {
    const auto file = written(trace, "dot");
    EXPECT_EQ(e2e::run({"dot", "-Tsvg", "-o", file + ".svg", file}).status, 0);
  }
  const auto picture = printed_by({"python3", consumer("svg.py"), here_ / "trace.dot.svg"});

  expect_hostile_messages(picture["texts"]);
  EXPECT_THAT(picture["elements"].get<std::vector<std::string>>(),
              AllOf(Not(Contains("script")), Not(Contains("image"))));
  EXPECT_EQ(picture["links"], any_json::array());
}

TEST_F(Export, IsDrawnByPlantUml) {
  if (!e2e::can_run({"plantuml", "-version"}))
    GTEST_SKIP() << "plantuml is not installed; scripts/setup exports does that";
  std::vector<std::string> files;
  for (const auto& trace : {saved("failing-check"), hostile_trace()}) {
    const auto file = written(trace, "plantuml");
    files.push_back(here_ / ("trace" + std::to_string(files.size()) + ".puml"));
    std::filesystem::rename(file, files.back());
  }
  const auto drawn = e2e::run({"plantuml", "-tsvg", "-charset", "UTF-8", files[0], files[1]});
  ASSERT_EQ(drawn.status, 0) << drawn.out << drawn.err;
  const auto picture = printed_by({"python3", consumer("svg.py"), here_ / "trace1.svg"});

  expect_hostile_messages(picture["texts"]);
  EXPECT_THAT(picture["elements"].get<std::vector<std::string>>(),
              AllOf(Not(Contains("script")), Not(Contains("image"))));
  EXPECT_EQ(picture["links"], any_json::array());
}

TEST_F(Export, IsDrawnByMermaidInABrowser) {
  if (!std::filesystem::exists(consumer("node_modules/mermaid")))
    GTEST_SKIP() << "mermaid is not installed; scripts/setup exports does that";
  if (!e2e::can_run({"chromium", "--version"}))
    GTEST_SKIP() << "chromium is not installed; scripts/setup exports does that";
  const auto plain = here_ / "plain.mermaid";
  std::filesystem::rename(written(saved("failing-check"), "mermaid"), plain);
  const auto hostile = written(hostile_trace(), "mermaid");
  const auto found = e2e::run({"sh", "-c", "command -v chromium"}).out;
  const auto pictures =
      printed_by({"node", consumer("mermaid.mjs"), found.substr(0, found.find('\n')), plain, hostile});

  for (const auto& picture : pictures) {
    ASSERT_FALSE(picture.contains("error")) << picture;
    EXPECT_EQ(picture["unwanted"], any_json::array());
    EXPECT_THAT(picture["elements"].get<std::vector<std::string>>(),
                AllOf(Not(Contains("script")), Not(Contains("a")), Not(Contains("image"))));
  }
  EXPECT_THAT(pictures[0]["texts"].get<std::vector<std::string>>(), Contains("1. start()"));
  expect_hostile_messages(pictures[1]["texts"]);
}

/// ShiViz is in no registry: its rules are followed.
TEST_F(Export, IsWhatTheRulesOfShiVizAskFor) {
  const auto plain = printed_by({"python3", consumer("shiviz.py"), written(saved("failing-check"), "shiviz")});
  const auto hostile = printed_by({"python3", consumer("shiviz.py"), written(hostile_trace(), "shiviz")});

  EXPECT_EQ(plain[1]["event"].get<std::string>().substr(0, 3), "1. ");
  std::vector<std::string> events;
  for (const auto& event : hostile) events.push_back(event["event"]);
  expect_hostile_messages(events);
}

TEST_F(Export, IsReadByPerfettoAsThreadsAndSlices) {
  const auto all = any_json::parse(e2e::content_of(written(hostile_trace(), "perfetto")));
  std::vector<std::string> texts;
  for (const auto& event : all["traceEvents"]) {
    texts.push_back(event["name"]);
    if (event["ph"] == "M" && event["args"].contains("name")) texts.push_back(event["args"]["name"]);
  }

  expect_hostile_messages(texts);
}

}  // namespace
