// caf_tables_natively [--programs N] [--runs N]: random programs run by CAF itself, each run in a process of its own
// and with random delays: what its actors hear must be among what the model says. By how much less CAF was seen to do
// is said.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "actors.hpp"

namespace {

using namespace std::chrono_literals;

std::atomic<std::uint64_t> done = 0;
std::uint64_t run_of_all = 0;

void delay() {
  ++done;
  thread_local std::minstd_rand random(std::random_device{}());
  const auto drawn = random();
  if (drawn % 4 < run_of_all % 4) std::this_thread::sleep_for(std::chrono::microseconds(drawn / 4 % 300));
}

/// Nothing has happened for longer than a delay; for much longer, if what was heard by then cannot be the end.
void wait_until_it_is_quiet(const caf_tables::heard& heard, const std::set<std::string>& expected) {
  std::uint64_t before = done, same = 0;
  for (std::uint64_t enough = 4; same < enough; enough = expected.contains(caf_tables::to_text(heard)) ? 4 : 1000) {
    std::this_thread::sleep_for(1ms);
    const auto now = done.load();
    same = now == before ? same + 1 : 0;
    before = now;
  }
}

[[noreturn]] void run_in_child(const caf_tables::tables& of, const std::set<std::string>& expected, int to) {
  caf::actor_system_config config;
  config.set(both::scheduler + std::string("max-threads"), 4);
  caf::actor_system system(config);
  caf_tables::heard heard;
  const auto actors = caf_tables::start(system, of, heard, delay);
  wait_until_it_is_quiet(heard, expected);
  const auto text = caf_tables::to_text(heard);
  _exit(write(to, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

std::string run_by_caf(const caf_tables::tables& of, const std::set<std::string>& expected) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const auto id = fork();
  if (id == 0) run_in_child(of, expected, ends[1]);
  close(ends[1]);
  std::string text(4096, '\0');
  const auto size = read(ends[0], text.data(), text.size());
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  close(ends[0]);
  waitpid(id, nullptr, 0);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t programs = 100, runs = 200;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    const auto number = i + 1 < argc ? std::strtoull(argv[i + 1], nullptr, 10) : 0;
    if (number == 0 || (word != "--programs" && word != "--runs")) {
      std::cerr << "caf_tables_natively [--programs N] [--runs N], not " << word << "\n";
      return 2;
    }
    (word == "--runs" ? runs : programs) = number;
  }
  std::uint64_t compared = 0, said = 0, done_by_caf = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto tables = caf_tables::make_random(seed, caf_tables::of_caf);
    const auto expected = caf_tables::outcomes_by_model(tables, caf_tables::of_caf, 60'000);
    if (!expected || expected->size() == 1) continue;
    ++compared;
    std::set<std::string> seen;
    for (std::uint64_t run = 0; run < runs; ++run) {
      run_of_all = run;
      seen.insert(run_by_caf(tables, *expected));
    }
    said += expected->size();
    for (const auto& outcome : seen) {
      if (expected->contains(outcome)) {
        ++done_by_caf;
        continue;
      }
      ++wrong;
      std::cout << "seed " << seed << ": CAF did what the model does not say: " << outcome << "\n"
                << caf_tables::to_text(tables);
    }
  }
  std::cout << compared << " programs, of whose " << said << " outcomes CAF had " << done_by_caf << ", and " << wrong
            << " others\n";
  return wrong == 0 ? 0 : 1;
}
