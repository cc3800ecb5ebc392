#include "sample.hpp"

#include <atomic>
#include <chrono>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/explore/explore.hpp>

namespace natively {
namespace {

std::atomic<std::uint64_t> delayed_by = 0;

}  // namespace

/// No mutex, which harrier would take for something that actors share.
struct heard::lock {
  explicit lock(std::atomic_flag& f) : flag(f) {
    while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;
  ~lock() { flag.clear(std::memory_order_release); }
  std::atomic_flag& flag;
};

void heard::note(const std::string& who, const std::string& what) {
  const lock one_at_a_time(busy_);
  auto& part = parts_[who];
  part += (part.empty() ? "" : " ") + what;
}

std::string heard::all() const {
  const lock one_at_a_time(busy_);
  std::string text;
  for (const auto& [who, what] : parts_) text += (text.empty() ? "" : "; ") + who + ": " + what;
  return text;
}

void delay_by(std::uint64_t run) { delayed_by = run; }

void jitter() {
  const auto run = delayed_by.load(std::memory_order_relaxed);
  if (run == 0) return;
  thread_local std::minstd_rand random(std::random_device{}());
  const auto drawn = random();
  // Runs differ in how often they delay: one that always does is as even as one that never does.
  const auto often = run % 4;
  if (drawn % 4 >= often) return;
  const auto length = drawn / 4 % 3;
  if (length == 0)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(drawn / 16 % (length == 1 ? 60 : 400)));
}

std::function<void(const std::string& what)> noting(caf::event_based_actor* self, heard* all, std::string who,
                                                    int most) {
  auto left = std::make_shared<int>(most);
  return [=, who = std::move(who)](const std::string& what) {
    jitter();
    all->note(who, what);
    if (--*left == 0) self->quit();
  };
}

caf::behavior listener(caf::event_based_actor* self, heard* all, int most) {
  const auto noted = noting(self, all, "listener", most);
  return {[=](int number) { noted(std::to_string(number)); }};
}

std::string run_by_caf(const sample& s, std::uint64_t run) {
  heard all;
  delay_by(run);
  {
    caf::actor_system_config config;
    config.set(std::string(both::scheduler) + "max-threads", std::size_t{1} + run % 4);
    config.set(std::string(both::scheduler) + "max-throughput", std::size_t{run % 3 == 0 ? 1U : 300U});
    caf::actor_system system(config);
    s.runs(system, all);
  }
  delay_by(0);
  return all.all();
}

const std::string as_outcome = "heard: ";

explored_outcomes explore_by(const std::string& engine, const sample& s) {
  explored_outcomes all;
  harrier::options asked;
  asked.search.engine = engine;
  asked.judging.keep_going = true;
  asked.limits.max_executions = engine == "exhaustive" ? 3000 : 30'000;
  asked.judging.undelivered = harrier::undelivered::ignore;
  const auto main = [&] {
    const auto notes = std::make_unique<heard>();  // no variable of main's, to which harrier would see who writes
    {
      caf::actor_system_config config;
      caf::actor_system system(config);
      s.runs(system, *notes);
      system.await_all_actors_done();  // what is left before its end does not come to what follows
    }
    throw std::runtime_error(as_outcome +
                             notes->all());  // so that it is told of executions that count, and of no others
  };
  const auto found =
      harrier::explore(harrier::caf_program(std::function<void()>(main),
                                            {.time = s.has_timers ? harrier::caf_options::timers::any_time
                                                                  : harrier::caf_options::timers::earliest_first}),
                       asked);
  for (const auto& f : found.findings) {
    if (const auto at = f.message.find(as_outcome); at != std::string::npos)
      all.outcomes.insert(f.message.substr(at + as_outcome.size()));
    else
      all.findings.insert(std::string(to_string(f.kind)) + ": " + f.message);
  }
  all.stopped_by = found.stopped_by;
  all.executions = found.executions;
  return all;
}

samples all_samples() {
  samples all;
  for (auto part : {of_pools_and_groups(), of_priorities_and_skips(), of_waiting(), of_ends(), of_requests(),
                    of_timers(), of_caf_1()})
    std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

}  // namespace natively
