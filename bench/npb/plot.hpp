#pragma once

#include <string>
#include <vector>

#include "measure.hpp"

namespace npb {

/// What the thesis' figures 11.1 to 11.4 show with 24 threads; it does not say of which class.
struct published_slowdown {
  const char* kernel;
  const char* figure;
  double strict;
  double liberal;
};
inline constexpr published_slowdown published[] = {
    {"CG", "11.1", 2.99, 1.01}, {"FT", "11.2", 1.08, 0.92}, {"IS", "11.3", 0.74, 0.69}, {"MG", "11.4", 3.71, 0.94}};

/// Writes an SVG: slowdown against workers, for each kernel, beside the published ones.
/// @throws std::runtime_error  gnuplot is not there, or cannot write it.
void draw(const std::vector<measurement>& measured, const std::string& file);

}  // namespace npb
