#include "progress_plot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/report/write_file.hpp>

#include "../../core/base/trusted_place.hpp"
#include "../shell/shell.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_points = 512;

/// A file that gnuplot executes, and nobody else can write; gone when this is.
class scratch_file {
public:
  explicit scratch_file(std::string_view content) : name_(folder_.path() / "progress.gnuplot") {
    write_file(name_, content);
  }
  [[nodiscard]] const std::string& name() const { return name_; }

private:
  private_folder folder_;
  std::string name_;
};

/// In gnuplot's single quotes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const auto c : printable(text)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// What `gnuplot FILE` writes to its standard output.
std::string output_of_gnuplot(const std::string& file) {
  const auto program = find_trusted_program("gnuplot").path.string();
  auto* const pipe = popen((quoted_for_shell(program) + " " + quoted_for_shell(file)).c_str(), "re");
  if (pipe == nullptr) throw error("cannot start gnuplot");
  std::string text;
  std::array<char, 4096> some{};
  for (std::size_t n = 0; (n = std::fread(some.data(), 1, some.size(), pipe)) > 0;) text.append(some.data(), n);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty())
    throw error("gnuplot could not draw the progress");
  return text;
}

}  // namespace

progress_plot::progress_plot(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  if (file_ == "-") throw error("--plot-progress -: a picture goes to a file; give its name");
  if (const auto program = find_trusted_program("gnuplot"); program.path.empty())
    throw error("--plot-progress needs gnuplot, which is not on the PATH (Debian: gnuplot-nox)" + program.why_not());
  check_writable(file_);
}

void progress_plot::note(const progress& p) {
  if (file_.empty() || ++skipped_ < every_) return;
  skipped_ = 0;
  points_.push_back({p.seconds, static_cast<double>(p.executions), p.estimate.executions, p.estimate.explored});
  if (points_.size() < most_points) return;
  std::vector<point> half;
  for (std::size_t i = 1; i < points_.size(); i += 2) half.push_back(points_[i]);
  points_ = std::move(half);
  every_ *= 2;
}

std::string progress_plot::script(const exploration& r) const {
  auto all = points_;
  const auto last = r.estimate.value_or(size_estimate{});
  all.push_back({r.seconds, static_cast<double>(r.executions), last.executions, last.explored});
  const auto has_estimate = std::any_of(all.begin(), all.end(), [](const point& p) { return p.estimated > 0; });

  auto title = r.program;
  for (const auto& [name, value] : r.parameters) title += fmt::format(" {}={}", name, value);
  std::string text = "$progress << END_OF_DATA\n";
  for (const auto& p : all) {
    text += fmt::format("{:.6g} {:.0f}", p.seconds, p.executions);
    text += p.estimated > 0 ? fmt::format(" {:.6g} {:.6g}\n", p.estimated, 100 * p.explored) : " NaN NaN\n";
  }
  text += "END_OF_DATA\n";
  text += "set terminal svg size 900,480 dynamic background rgb 'white' font 'sans-serif,13' noenhanced\n";
  text += fmt::format("set title {}\n", quoted(fmt::format("{}: engine {}", title, r.engine)));
  text += "set key outside bottom center horizontal\nset grid\nset xlabel 'seconds'\nset ylabel 'executions'\n";
  text += fmt::format("set xrange [0:{:.6g}]\n", std::max(r.seconds, 1e-6));
  double greatest = 2;
  for (const auto& p : all) greatest = std::max({greatest, p.executions, p.estimated});
  text += fmt::format("set yrange [1:{:.6g}]\n", 1.5 * greatest);
  text += "set logscale y\nset format y '%.0s%c'\nset ytics nomirror\n";
  text +=
      "plot $progress using 1:($2 > 0 ? $2 : NaN) with linespoints pt 7 ps 0.3 lw 2 lc '#1f5fa8' title 'executions "
      "run'";
  if (has_estimate) {
    text += ", '' using 1:3 with linespoints pt 7 ps 0.3 lw 2 lc '#c05020' title 'estimated in all'";
    text += ", '' using 1:4 axes x1y2 with lines lw 2 lc '#909090' title 'percent explored'";
    text.insert(text.find("plot $progress"), "set y2range [0:100]\nset y2tics\nset y2label 'percent'\n");
  }
  return text + "\n";
}

void progress_plot::draw(const exploration& result) {
  if (file_.empty()) return;
  const scratch_file told(script(result));
  write_file(file_, output_of_gnuplot(told.name()));
}

}  // namespace harrier
