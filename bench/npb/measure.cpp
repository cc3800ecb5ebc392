#include "measure.hpp"

#include <algorithm>

namespace npb {
namespace {

// Where so large a part of the values is smaller.
double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  return values[place];
}

slowdown slowdown_of(const std::vector<std::vector<double>>& seconds, way how) {
  std::vector<double> ratios;
  for (const auto& round : seconds) ratios.push_back(round[static_cast<std::size_t>(how)] / round[0]);
  return {quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75)};
}

}  // namespace

void summarise(const std::vector<std::vector<double>>& seconds, measurement& into) {
  std::vector<double> reference;
  for (const auto& round : seconds) reference.push_back(round[0]);
  into.reference_seconds = quantile(reference, 0.5);
  into.strict = slowdown_of(seconds, way::strict);
  into.checked = slowdown_of(seconds, way::checked);
}

}  // namespace npb
