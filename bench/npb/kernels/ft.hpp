#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace npb {

/// To the next point in time, in frequencies: each is multiplied by its factor.
struct evolve {};

/// Transforms along one axis.
struct fft {
  std::uint8_t axis;  ///< 0, 1, 2: x, y, z
  bool back;          ///< from frequencies, in place; otherwise from what is given at first
};

/// Kernel FT: a partial differential equation in three dimensions, solved in frequencies.
///
/// @par Source  NAS Parallel Benchmarks 3.4, FT: the same input, factors and checksums.
/// @par Deviations  Transforms are Stockham's of radix 2, one line at a time. Only what workers do is timed: the
/// transform of the input,
///      and the iterations.
class ft {
public:
  using tasks = task_list<evolve, fft>;
  static constexpr std::array kinds{"evolve", "fft"};

  ft(size_class size, std::size_t workers);
  void work(const evolve& task, std::size_t worker);
  void work(const fft& task, std::size_t worker);
  outcome run(crew<evolve>& evolvers, crew<fft>& transformers);

private:
  struct complex {
    double re;
    double im;
  };
  struct parameters {
    std::array<std::size_t, 3> extent;
    std::vector<complex> checksums;  // published, by iteration
  };
  static parameters parameters_of(size_class size);

  void make_factors();
  void make_input();
  void transform_all(crew<fft>& transformers, bool back);
  void transform_line(const fft& task, std::size_t start, std::vector<complex>& line, std::vector<complex>& scratch);
  [[nodiscard]] complex checksum() const;

  parameters size_;
  std::size_t workers_;
  std::array<std::size_t, 3> stride_;  // between neighbours along an axis
  std::size_t total_;
  std::array<std::vector<complex>, 3> roots_;  // by axis: the first half of the roots of unity
  std::vector<double> factors_;
  std::vector<complex> frequencies_;  // of the current point in time
  std::vector<complex> field_;
};

}  // namespace npb
