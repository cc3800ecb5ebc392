#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/gtest.hpp>
#include <harrier/isolation/isolated_search.hpp>
#include <harrier/isolation/isolated_why.hpp>
#include <harrier/report/trace_file.hpp>
#include <harrier/report/write_file.hpp>

#include "../by_hand/test_in_file.hpp"
#include "../isolation/throw_places.hpp"
#include "../report/terminal_line.hpp"
#include "failures.hpp"
#include "program_checks.hpp"
#include "properties.hpp"
#include "recorded_properties.hpp"
#include "replay.hpp"
#include "settings.hpp"
#include "story.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t random_executions = 100;

std::string name_of_running_test() {
  const auto& info = *testing::UnitTest::GetInstance()->current_test_info();
  return std::string(info.test_suite_name()) + "." + info.name();
}

void fail_at(const std::string& file, int line, const std::string& message) {
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  if (file.empty())
    GTEST_MESSAGE_AT_(test.file(), test.line(), message.c_str(), testing::TestPartResult::kNonFatalFailure);
  else
    GTEST_MESSAGE_AT_(file.c_str(), line, message.c_str(), testing::TestPartResult::kNonFatalFailure);
}

/// What the test says in the words of flags (test_options::flags).
settings said_in_flags(const test_options& test) {
  std::vector<std::string> line;
  for (const auto& flag : test.flags) line.push_back("--harrier_" + flag);
  auto said = settings::of_flags(line);
  if (!said.replay.empty() || !said.traces.empty())
    throw error("replay and traces are for all tests: no test has them among its own flags");
  return said;
}

/// What is asked of the search: by the test (`said` by its flags), else by a flag, else in the environment.
options options_of(const test_options& test, const settings& said, const settings& all) {
  options how;
  refuse_negative_seconds(test);
  const auto manager = test.manager.value_or(all.tests.manager.value_or(test_manager::exploratory));
  if (manager == test_manager::random) how.limits.max_executions = random_executions;
  const bool has_time = test.time_limit || test.budget;
  all.put_into(how, !has_time && !said.has_time());
  said.put_into(how, !has_time);
  put_into(how, test);
  if (manager == test_manager::deterministic) how.search.engine = "round-robin";
  if (manager == test_manager::random) how.search.engine = "random";
  return how;
}

/// `Suite.Name` as a file's name: parameterised tests have slashes in theirs.
std::string as_file_name(std::string test) {
  std::replace(test.begin(), test.end(), '/', '.');
  return test;
}

/// Who searches, and where it is written down.
void share(options& how, const test_options& asked, const std::string& test) {
  namespace files = std::filesystem;
  how.search.alone_if_need_be = true;
  how.kept.searched = {{"the test", test}};
  const auto name = as_file_name(test) + ".checkpoint";
  if (const auto folder = asked.checkpoint ? asked.checkpoint : asked.resume) {
    files::create_directories(*folder);
    how.kept.checkpoint = files::path(*folder) / name;
  }
  if (!asked.resume) return;
  if (const auto file = files::path(*asked.resume) / name; files::exists(file)) how.kept.resume = file;
}

/// On a terminal, how far a search is that takes longer than a moment; gone when this is.
class progress_line {
public:
  void show(const progress& p) {
    if (!is_terminal_ || p.seconds < 1) return;
    is_shown_ = true;
    std::fputs(("\r" + cut_to_columns(progress_of(p), columns_of(STDERR_FILENO)) + "\033[K").c_str(), stderr);
    std::fflush(stderr);
  }
  progress_line() = default;
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
  }

private:
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  bool is_shown_ = false;
};

isolation_options apart_of(const test_options& asked) {
  isolation_options apart;
  apart.handler_limit = asked.handler_limit.value_or(apart.handler_limit);
  return apart;
}

exploration search(const std::string& test, const program& tested, const test_options& asked, options how) {
  share(how, asked, test);
  const property_judges by(asked.properties, asked.ends.value_or("finite"));
  how.judging.by = by.all();
  progress_line line;
  how.told.on_progress = [&line](const progress& p) { line.show(p); };
  if (asked.in_process.value_or(false)) return explore(tested, how);
  auto apart = apart_of(asked);
  apart.finds_leaks = true;
  try {
    return explore_isolated(tested, how, apart);
  } catch (const no_child_process& why) {
    std::fprintf(stderr, "%s: searching in this process, where a crash ends all tests\n", why.what());
    return explore(tested, how);
  }
}

/// The trace of one of its executions.
trace_file trace_of_test(const std::string& test, trace_file trace, const test_options& asked) {
  trace.program = test;
  trace.environment = word_for_environment({.environment = asked.environment.value_or(environment::total)});
  if (!asked.properties.empty())
    trace.judgement = {{"properties", asked.properties}, {"ends", asked.ends.value_or("finite")}};
  return trace;
}

/// The test for a page of `harrier web`. What it checks is judged there, so GoogleTest is to hear of nothing.
explorable by_hand(const std::string& test, const test_body& body, const test_options& asked, options how) {
  static const failures_kept kept;
  static std::optional<property_judges> by;
  by.emplace(asked.properties, asked.ends.value_or("finite"));
  explorable all = {.name = test,
                    .parameters = json_value::object(),
                    .made = make_test_program({.run = body.run, .elsewhere = &failures_kept::seen}),
                    .how = std::move(how),
                    .apart = apart_of(asked),
                    .trace_text = {}};
  all.how.judging.by = by->all();
  if (!all.how.search.delivery.is_said()) all.how.search.delivery = all.made.usual_delivery;
  trace_file trace;
  trace.engine = trace.ordering = "by hand";
  trace.delivery = to_string(delivery(all.how.search.delivery));
  trace.faults = all.how.search.faults;
  all.trace_text = [trace = trace_of_test(test, std::move(trace), asked)](const finding& found) mutable {
    trace.finding = found;
    return to_text(trace);
  };
  return all;
}

/// Why each of the first findings comes about (docs/findings.md#why).
std::vector<explanation> whys_of(const program& tested, const test_options& asked, const options& how,
                                 const exploration& all) {
  constexpr std::size_t most_explained = 5;
  constexpr double most_seconds = 5;  // far more than the deliveries take that are tried
  if (asked.in_process.value_or(false) || all.stopped_by == "an interrupt") return {};
  return whys_isolated(tested, how, all.findings, most_explained, most_seconds, apart_of(asked));
}

/// Where exceptions were thrown that left handlers.
void find_throws(const program& tested, const test_options& asked, const options& how, exploration& all) {
  constexpr std::size_t most_looked_for = 5;
  constexpr double most_seconds = 5;
  if (asked.in_process.value_or(false) || all.stopped_by == "an interrupt") return;
  find_throws(all.findings, tested, how, most_looked_for, most_seconds, apart_of(asked));
}

/// Whoever interrupts wants no more tests.
void end_if_interrupted(const exploration& all) {
  if (all.stopped_by != "an interrupt") return;
  std::fflush(nullptr);
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

std::string file_of(const std::string& test, std::size_t number) {
  return as_file_name(test) + (number == 0 ? "" : "." + std::to_string(number + 1)) + ".trace.json";
}

/// Where traces go: where people said, else where Bazel collects files, else here, else where there is room.
std::vector<std::filesystem::path> folders() {
  if (const auto& asked = asked_for_all().traces; !asked.empty()) return {asked};
  std::vector<std::filesystem::path> all;
  if (const auto* const outputs = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR"); outputs != nullptr)
    all.emplace_back(outputs);
  all.emplace_back(".");
  all.emplace_back(testing::TempDir());
  return all;
}

std::string in_quotes(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' || c == '_' ||
           c == '=' || c == ':';
  };
  return std::all_of(word.begin(), word.end(), is_plain) ? word : "'" + word + "'";
}

/// Writes a trace. @return the command that runs it; what went wrong, if nothing could be written.
std::string command_that_repeats(const std::string& test, const exploration& all, const test_options& asked,
                                 std::size_t number, const explanation& why) {
  auto trace = trace_of_test(test, trace_of(all.findings[number], all), asked);
  trace.why = why;
  std::string problem;
  for (const auto& folder : folders()) {
    const auto path = folder / file_of(test, number);
    try {
      std::filesystem::create_directories(folder);
      write_file(path.string(), to_text(trace));
      return fmt::format("{} {} {}", in_quotes(testing::internal::GetArgvs().front()),
                         in_quotes("--gtest_filter=" + test),
                         in_quotes("--harrier_replay=" + std::filesystem::absolute(path).lexically_normal().string()));
    } catch (const std::exception& e) {
      problem = e.what();
    }
  }
  return fmt::format("(no command: the trace could not be written: {})", problem);
}

/// The finding before `i` to which the very same deliveries lead; `i` if there is none.
std::size_t with_same_trace(const std::vector<finding>& all, std::size_t i) {
  const auto same = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), [&](const finding& f) {
    return !f.trace.empty() && f.schedule == all[i].schedule && f.trace.size() == all[i].trace.size();
  });
  return static_cast<std::size_t>(same - all.begin());
}

void report_findings(const std::string& test, const exploration& all, const test_options& asked,
                     const std::vector<explanation>& whys) {
  const text_style style{.states = asked.states.value_or(shown_states::changed)};
  for (std::size_t i = 0; i < all.findings.size(); ++i) {
    const auto& f = all.findings[i];
    const auto line = static_cast<int>(f.line);
    if (with_same_trace(all.findings, i) != i) {
      fail_at(f.file, line, heading_in_a_test(f, style) + "\nThe deliveries that lead to it are shown above.\n");
      continue;
    }
    const auto why = i < whys.size() ? whys[i] : explanation();
    const auto again =
        f.schedule.empty() && f.trace.empty() ? std::string() : command_that_repeats(test, all, asked, i, why);
    fail_at(f.file, line, failure_message(f, all, again, why, style));
  }
}

/// A test passes by what was judged, not by what was not.
void report_what_is_missing(const exploration& all, const test_options& asked, const std::string& more) {
  if (!all.findings.empty()) return;
  if (!all.exhausted && all.executions == 0) return fail_at({}, 0, nothing_was_judged(all));
  if (!all.exhausted && asked.require_complete.value_or(false))
    return fail_at({}, 0, "the test was not explored completely: it was stopped by " + all.stopped_by);
  if (asked.require_covered.value_or(false))
    for (const auto& [name, is_reached] : all.points)
      if (!is_reached) return fail_at({}, 0, "the test covered less than it should: never, in any execution: " + name);
  if (!more.empty()) say_beside_ok(more);
}

void report(const std::string& test, const exploration& all, const test_options& asked,
            const std::vector<explanation>& whys) {
  const auto manager = asked.manager.value_or(test_manager::exploratory);
  std::fputs(what_was_covered(test, all, manager).c_str(), stdout);
  std::fflush(stdout);
  testing::Test::RecordProperty("harrier_executions", std::to_string(all.executions));
  testing::Test::RecordProperty("harrier_engine", all.engine);
  testing::Test::RecordProperty("harrier_delivery", all.delivery);
  testing::Test::RecordProperty("harrier_complete", all.exhausted ? "true" : "false");
  if (!all.stopped_by.empty()) testing::Test::RecordProperty("harrier_stopped_by", all.stopped_by);
  report_findings(test, all, asked, whys);
  report_what_is_missing(all, asked, what_was_cut(all, manager));
}

/// The test fails before its first message, or is skipped there: `file:line: ... skipped: why`.
void report_untestable(const std::string& what) {
  const auto at = what.find(skipped_because);
  constexpr std::string_view driver = "it fails before its first message: the driver ";
  if (what.starts_with(driver))
    return fail_at({}, 0, "the test " + what.substr(driver.size()) + ", before its first message");
  if (at == std::string::npos) return fail_at({}, 0, what);
  const auto why = what.substr(at + std::string_view(skipped_because).size());
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  GTEST_MESSAGE_AT_(test.file(), test.line(), why.c_str(), testing::TestPartResult::kSkip);
}

}  // namespace

etest_body::etest_body()
    : self(current_run().me != nullptr
               ? *current_run().me
               : throw error("this fixture is for ETEST_F: a TEST_F has no `self`, and nothing to explore")),
      run_(current_run().by) {}

bool etest_body::HasFatalFailure() { return current_run().has_fatal_failure || testing::Test::HasFatalFailure(); }
bool etest_body::HasFailure() { return current_run().has_failure || testing::Test::HasFailure(); }
bool etest_body::HasNonfatalFailure() {
  const auto& run = current_run();
  return (run.has_failure && !run.has_fatal_failure) || testing::Test::HasNonfatalFailure();
}

bool etest_registry::may_go_on() {
  return !etest_body::HasFatalFailure() && !current_run().is_skipped && !testing::Test::IsSkipped();
}

std::mutex& etest_registry::guard() {
  static std::mutex one;
  return one;
}

int etest_registry::prepare() {
  check_what_is_asked_of_the_program();
  return 1;
}

void etest_registry::explore(run_function body, const test_options& attributes) {
  const auto test = name_of_running_test();
  recorded_properties properties;
  const auto run = [body, &properties](self& me, test_run& by) {
    struct run_ends {
      recorded_properties& properties;
      ~run_ends() {
        properties.look();
        current_run().me = nullptr;
      }
    };
    const run_ends at_its_end{properties};
    current_run() = {.me = &me, .by = &by};
    body(me, by);
  };
  try {
    const auto said = said_in_flags(attributes);
    const auto test_alone = combined(attributes, said.tests);
    auto asked = combined(test_alone, asked_for_all().tests);
    const auto how = options_of(test_alone, said, asked_for_all());
    asked.environment = how.judging.environment;
    if (const auto& file = asked_for_all().replay; !file.empty())
      return replay_trace(file, test, {.run = run}, asked.states.value_or(shown_states::changed));
    if (const auto over = job_for_test(); over >= 0) do_job_for_page(by_hand(test, {.run = run}, asked, how), over);
    std::optional<exploration> all;
    std::vector<explanation> whys;
    {
      const failures_kept kept;
      const auto tested = make_test_program({.run = run, .elsewhere = &failures_kept::seen});
      all = search(test, tested, asked, how);
      find_throws(tested, asked, how, *all);
      whys = whys_of(tested, asked, how, *all);
    }
    properties.tell();
    all->program = test;
    report(test, *all, asked, whys);
    end_if_interrupted(*all);
  } catch (const untestable_program& e) {
    report_untestable(e.what());
  } catch (const error& e) {
    fail_at({}, 0, e.what());
  }
}

}  // namespace harrier
