#include "kernel.hpp"

#include <chrono>
#include <cmath>

namespace npb {
namespace {

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

bool agree(double computed, double published, double tolerance) {
  return std::abs(computed - published) <= tolerance * std::abs(published);
}

stopwatch::stopwatch() : start_(now()) {}

double stopwatch::seconds() const { return static_cast<double>(now() - start_) * 1e-9; }

}  // namespace npb
