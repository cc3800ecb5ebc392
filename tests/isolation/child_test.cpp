#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <harrier/isolation/isolated_search.hpp>
#include <src/explore/limits.hpp>
#include <src/isolation/child.hpp>

#include "without_files.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using teller = std::function<void(const json_value&)>;
using how = child_end::how;

constexpr double no_limit = 1e9;

[[noreturn]] void wait_for_ever() {
  for (;;) pause();
}

/// A child without a program, and all that it told.
class Child : public testing::Test {
protected:
  child_end run(std::function<void(const child_voice&)> work, const child_bounds& bounds = no_limit) {
    return run_in_child(noted_, bounds,
                        {.run = std::move(work),
                         .hear = [this](const json_value& line) { told_.push_back(line); },
                         .hear_bytes = [this](const std::string& bytes) { told_.emplace_back(bytes); }});
  }
  /// What a system does when it starts: from now on the driver runs.
  void begin_the_driver() const { ++noted_.noted().asked; }

  watch noted_{8};
  std::vector<json_value> told_;
};

/// This process has no child, not even a dead one.
bool is_childless() { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST_F(Child, TellsOneThingAfterTheOther) {
  const auto end = run([](const teller& tell) {
    tell({{"first", 1}});
    tell({{"second", std::string(200'000, 'x')}});
  });

  EXPECT_EQ(end.way, how::finished);
  EXPECT_THAT(told_, ElementsAre(json_value{{"first", 1}}, json_value{{"second", std::string(200'000, 'x')}}));
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, TellsBytesAsTheyAreBetweenOtherThings) {
  const auto lines = "one\ntwo\n{\"done\":true}\n" + std::string(300'000, '\n') + std::string(1, '\0');
  const auto end = run([&](const child_voice& tell) {
    tell.bytes(lines);
    tell.bytes("");
    tell({{"then", 1}});
    tell.bytes("\n");
    tell.bytes("last");
  });

  EXPECT_EQ(end.way, how::finished);
  EXPECT_THAT(told_, ElementsAre(json_value(lines), json_value(""), json_value{{"then", 1}}, json_value("\n"),
                                 json_value("last")));
}

TEST_F(Child, IsNotHeardWhereItDiesInTheMiddleOfBytes) {
  const auto end = run([&](const child_voice& tell) {
    tell({{"bytes", 10}});
    tell({{"x", 1}});
    std::abort();
  });

  EXPECT_EQ(end.way, how::died);
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(Child, ChangesNothingInItsParent) {
  int here = 0;
  run([&](const teller& tell) { tell({{"there", ++here}}); });

  EXPECT_THAT(told_, ElementsAre(json_value{{"there", 1}}));
  EXPECT_EQ(here, 0);
}

TEST_F(Child, ThrowsInItsParentWhatItsWorkThrows) {
  EXPECT_THROW(run([](const teller&) { throw untestable_program("the driver waits"); }), untestable_program);
  EXPECT_THROW(run([](const teller&) { throw std::out_of_range("nobody's"); }), error);
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, IsHeardUpToItsDeath) {
  const auto end = run([](const teller& tell) {
    tell({{"last", "words"}});
    std::abort();
  });

  EXPECT_EQ(end.way, how::died);
  EXPECT_EQ(reason_of(end, noted_), "SIGABRT");
  EXPECT_THAT(told_, ElementsAre(json_value{{"last", "words"}}));
}

TEST_F(Child, ThatExitsBeforeItIsDoneDied) {
  const auto end = run([](const teller&) { _exit(3); });

  EXPECT_EQ(end.way, how::died);
  EXPECT_EQ(reason_of(end, noted_), "exit status 3");
}

TEST_F(Child, IsKilledWhenAHandlerDoesNotEnd) {
  const auto end = run(
      [this](const teller& tell) {
        tell({{"last", "words"}});
        begin_the_driver();
        wait_for_ever();
      },
      0.05);

  EXPECT_EQ(end.way, how::did_not_end);
  EXPECT_TRUE(noted_.in_handler());
  EXPECT_TRUE(noted_.before_first_message());
  EXPECT_THAT(told_, ElementsAre(json_value{{"last", "words"}}));
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, IsKilledWhenItsParentIsInterrupted) {
  const auto end = run([](const teller&) {
    kill(getppid(), SIGTERM);
    wait_for_ever();
  });

  EXPECT_EQ(end.way, how::interrupted);
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, IsKilledWhenItsTimeIsOver) {
  const auto end = run([](const teller&) { wait_for_ever(); }, {no_limit, 0.05, 0});

  EXPECT_EQ(end.way, how::late);
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, IsKilledWhenItHasMoreMemoryThanItMay) {
  constexpr int most_mib = 2048;
  const auto may_have = static_cast<std::uint64_t>(resident_mib(getpid())) + 64;
  const auto end = run(
      [](const teller&) {
        for (int mib = 0; mib < most_mib; ++mib) {
          static char* volatile kept = nullptr;
          kept = new char[std::size_t{1} << 20];
          std::memset(kept, 1, std::size_t{1} << 20);
        }
        _exit(3);
      },
      {no_limit, 0, may_have});

  EXPECT_EQ(end.way, how::too_large);
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, IsNotStoppedByASignalThatWasNoticedBefore) {
  interruption stop;
  kill(getpid(), SIGTERM);
  ASSERT_EQ(stop.count(), 1);

  EXPECT_EQ(run([](const teller&) {}, {no_limit, 0, 0, &stop}).way, how::finished);
  EXPECT_EQ(stop.count(), 1);
}

TEST_F(Child, LeavesItToOthersToSeeThatItWasInterrupted) {
  interruption stop;
  const auto end = run(
      [](const teller&) {
        kill(getppid(), SIGINT);
        wait_for_ever();
      },
      {no_limit, 0, 0, &stop});

  EXPECT_EQ(end.way, how::interrupted);
  EXPECT_EQ(stop.count(), 1);
}

TEST_F(Child, IsKilledByWhatItsListenerThrows) {
  const auto work = child_work{.run =
                                   [](const teller& tell) {
                                     tell({{"a", 1}});
                                     wait_for_ever();
                                   },
                               .hear = [](const json_value&) { throw std::runtime_error("enough"); }};

  EXPECT_THROW(run_in_child(noted_, no_limit, work), std::runtime_error);
  EXPECT_TRUE(is_childless());
}

TEST_F(Child, PrintsNothingIfItIsQuiet) {
  testing::internal::CaptureStdout();
  run_in_child(
      noted_, no_limit,
      {.run = [](const teller&) { std::puts("seen before"); }, .hear = [](const json_value&) {}, .quiet = true});

  EXPECT_THAT(testing::internal::GetCapturedStdout(), IsEmpty());
}

TEST_F(Child, CannotBeWithoutFiles) {
  const child_work work{.run = [](const teller&) {}, .hear = [](const json_value&) {}};

  EXPECT_THROW(without_files([&] { run_in_child(noted_, no_limit, work); }), no_child_process);
}

}  // namespace
}  // namespace harrier
