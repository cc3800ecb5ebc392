// The NAS kernels over protocol modules, beside the same kernels over queues written by hand: what the modules cost.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "cg.hpp"
#include "ft.hpp"
#include "is.hpp"
#include "measure.hpp"
#include "mg.hpp"
#include "plot.hpp"

namespace {

using namespace npb;

struct request {
  std::vector<std::string> kernels{"CG", "FT", "IS", "MG"};
  std::vector<std::string> sizes{"S", "W"};
  std::vector<std::size_t> workers{1, 2, 4, 8};
  std::size_t repetitions = 30;
  std::string svg;
  bool show_values = false;
};

measurement measure(const std::string& kernel, size_class size, std::size_t workers, std::size_t repetitions) {
  using comparison = measurement (*)(const std::string&, size_class, std::size_t, std::size_t);
  static const std::map<std::string, comparison> all{
      {"CG", compare<cg>}, {"FT", compare<ft>}, {"IS", compare<is>}, {"MG", compare<mg>}};
  return all.at(kernel)(kernel, size, workers, repetitions);
}

std::string cell(const slowdown& s) { return fmt::format("{:.2f} ({:.2f}-{:.2f})", s.median, s.lower, s.upper); }

void print(const measurement& m, bool show_values) {
  fmt::print("| {} | {} | {} | {:.4f} | {} | {} | {} |{}\n", m.kernel, static_cast<char>(m.size), m.workers,
             m.reference_seconds, cell(m.strict), cell(m.checked), m.verified ? "verified" : "WRONG",
             show_values || !m.verified ? ' ' + m.computed : "");
  std::fflush(stdout);
}

void print_published() {
  fmt::print("\nThe thesis, 24 threads, its reference on another processor:\n\n");
  fmt::print("| kernel | figure | strict | liberal |\n|---|---|---|---|\n");
  for (const auto& p : published)
    fmt::print("| {} | {} | {:.2f} | {:.2f} |\n", p.kernel, p.figure, p.strict, p.liberal);
}

int run(const request& asked) {
  std::vector<measurement> measured;
  fmt::print("time / time of the reference: median (quartiles) of {} repetitions\n\n", asked.repetitions);
  fmt::print(
      "| kernel | class | workers | reference s | strict | liberal-checked | values "
      "|\n|---|---|---|---|---|---|---|\n");
  for (const auto& kernel : asked.kernels) {
    for (const auto& size : asked.sizes) {
      for (const auto workers : asked.workers) {
        measured.push_back(measure(kernel, static_cast<size_class>(size[0]), workers, asked.repetitions));
        print(measured.back(), asked.show_values);
      }
    }
  }
  print_published();
  if (!asked.svg.empty()) draw(measured, asked.svg);
  return std::all_of(measured.begin(), measured.end(), [](const auto& m) { return m.verified; }) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  request asked;
  CLI::App line{"The NAS kernels over protocol modules, beside the same over queues written by hand"};
  line.add_option("--kernel", asked.kernels, "CG, FT, IS or MG (default: all)")
      ->check(CLI::IsMember({"CG", "FT", "IS", "MG"}));
  line.add_option("--class", asked.sizes, "S, W, A, B or C (default: S and W)")
      ->check(CLI::IsMember({"S", "W", "A", "B", "C"}));
  line.add_option("--workers", asked.workers, "workers of each kind: 1, 2, 4 or 8 (default: all of these)")
      ->check(CLI::IsMember({1, 2, 4, 8}));
  line.add_option("--repetitions", asked.repetitions, "runs of each")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  line.add_option("--svg", asked.svg, "where to write the plot (needs gnuplot)");
  line.add_flag("--values", asked.show_values, "what was computed, too");
  line.footer("Exit status: 0 all values agree with those published; 1 some do not; 2 wrong usage.");
  try {
    line.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return line.exit(e) == 0 ? 0 : 2;
  }
  try {
    return run(asked);
  } catch (const std::exception& e) {
    fmt::print(stderr, "npb: {}\n", e.what());
    return 2;
  }
}
