// The page of a trace file that nobody replays, to standard output: page_of TRACE.json [OTHER.json]. The other is an
// order that is shown beside it.
#include <exception>
#include <iostream>

#include <harrier/report/trace_file.hpp>
#include <harrier/web/page.hpp>

namespace {

harrier::told_finding told_of(int count, char** names) {
  harrier::told_finding told{
      .trace = harrier::read_trace_file(names[1]), .replay = "harrier replay it.json", .file = "it.json"};
  if (count > 2) told.other = {"An order that passes", harrier::read_trace_file(names[2]).finding.trace};
  return told;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    harrier::report_story story{.program = {}, .verdict = harrier::report_verdict::found, .summary = {"Found."}};
    story.findings = {told_of(argc, argv)};
    story.program = story.findings[0].trace.program;
    std::cout << harrier::report_page(story);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
