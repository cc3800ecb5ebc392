#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/explanation.hpp>
#include <harrier/core/exploration.hpp>

namespace harrier {

/// Findings as a compiler prints errors, for editors and for what reads logs: `server.cpp:27: error: two reads in a row
/// agree, in client_1 [assertion]`, then lines with `note:` for what explains it and for the deliveries in which
/// something was found at a line of its own. Without a file the program is named in its place. Warnings are
/// `warning:`. Empty if there are none. Each line is printable.
///
/// @param why  of the findings in their order, as far as it is known: a note each. So for the others here.
std::string to_gcc(const exploration& result, const std::vector<explanation>& why = {});

/// Findings and warnings in the Static Analysis Results Interchange Format, SARIF 2.1.0, with one run. A result's text
/// tells the first and the last deliveries that lead to it; those at a line of their own are in its code flow.
///
/// @param version  of harrier: `0.1.0`
std::string to_sarif(const exploration& result, std::string_view version, const std::vector<explanation>& why = {});

/// The exploration as a JUnit report, a suite of the program's name: a test case that fails for each finding, one for
/// each point that was not reached if `require_covered` says so, and for the exploration itself one that passes if
/// it is complete, and is skipped if a limit stopped it: then nothing is proved. What says that the program
/// cannot be searched as it was (is_of_the_search) is an error.
std::string to_junit(const exploration& result, bool require_covered, const std::vector<explanation>& why = {});

/// `result` with the files of its findings as they are called from the folder `here`, which is absolute: compilers name
/// them from the folder of the build. Where there is no such file, names stay as they are. Asks the file system.
exploration with_files_from(exploration result, const std::string& here);
/// The same of one finding.
finding with_files_from(finding found, const std::string& here);

}  // namespace harrier
