// Where handlers stand in the sources, as a compiler's tool says it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include <harrier/harrier.hpp>
#include <harrier/isolation/isolated_why.hpp>
#include <src/isolation/source_lines.hpp>

namespace harrier::where_handlers_stand {
namespace {

using testing::EndsWith;
using testing::IsEmpty;
using testing::SizeIs;

struct counter {
  int seen = 0;
  static constexpr int line_of_add = __LINE__ + 1;
  void add(self& me, int n) {
    seen = seen * 10 + n;
    me.check(seen != 21, "the other order");
  }
};

/// Asks in its middle.
struct asker {
  ref<counter> whom;
  static constexpr int line_of_ask = __LINE__ + 1;
  task ask(self& me) {
    co_await me.call<&counter::add>(whom, 1);
    me.check(false, "the reply has come");
  }
};

exploration explored() {
  return explore_isolated(make_program([](self& self) {
    const auto whom = self.create<counter>();
    for (const int n : {1, 2}) self.send<&counter::add>(whom, n);
  }));
}

TEST(SourceLines, OfEachStepOfAFindingAreThoseOfItsHandler) {
  if (std::system("addr2line --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "addr2line is not installed";
  const auto all = explored();
  ASSERT_THAT(all.findings, SizeIs(1));
  source_lines lines;
  lines.learn(all.findings[0].trace);
  int steps = 0;
  for (const auto& step : all.findings[0].trace) {
    if (step.receiver != "counter_0") continue;
    ++steps;
    EXPECT_THAT(lines.of(step), EndsWith("source_lines_test.cpp:" + std::to_string(counter::line_of_add)));
  }
  EXPECT_EQ(steps, 2);
}

TEST(SourceLines, OfAReplyAreThoseOfTheHandlerThatGoesOn) {
  if (std::system("addr2line --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "addr2line is not installed";
  const auto all = explore_isolated(
      make_program([](self& self) { self.send<&asker::ask>(self.create<asker>(self.create<counter>())); }));
  ASSERT_THAT(all.findings, SizeIs(1));
  const auto& trace = all.findings[0].trace;
  source_lines lines;
  lines.learn(trace);
  EXPECT_EQ(trace.back().message, "reply()");
  EXPECT_THAT(lines.of(trace.back()), EndsWith("source_lines_test.cpp:" + std::to_string(asker::line_of_ask)));
}

TEST(SourceLines, AreKnownOfNoStepThatDoesNotSayWhereItsCodeIs) {
  for (const auto* unknown : {"", "+0x10", "bank", "/nowhere+0x10", "/nowhere+0x10; rm -rf /", "/etc/passwd+0x10"}) {
    trace_step step;
    step.handler = unknown;
    source_lines lines;
    lines.learn({step});
    EXPECT_THAT(lines.of(step), IsEmpty()) << unknown;
  }
  trace_step never_learnt;
  never_learnt.handler = "/bin/true+0x1000";
  EXPECT_THAT(source_lines().of(never_learnt), IsEmpty());
}

TEST(SourceLines, AreInNoTraceOfTwoStepsThatAreEqual) {
  trace_step here, there;
  here.handler = "/a+0x1";
  there.handler = "/b+0x2";
  EXPECT_EQ(here, there) << "the same build may lie elsewhere";
}

}  // namespace
}  // namespace harrier::where_handlers_stand
