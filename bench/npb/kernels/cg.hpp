#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace npb {

/// A step of the conjugate-gradient method, for a worker's rows. What is summed goes into shared memory, as vectors do.
struct compute {
  enum class step : std::uint8_t {
    multiply,   ///< q = A p, and p q
    advance,    ///< z += alpha p, r -= alpha q, and r r
    turn,       ///< p = r + beta p
    residual,   ///< r = A z
    difference  ///< (x - r) (x - r)
  };
  step order;
  double alpha;
  double beta;
};

/// Kernel CG: the smallest eigenvalue of a random sparse matrix, by inverse iteration, each with 25 steps of conjugate
/// gradients.
///
/// @par Source  NAS Parallel Benchmarks 3.4, CG: the matrix entry by entry in the same order, 77 rounds of its workers
/// for each of
///      the iterations (75 in class C, so 5,775), one of them before and untimed.
class cg {
public:
  using tasks = task_list<compute>;
  static constexpr std::array kinds{"worker"};

  cg(size_class size, std::size_t workers);
  void work(const compute& task, std::size_t worker);
  outcome run(crew<compute>& workers);

private:
  struct parameters {
    std::size_t rows;
    std::size_t nonzeros;
    int iterations;
    double shift;
    double zeta;  ///< published
  };
  static parameters parameters_of(size_class size);

  void make_matrix();
  double multiply(const std::vector<double>& by, std::vector<double>& into, slice rows);
  void advance(double alpha, slice rows, double& sum);
  void solve(crew<compute>& workers);
  double iterate(crew<compute>& workers);

  parameters size_;
  std::size_t workers_;
  std::vector<std::size_t> row_;  // where each row begins, and the end
  std::vector<std::uint32_t> column_;
  std::vector<double> value_;
  std::vector<double> x_, z_, p_, q_, r_;
  partial_sums sums_;
  double residual_ = 0;
};

}  // namespace npb
