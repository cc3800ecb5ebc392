// Random programs, interpreted by actors of CAF and by those of the native kit: the same executions and traces, and to
// every engine the same as to `exhaustive`.
#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>

#include "../../src/adapter/caf/interposed.hpp"
#include "../../src/adapter/caf/run.hpp"
#include "../engine/compare.hpp"
#include "../litmus/random_program.hpp"
#include "both_versions.hpp"

namespace harrier {
namespace {

using litmus::action;
using litmus::random_program;
using litmus::verb;
using testing::IsEmpty;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// What of the tables actors of CAF can do, too: no calls, no draws, nothing before the test.
random_program without_calls(random_program tables) {
  tables.set_up.clear();
  tables.driver_draws = 0;
  for (auto& how : tables.sent)
    if (how != litmus::sending::open) how = litmus::sending::guarded;
  std::erase_if(tables.test, [](const litmus::kick_off& k) { return k.is_call; });
  for (auto& k : tables.test) k.if_drawn = -1;
  for (auto& role : tables.roles)
    for (auto& row : role.rules)
      for (auto& rules : row) {
        std::erase_if(rules, [](const action& a) {
          return a.what == verb::call || a.what == verb::choose || a.what == verb::add_drawn;
        });
        for (auto& a : rules) a.if_drawn = -1;
      }
  return tables;
}

/// The actor of CAF that follows the tables.
class node : public caf::event_based_actor {
public:
  using acquaintances = std::vector<caf::actor>;

  node(caf::actor_config& config, const random_program* tables, int role, acquaintances knows)
      : event_based_actor(config),
        tables_(*tables),
        role_(role),
        state_(tables->roles[at(role)].first_state),
        knows_(std::move(knows)) {}

  [[nodiscard]] const char* name() const override { return "node"; }

#if HARRIER_CAF_1
  /// Its handlers do not skip, so in each state it has those of what it takes. Each kind has a type of its own.
  caf::behavior make_behavior() override {
    set_default_handler(caf::skip);
    return behavior_of_state();
  }
#else
  caf::behavior make_behavior() override {
    return {[this](int kind, int value, int fuel, const caf::actor& names) -> caf::result<void> {
      if (!accepts(kind)) return refuse();
      take(kind, value, fuel, names);
      return caf::unit;
    }};
  }
#endif
  void on_exit() override { knows_.clear(); }
  acquaintances& knows_for_test() { return knows_; }

private:
  [[nodiscard]] bool accepts(int kind) const {
    const auto accepted = tables_.roles[at(role_)].accepted[at(kind)];
    return tables_.sent[at(kind)] == litmus::sending::open || (accepted >> state_ & 1U) != 0;
  }
  void take(int kind, int value, int fuel, const caf::actor& names) {
    const auto rules = tables_.roles[at(role_)].rules[at(kind)][at(state_)];
    for (const auto& a : rules) perform(a, value, fuel, names);
  }
  [[nodiscard]] caf::actor address(int a, const caf::actor& names) {
    if (a == litmus::oneself) return caf::actor_cast<caf::actor>(this);
    return a == litmus::named_in_message ? names : knows_[at(a)];
  }
  void perform(const action& a, int value, int fuel, const caf::actor& names) {
    switch (a.what) {
      case verb::assign: state_ = a.value; break;
      case verb::add: state_ = (state_ + value + a.value) % litmus::states; break;
      case verb::send:
        if (const auto to = address(a.to, names); fuel > 0 && to)
          send_to(to, a.kind, (value + a.value) % 2, fuel - 1, address(a.names, names));
        break;
      case verb::create:
        if (fuel > 0) knows_[at(a.value)] = spawn<node, caf::lazy_init>(&tables_, a.kind, knows_);
        break;
      case verb::learn: knows_[at(a.value)] = names; break;
      case verb::destroy: quit(); break;
      case verb::check:
        if (state_ == a.value) run().complain(failure("state is not "));
        break;
      case verb::require:
        if (state_ == a.value) run().fail(failure("state is never "));
        break;
      case verb::raise:
        if (state_ == a.value) run().fail(failure("raised in state "));
        break;
      default: break;
    }
  }

#if HARRIER_CAF_1
  using types_of_kinds = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
  static_assert(std::tuple_size_v<types_of_kinds> == litmus::kinds);

  template <std::size_t... Kind>
  caf::behavior behavior_with(std::index_sequence<Kind...>) {
    caf::message_handler all{[](both::stop_atom) {}};
    const auto add = [&]<class Type>(int kind, Type) {
      if (accepts(kind))
        all = all.or_else([this, kind](Type, int value, int fuel, const caf::actor& names) {
          take(kind, value, fuel, names);
          become(behavior_of_state());
        });
    };
    (add(static_cast<int>(Kind), std::tuple_element_t<Kind, types_of_kinds>{}), ...);
    return all;
  }
  caf::behavior behavior_of_state() { return behavior_with(std::make_index_sequence<litmus::kinds>()); }

  template <std::size_t... Kind>
  static caf::message content(std::index_sequence<Kind...>, int kind, int value, int fuel, const caf::actor& names) {
    caf::message made;
    const auto fill = [&]<class Type>(int this_kind, Type as) {
      if (this_kind == kind) made = caf::make_message(as, value, fuel, names);
    };
    (fill(static_cast<int>(Kind), std::tuple_element_t<Kind, types_of_kinds>{}), ...);
    return made;
  }

public:
  static caf::message content(int kind, int value, int fuel, const caf::actor& names) {
    return content(std::make_index_sequence<litmus::kinds>(), kind, value, fuel, names);
  }

private:
#else
  /// It did nothing but look whether it takes the message, as a guard of the native kit does; so it is as if CAF had
  /// skipped that.
  static caf::skip_t refuse() {
    run().skipped_by_caf();
    return caf::skip();
  }

public:
  static caf::message content(int kind, int value, int fuel, const caf::actor& names) {
    return caf::make_message(kind, value, fuel, names);
  }

private:
#endif
  void send_to(const caf::actor& to, int kind, int value, int fuel, const caf::actor& names) {
    send(to, content(kind, value, fuel, names));
  }
  static caf_adapter::run& run() { return *caf_adapter::run::current(); }
  [[nodiscard]] record failure(const char* what) const {
    return {.kind = finding_kind::assertion, .message = what + std::to_string(state_)};
  }

  const random_program& tables_;
  int role_;
  int state_;
  acquaintances knows_;
};

/// The program of these tables. Its main function waits for actors that do not end, so an execution is at its end
/// when nothing can be delivered, as in the native kit.
program with_caf(const random_program& tables) {
  static const auto interposed = (caf_adapter::interpose(), true);
  static_cast<void>(interposed);
  const auto body = std::make_shared<const caf_adapter::program_body>([&tables] {
    caf::actor_system_config config;
    caf::actor_system system(config);
    node::acquaintances roots;
    for (const auto& root : tables.roots)
      roots.push_back(
          system.spawn<node, caf::lazy_init>(&tables, root.role, node::acquaintances(litmus::acquaintances)));
    for (std::size_t i = 0; i < roots.size(); ++i) {
      // They are told before the test, in a step that is not explored: so not by a message.
      auto& known = static_cast<node&>(*caf::actor_cast<caf::abstract_actor*>(roots[i])).knows_for_test();
      for (std::size_t k = 0; k < known.size(); ++k) known[k] = roots[at(tables.roots[i].knows[k])];
    }
    for (const auto& k : tables.test)
      caf::anon_send(roots[at(k.to)], node::content(k.kind, k.value, k.fuel, roots[at(k.names)]));
    system.await_all_actors_done();
  });
  const auto seen = std::make_shared<seen_of_program>();
  seen->see(caf_adapter::run::messages_are_refused);  // as guards, which are the same from the beginning
  auto made =
      reexecution::reexecute({.start =
                                  [body, seen](reexecution::listener& told) {
                                    return std::make_unique<caf_adapter::run>(*body, 1, caf_options{}, *seen, told);
                                  },
                              .seen = seen});
  made.finally = nullptr;
  return made;
}

constexpr differential::limits largest{120, 3000};

std::uint64_t seeds() {
  const auto* const said = std::getenv("HARRIER_CAF_SEEDS");
  return said != nullptr ? std::strtoull(said, nullptr, 10) : 150;
}

class RandomCafPrograms : public testing::TestWithParam<delivery> {};

TEST_P(RandomCafPrograms, HaveTheTracesOfTheNativeKitToEverySearch) {
  std::vector<std::string> all;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const auto tables = without_calls(litmus::make_random(seed));
    const auto native = differential::oracle_of(litmus::interpret(tables), {.model = GetParam()}, largest);
    if (!native || native->how_it_ended != differential::verdict::complete) continue;
    ++compared;
    const auto again = differential::compare(with_caf(tables), seed, {.model = GetParam()}, largest);
    all.insert(all.end(), again.differences.begin(), again.differences.end());
    const auto counts = [](const differential::observed& o) {
      return std::to_string(o.executions) + " executions, " + std::to_string(o.traces.size()) + " traces, " +
             std::to_string(o.findings.size()) + " findings";
    };
    if (counts(again.oracle) != counts(*native))
      all.push_back("seed " + std::to_string(seed) + ": " + counts(again.oracle) + ", not " + counts(*native) + "\n" +
                    litmus::to_text(tables));
    if (all.size() > 3) break;
  }

  EXPECT_THAT(all, IsEmpty());
  EXPECT_GE(compared, seeds() / 5);
}

INSTANTIATE_TEST_SUITE_P(Each, RandomCafPrograms,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal),
                         [](const auto& of) { return std::string(to_string(of.param)); });

}  // namespace
}  // namespace harrier
