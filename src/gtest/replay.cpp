#include "replay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/replay/describe.hpp>
#include <harrier/replay/ends.hpp>
#include <harrier/replay/replay.hpp>
#include <harrier/report/text.hpp>
#include <harrier/report/trace_file.hpp>

#include "../core/finding_origin.hpp"
#include "program_checks.hpp"
#include "properties.hpp"

namespace harrier {
namespace {

/// Where it was found, or where the running test is.
void fail(const std::string& what, const std::string& file = {}, int line = 0) {
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  GTEST_MESSAGE_AT_(file.empty() ? test.file() : file.c_str(), file.empty() ? test.line() : line, what.c_str(),
                    testing::TestPartResult::kNonFatalFailure);
}

class trace_run final : public replay_listener {
public:
  trace_run(const trace_file& trace, shown_states states)
      : found_(trace.finding),
        recorded_({.finding = trace.finding,
                   .delivery = delivery_of(trace.delivery),
                   .faults = trace.faults,
                   .ends = rules_for_environment(trace.environment),
                   .as_kept = as_read}),
        by_(judges_in(trace)),
        printer_({.states = states}),
        along_(recorded_, *this, replayer::next_stage::called) {
    recorded_.ends.undelivered = found_.kind == finding_kind::undelivered ? undelivered::error : undelivered::ignore;
  }

  /// @return what was found, but for what was told.
  std::vector<record> run(const test_body& body) {
    const auto next = [&](system& now) { return along_.next(now).value_or(scheduled{0, no_message}); };
    return run_test(body, recorded_.delivery,
                    {.next = next,
                     .stepped = [&](system& now) { along_.made(now); },
                     .ended = [&](system& end) { ended(end); },
                     .thrown = [&](system& there) { thrown(there); },
                     .faults = recorded_.faults});
  }

private:
  /// What judged the execution, beside the test itself.
  static property_judges judges_in(const trace_file& trace) {
    const auto& by = trace.judgement;
    if (by.is_null()) return {{}, "finite"};
    return {by.value("properties", std::vector<std::string>{}), by.value("ends", std::string("finite"))};
  }

  void about_to(const system& now, std::size_t number, const scheduled& next) override {
    const bool is_lethal = origin_of(found_.kind) == finding_origin::the_process;
    if (!is_lethal || number + 1 < found_.trace.size() || next.message > now.message_count()) return;
    const auto step = describe_next(now, next);
    say(fmt::format("{:>4}. {} is next\n", printer_.number() + 1, printable(step.receiver + "." + step.message)));
  }

  bool made(const system& now, std::size_t, trace_step step, bool) override {
    if (step.receiver == "driver") step.receiver = "test";
    say(printer_.print(step));
    ++made_;
    if (by_.all() != nullptr)
      if (const auto broken = by_.all()->stepped(now)) tell(*broken);
    return true;
  }

  /// What a test does is for its assertions to judge.
  bool differs(const system&, std::size_t number, const trace_difference& how) override {
    const auto& [in, was, is, why] = how;
    const auto place = fmt::format("delivery {} of the trace: ", number + 1);
    if (in == trace_difference::what::not_possible)
      throw error(fmt::format("{}{}.{} cannot be delivered; the test has changed", place, was.receiver, was.message));
    if (in == trace_difference::what::message)
      throw error(fmt::format("{}the message is {}.{}, and was {}.{}; the test has changed", place, is->receiver,
                              is->message, was.receiver, was.message));
    return true;
  }

  void ended(const system& end) {
    if (made_ < found_.trace.size()) return;
    if (by_.all() != nullptr)
      for (const auto& broken : by_.all()->ended(end)) tell(broken);
    if (end.aborted() || end.first_deliverable() != no_message) return;
    const auto reached = look_at_end(end, recorded_.ends);
    if (!reached.stuck.empty()) tell(describe_deadlock(end, reached.stuck));
    for (const auto m : reached.undelivered) tell(describe_undelivered(end, m));
  }

  void thrown(const system& there) {
    const auto end = along_.thrown(&there);
    fail(fmt::format("{}: {}", to_string(found_.kind), printable(end.why.empty() ? found_.message : end.why)));
  }

  static void tell(const finding& f) {
    auto text = f.message;
    for (const auto& line : f.details) text += "\n  - " + printable(line);
    fail(fmt::format("{}: {}", to_string(f.kind), text));
  }
  static void tell(const record& broken) {
    fail(fmt::format("{}: {}", to_string(broken.kind), printable(broken.message)));
  }
  static void say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  const finding& found_;
  recorded_trace recorded_;
  property_judges by_;
  step_printer printer_;
  replayer along_;
  std::size_t made_ = 0;
};

}  // namespace

void replay_trace(const std::string& file, const std::string& test, const test_body& body, shown_states states) {
  const auto trace = read_trace_file(file);
  if (trace.program != test) GTEST_SKIP() << file << " is a trace of " << trace.program;
  trace_is_replayed();
  trace_run run(trace, states);
  const auto found = run.run(body);
  for (const auto& r : found) {
    auto text = to_line(r);
    for (const auto& line : r.details) text += "\n  - " + printable(line);
    fail(text, r.file, static_cast<int>(r.line));
  }
  if (trace.finding.occurrences == 0) return;  // saved from a page, where nothing was found
  if (!testing::Test::HasFailure())
    fail(fmt::format("the deliveries of {} were run to the end, and what was found did not occur again: {}", file,
                     heading_of(trace.finding)));
}

}  // namespace harrier
