#include "program_checks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/report/trace_file.hpp>

#include "settings.hpp"

namespace harrier {
namespace {

std::string name_of(const testing::TestInfo& test) { return std::string(test.test_suite_name()) + "." + test.name(); }

const testing::TestInfo* test_called(const std::string& name) {
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const auto& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k)
      if (const auto* const test = suite.GetTestInfo(k); name_of(*test) == name) return test;
  }
  return nullptr;
}

/// The test whose trace is to be run again. @throws error  it would not be run.
std::string test_to_replay(const std::string& file) {
  const auto name = read_trace_file(file).program;
  const auto* const test = test_called(name);
  if (test == nullptr) throw error(fmt::format("{} is a trace of {}, which is not a test of this program", file, name));
  if (test->should_run()) return name;
  const bool is_disabled = name.starts_with("DISABLED_") || name.find(".DISABLED_") != std::string::npos;
  throw error(fmt::format("{} is a trace of {}, which is not to be run here: {}", file, name,
                          is_disabled ? "run it with --gtest_also_run_disabled_tests"
                                      : "the filter is " + GTEST_FLAG_GET(filter) +
                                            ", or it is in another shard; run it with --gtest_filter=" + name));
}

class program_checks final : public testing::EmptyTestEventListener {
public:
  void OnTestProgramStart(const testing::UnitTest&) override {
    const auto words = testing::internal::GetArgvs();
    if (std::find(words.begin(), words.end(), "--harrier_help") != words.end()) {
      std::fputs(
          ("Flags of tests that are explored, each in the environment, too (HARRIER_ENGINE):\n" + list_of_flags())
              .c_str(),
          stdout);
      std::exit(0);
    }
    try {
      if (const auto& file = asked_for_all().replay; !file.empty()) to_replay_ = test_to_replay(file);
    } catch (const error& e) {
      std::fprintf(stderr, "error: %s\n", e.what());
      std::exit(2);
    }
  }
  void OnTestStart(const testing::TestInfo&) override { is_replayed_ = false; }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (to_replay_.empty() || is_replayed_ || name_of(test) != to_replay_ || test.result()->Failed()) return;
    ADD_FAILURE() << asked_for_all().replay << " is a trace of " << to_replay_
                  << ", which is no longer an ETEST: its deliveries were not run again";
  }

  void replayed() { is_replayed_ = true; }

private:
  std::string to_replay_;
  bool is_replayed_ = false;
};

program_checks& checks_of_this_program() {
  static auto* const one = [] {
    auto checks = std::make_unique<program_checks>();
    auto* const all = checks.get();
    testing::UnitTest::GetInstance()->listeners().Append(checks.release());
    return all;
  }();
  return *one;
}

/// Whether GoogleTest colours what it prints, as far as that can be known outside of it.
bool are_lines_coloured() {
  const auto asked = GTEST_FLAG_GET(color);
  if (asked != "auto") return asked == "yes" || asked == "true" || asked == "t" || asked == "1";
  const auto* const terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// GoogleTest's own printer, but for the line of a test that has passed and of which there is more to say.
class printer_that_says_more final : public testing::TestEventListener {
public:
  explicit printer_that_says_more(testing::TestEventListener* usual) : usual_(usual) {}

  void say_of_this_test(std::string what) { more_ = std::move(what); }

  void OnTestProgramStart(const testing::UnitTest& all) override { usual_->OnTestProgramStart(all); }
  void OnTestIterationStart(const testing::UnitTest& all, int i) override { usual_->OnTestIterationStart(all, i); }
  void OnEnvironmentsSetUpStart(const testing::UnitTest& all) override { usual_->OnEnvironmentsSetUpStart(all); }
  void OnEnvironmentsSetUpEnd(const testing::UnitTest& all) override { usual_->OnEnvironmentsSetUpEnd(all); }
  void OnTestSuiteStart(const testing::TestSuite& suite) override { usual_->OnTestSuiteStart(suite); }
  void OnTestStart(const testing::TestInfo& test) override { usual_->OnTestStart(test); }
  void OnTestDisabled(const testing::TestInfo& test) override { usual_->OnTestDisabled(test); }
  void OnTestPartResult(const testing::TestPartResult& part) override { usual_->OnTestPartResult(part); }
  void OnTestEnd(const testing::TestInfo& test) override {
    const auto more = std::exchange(more_, {});
    if (more.empty() || !test.result()->Passed()) return usual_->OnTestEnd(test);
    const auto* const head = are_lines_coloured() ? "\033[0;32m[       OK ] \033[m" : "[       OK ] ";
    const auto time = GTEST_FLAG_GET(print_time) ? fmt::format(" ({} ms)", test.result()->elapsed_time()) : "";
    std::fputs(fmt::format("{}{}{}, {}\n", head, name_of(test), time, more).c_str(), stdout);
    std::fflush(stdout);
  }
  void OnTestSuiteEnd(const testing::TestSuite& suite) override { usual_->OnTestSuiteEnd(suite); }
#ifndef GTEST_REMOVE_LEGACY_TEST_CASEAPI_
  void OnTestCaseStart(const testing::TestSuite& suite) override { usual_->OnTestCaseStart(suite); }
  void OnTestCaseEnd(const testing::TestSuite& suite) override { usual_->OnTestCaseEnd(suite); }
#endif
  void OnEnvironmentsTearDownStart(const testing::UnitTest& all) override { usual_->OnEnvironmentsTearDownStart(all); }
  void OnEnvironmentsTearDownEnd(const testing::UnitTest& all) override { usual_->OnEnvironmentsTearDownEnd(all); }
  void OnTestIterationEnd(const testing::UnitTest& all, int i) override { usual_->OnTestIterationEnd(all, i); }
  void OnTestProgramEnd(const testing::UnitTest& all) override { usual_->OnTestProgramEnd(all); }

private:
  std::unique_ptr<testing::TestEventListener> usual_;
  std::string more_;
};

}  // namespace

void check_what_is_asked_of_the_program() { checks_of_this_program(); }

void trace_is_replayed() { checks_of_this_program().replayed(); }

void say_beside_ok(const std::string& what) {
  static printer_that_says_more* ours = nullptr;
  auto& all = testing::UnitTest::GetInstance()->listeners();
  if (GTEST_FLAG_GET(brief)) return;
  if (ours == nullptr) {
    auto* const usual = all.Release(all.default_result_printer());
    if (usual == nullptr) return;
    ours = new printer_that_says_more(usual);
    all.Append(ours);
  }
  ours->say_of_this_test(what);
}

}  // namespace harrier
