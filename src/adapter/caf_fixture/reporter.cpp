#include "reporter.hpp"

#include <fmt/format.h>

#include <caf/log/level.hpp>
#include <caf/test/binary_predicate.hpp>
#include <utility>

#include <harrier/core/finding.hpp>

#include "../caf/run.hpp"

namespace harrier::caf_adapter {

reporter_of_run::reporter_of_run() : of_runner_(caf::test::reporter::instance()), verbosity_(caf::log::level::info) {
  caf::test::reporter::instance(this);
}
reporter_of_run::~reporter_of_run() { caf::test::reporter::instance(&of_runner_); }

void reporter_of_run::fail(caf::test::binary_predicate type, std::string_view lhs, std::string_view rhs,
                           const caf::detail::source_location& where) {
  failed(fmt::format("{} {} {}", lhs, caf::test::str(type), rhs), where);
}

void reporter_of_run::fail(std::string_view what, const caf::detail::source_location& where) {
  failed(std::string(what), where);
}

void reporter_of_run::unhandled_exception(std::string_view what) { unhandled_exception(what, {}); }

void reporter_of_run::unhandled_exception(std::string_view what, const caf::detail::source_location& where) {
  failed("the test threw: " + std::string(what), where);
}

unsigned reporter_of_run::verbosity(unsigned level) noexcept { return std::exchange(verbosity_, level); }

std::vector<std::string> reporter_of_run::log_component_filter() const { return of_runner_.log_component_filter(); }

/// In should_fail(), which makes it quiet, it is meant to fail.
void reporter_of_run::failed(std::string what, const caf::detail::source_location& where) {
  ++stats_.failed;
  if (verbosity_ == caf::log::level::quiet || !run::is_inside()) return;
  run::current()->complain({.kind = finding_kind::assertion,
                            .message = std::move(what),
                            .file = where.line() > 0 ? where.file_name() : "",
                            .line = static_cast<std::uint32_t>(where.line())});
}

}  // namespace harrier::caf_adapter
