// What stands in a page, without a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include <harrier/report/json.hpp>
#include <harrier/web/page.hpp>

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::Not;

report_story story_of_one_finding(const std::string& message, std::string file_text = {}) {
  told_finding told;
  told.trace.program = "program";
  told.trace.finding.message = message;
  told.text = std::move(file_text);
  report_story story;
  story.program = "program";
  story.findings = {told};
  return story;
}

/// The data that the page has, as they are written.
std::string data_in(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="story">)";
  const auto from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

json_value read_from(const std::string& page) { return json_value::parse(data_in(page)); }

TEST(Page, IsTheSameForTheSameStory) {
  EXPECT_EQ(report_page(story_of_one_finding("it fails")), report_page(story_of_one_finding("it fails")));
}

TEST(Page, HasTheStoryAsData) {
  auto story = story_of_one_finding("it fails");
  story.verdict = report_verdict::found;
  story.summary = {"1 finding", "2 executions"};
  const auto data = read_from(report_page(story));

  EXPECT_EQ(data["format"], "harrier-report");
  EXPECT_EQ(data["version"], 1);
  EXPECT_EQ(data["verdict"], "found");
  EXPECT_EQ(data["summary"], json_value({"1 finding", "2 executions"}));
  EXPECT_EQ(data["findings"][0]["other"], nullptr);
}

TEST(Page, HasEachTraceAsTheTextOfItsFile) {
  const auto story = story_of_one_finding("it fails");
  const auto data = read_from(report_page(story));

  EXPECT_EQ(data["findings"][0]["trace"], to_text(story.findings[0].trace, json_value::object()));
}

TEST(Page, HasTheTextOfAFileThatIsThereAlready) {
  const std::string text = R"({ "as": "it is", "seed": 18446744073709551615 })";

  EXPECT_EQ(read_from(report_page(story_of_one_finding("it fails", text)))["findings"][0]["trace"], text);
}

TEST(Page, DoesNotLetTextsOutOfItsData) {
  const std::string hostile = "</script><script>alert(1)</script><!-- & @STORY@ \u2028\u2029";
  const auto page = report_page(story_of_one_finding(hostile));
  const auto text = read_from(page)["findings"][0]["trace"].get<std::string>();

  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(data_in(page), Not(testing::ContainsRegex("[<>&]|\u2028|\u2029")));
  EXPECT_EQ(json_value::parse(text)["finding"]["message"], hostile);
}

TEST(Page, ReplacesBytesThatAreNoUtf8) {
  const auto text =
      read_from(report_page(story_of_one_finding("a\xff\xfe z")))["findings"][0]["trace"].get<std::string>();

  EXPECT_EQ(json_value::parse(text)["finding"]["message"], "a\ufffd\ufffd z");
}

TEST(Page, ShowsAnotherOrderBesideTheTrace) {
  auto story = story_of_one_finding("it fails");
  story.findings[0].other.about = "An order that passes";
  story.findings[0].other.steps.emplace_back().message = "go()";
  const auto other = read_from(report_page(story))["findings"][0]["other"];

  EXPECT_EQ(other["about"], "An order that passes");
  EXPECT_EQ(other["steps"][0]["message"], "go()");
}

TEST(Page, ForbidsItselfTheNetwork) {
  const auto page = report_page(story_of_one_finding("it fails"));

  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(page, Not(HasSubstr("href=\"http")));
}

TEST(StoryOfAnExploration, HasItsVerdict) {
  exploration complete;
  complete.exhausted = true;
  exploration failed = complete;
  failed.findings.emplace_back();

  EXPECT_EQ(story_of(complete).verdict, report_verdict::passed);
  EXPECT_EQ(story_of(failed).verdict, report_verdict::found);
  EXPECT_EQ(story_of(exploration()).verdict, report_verdict::open);
}

}  // namespace
}  // namespace harrier
