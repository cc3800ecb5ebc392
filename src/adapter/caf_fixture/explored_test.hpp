#pragma once

#include <caf/test/runnable.hpp>

#include <harrier/explore/options.hpp>

namespace harrier::caf_adapter {

/// Runs the next branch of a test as CAF does.
void run_once(caf::test::runnable& test);

/// Runs it in all orders, and tells CAF's reporter what was found. The branch is done then.
void explore_test(caf::test::runnable& test, const options& how);

}  // namespace harrier::caf_adapter
