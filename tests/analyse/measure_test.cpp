// Declarations that make more executions necessary are taken away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <src/analyse/measure.hpp>

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

analysed_source three_handlers() {
  analysed_source source;
  for (const auto* name : {"put", "take", "look"}) {
    auto& h = source.handlers.emplace_back();
    h.of_class = "cell";
    h.name = name;
    h.where = {"cell.cpp", 7};
    h.declaration = "...";
  }
  return source;
}

std::vector<std::string> declared(const analysed_source& source) {
  std::vector<std::string> all;
  for (const auto& h : source.handlers)
    if (!h.declaration.empty()) all.push_back(h.name);
  return all;
}

/// Ten executions, and for each declaration more or fewer.
auto executions(int put, int take, int look) {
  return [=](const analysed_source& source) {
    int n = 10;
    for (const auto& name : declared(source)) n += name == "put" ? put : name == "take" ? take : look;
    return static_cast<std::uint64_t>(n);
  };
}

TEST(Measure, KeepsAllDeclarationsThatSaveExecutionsTogether) {
  auto source = three_handlers();
  const auto all = measure(source, executions(-3, -2, 1));

  EXPECT_EQ(all.without, 10U);
  EXPECT_EQ(all.with, 6U);
  EXPECT_THAT(all.withdrawn, IsEmpty());
  EXPECT_THAT(declared(source), ElementsAre("put", "take", "look"));
}

TEST(Measure, WithdrawsTheDeclarationThatMakesItWorse) {
  auto source = three_handlers();
  const auto all = measure(source, executions(-2, 5, 0));

  EXPECT_EQ(all.with, 8U);
  EXPECT_THAT(declared(source), ElementsAre("put", "look"));
  EXPECT_THAT(all.withdrawn,
              ElementsAre("cell::take: withdrawn: 13 executions with this declaration, 8 executions without"));
  EXPECT_THAT(to_header(source, "cell.cpp"), HasSubstr("// cell::take: withdrawn: 13 executions"));
}

TEST(Measure, WithdrawsAllWhereNoneAloneIsTheOneThatHarms) {
  auto source = three_handlers();
  // One declaration is as bad as three.
  const auto all = measure(source, [](const analysed_source& of) { return declared(of).empty() ? 4U : 9U; });

  EXPECT_EQ(all.with, 4U);
  EXPECT_THAT(declared(source), IsEmpty());
}

TEST(ExecutionsIn, WhatExplorePrintsIsThatLine) {
  EXPECT_EQ(executions_in("Explored completely: no findings.\nbank: engine optimal, delivery unordered\n"
                          "1,024 executions, 4,096 deliveries, at most 5 in one execution, 3 actors, 0.00 s\n"),
            1024U);
  EXPECT_EQ(executions_in("1 execution, 2 deliveries, at most 2 in one execution, 1 actor, 0.00 s\n"), 1U);
}

TEST(ExecutionsIn, WhatTestsPrintIsTheirSum) {
  EXPECT_EQ(executions_in("[ RUN      ] Bank.Pays\n[ EXPLORED ] Bank.Pays: 6 executions, every order that can matter\n"
                          "[ EXPLORED ] Bank.Lends: 12 executions, every order that can matter\n"),
            18U);
}

TEST(ExecutionsIn, WhatWasNotExploredCompletelyIsNotCompared) {
  EXPECT_THAT([] { executions_in("Stopped by the first finding: 1 finding.\n6 executions, 20 deliveries\n"); },
              ThrowsMessage<error>(HasSubstr("not all was explored")));
  EXPECT_THAT([] { executions_in("make: *** No rule to make target 'bank'\n"); },
              ThrowsMessage<error>(HasSubstr("does not say how many executions")));
}

}  // namespace
}  // namespace harrier
