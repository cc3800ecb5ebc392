#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace npb {

/// What comes from the next coarser grid is added to the solution on this level.
struct interp {
  std::size_t level;
};
/// Smooths the solution on this level.
struct psinv {
  std::size_t level;
};
/// Brings the residual of this level to the next coarser one.
struct rprj {
  std::size_t level;
};
/// The residual on this level.
struct resid {
  std::size_t level;
};

/// Kernel MG: Poisson's equation on a cube that goes round in all directions, by V-cycles over a hierarchy of grids.
///
/// @par Source  NAS Parallel Benchmarks 3.4, MG: the same right side (ten points of charge 1, ten of -1), the same four
/// operations, and
///      one V-cycle untimed. Class W is that of versions 2 and 3.0, which the thesis used: 64^3 points, 40 iterations.
///      Later versions have 128^3 points and 4 iterations there, and the norm 0.6467329375339e-05.
class mg {
public:
  using tasks = task_list<interp, psinv, rprj, resid>;
  static constexpr std::array kinds{"interp", "psinv", "rprj", "resid"};

  mg(size_class size, std::size_t workers);
  void work(const interp& task, std::size_t worker);
  void work(const psinv& task, std::size_t worker);
  void work(const rprj& task, std::size_t worker);
  void work(const resid& task, std::size_t worker);
  outcome run(crew<interp>& interpolators, crew<psinv>& smoothers, crew<rprj>& projectors, crew<resid>& subtracters);

private:
  struct parameters {
    std::size_t levels;  // the finest grid has 2^levels points along each axis
    int iterations;
    std::array<double, 3> smoother;  // weights of the middle, of faces, of edges
    double norm;                     // published: the residual's, in the end
  };
  static parameters parameters_of(size_class size);

  // A cube with a layer around it that repeats what is on the other side.
  struct grid {
    explicit grid(std::size_t inner) : side(inner + 2), values(side * side * side) {}
    [[nodiscard]] std::size_t inner() const { return side - 2; }
    double* row(std::size_t z, std::size_t y) { return values.data() + (z * side + y) * side; }
    [[nodiscard]] const double* row(std::size_t z, std::size_t y) const {
      return values.data() + (z * side + y) * side;
    }
    void clear();
    void wrap(std::size_t z);

    std::size_t side;
    std::vector<double> values;
  };
  struct everybody {
    crew<interp>& interpolators;
    crew<psinv>& smoothers;
    crew<rprj>& projectors;
    crew<resid>& subtracters;
  };

  [[nodiscard]] slice planes(const grid& of, std::size_t worker) const;
  void make_charges();
  void begin();
  void cycle(const everybody& workers);
  [[nodiscard]] double norm() const;

  parameters size_;
  std::size_t workers_;
  std::vector<grid> solution_;  // by level, the coarsest first
  std::vector<grid> residual_;
  grid charges_;
};

}  // namespace npb
