// Names that mean the same in every search and process, and names that are given back.
#include <gmock/gmock.h>

#include <map>
#include <string>

#include <harrier/engine/dcute.hpp>
#include <harrier/engine/delay.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/pos.hpp>
#include <harrier/engine/random_walk.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>
#include <harrier/engine/trust.hpp>
#include <harrier/native/program.hpp>

#include "random_program.hpp"

namespace harrier::litmus {
namespace {

using engine = bool (*)(search_context&);

bool by_all_orders(search_context& s) { return explore_alone(s, share_exhaustive(made_by::one)); }
bool by_optimal(search_context& s) { return explore_alone(s, share_optimal({}, made_by::one)); }
bool by_optimal_backwards(search_context& s) {
  return explore_alone(s, share_optimal({.ordering = "lifo"}, made_by::one));
}
bool by_source(search_context& s) { return explore_alone(s, share_source()); }
bool by_persistent(search_context& s) { return explore_alone(s, share_persistent({.sleep_sets = true})); }
bool by_transdpor(search_context& s) { return explore_alone(s, share_transdpor({.sleep_sets = true})); }
bool by_dcute(search_context& s) { return explore_alone(s, share_dcute()); }
bool by_trust(search_context& s) { return explore_alone(s, share_trust(made_by::one)); }
bool by_random(search_context& s) { return explore_alone(s, share_random()); }
bool by_pos(search_context& s) { return explore_alone(s, share_pos()); }
bool by_pct(search_context& s) { return explore_alone(s, share_pct()); }
bool by_delay(search_context& s) {
  delay_report report;
  return explore_alone(s, share_delay({}, report));
}

/// Where each message of an execution comes from, by its place among the sends of its step.
class paths_of {
public:
  explicit paths_of(const system& s) : paths_(s.message_count() + 1) {
    std::size_t outside = 0;
    std::map<step_index, std::size_t> sends;
    for (message_slot m = 1; m <= s.message_count(); ++m) {
      const auto by = s.message_at(m).sent_by;
      const bool is_from_outside = s.names().sender_of(s.message_at(m).id) == identities::origin;
      paths_[m] = is_from_outside ? std::to_string(outside++) : of_step(s, by) + "." + std::to_string(sends[by]++);
    }
  }
  [[nodiscard]] std::string of_step(const system& s, std::size_t i) const {
    const auto& step = s.step_at(i);
    return paths_[step.message] + (step.code == 0 ? "" : "~" + std::to_string(step.code));
  }

private:
  std::vector<std::string> paths_;
};

/// The portable name of every event that was seen, by its path.
class name_collector final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system& s) override {
    ++executions;
    if (executions == most) stopping_ = true;
    const paths_of paths(s);
    for (std::size_t i = 0; i < s.step_count(); ++i) {
      const auto path = paths.of_step(s, i);
      const auto label = s.step_at(i).label;
      EXPECT_EQ(s.names().path_of(label), path);
      const auto [known, is_new] = names.try_emplace(path, s.names().name_of(label));
      EXPECT_EQ(known->second, s.names().name_of(label)) << path;
    }
  }

  std::map<std::string, fingerprint> names;
  std::uint64_t executions = 0;
  std::uint64_t most = 0;
};

std::map<std::string, fingerprint> names_by(engine run, const random_program& tables) {
  const auto s = interpret(tables).start();
  s->go_on_after_abort(true);
  name_collector seen;
  search_context context{*s, seen};
  run(context);
  return seen.names;
}

TEST(PortableNames, AreTheSameWhateverTheSearchMetFirst) {
  const auto tables = make_random(109969);
  const auto expected = names_by(by_optimal, tables);

  EXPECT_GT(expected.size(), 20U);
  EXPECT_EQ(names_by(by_optimal_backwards, tables), expected);
  EXPECT_EQ(names_by(by_source, tables), expected);
  EXPECT_EQ(names_by(by_trust, tables), expected);
}

TEST(PortableNames, DifferForDifferentEvents) {
  const auto names = names_by(by_optimal, make_random(109969));
  std::map<fingerprint, std::string> paths;
  for (const auto& [path, name] : names) paths[name] = path;

  EXPECT_EQ(paths.size(), names.size());
}

// Another process, another machine: whoever changes this makes all names that were written down worthless.
TEST(PortableNames, AreWhatTheyWere) {
  identities names;
  const auto first = names.first_sent(identities::origin);
  const auto drawn = names.alternative(names.first_sent(first), 3);
  const auto name = names.name_of(names.next_sent(names.first_sent(drawn)));

  EXPECT_EQ(names.path_of(names.next_sent(names.first_sent(drawn))), "0.0~3.1");
  EXPECT_EQ(name.high, 0xcf2e76b27f58c17aU);
  EXPECT_EQ(name.low, 0xe9001b17bb4074f7U);
}

struct coin {
  int left = 0;
  void toss(self& me) {
    me.choose(2);
    if (--left > 0) me.send<&coin::toss>(me.me<coin>());
  }
};

constexpr int tosses = 16;

program chain_of_tosses() {
  return make_program([](self& me) { me.send<&coin::toss>(me.create<coin>(tosses)); });
}

class counter final : public observer {
public:
  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system&) override {
    if (++executions == std::uint64_t{1} << tosses) stopping_ = true;  // a random walk does not end
  }
  std::uint64_t executions = 0;
};

struct named_run {
  const char* name;
  engine run;
  friend std::ostream& operator<<(std::ostream& out, const named_run& r) { return out << r.name; }
};

class StatelessEngine : public testing::TestWithParam<named_run> {};

// Each execution has names of its own: 131,000 altogether.
TEST_P(StatelessEngine, GivesBackTheNamesOfBranchesItHasLeft) {
  const auto s = chain_of_tosses().start();
  counter ends;
  search_context context{*s, ends};
  GetParam().run(context);

  EXPECT_EQ(ends.executions, std::uint64_t{1} << tosses);
  EXPECT_LT(s->names().message_count(), 100'000U);
}

INSTANTIATE_TEST_SUITE_P(Each, StatelessEngine,
                         testing::Values(named_run{"exhaustive", by_all_orders}, named_run{"optimal", by_optimal},
                                         named_run{"source", by_source}, named_run{"persistent", by_persistent},
                                         named_run{"transdpor", by_transdpor}, named_run{"dcute", by_dcute},
                                         named_run{"trust", by_trust}, named_run{"random", by_random},
                                         named_run{"pos", by_pos}, named_run{"pct", by_pct},
                                         named_run{"delay", by_delay}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace harrier::litmus
