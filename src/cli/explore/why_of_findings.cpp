#include "why_of_findings.hpp"

#include <algorithm>
#include <cstddef>

#include <harrier/isolation/isolated_why.hpp>

#include "../../explore/limits.hpp"
#include "../../isolation/throw_places.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_explained = 10;
constexpr double most_seconds = 10;  // far more than the deliveries take that are tried

bool is_waited_for(const exploration& result) { return result.stopped_by != "an interrupt"; }

double seconds_for(const explore_request& request) {
  const auto given = request.how.limits.most_seconds();
  return given > 0 ? std::min(most_seconds, seconds_to_conclude(given)) : most_seconds;
}

}  // namespace

void find_throws(const explore_request& request, const chosen_program& program, exploration& result) {
  if (is_waited_for(result))
    find_throws(result.findings, program.made, request.how, most_explained, seconds_for(request), request.apart);
}

std::vector<explanation> why_of_findings(const explore_request& request, const chosen_program& program,
                                         const exploration& result) {
  if (!is_waited_for(result)) return {};
  return whys_isolated(program.made, request.how, result.findings, most_explained, seconds_for(request), request.apart);
}

}  // namespace harrier
