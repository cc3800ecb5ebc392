#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace harrier::tables {

/// A search of one of Eta's tests: what is published of it, and ours.
struct eta_search {
  std::uint64_t published = 0;  ///< executions
  double published_seconds = 0;
  bool cut_there = false;  ///< by the authors' time limit of an hour
  /// Nothing if ours did not come to its end in the time given.
  std::optional<std::uint64_t> executions = {};
  double seconds = 0;
};

/// A test of tables 1 and 2 of J. Simsa, R. Bryant, G. Gibson, J. Hickey: Scalable
/// dynamic partial order reduction / Eta, with one FIFO queue an actor.
struct eta_row {
  std::string test;     ///< Store(1,1,1,3)
  std::string program;  ///< as on the command line; empty: not described, so we do not have it
  eta_search all;       ///< table 1: every order; ours is exhaustive
  eta_search reduced;   ///< table 2: their DPOR; ours is optimal, each trace once
  /// Table 3: how many executions of `all` they estimate at the end of `reduced`;
  /// 0 if that is not published.
  double published_estimate = 0;
  /// Ours: stochastic enumeration, before anything is explored, for half a second. 0: not run.
  double estimate = 0;
  std::uint64_t samples = 0;
};

/// The rows with ours run, each search for at most `seconds`.
std::vector<eta_row> run_eta(double seconds);
/// One row alone. @throws error if there is no such test.
eta_row run_eta(const std::string& test, double seconds);

std::string to_text(const std::vector<eta_row>& rows);
nlohmann::ordered_json to_json(const std::vector<eta_row>& rows);

/// Eta's figure 1: how many different executions the exploratory and the random
/// manager have run, over time, as `folder`/NAME.tsv and NAME.svg for each test.
/// @throws error if there is no gnuplot, or a file cannot be written.
void draw_eta_figure(const std::string& folder, double seconds);

}  // namespace harrier::tables
