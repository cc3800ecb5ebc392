#include "why_of_findings.hpp"

#include <algorithm>
#include <chrono>
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
  using clock = std::chrono::steady_clock;
  std::vector<explanation> all;
  if (result.stopped_by == "an interrupt") return all;
  const auto given = request.how.limits.most_seconds();
  const auto most = given > 0 ? std::min(most_seconds, seconds_to_conclude(given)) : most_seconds;
  const auto until = clock::now() + std::chrono::duration<double>(most);
  for (const auto& f : result.findings) {
    const auto left = std::chrono::duration<double>(until - clock::now()).count();
    if (all.size() == most_explained || left <= 0) break;
    try {
      all.push_back(why_isolated(program.made, request.how, f, left, request.apart));
    } catch (const error&) {  // there is no child process, say: the finding is no less found
      break;
    }
  }
  return all;
}

}  // namespace harrier
