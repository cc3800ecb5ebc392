#include "mg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace npb {
namespace {

// Weights of the operator: the middle, edges and corners; faces have none.
constexpr double middle = -8.0 / 3.0;
constexpr double edges = 1.0 / 6.0;
constexpr double corners = 1.0 / 12.0;

// Which of the neighbours across come first.
enum class order { plane_by_plane, row_by_row };

// Of the neighbours of a row: the four beside it, and the four across. All sums here are in the order of the
// benchmark's, since what is left after the 40 iterations of class W is rounding errors.
template <order Order, class Grid>
void sum_neighbours(const Grid& of, std::size_t z, std::size_t y, std::vector<double>& beside,
                    std::vector<double>& across) {
  const auto* up = of.row(z, y + 1);
  const auto* down = of.row(z, y - 1);
  const auto* before = of.row(z - 1, y);
  const auto* behind = of.row(z + 1, y);
  const auto* before_up = of.row(z - 1, y + 1);
  const auto* before_down = of.row(z - 1, y - 1);
  const auto* behind_up = of.row(z + 1, y + 1);
  const auto* behind_down = of.row(z + 1, y - 1);
  const auto* second = Order == order::plane_by_plane ? before_up : behind_down;
  const auto* third = Order == order::plane_by_plane ? behind_down : before_up;
  for (std::size_t x = 0; x < of.side; ++x) {
    beside[x] = down[x] + up[x] + before[x] + behind[x];
    across[x] = before_down[x] + second[x] + third[x] + behind_up[x];
  }
}

}  // namespace

mg::parameters mg::parameters_of(size_class size) {
  constexpr std::array small{-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0};
  constexpr std::array large{-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0};
  switch (size) {
    case size_class::s: return {5, 4, small, 0.5307707005734e-04};
    case size_class::w: return {6, 40, small, 0.250391406439e-17};
    case size_class::a: return {8, 4, small, 0.2433365309069e-05};
    case size_class::b: return {8, 20, large, 0.1800564401355e-05};
    case size_class::c: return {9, 20, large, 0.5706732285740e-06};
  }
  throw std::invalid_argument("no class of MG");
}

void mg::grid::clear() { std::fill(values.begin(), values.end(), 0.0); }

// The layer around, as far as it repeats what is in this plane.
void mg::grid::wrap(std::size_t z) {
  const auto last = inner();
  for (std::size_t y = 1; y <= last; ++y) {
    auto* r = row(z, y);
    r[0] = r[last];
    r[last + 1] = r[1];
  }
  std::copy_n(row(z, last), side, row(z, 0));
  std::copy_n(row(z, 1), side, row(z, last + 1));
  if (z == 1) std::copy_n(row(1, 0), side * side, row(last + 1, 0));
  if (z == last) std::copy_n(row(last, 0), side * side, row(0, 0));
}

mg::mg(size_class size, std::size_t workers)
    : size_(parameters_of(size)), workers_(workers), charges_(std::size_t{1} << size_.levels) {
  for (std::size_t level = 1; level <= size_.levels; ++level) {
    solution_.emplace_back(std::size_t{1} << level);
    residual_.emplace_back(std::size_t{1} << level);
  }
  make_charges();
}

// Where the ten greatest of as many random numbers as there are points are, and the ten least.
void mg::make_charges() {
  using point = std::pair<double, std::size_t>;
  constexpr std::size_t count = 10;
  generator random;
  std::vector<point> least;
  std::vector<point> greatest;
  const auto keep = [](std::vector<point>& best, point p) {
    best.insert(std::upper_bound(best.begin(), best.end(), p), p);
    if (best.size() > count) best.pop_back();
  };
  for (std::size_t z = 1; z <= charges_.inner(); ++z) {
    for (std::size_t y = 1; y <= charges_.inner(); ++y) {
      for (std::size_t x = 1; x <= charges_.inner(); ++x) {
        const double value = random.next();
        const auto place = static_cast<std::size_t>(charges_.row(z, y) + x - charges_.values.data());
        if (least.size() < count || value < least.back().first) keep(least, {value, place});
        if (greatest.size() < count || -value < greatest.back().first) keep(greatest, {-value, place});
      }
    }
  }
  for (const auto& p : least) charges_.values[p.second] = -1;
  for (const auto& p : greatest) charges_.values[p.second] = 1;
  for (std::size_t z = 1; z <= charges_.inner(); ++z) charges_.wrap(z);
}

slice mg::planes(const grid& of, std::size_t worker) const {
  const auto part = share(of.inner(), worker, workers_);
  return {part.first + 1, part.last + 1};
}

void mg::work(const resid& task, std::size_t worker) {
  auto& r = residual_[task.level];
  const auto& u = solution_[task.level];
  const auto& v = task.level + 1 == size_.levels ? charges_ : r;
  std::vector<double> beside(u.side);
  std::vector<double> across(u.side);
  const auto part = planes(r, worker);
  for (auto z = part.first; z < part.last; ++z) {
    for (std::size_t y = 1; y <= r.inner(); ++y) {
      sum_neighbours<order::plane_by_plane>(u, z, y, beside, across);
      const auto* from = v.row(z, y);
      const auto* at = u.row(z, y);
      auto* to = r.row(z, y);
      for (std::size_t x = 1; x <= r.inner(); ++x) {
        to[x] = from[x] - middle * at[x] - edges * (across[x] + beside[x - 1] + beside[x + 1]) -
                corners * (across[x - 1] + across[x + 1]);
      }
    }
    r.wrap(z);
  }
}

void mg::work(const psinv& task, std::size_t worker) {
  auto& u = solution_[task.level];
  const auto& r = residual_[task.level];
  const auto& c = size_.smoother;
  std::vector<double> beside(u.side);
  std::vector<double> across(u.side);
  const auto part = planes(u, worker);
  for (auto z = part.first; z < part.last; ++z) {
    for (std::size_t y = 1; y <= u.inner(); ++y) {
      sum_neighbours<order::plane_by_plane>(r, z, y, beside, across);
      const auto* at = r.row(z, y);
      auto* to = u.row(z, y);
      for (std::size_t x = 1; x <= u.inner(); ++x) {
        to[x] = to[x] + c[0] * at[x] + c[1] * (at[x - 1] + at[x + 1] + beside[x]) +
                c[2] * (across[x] + beside[x - 1] + beside[x + 1]);
      }
    }
    u.wrap(z);
  }
}

// Each coarse point is the mean of 27 fine ones; nearer ones count more.
void mg::work(const rprj& task, std::size_t worker) {
  const auto& fine = residual_[task.level];
  auto& coarse = residual_[task.level - 1];
  std::vector<double> beside(fine.side);
  std::vector<double> across(fine.side);
  const auto part = planes(coarse, worker);
  for (auto z = part.first; z < part.last; ++z) {
    for (std::size_t y = 1; y <= coarse.inner(); ++y) {
      sum_neighbours<order::row_by_row>(fine, 2 * z, 2 * y, beside, across);
      const auto* at = fine.row(2 * z, 2 * y);
      auto* to = coarse.row(z, y);
      for (std::size_t x = 1; x <= coarse.inner(); ++x) {
        const auto i = 2 * x;
        to[x] = 0.5 * at[i] + 0.25 * (at[i - 1] + at[i + 1] + beside[i]) +
                0.125 * (beside[i - 1] + beside[i + 1] + across[i]) + 0.0625 * (across[i - 1] + across[i + 1]);
      }
    }
    coarse.wrap(z);
  }
}

// Between coarse points, the mean of the two, four or eight nearest; over the layer around too, so nothing is left to
// wrap.
void mg::work(const interp& task, std::size_t worker) {
  auto& fine = solution_[task.level];
  const auto& coarse = solution_[task.level - 1];
  const auto cells = coarse.side - 1;
  std::vector<double> sums(coarse.side);
  const auto part = share(cells, worker, workers_);
  const auto add = [&](std::size_t z, std::size_t y, double weight) {
    auto* to = fine.row(z, y);
    for (std::size_t x = 0; x < cells; ++x) {
      to[2 * x] += weight * sums[x];
      to[2 * x + 1] += weight / 2 * (sums[x] + sums[x + 1]);
    }
  };
  for (auto z = part.first; z < part.last; ++z) {
    for (std::size_t y = 0; y < cells; ++y) {
      const auto* near = coarse.row(z, y);
      const auto* up = coarse.row(z, y + 1);
      const auto* behind = coarse.row(z + 1, y);
      const auto* behind_up = coarse.row(z + 1, y + 1);
      std::copy_n(near, coarse.side, sums.begin());
      add(2 * z, 2 * y, 1);
      for (std::size_t x = 0; x < coarse.side; ++x) sums[x] = near[x] + up[x];
      add(2 * z, 2 * y + 1, 0.5);
      for (std::size_t x = 0; x < coarse.side; ++x) sums[x] = near[x] + behind[x];
      add(2 * z + 1, 2 * y, 0.5);
      for (std::size_t x = 0; x < coarse.side; ++x) sums[x] = behind_up[x] + behind[x] + (up[x] + near[x]);
      add(2 * z + 1, 2 * y + 1, 0.25);
    }
  }
}

void mg::begin() {
  for (auto& u : solution_) u.clear();
  for (auto& r : residual_) r.clear();
}

// Down to the coarsest grid with the residual, and up again with what to correct.
void mg::cycle(const everybody& workers) {
  const auto top = size_.levels - 1;
  for (auto level = top; level > 0; --level) workers.projectors.perform({level});
  solution_[0].clear();
  workers.smoothers.perform({0});
  for (std::size_t level = 1; level <= top; ++level) {
    if (level < top) solution_[level].clear();
    workers.interpolators.perform({level});
    workers.subtracters.perform({level});
    workers.smoothers.perform({level});
  }
}

double mg::norm() const {
  const auto& r = residual_.back();
  double sum = 0;
  for (std::size_t z = 1; z <= r.inner(); ++z) {
    for (std::size_t y = 1; y <= r.inner(); ++y) {
      const auto* row = r.row(z, y);
      for (std::size_t x = 1; x <= r.inner(); ++x) sum += row[x] * row[x];
    }
  }
  const auto n = static_cast<double>(r.inner());
  return std::sqrt(sum / (n * n * n));
}

outcome mg::run(crew<interp>& interpolators, crew<psinv>& smoothers, crew<rprj>& projectors, crew<resid>& subtracters) {
  const everybody workers{interpolators, smoothers, projectors, subtracters};
  const auto top = size_.levels - 1;
  const auto iterate = [&](int times) {
    begin();
    subtracters.perform({top});
    for (int i = 0; i < times; ++i) {
      cycle(workers);
      subtracters.perform({top});
    }
  };
  iterate(1);
  const stopwatch clock;
  iterate(size_.iterations);
  const double computed = norm();
  outcome result;
  result.seconds = clock.seconds();
  result.verified = agree(computed, size_.norm, 1e-8);
  result.computed = fmt::format("norm {:.13e}, published {:.13e}", computed, size_.norm);
  return result;
}

}  // namespace npb
