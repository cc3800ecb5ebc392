// caf_natively [--runs N] [--only WORD] [--all]: the outcomes of each program by CAF itself and by harrier, and what
// differs.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "sample.hpp"

int main(int argc, char** argv) {
  std::uint64_t runs = 2000;
  std::string only;
  bool shows_all = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--runs" && i + 1 < argc) {
      runs = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (word == "--all") {
      shows_all = true;
    } else {
      std::cerr << "caf_natively [--runs N] [--only WORD] [--all], not " << word << "\n";
      return 2;
    }
  }
  const auto samples = natively::all_samples();
  const auto is_asked_for = [&](const natively::sample& s) { return s.name.find(only) != std::string::npos; };
  if (runs == 0 || std::none_of(samples.begin(), samples.end(), is_asked_for)) {
    std::cerr << "there is nothing to run: no runs, or no program whose name has '" << only << "' in it\n";
    return 2;
  }
  int wrong = 0;
  std::signal(SIGALRM, [](int) {
    constexpr char what[] = "\n  DID NOT END\n";
    static_cast<void>(::write(1, what, sizeof what - 1));
    ::_exit(1);
  });
  for (const auto& s : samples) {
    if (!is_asked_for(s)) continue;
    std::cout << s.name << std::flush;
    ::alarm(30 + static_cast<unsigned>(runs / 100));
    std::map<std::string, natively::explored_outcomes> explored;
    for (const auto* engine : {"exhaustive", "optimal"}) {
      try {
        explored[engine] = natively::explore_by(engine, s);
      } catch (const std::exception& e) {
        explored[engine].findings.insert(e.what());
      }
      std::cout << ", " << engine << " " << explored[engine].executions << std::flush;
    }
    std::map<std::string, std::uint64_t> seen;
    for (std::uint64_t run = 1; run <= runs; ++run) ++seen[natively::run_by_caf(s, run)];
    std::cout << ", outcomes " << explored["exhaustive"].outcomes.size() << " " << explored["optimal"].outcomes.size()
              << ", by CAF " << seen.size() << "\n";
    for (const auto& [engine, found] : explored) {
      for (const auto& f : found.findings) std::cout << "  " << engine << " finds: " << f << "\n", ++wrong;
      if (!found.stopped_by.empty()) std::cout << "  " << engine << " was stopped by " << found.stopped_by << "\n";
      for (const auto& [outcome, times] : seen)
        if (!found.outcomes.contains(outcome))
          std::cout << "  MISSED by " << engine << ": " << outcome << " (" << times << " runs)\n", ++wrong;
      for (const auto& outcome : found.outcomes)
        if (!seen.contains(outcome)) std::cout << "  only by " << engine << ": " << outcome << "\n";
    }
    if (shows_all)
      for (const auto& [outcome, times] : seen) std::cout << "  " << times << " times: " << outcome << "\n";
  }
  std::cout << (wrong == 0 ? "all that CAF did was found\n" : "something is wrong\n");
  return wrong == 0 ? 0 : 1;
}
