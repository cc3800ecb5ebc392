#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/core/error.hpp>
#include <harrier/report/trace_file.hpp>

#include "example.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;

trace_file example() {
  trace_file t;
  t.program = "server";
  t.parameters = {{"variant", "foundry"}};
  t.engine = "optimal";
  t.ordering = "fifo";
  t.sleep_sets = true;
  t.seed = 18'446'744'073'709'551'615U;
  t.environment = "empty";
  t.finding = example_finding();
  return t;
}

std::string complaint_about(const std::string& text) {
  try {
    trace_file_from(text);
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

/// The example's text without the line that holds `part`.
std::string without(const std::string& part) {
  auto json = json_value::parse(to_text(example()));
  json.erase(part);
  return to_text(json);
}

TEST(TraceFile, ComesBackAsItWas) {
  const auto written = example();
  const auto read = trace_file_from(to_text(written));

  EXPECT_EQ(read.program, written.program);
  EXPECT_EQ(read.parameters, written.parameters);
  EXPECT_EQ(read.engine, written.engine);
  EXPECT_EQ(read.ordering, written.ordering);
  EXPECT_EQ(read.sleep_sets, written.sleep_sets);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.environment, written.environment);
  EXPECT_EQ(read.finding.kind, written.finding.kind);
  EXPECT_EQ(read.finding.message, written.finding.message);
  EXPECT_EQ(read.finding.line, written.finding.line);
  EXPECT_EQ(read.finding.trace, written.finding.trace);
}

TEST(TraceFile, KeepsWhatTheHandlersDrew) {
  const auto read = trace_file_from(to_text(example()));

  ASSERT_EQ(read.finding.schedule.size(), 2);
  EXPECT_EQ(read.finding.schedule[0].code, 0);
  EXPECT_EQ(read.finding.schedule[1].code, 5);
}

TEST(TraceFile, IsTheSameTextForTheSameTrace) { EXPECT_EQ(to_text(example()), to_text(example())); }

TEST(TraceFile, TakesParametersThatAreNumbers) {
  const auto read = trace_file_from(to_text(example(), {{"workers", 5}}));

  EXPECT_EQ(read.parameters.at("workers"), "5");
}

TEST(TraceFile, SurvivesBytesThatAreNoText) {
  auto t = example();
  t.finding.trace[0].state = "{name=\"\xff\"}";

  EXPECT_EQ(trace_file_from(to_text(t)).finding.trace[0].state, "{name=\"\xEF\xBF\xBD\"}");
}

TEST(TraceFile, NamesTheFieldThatIsMissing) {
  for (const auto* field : {"program", "parameters", "engine", "delivery", "environment", "finding", "steps"})
    EXPECT_THAT(complaint_about(without(field)), HasSubstr("'" + std::string(field) + "' is missing"));
}

TEST(TraceFile, NamesTheStepThatIsWrong) {
  auto json = json_value::parse(to_text(example()));
  json["steps"][1]["id"] = 7;

  EXPECT_EQ(complaint_about(to_text(json)), "step 2: the field 'id' is of the wrong type");
}

}  // namespace
}  // namespace harrier
