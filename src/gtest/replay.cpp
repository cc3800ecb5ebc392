#include "replay.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/explore/ends.hpp>
#include <harrier/explore/trace.hpp>
#include <harrier/report/text.hpp>
#include <harrier/report/trace_file.hpp>

#include "program_checks.hpp"
#include "properties.hpp"

namespace harrier {
namespace {

class trace_run {
public:
  trace_run(const trace_file& trace, shown_states states)
      : found_(trace.finding), by_(judges_in(trace)), printer_({.states = states}) {
    how_.undelivered = trace.finding.kind == finding_kind::undelivered ? undelivered::error : undelivered::ignore;
    how_.environment = trace.environment == "empty" ? environment::empty : environment::total;
  }

  [[nodiscard]] run_of_test script() {
    return {.next = [this](const system& now) { return next(now); },
            .stepped = [this](const system& now) { stepped(now); },
            .ended = [this](const system& end) { ended(end); }};
  }

private:
  /// What judged the execution, beside the test itself.
  static property_judges judges_in(const trace_file& trace) {
    const auto& by = trace.judgement;
    if (by.is_null()) return {{}, "finite"};
    return {by.value("properties", std::vector<std::string>{}), by.value("ends", std::string("finite"))};
  }

  scheduled next(const system& now) {
    if (at_ == found_.trace.size()) return {0, no_message};
    const auto& expected = found_.trace[at_];
    const auto code = at_ < found_.schedule.size() ? found_.schedule[at_].code : 0;
    const auto m = now.message_at_path(expected.id);
    // The body's going on is no message until it does.
    if (m == no_message && expected.receiver == "driver")
      return {code, static_cast<message_slot>(now.message_count() + 1)};
    if (m == no_message || !now.pending(m) || !now.deliverable(m))
      throw error(place() + expected.receiver + "." + expected.message + " cannot be delivered; the test has changed");
    const auto actual = now.actor_name(now.message_at(m).receiver) + "." + now.message_text(m);
    if (actual != expected.receiver + "." + expected.message)
      throw error(fmt::format("{}the message is {}, and was {}.{}; the test has changed", place(), actual,
                              expected.receiver, expected.message));
    const bool is_lethal = found_.kind == finding_kind::crash || found_.kind == finding_kind::nontermination;
    if (is_lethal && at_ + 1 == found_.trace.size())
      say(fmt::format("{:>4}. {} is next\n", printer_.number() + 1, printable(actual)));
    return {code, m};
  }

  void stepped(const system& now) {
    auto step = describe_last_step(now);
    if (step.receiver == "driver") step.receiver = "test";
    say(printer_.print(step));
    ++at_;
    if (by_.all() == nullptr) return;
    if (const auto broken = by_.all()->stepped(now)) tell(*broken);
  }

  void ended(const system& end) {
    if (at_ < found_.trace.size()) return;
    if (by_.all() != nullptr)
      for (const auto& broken : by_.all()->ended(end)) tell(broken);
    if (end.aborted() || end.first_deliverable() != no_message) return;
    const auto reached = look_at_end(end, how_);
    const auto tell = [&](const finding& f) {
      auto text = f.message;
      for (const auto& line : f.details) text += "\n  - " + printable(line);
      ADD_FAILURE() << to_string(f.kind) << ": " << text;
    };
    if (!reached.stuck.empty()) tell(describe_deadlock(end, reached.stuck));
    for (const auto m : reached.undelivered) tell(describe_undelivered(end, m));
  }

  static void tell(const record& broken) {
    ADD_FAILURE() << to_string(broken.kind) << ": " << printable(broken.message);
  }
  [[nodiscard]] std::string place() const { return fmt::format("delivery {} of the trace: ", at_ + 1); }
  static void say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  const finding& found_;
  property_judges by_;
  options how_;
  step_printer printer_;
  std::size_t at_ = 0;
};

}  // namespace

void replay_trace(const std::string& file, const std::string& test, const test_body& body, shown_states states) {
  const auto trace = read_trace_file(file);
  if (trace.program != test) GTEST_SKIP() << file << " is a trace of " << trace.program;
  trace_is_replayed();
  trace_run run(trace, states);
  const auto found = run_test(body, delivery_of(trace.delivery), run.script());
  const auto& here = *testing::UnitTest::GetInstance()->current_test_info();
  for (const auto& r : found)
    GTEST_MESSAGE_AT_(r.file.empty() ? here.file() : r.file.c_str(),
                      r.file.empty() ? here.line() : static_cast<int>(r.line), to_line(r).c_str(),
                      ::testing::TestPartResult::kNonFatalFailure);
  if (!testing::Test::HasFailure())
    ADD_FAILURE() << "the deliveries of " << file
                  << " were run to the end, and what was found did not occur again: " << heading_of(trace.finding);
}

}  // namespace harrier
