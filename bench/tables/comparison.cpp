#include "comparison.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <vector>

#include <harrier/core/error.hpp>

#include "trial.hpp"

namespace harrier::tables {
namespace {

struct measurement {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t transitions = 0;
  bool ended = false;
};

struct measured {
  measurement search;
  double cpu_seconds = 0;
  double mib = 0;
};

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

measurement measure(const std::string& program, const std::string& engine, double seconds) {
  const auto result = explore_fully(program, engine, "fifo", seconds);
  return {result.executions, result.blocked, result.transitions, ended(result)};
}

/// Explores in a child process, and asks the system how much time and memory it took.
measured measure_apart(const std::string& program, const std::string& engine, double seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw error("no pipe");
  const auto child = fork();
  if (child < 0) throw error("no child process");
  if (child == 0) {
    const auto m = measure(program, engine, seconds);
    const bool written = write(ends[1], &m, sizeof m) == static_cast<ssize_t>(sizeof m);
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  measured m;
  const bool complete = read(ends[0], &m.search, sizeof m.search) == static_cast<ssize_t>(sizeof m.search);
  close(ends[0]);
  rusage usage{};
  int status = 0;
  if (wait4(child, &status, 0, &usage) != child || status != 0 || !complete)
    throw error(program + " with " + engine + " failed");
  m.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  m.mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return m;
}

std::string row(const std::string& program, const std::string& engine, const measured& m) {
  const std::string more = m.search.ended ? "" : "> ";
  return fmt::format("| {} | {} | {}{} | {} | {}{} | {:.3f} | {:.1f} |\n", program, engine, more, m.search.executions,
                     m.search.blocked, more, m.search.transitions, m.cpu_seconds, m.mib);
}

}  // namespace

std::string compare_engines(double seconds) {
  const std::vector<std::string> programs = {"registry workers=6", "fib n=7",        "leader n=4",
                                             "shortpath graph=B",  "diningphil n=7", "two-phase-commit participants=6"};
  const std::vector<std::string> engines = {"exhaustive",       "dcute",     "persistent",
                                            "persistent+sleep", "transdpor", "transdpor+sleep",
                                            "source",           "optimal",   "trust"};
  std::string text =
      "| program | engine | executions | blocked | deliveries | CPU seconds | peak MiB |\n"
      "|---|---|---:|---:|---:|---:|---:|\n";
  for (const auto& program : programs)
    for (const auto& engine : engines) text += row(program, engine, measure_apart(program, engine, seconds));
  return text;
}

}  // namespace harrier::tables
