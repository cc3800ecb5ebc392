// A program with smaller numbers that has the finding, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include <harrier/cli/main.hpp>
#include <harrier/core/error.hpp>
#include <harrier/native/self.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::Not;

struct counter {
  std::int64_t most = 0;
  int taken = 0;
  void take(self& me, int value) {
    me.check(value == taken, "values arrive in order");
    if (++taken == most) me.check(most < 8, "the last one is early");
  }
};

/// `values` are sent to each of `counters`.
program of_values(const arguments& given) {
  const auto values = given.number("values");
  const auto counters = given.number("counters");
  if (values == 0) std::abort();
  if (values == 1) throw 1;
  if (values == 3) throw error("three values make no program");
  return make_program([values, counters](self& me) {
    for (std::int64_t i = 0; i < counters; ++i) {
      const auto to = me.create<counter>(values);
      for (std::int64_t k = 0; k < values; ++k) me.send<&counter::take>(to, static_cast<int>(k));
    }
  });
}

/// For tests that expect one: how busy the machine is must not decide what is found in the time that there is.
constexpr auto long_enough = "60";

outcome harrier_with(std::vector<std::string> words) {
  const std::vector<catalogue_entry> programs = {
      {"values",
       "values are counted",
       {{.name = "values", .value = std::int64_t{5}, .about = "how many", .least = 0},
        {.name = "counters", .value = std::int64_t{2}, .about = "how many count", .least = 1},
        {.name = "rounds", .value = std::int64_t{0}, .about = "nothing", .least = -1}},
       of_values}};
  return captured(std::move(words), [&](int argc, char** argv) { return harrier::main(argc, argv, programs); });
}

TEST(SmallerProgram, IsNamedWithTheLengthOfItsSchedule) {
  EXPECT_THAT(harrier_with({"explore", "values", "--minimise", long_enough}).out,
              HasSubstr("Note: smaller numbers show it, too: counters=1 values=2 (here counters=2 values=5)\n"));
}

TEST(SmallerProgram, IsNotNamedWhereEachOtherIsRight) {
  EXPECT_THAT(harrier_with({"explore", "values", "values=2", "counters=1"}).out, Not(HasSubstr("smaller numbers")));
  EXPECT_THAT(harrier_with({"explore", "values", "--delivery", "fifo"}).out, Not(HasSubstr("smaller numbers")));
}

TEST(SmallerProgram, HasTheSameFindingAndNoOther) {
  const auto result =
      harrier_with({"explore", "values", "values=9", "counters=1", "--delivery", "fifo", "--minimise", long_enough});

  EXPECT_THAT(result.out, HasSubstr("Found assertion: the last one is early"));
  EXPECT_THAT(result.out,
              HasSubstr("smaller numbers show it, too: values=8 (here values=9), in 8 deliveries instead of 9"));
}

TEST(SmallerProgram, IsNotLookedForWhereNothingIsMinimised) {
  EXPECT_THAT(harrier_with({"explore", "values", "--minimise", "off"}).out, Not(HasSubstr("smaller numbers")));
}

TEST(SmallerProgram, IsInJsonWithNumbers) {
  const auto file = testing::TempDir() + "smaller_program_test." + std::to_string(getpid()) + ".json";
  harrier_with({"explore", "values", "--minimise", long_enough, "--json", file});
  const auto json = nlohmann::json::parse(std::ifstream(file));
  std::filesystem::remove(file);

  EXPECT_EQ(json["smaller"], nlohmann::json::parse(R"({"parameters": {"counters": 1, "values": 2}, "deliveries": 1})"));
}

}  // namespace
}  // namespace harrier
