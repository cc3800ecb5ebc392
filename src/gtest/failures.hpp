#pragma once

#include <gtest/gtest-spi.h>

#include <memory>
#include <string>
#include <string_view>

#include <harrier/native/test_body.hpp>

namespace harrier {

/// While it lives, failures of GoogleTest's assertions, in whichever thread, are the
/// program's, not the running test's: they are kept for whoever asks in the same
/// thread. Nothing breaks into a debugger or throws then, whatever flags say.
class failures_kept {
public:
  failures_kept();
  failures_kept(const failures_kept&) = delete;
  failures_kept& operator=(const failures_kept&) = delete;
  ~failures_kept();

  /// Those of this thread.
  [[nodiscard]] static failures_elsewhere& seen();

private:
  class reporter;
  bool breaks_;
  bool throws_;
  std::unique_ptr<reporter> reporter_;
};

/// Of a run of a body that is under way in this thread: see etest_body.
struct run_so_far {
  self* me = nullptr;
  test_run* by = nullptr;
  bool has_fatal_failure = false;
  bool has_failure = false;
  bool is_skipped = false;
};
run_so_far& current_run();

/// How a program says that its test was skipped, and why: what an
/// untestable_program's text then begins with.
inline constexpr auto skipped_because = "skipped: ";

/// A message over several lines as one: `Expected equality of these values: a (which is 3), 5`.
std::string in_one_line(std::string_view message);

/// Without what may be another one whenever the program runs: `0x..` for an
/// address, no bytes of an object.
std::string without_addresses(std::string_view message);

}  // namespace harrier
