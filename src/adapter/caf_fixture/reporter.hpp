#pragma once

#include <caf/test/reporter.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace harrier::caf_adapter {

/// Hears what a test says while harrier runs it: a failure is a finding of the execution.
class reporter_of_run final : public caf::test::reporter {
public:
  /// As long as it is there it stands in for the one of the test runner.
  reporter_of_run();
  reporter_of_run(const reporter_of_run&) = delete;
  reporter_of_run& operator=(const reporter_of_run&) = delete;
  ~reporter_of_run() override;

  void begins_again() { stats_ = {}; }

  [[nodiscard]] bool success() const noexcept override { return stats_.failed == 0; }
  void start() override {}
  void stop() override {}
  void begin_suite(std::string_view) override {}
  void end_suite(std::string_view) override {}
  void begin_test(caf::test::context_ptr, std::string_view) override {}
  void end_test() override {}
  void begin_step(caf::test::block*) override {}
  void end_step(caf::test::block*) override {}
  void pass(const caf::detail::source_location&) override { ++stats_.passed; }
  void fail(caf::test::binary_predicate type, std::string_view lhs, std::string_view rhs,
            const caf::detail::source_location& where) override;
  void fail(std::string_view what, const caf::detail::source_location& where) override;
  void unhandled_exception(std::string_view what) override;
  void unhandled_exception(std::string_view what, const caf::detail::source_location& where) override;
  void print(const caf::log::event&) override {}
  void print_actor_output(caf::local_actor*, std::string_view) override {}
  [[nodiscard]] unsigned verbosity() const noexcept override { return verbosity_; }
  unsigned verbosity(unsigned level) noexcept override;
  [[nodiscard]] std::vector<std::string> log_component_filter() const override;
  void log_component_filter(std::vector<std::string>) override {}
  void no_colors(bool) override {}
  stats test_stats() override { return stats_; }
  void test_stats(stats of) override { stats_ = of; }
  stats suite_stats() override { return stats_; }
  stats total_stats() override { return stats_; }

private:
  void failed(std::string what, const caf::detail::source_location& where);

  caf::test::reporter& of_runner_;
  stats stats_;
  unsigned verbosity_;
};

}  // namespace harrier::caf_adapter
