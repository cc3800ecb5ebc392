// What an execution of a CAF program costs, beside the same program under CAF's own scheduler for tests, which runs one
// order. See bench/README.md.
#include <fmt/format.h>
#include <sys/resource.h>

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/explore/explore.hpp>

namespace harrier::bench {
namespace {

using stop_atom = caf::atom_constant<caf::atom("stop")>;

struct count {
  int done = 0;
};

caf::behavior pi_worker(caf::event_based_actor* self) {
  return {[](int part) { return part * 2; }, [=](stop_atom) { self->quit(); }};
}

caf::behavior pi_master(caf::stateful_actor<count>* self, int workers) {
  std::vector<caf::actor> all;
  for (int i = 0; i < workers; ++i) all.push_back(self->spawn(pi_worker));
  for (const auto& worker : all)
    self->request(worker, caf::infinite, 1).then([=](int) {
      if (++self->state.done == workers)
        for (const auto& each : all) self->send(each, stop_atom::value);
    });
  return {[](stop_atom) {}};
}

struct variable {
  int value = 0;
};

caf::behavior server(caf::stateful_actor<variable>* self) {
  return {[=](caf::put_atom, int value) { self->state.value = value; },
          [=](caf::get_atom) { return self->state.value; }};
}

caf::behavior client(caf::event_based_actor* self, const caf::actor& of, int value) {
  self->send(of, caf::put_atom::value, value);
  self->request(of, caf::infinite, caf::get_atom::value).await([=](int) {
    self->request(of, caf::infinite, caf::get_atom::value).await([=](int) { self->quit(); });
  });
  return {[](stop_atom) {}};
}

void set_get_get(caf::actor_system& system, int clients) {
  const auto of = system.spawn(server);
  for (int value = 1; value <= clients; ++value) system.spawn(client, of, value);
}

using body = std::function<void(caf::actor_system&)>;

double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double peak_mib() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

/// Executions a second of the program under CAF's scheduler for tests.
double alone(const body& run) {
  constexpr int times = 5000;
  const auto start = processor_seconds();
  for (int i = 0; i < times; ++i) {
    caf::actor_system_config config;
    config.set("scheduler.policy", caf::atom("testing"));
    caf::actor_system system(config);
    run(system);
    dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler()).run();
  }
  return times / (processor_seconds() - start);
}

void measure(const std::string& name, const body& run, const std::string& engine, std::uint64_t most) {
  options how;
  how.search.engine = engine;
  how.search.delivery = delivery::causal;
  how.limits.max_executions = most;
  const auto tested = caf_program(run);
  how.limits.max_executions = 1000;
  static_cast<void>(explore(tested, how));
  const auto before = peak_mib();
  how.limits.max_executions = most;
  const auto start = processor_seconds();
  const auto result = explore(tested, how);
  const auto seconds = processor_seconds() - start;
  const auto executions = static_cast<double>(result.executions) / seconds;
  const auto bare = alone(run);
  fmt::print("{:<23} {:<10} {:>10} {:>12.0f} {:>12.0f} {:>12.0f} {:>6.2f} {:>8.1f} {:>8.1f}\n", name, engine,
             result.executions, executions, static_cast<double>(result.transitions) / seconds, bare, bare / executions,
             before, peak_mib());
}

}  // namespace
}  // namespace harrier::bench

int main() {
  using namespace harrier::bench;
  fmt::print("{:<23} {:<10} {:>10} {:>12} {:>12} {:>12} {:>6} {:>8} {:>8}\n", "program", "engine", "executions",
             "executions/s", "deliveries/s", "CAF alone/s", "ratio", "MiB, 1k", "MiB, end");
  const auto pi = [](int workers) { return [workers](caf::actor_system& s) { s.spawn(pi_master, workers); }; };
  const auto of_clients = [](int clients) { return [clients](caf::actor_system& s) { set_get_get(s, clients); }; };
  for (const auto* engine : {"exhaustive", "random"}) {
    measure("pi workers=4", pi(4), engine, 200'000);
    measure("set/get/get, 3 clients", of_clients(3), engine, 200'000);
  }
  measure("pi workers=7", pi(7), "optimal", 200'000);
  measure("set/get/get, 3 clients", of_clients(3), "optimal", 200'000);
  measure("set/get/get, 4 clients", of_clients(4), "optimal", 200'000);
}
