#include "plot.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <stdexcept>

namespace npb {
namespace {

struct line {
  std::string data;
  std::string style;
};

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string rows_of(const std::vector<measurement>& measured, const std::string& kernel, size_class size, way how) {
  std::string rows;
  for (const auto& m : measured) {
    if (m.kernel != kernel || m.size != size) continue;
    const auto& s = how == way::strict ? m.strict : m.checked;
    rows += fmt::format("{} {} {} {}\n", m.workers, s.median, s.lower, s.upper);
  }
  return rows;
}

// A line for each size and way that was measured, and a point for each way that was published.
std::vector<line> lines_of(const std::vector<measurement>& measured, const published_slowdown& thesis) {
  std::vector<line> lines;
  for (const auto size : {size_class::s, size_class::w, size_class::a, size_class::b, size_class::c}) {
    for (const auto how : {way::strict, way::checked}) {
      const auto rows = rows_of(measured, thesis.kernel, size, how);
      if (rows.empty()) continue;
      lines.push_back({rows, fmt::format("using 1:2:3:4 with yerrorlines lw 2 lc {} dt {} title '{}, class {}'",
                                         how == way::strict ? 7 : 6, size == size_class::s ? 2 : 1,
                                         how == way::strict ? "strict" : "liberal-checked", static_cast<char>(size))});
    }
  }
  lines.push_back(
      {fmt::format("24 {}\n", thesis.strict), "using 1:2 with points pt 6 ps 1.5 lc 7 title 'thesis: strict'"});
  lines.push_back(
      {fmt::format("24 {}\n", thesis.liberal), "using 1:2 with points pt 4 ps 1.5 lc 6 title 'thesis: liberal'"});
  return lines;
}

std::string panel(const std::vector<measurement>& measured, const published_slowdown& thesis) {
  const auto lines = lines_of(measured, thesis);
  std::string data;
  std::string plots;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    data += fmt::format("${}{} << EOD\n{}EOD\n", thesis.kernel, i, lines[i].data);
    plots += fmt::format("{} ${}{} {}", i == 0 ? "plot" : ",", thesis.kernel, i, lines[i].style);
  }
  return fmt::format("{}set title '{}, and figure {} of the thesis'\n{}, 1 with lines lc 'grey' notitle\n", data,
                     thesis.kernel, thesis.figure, plots);
}

}  // namespace

void draw(const std::vector<measurement>& measured, const std::string& file) {
  std::string commands = "set terminal svg size 1000,900 background '#ffffff' font 'sans,12'\nset output " +
                         in_quotes(file) +
                         "\nset multiplot layout 2,2\nset logscale x 2\nset xrange [0.8:32]\nset yrange [0:*]\nset "
                         "xtics (1, 2, 4, 8, 24)\n"
                         "set grid ytics\nset key outside bottom center horizontal maxcols 2\nset xlabel 'workers of "
                         "each kind'\nset ylabel 'time / time "
                         "of the reference'\n";
  for (const auto& thesis : published) commands += panel(measured, thesis);
  commands += "unset multiplot\n";
  FILE* gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw std::runtime_error("cannot start gnuplot");
  std::fputs(commands.c_str(), gnuplot);
  if (pclose(gnuplot) != 0)
    throw std::runtime_error("gnuplot could not draw " + file + "; is it installed (Debian: gnuplot-nox)?");
}

}  // namespace npb
