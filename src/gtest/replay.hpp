#pragma once

#include <string>

#include <harrier/native/test_body.hpp>
#include <harrier/report/text.hpp>

namespace harrier {

/// Runs the deliveries of a trace file again: the body once, each handler once,
/// on this stack. GoogleTest's assertions fail where they stand, as in any test.
/// What else is found is a failure of the running test, as is that it is not
/// found any more. A trace of another test skips the running one.
void replay_trace(const std::string& file, const std::string& test, const test_body& body, shown_states states);

}  // namespace harrier
