#include "failures.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>

namespace harrier {
namespace {

std::string_view trimmed(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Whether it is the complaint of a mock about how often, or how, it was called.
bool is_of_a_mock(std::string_view message) {
  constexpr std::array complaints = {"mock function call", "Mock function called", "Uninteresting mock",
                                     "Actual function call count doesn't match"};
  for (const auto* complaint : complaints)
    if (message.find(complaint) != std::string_view::npos) return true;
  return false;
}

/// Whether a number could be an address in a program of 64 bits, as GoogleTest writes them.
bool is_address(std::string_view digits) {
  std::uint64_t number = 0;
  const auto* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, number, 16);
  return problem == std::errc{} && stop == end && number >> 32 != 0 && number >> 48 == 0;
}

}  // namespace

std::string without_addresses(std::string_view message) {
  constexpr std::string_view prefix = "0x";
  constexpr std::string_view bytes = "-byte object <";
  std::string text;
  while (!message.empty()) {
    const auto at = std::min(message.find(prefix), message.find(bytes));
    text += message.substr(0, at);
    if (at == std::string_view::npos) break;
    message.remove_prefix(at);
    if (message.starts_with(bytes)) {
      text += bytes.substr(0, bytes.size() - 2);
      message.remove_prefix(std::min(message.find('>'), message.size() - 1) + 1);
      continue;
    }
    const auto end = std::min(message.find_first_not_of("0123456789abcdefABCDEF", prefix.size()), message.size());
    const auto number = message.substr(0, end);
    text += is_address(number.substr(prefix.size())) ? "0x.." : number;
    message.remove_prefix(end);
  }
  return text;
}

run_so_far& current_run() {
  static thread_local run_so_far run;
  return run;
}

std::string in_one_line(std::string_view message) {
  constexpr std::string_view value = "Which is: ";
  std::string text;
  while (!message.empty()) {
    const auto end = std::min(message.find('\n'), message.size());
    const auto line = trimmed(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    if (line.empty()) continue;
    if (line.starts_with(value)) {
      text += " (which is " + std::string(line.substr(value.size())) + ")";
      continue;
    }
    if (!text.empty()) text += text.ends_with(':') ? " " : ", ";
    text += line;
  }
  return text;
}

class failures_kept::reporter final : public testing::ScopedFakeTestPartResultReporter {
public:
  reporter() : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, &unused_) {}

  void ReportTestPartResult(const testing::TestPartResult& result) override {
    auto& run = current_run();
    auto& seen = failures_kept::seen();
    if (result.skipped()) {
      run.is_skipped = true;
      keep(result, skipped_because + in_one_line(result.message()));
      seen.is_fatal = true;
    }
    if (!result.failed()) return;
    run.has_failure = true;
    run.has_fatal_failure = run.has_fatal_failure || result.fatally_failed();
    auto message = in_one_line(without_addresses(result.message()));
    if (is_of_a_mock(result.message()))
      seen.not_in_handlers =
          "a mock was called by a handler: handlers are run and taken back many times, so calls of a mock cannot be "
          "counted; keep in the actor's state what it did, and look at state() (" +
          message + ")";
    keep(result, std::move(message));
    seen.is_fatal = seen.is_fatal || result.fatally_failed();
  }

private:
  static void keep(const testing::TestPartResult& result, std::string message) {
    failures_kept::seen().records.push_back(
        {.kind = finding_kind::assertion,
         .message = std::move(message),
         .file = result.file_name() == nullptr ? "" : result.file_name(),
         .line = result.line_number() < 0 ? 0U : static_cast<std::uint32_t>(result.line_number())});
  }

  testing::TestPartResultArray unused_;
};

failures_kept::failures_kept()
    : breaks_(GTEST_FLAG_GET(break_on_failure)),
      throws_(GTEST_FLAG_GET(throw_on_failure)),
      reporter_(std::make_unique<reporter>()) {
  GTEST_FLAG_SET(break_on_failure, false);
  GTEST_FLAG_SET(throw_on_failure, false);
}

failures_kept::~failures_kept() {
  GTEST_FLAG_SET(break_on_failure, breaks_);
  GTEST_FLAG_SET(throw_on_failure, throws_);
}

failures_elsewhere& failures_kept::seen() {
  static thread_local failures_elsewhere of_this_thread;
  return of_this_thread;
}

}  // namespace harrier
