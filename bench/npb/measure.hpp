#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "queues.hpp"

namespace npb {

/// What a kernel's master and workers communicate through.
enum class way : std::size_t { reference, strict, checked };
inline constexpr std::size_t ways = 3;

/// Runs a kernel over a module for so many workers.
template <class Kernel>
struct module_run {
  way how;
  std::size_t workers;
  outcome (*run)(Kernel&, std::size_t workers);
};

/// All modules that were generated for a kernel.
template <class Kernel>
const std::vector<module_run<Kernel>>& module_runs();

/// Times as often as the reference's: the median, and the quartiles beside it.
struct slowdown {
  double median = 0;
  double lower = 0;
  double upper = 0;
};

/// One kernel, of one size, with so many workers of each kind.
struct measurement {
  std::string kernel;
  size_class size = size_class::s;
  std::size_t workers = 0;
  double reference_seconds = 0;  ///< the median
  slowdown strict;
  slowdown checked;
  std::string computed;  ///< by the last run
  bool verified = true;  ///< whether all runs were
};

/// What remains when all runs are done: `seconds` by repetition and way.
void summarise(const std::vector<std::vector<double>>& seconds, measurement& into);

/// Runs a kernel over all three, by turns, every time another one first; what counts is the ratio within a repetition,
/// so that what else the machine does slows all alike.
/// @throws std::invalid_argument  no module was generated for so many workers.
template <class Kernel>
measurement compare(const std::string& name, size_class size, std::size_t workers, std::size_t repetitions) {
  outcome (*runs[ways])(Kernel&, std::size_t) = {over_queues<Kernel>, nullptr, nullptr};
  for (const auto& m : module_runs<Kernel>()) {
    if (m.workers == workers) runs[static_cast<std::size_t>(m.how)] = m.run;
  }
  if (runs[1] == nullptr || runs[2] == nullptr) {
    throw std::invalid_argument("there is no module for " + std::to_string(workers) + " workers");
  }
  measurement result;
  result.kernel = name;
  result.size = size;
  result.workers = workers;
  Kernel kernel(size, workers);
  std::vector<std::vector<double>> seconds(repetitions, std::vector<double>(ways));
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (std::size_t turn = 0; turn < ways; ++turn) {
      const auto which = (i + turn) % ways;
      const auto one = runs[which](kernel, workers);
      seconds[i][which] = one.seconds;
      result.verified = result.verified && one.verified;
      result.computed = one.computed;
    }
  }
  summarise(seconds, result);
  return result;
}

}  // namespace npb
