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

TEST(TraceFile, KeepsWhatBefellMessages) {
  auto t = example();
  t.faults = {.lose = 2, .duplicate = 1};
  t.finding.trace[0].faults = {"set(5) to server_0 is lost"};
  const auto read = trace_file_from(to_text(t));

  EXPECT_EQ(read.faults, t.faults);
  EXPECT_EQ(read.finding.trace, t.finding.trace);
}

TEST(TraceFile, KeepsTheStepsThatPeopleAreNotShown) {
  auto t = example();
  t.finding.trace[0].machinery = true;

  EXPECT_EQ(trace_file_from(to_text(t)).finding.trace, t.finding.trace);
}

TEST(TraceFile, KeepsWhyItComesAbout) {
  auto t = example();
  t.why = {.sentence = "server_0 took set(5) first.", .steps = t.finding.trace, .alike = 1};

  EXPECT_EQ(trace_file_from(to_text(t)).why, t.why);
  EXPECT_EQ(trace_file_from(to_text(example())).why, explanation{}) << "an older one does not tell";
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

TEST(TraceFile, NamesTheFieldThatIsOutOfRange) {
  const auto with = [](const char* where, const json_value& value) {
    auto json = json_value::parse(to_text(example()));
    json[json_value::json_pointer(where)] = value;
    return complaint_about(to_text(json));
  };

  EXPECT_EQ(with("/seed", -1), "the field 'seed' is out of range: -1");
  EXPECT_EQ(with("/seed", 1.5), "the field 'seed' is out of range: 1.5");
  EXPECT_EQ(with("/finding/line", 4294967296), "the field 'line' is out of range: 4294967296");
  EXPECT_EQ(with("/finding/occurrences", -7), "the field 'occurrences' is out of range: -7");
  EXPECT_EQ(with("/steps/0/choices", {0, -2}), "step 1: the field 'choices' is out of range: -2");
  EXPECT_EQ(with("/steps/0/code", -2), "step 1: the field 'code' is out of range: -2");
  EXPECT_EQ(with("/steps/0/sends", 3), "step 1: the field 'sends' is of the wrong type");
  EXPECT_THAT(with("/version", -1), HasSubstr("the field 'version' is out of range"));
}

TEST(TraceFile, NamesTheFieldWhoseNameNobodyKnows) {
  const auto with = [](const char* where, const char* name) {
    auto json = json_value::parse(to_text(example()));
    json[json_value::json_pointer(where)] = name;
    return complaint_about(to_text(json));
  };

  EXPECT_THAT(with("/delivery", "pigeon"), HasSubstr("the field 'delivery': unknown delivery model 'pigeon'"));
  EXPECT_THAT(with("/environment", "full"), HasSubstr("the field 'environment': there is no environment 'full'"));
  EXPECT_THAT(with("/finding/kind", "joy"), HasSubstr("the field 'kind': 'joy' is not a kind of finding"));
}

TEST(TraceFile, IsRefusedIfItIsNestedDeeply) {
  const std::string deep =
      "{\"format\": \"harrier-trace\", \"version\": 1, \"judgement\": " + std::string(60'000, '[') +
      std::string(60'000, ']') + "}";

  EXPECT_THAT(complaint_about(deep), HasSubstr("nested more than 32 deep"));
}

TEST(TraceFile, MayHaveBracketsInItsTexts) {
  auto t = example();
  t.finding.trace[0].state = std::string(100, '[') + "\"{\\";

  EXPECT_EQ(trace_file_from(to_text(t)).finding.trace[0].state, t.finding.trace[0].state);
}

}  // namespace
}  // namespace harrier
