#include "ft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace npb {

ft::parameters ft::parameters_of(size_class size) {
  switch (size) {
    case size_class::s:
      return {{64, 64, 64},
              {{554.6087004964, 484.5363331978},
               {554.6385409189, 486.5304269511},
               {554.6148406171, 488.3910722336},
               {554.5423607415, 490.1273169046},
               {554.4255039624, 491.7475857993},
               {554.2683411902, 493.2597244941}}};
    case size_class::w:
      return {{128, 128, 32},
              {{567.3612178944, 529.3246849175},
               {563.1436885271, 528.2149986629},
               {559.4024089970, 527.0996558037},
               {556.0698047020, 526.0027904925},
               {553.0898991250, 524.9400845633},
               {550.4159734538, 523.9212247086}}};
    case size_class::a:
      return {{256, 256, 128},
              {{504.6735008193, 511.4047905510},
               {505.9412319734, 509.8809666433},
               {506.9376896287, 509.8144042213},
               {507.7892868474, 510.1336130759},
               {508.5233095391, 510.4914655194},
               {509.1487099959, 510.7917842803}}};
    case size_class::b:
      return {{512, 256, 256},
              {{517.7643571579, 507.7803458597}, {515.4521291263, 508.8249431599}, {514.6409228649, 509.6208912659},
               {514.2378756213, 510.1023387619}, {513.9626667737, 510.3976610617}, {513.7423460082, 510.5948019802},
               {513.5547056878, 510.7404165783}, {513.3910925466, 510.8576573661}, {513.2470705390, 510.9577278523},
               {513.1197729984, 511.0460304483}, {513.0070319283, 511.1252433800}, {512.9070537032, 511.1968077718},
               {512.8182883502, 511.2616233064}, {512.7393733383, 511.3203605551}, {512.6691062020, 511.3735928093},
               {512.6064276004, 511.4218460548}, {512.5504076570, 511.4656139760}, {512.5002331720, 511.5053595966},
               {512.4551951846, 511.5415130407}, {512.4146770029, 511.5744692211}}};
    case size_class::c:
      return {{512, 512, 512},
              {{519.5078707457, 514.9019699238}, {515.5422171134, 512.7578201997}, {514.4678022222, 512.2251847514},
               {514.0150594328, 512.1090289018}, {513.7550426810, 512.1143685824}, {513.5811056728, 512.1496764568},
               {513.4569343165, 512.1870921893}, {513.3651975661, 512.2193250322}, {513.2955192805, 512.2454735794},
               {513.2410471738, 512.2663649603}, {513.1971141679, 512.2830879827}, {513.1605205716, 512.2965869718},
               {513.1290734194, 512.3075927445}, {513.1012720314, 512.3166486553}, {513.0760908195, 512.3241541685},
               {513.0528295923, 512.3304037599}, {513.0310107773, 512.3356167976}, {513.0103090133, 512.3399592211},
               {512.9905029333, 512.3435588985}, {512.9714421109, 512.3465164008}}};
  }
  throw std::invalid_argument("no class of FT");
}

ft::ft(size_class size, std::size_t workers)
    : size_(parameters_of(size)),
      workers_(workers),
      stride_{1, size_.extent[0], size_.extent[0] * size_.extent[1]},
      total_(stride_[2] * size_.extent[2]),
      factors_(total_),
      frequencies_(total_),
      field_(total_) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto n = size_.extent[axis];
    for (std::size_t i = 0; i < n / 2; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
      roots_[axis].push_back({std::cos(angle), std::sin(angle)});
    }
  }
  make_factors();
}

void ft::make_factors() {
  constexpr double alpha = 1e-6;
  const auto square = [this](std::size_t index, std::size_t axis) {
    const auto n = size_.extent[axis];
    const auto frequency = static_cast<double>((index + n / 2) % n) - static_cast<double>(n / 2);
    return frequency * frequency;
  };
  std::size_t place = 0;
  for (std::size_t z = 0; z < size_.extent[2]; ++z) {
    for (std::size_t y = 0; y < size_.extent[1]; ++y) {
      for (std::size_t x = 0; x < size_.extent[0]; ++x) {
        const double distance = square(x, 0) + square(y, 1) + square(z, 2);
        factors_[place++] = std::exp(-4 * alpha * std::numbers::pi * std::numbers::pi * distance);
      }
    }
  }
}

void ft::make_input() {
  generator random;
  for (auto& value : field_) {
    value.re = random.next();
    value.im = random.next();
  }
}

void ft::work(const evolve&, std::size_t worker) {
  const auto part = share(total_, worker, workers_);
  for (auto i = part.first; i < part.last; ++i) {
    auto& value = frequencies_[i];
    value = {value.re * factors_[i], value.im * factors_[i]};
    field_[i] = value;
  }
}

// A worker has planes: of constant z, or, for lines along z, of constant y.
void ft::work(const fft& task, std::size_t worker) {
  const std::size_t planes = task.axis == 2 ? 1 : 2;
  const std::size_t rows = task.axis == 0 ? 1 : 0;
  std::vector<complex> line(size_.extent[task.axis]);
  std::vector<complex> scratch(line.size());
  const auto part = share(size_.extent[planes], worker, workers_);
  for (auto plane = part.first; plane < part.last; ++plane) {
    for (std::size_t row = 0; row < size_.extent[rows]; ++row) {
      transform_line(task, plane * stride_[planes] + row * stride_[rows], line, scratch);
    }
  }
}

// Stockham: in each pass, sums and turned differences of values half a line apart; then values are in order, without
// reversing bits.
void ft::transform_line(const fft& task, std::size_t start, std::vector<complex>& line, std::vector<complex>& scratch) {
  const auto stride = stride_[task.axis];
  const auto& roots = roots_[task.axis];
  const double side = task.back ? 1 : -1;
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = field_[start + i * stride];
  for (std::size_t length = line.size(), done = 1; length > 1; length /= 2, done *= 2) {
    const auto half = length / 2;
    for (std::size_t p = 0; p < half; ++p) {
      const complex root{roots[p * done].re, side * roots[p * done].im};
      for (std::size_t q = 0; q < done; ++q) {
        const complex a = line[q + done * p];
        const complex b = line[q + done * (p + half)];
        const complex apart{a.re - b.re, a.im - b.im};
        scratch[q + done * 2 * p] = {a.re + b.re, a.im + b.im};
        scratch[q + done * (2 * p + 1)] = {apart.re * root.re - apart.im * root.im,
                                           apart.re * root.im + apart.im * root.re};
      }
    }
    line.swap(scratch);
  }
  for (std::size_t i = 0; i < line.size(); ++i) field_[start + i * stride] = line[i];
}

void ft::transform_all(crew<fft>& transformers, bool back) {
  for (std::uint8_t axis = 0; axis < 3; ++axis) transformers.perform({axis, back});
}

// Of 1024 places all over the field.
ft::complex ft::checksum() const {
  complex sum{0, 0};
  for (std::size_t i = 1; i <= 1024; ++i) {
    const auto place =
        i % size_.extent[0] * stride_[0] + 3 * i % size_.extent[1] * stride_[1] + 5 * i % size_.extent[2] * stride_[2];
    sum = {sum.re + field_[place].re, sum.im + field_[place].im};
  }
  const auto n = static_cast<double>(total_);
  return {sum.re / n, sum.im / n};
}

outcome ft::run(crew<evolve>& evolvers, crew<fft>& transformers) {
  make_input();
  const stopwatch clock;
  transform_all(transformers, false);
  frequencies_ = field_;
  std::size_t right = 0;
  complex last{0, 0};
  for (const auto& published : size_.checksums) {
    evolvers.perform({});
    transform_all(transformers, true);
    last = checksum();
    const double error = std::hypot(last.re - published.re, last.im - published.im);
    if (error <= 1e-12 * std::hypot(published.re, published.im)) ++right;
  }
  outcome result;
  result.seconds = clock.seconds();
  result.verified = right == size_.checksums.size();
  result.computed =
      fmt::format("{} of {} checksums, the last ({:.10f}, {:.10f})", right, size_.checksums.size(), last.re, last.im);
  return result;
}

}  // namespace npb
