#include "why_of_findings.hpp"

#include <algorithm>
#include <cstddef>

#include <harrier/isolation/isolated_why.hpp>

#include "../../explore/limits.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_explained = 10;
constexpr double most_seconds = 10;  // far more than the deliveries take that are tried

}  // namespace

std::vector<explanation> why_of_findings(const explore_request& request, const chosen_program& program,
                                         const exploration& result) {
  if (result.stopped_by == "an interrupt") return {};
  const auto given = request.how.limits.most_seconds();
  const auto most = given > 0 ? std::min(most_seconds, seconds_to_conclude(given)) : most_seconds;
  return whys_isolated(program.made, request.how, result.findings, most_explained, most, request.apart);
}

}  // namespace harrier
