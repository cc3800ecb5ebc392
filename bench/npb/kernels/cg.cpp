#include "cg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace npb {
namespace {

constexpr int steps = 25;
constexpr double condition = 0.1;  // reciprocal of the matrix' condition number

struct entry {
  std::uint32_t column;
  double value;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Random values in random places, each place once.
std::vector<entry> random_vector(generator& random, std::size_t rows, std::size_t nonzeros) {
  std::size_t power = 1;
  while (power < rows) power *= 2;
  std::vector<entry> result;
  while (result.size() < nonzeros) {
    const double value = random.next();
    const auto column = static_cast<std::uint32_t>(static_cast<double>(power) * random.next());
    const bool taken = std::any_of(result.begin(), result.end(), [&](const entry& e) { return e.column == column; });
    if (column < rows && !taken) result.push_back({column, value});
  }
  return result;
}

void set(std::vector<entry>& of, std::uint32_t column, double value) {
  const auto found = std::find_if(of.begin(), of.end(), [&](const entry& e) { return e.column == column; });
  if (found != of.end()) {
    found->value = value;
  } else {
    of.push_back({column, value});
  }
}

// Entries of one place become their sum, in the order in which they came.
void sum_up(std::vector<entry>& row) {
  std::stable_sort(row.begin(), row.end(), [](const entry& a, const entry& b) { return a.column < b.column; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i].column == row[last].column) {
      row[last].value += row[i].value;
    } else {
      row[++last] = row[i];
    }
  }
  row.resize(std::min(row.size(), last + 1));
}

}  // namespace

cg::parameters cg::parameters_of(size_class size) {
  switch (size) {
    case size_class::s: return {1400, 7, 15, 10, 8.5971775078648};
    case size_class::w: return {7000, 8, 15, 12, 10.362595087124};
    case size_class::a: return {14000, 11, 15, 20, 17.130235054029};
    case size_class::b: return {75000, 13, 75, 60, 22.712745482631};
    case size_class::c: return {150000, 15, 75, 110, 28.973605592845};
  }
  throw std::invalid_argument("no class of CG");
}

cg::cg(size_class size, std::size_t workers) : size_(parameters_of(size)), workers_(workers), sums_(workers) {
  make_matrix();
  for (auto* v : {&x_, &z_, &p_, &q_, &r_}) v->resize(size_.rows);
}

// The weighted sum of outer products of random vectors with themselves; the weights fall geometrically from 1 to
// `condition`.
void cg::make_matrix() {
  generator random;
  static_cast<void>(random.next());
  const double ratio = std::pow(condition, 1.0 / static_cast<double>(size_.rows));
  double weight = 1;
  std::vector<std::vector<entry>> rows(size_.rows);
  for (std::uint32_t i = 0; i < size_.rows; ++i) {
    auto v = random_vector(random, size_.rows, size_.nonzeros);
    set(v, i, 0.5);
    for (const auto& down : v) {
      for (const auto& across : v) {
        const bool middle = down.column == i && across.column == i;
        const double value = across.value * (weight * down.value) + (middle ? condition - size_.shift : 0.0);
        rows[down.column].push_back({across.column, value});
      }
    }
    weight *= ratio;
  }
  row_.push_back(0);
  for (auto& row : rows) {
    sum_up(row);
    for (const auto& e : row) {
      column_.push_back(e.column);
      value_.push_back(e.value);
    }
    row_.push_back(column_.size());
    row = {};
  }
}

double cg::multiply(const std::vector<double>& by, std::vector<double>& into, slice rows) {
  double sum = 0;
  for (auto i = rows.first; i < rows.last; ++i) {
    double product = 0;
    for (auto k = row_[i]; k < row_[i + 1]; ++k) product += value_[k] * by[column_[k]];
    into[i] = product;
    sum += by[i] * product;
  }
  return sum;
}

void cg::advance(double alpha, slice rows, double& sum) {
  double squares = 0;
  for (auto i = rows.first; i < rows.last; ++i) {
    z_[i] += alpha * p_[i];
    r_[i] -= alpha * q_[i];
    squares += r_[i] * r_[i];
  }
  sum = squares;
}

void cg::work(const compute& task, std::size_t worker) {
  const auto rows = share(size_.rows, worker, workers_);
  auto& sum = sums_[worker];
  switch (task.order) {
    case compute::step::multiply: sum = multiply(p_, q_, rows); break;
    case compute::step::advance: advance(task.alpha, rows, sum); break;
    case compute::step::turn:
      for (auto i = rows.first; i < rows.last; ++i) p_[i] = r_[i] + task.beta * p_[i];
      break;
    case compute::step::residual: multiply(z_, r_, rows); break;
    case compute::step::difference:
      sum = 0;
      for (auto i = rows.first; i < rows.last; ++i) sum += (x_[i] - r_[i]) * (x_[i] - r_[i]);
      break;
  }
}

// A z = x, as nearly as so many steps come.
void cg::solve(crew<compute>& workers) {
  std::fill(z_.begin(), z_.end(), 0.0);
  r_ = x_;
  p_ = x_;
  double rho = product(r_, r_);
  for (int i = 0; i < steps; ++i) {
    workers.perform({compute::step::multiply, 0, 0});
    const double alpha = rho / sums_.total();
    workers.perform({compute::step::advance, alpha, 0});
    const double before = std::exchange(rho, sums_.total());
    workers.perform({compute::step::turn, alpha, rho / before});
  }
  workers.perform({compute::step::residual, 0, 0});
  workers.perform({compute::step::difference, 0, 0});
  residual_ = std::sqrt(sums_.total());
}

double cg::iterate(crew<compute>& workers) {
  solve(workers);
  const double zeta = size_.shift + 1 / product(x_, z_);
  const double scale = 1 / std::sqrt(product(z_, z_));
  std::transform(z_.begin(), z_.end(), x_.begin(), [&](double z) { return scale * z; });
  return zeta;
}

outcome cg::run(crew<compute>& workers) {
  std::fill(x_.begin(), x_.end(), 1.0);
  iterate(workers);
  std::fill(x_.begin(), x_.end(), 1.0);
  const stopwatch clock;
  double zeta = 0;
  for (int i = 0; i < size_.iterations; ++i) zeta = iterate(workers);
  outcome result;
  result.seconds = clock.seconds();
  result.verified = agree(zeta, size_.zeta, 1e-10);
  result.computed = fmt::format("zeta {:.13f}, published {:.13f}; residual {:.2e}", zeta, size_.zeta, residual_);
  return result;
}

}  // namespace npb
