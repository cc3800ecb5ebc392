// How fast three servers of libraft are explored, beside the simulator that the library brings (raft/fixture.h), which
// runs one order: in one process, by turns, in processor time.
extern "C" {
#include <raft.h>
#include <raft/fixture.h>
}

#include <cstdio>
#include <ctime>
#include <memory>

#include "adapter.hpp"

namespace {

constexpr unsigned servers = 3;
constexpr double seconds_of_a_turn = 2;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct rate {
  double runs = 0;
  double deliveries = 0;
  double seconds = 0;
  void say(const char* who) const {
    std::printf("%-8s %9.0f runs a second, %9.0f deliveries a second\n", who, runs / seconds, deliveries / seconds);
  }
};

raft_fsm idle_state_machine() {
  raft_fsm fsm{};
  fsm.version = 1;
  fsm.apply = [](raft_fsm*, const raft_buffer*, void**) { return 0; };
  fsm.snapshot = [](raft_fsm*, raft_buffer**, unsigned*) { return RAFT_NOTFOUND; };
  fsm.restore = [](raft_fsm*, raft_buffer*) { return 0; };
  return fsm;
}

/// A leader is elected, and sends heartbeats. Most steps are ticks at which nothing happens: fewer would be nothing
/// else.
unsigned run_fixture() {
  constexpr unsigned steps = 1000;
  const auto of = std::make_unique<raft_fixture>();
  auto fsm = idle_state_machine();
  require(raft_fixture_initialize(of.get()), "raft_fixture_initialize");
  for (unsigned i = 0; i < servers; ++i) require(raft_fixture_grow(of.get(), &fsm), "raft_fixture_grow");
  raft_configuration all;
  require(raft_fixture_configuration(of.get(), servers, &all), "raft_fixture_configuration");
  require(raft_fixture_bootstrap(of.get(), &all), "raft_fixture_bootstrap");
  raft_configuration_close(&all);
  require(raft_fixture_start(of.get()), "raft_fixture_start");
  for (unsigned i = 0; i < steps; ++i) raft_fixture_step(of.get());
  raft_fixture_close(of.get());
  return steps;
}

void time_fixture(rate& of) {
  const auto begin = processor_seconds();
  for (; processor_seconds() - begin < seconds_of_a_turn; ++of.runs)
    of.deliveries += static_cast<double>(run_fixture());
  of.seconds += processor_seconds() - begin;
}

struct one_request_each {
  std::vector<ref<server>> all = {};
  void set_up(self& me) {
    settings how;
    how.look = "crashes";
    for (raft_id i = 1; i <= servers; ++i) all.push_back(me.create<server>(i, how));
    for (const auto one : all) me.send<&server::begin>(one, all);
  }
  void test(self& me) const {
    for (const auto one : all) me.send<&server::submit>(one, "a");
  }
};

void time_search(rate& of, const char* engine) {
  harrier::options how;
  how.search.engine = engine;
  how.search.faults.timeouts = 1;
  how.limits.time_limit = seconds_of_a_turn;
  how.judging.minimise = 0;
  how.judging.keep_going = true;
  const auto begin = processor_seconds();
  const auto seen = harrier::explore(one_request_each{}, how);
  of.seconds += processor_seconds() - begin;
  of.runs += static_cast<double>(seen.executions);
  of.deliveries += static_cast<double>(seen.transitions);
}

}  // namespace

int main() {
  rate fixture, random, optimal;
  for (int round = 0; round < 3; ++round) {
    time_fixture(fixture);
    time_search(random, "random");
    time_search(optimal, "optimal");
  }
  fixture.say("fixture");
  random.say("random");
  optimal.say("optimal");
  std::printf("deliveries of random beside the fixture's: %.2f\n",
              random.deliveries / random.seconds / (fixture.deliveries / fixture.seconds));
}
