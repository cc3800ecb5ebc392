#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// A picture of how a search went: executions, the estimate of them and percent
/// explored, over time. gnuplot draws it.
class progress_plot {
public:
  /// @param file  an SVG; empty: nothing is drawn.
  /// @throws error  gnuplot is not there, or the file cannot be written.
  explicit progress_plot(std::string file);

  /// Takes note of how far the search is. Of a long search every second, fourth,
  /// eighth, ... note is kept, so that there are a few hundred at most.
  void note(const progress& so_far);
  /// Draws what was noted, and how it ended. @throws error
  void draw(const exploration& result);

  /// What gnuplot is told. The labels name the program, whatever it is called.
  [[nodiscard]] std::string script(const exploration& result) const;
  [[nodiscard]] std::size_t noted() const { return points_.size(); }

private:
  struct point {
    double seconds;
    double executions;
    double estimated;  // 0: unknown
    double explored;
  };
  std::string file_;
  std::vector<point> points_;
  std::size_t every_ = 1;
  std::size_t skipped_ = 0;
};

}  // namespace harrier
