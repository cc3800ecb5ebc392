#pragma once

#include <string>

#include <harrier/core/explanation.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/gtest/test_options.hpp>
#include <harrier/report/text.hpp>

namespace harrier {

/// A finding as the message of a failure: for someone who knows the test and
/// nothing of harrier. Where it was found is for GoogleTest to say.
/// @param again  the command that runs just it; empty: there is no trace to run.
/// @param why    what decides it; no sentence: it is not known
std::string failure_message(const finding& found, const exploration& all, const std::string& again,
                            const explanation& why, const text_style& style = {});
/// Its first line.
std::string heading_in_a_test(const finding& found, const text_style& style = {});

/// Why a test of which no execution came to its end fails.
std::string nothing_was_judged(const exploration& all);

/// What a test that has passed did not judge, in a few words; empty if it judged
/// each order that can matter.
std::string what_was_cut(const exploration& all, test_manager by);

/// How far a search is: `12,400 executions, 3 s; about 31 % of an estimated 40,000 executions, 7 s to go`.
std::string progress_of(const progress& so_far);

/// What was covered, in lines beside GoogleTest's own: `[ EXPLORED ] ...`.
std::string what_was_covered(const std::string& test, const exploration& all, test_manager by);

}  // namespace harrier
