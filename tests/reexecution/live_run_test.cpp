// The adapter to whatever cannot go back, over a foreign library that is the interpreter of the outside oracle: the
// same executions and traces as the native kit, to every engine and under every delivery model.
#include <gmock/gmock.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "../engine/compare.hpp"
#include "../engine/outside_program.hpp"
#include "../litmus/so_many.hpp"

namespace harrier::reexecution {
namespace {

namespace outside = differential::outside;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// One run of the tables in the foreign interpreter.
class run_of_tables final : public live_run {
public:
  /// @param has_queues  each actor has a queue
  run_of_tables(const litmus::random_program& tables, listener& told, bool has_queues = false)
      : tables_(tables), told_(told), has_queues_(has_queues) {}

  void begin() override {
    outside::send_from_outside(now_, outside::content::set_up);
    take(0, false);
    for (auto m = next_deliverable(); m != none; m = next_deliverable()) take(m, false);
    for (const auto& m : now_.messages)  // all of these would be main's
      if (!m.taken && !m.lost) throw untestable_program("the set-up leaves a message");
    for (std::size_t a = 1; a < now_.actors.size(); ++a) number_of_actor_.push_back(told_.created("foreign"));
    outside::send_from_outside(now_, outside::content::test);
    take(now_.messages.size() - 1, true);
  }
  bool deliver(std::uint32_t message) override {
    const auto m = told_of_[message];
    if (!is_taken(m)) return false;
    take(m, true);
    return true;
  }
  [[nodiscard]] std::string describe(std::uint32_t message) const override {
    return "message(" + std::to_string(now_.messages[told_of_[message]].said.kind) + ")";
  }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] bool is_taken(std::size_t m) const {
    const auto& x = now_.messages[m];
    const auto& receiver = now_.actors[static_cast<std::size_t>(x.to)];
    const bool is_reply = x.what == outside::content::answer || x.what == outside::content::failure;
    if (receiver.mode == outside::life::waiting) return is_reply && x.answers == receiver.awaited;
    const bool is_guarded = x.what == outside::content::plain || x.what == outside::content::request;
    return receiver.mode == outside::life::open && (!is_guarded || outside::is_accepted(tables_, now_, x));
  }
  [[nodiscard]] std::size_t next_deliverable() const {
    for (std::size_t m = 0; m < now_.messages.size(); ++m)
      if (!now_.messages[m].taken && !now_.messages[m].lost && is_taken(m)) return m;
    return none;
  }
  void take(std::size_t m, bool tells) {
    std::vector<std::uint64_t> script;
    for (;;) {  // one more value is asked for each time
      auto tried = now_;
      const auto drawn = outside::take(tables_, tried, static_cast<int>(m), script);
      if (drawn.size() == script.size()) {
        now_ = std::move(tried);
        break;
      }
      script.push_back(tells ? told_.choose(drawn[script.size()].among) : 0);
    }
    if (!tells) return;
    const auto happened = now_.told.events.back();
    for (std::size_t i = 0; i < happened.created.size(); ++i) number_of_actor_.push_back(told_.created("foreign"));
    for (const auto n : happened.sent) tell_of(static_cast<std::size_t>(n));
    for (int i = 0; i < happened.findings; ++i) told_.complained({.kind = finding_kind::assertion, .message = "found"});
    if (happened.failed)
      told_.failed({.kind = finding_kind::exception, .message = "it failed"});
    else if (now_.actors[static_cast<std::size_t>(happened.actor)].mode == outside::life::gone)
      told_.ended(number_of_actor_[static_cast<std::size_t>(happened.actor)]);
  }
  void tell_of(std::size_t m) {
    const auto& x = now_.messages[m];
    const auto n = told_.sent({.receiver = number_of_actor_[static_cast<std::size_t>(x.to)],
                               .kind = "message",
                               .queue = has_queues_ ? static_cast<std::uint64_t>(x.to) + 1 : 0});
    if (told_of_.size() <= n) told_of_.resize(std::size_t{n} + 1);
    told_of_[n] = m;
  }

  const litmus::random_program& tables_;
  listener& told_;
  const bool has_queues_;
  outside::configuration now_ = outside::beginning();
  std::vector<std::uint32_t> number_of_actor_ = {0};
  std::vector<std::size_t> told_of_;  // by number
};

program rerun(const litmus::random_program& tables, bool has_queues = false) {
  return reexecute({.start = [&tables, has_queues](listener& told) {
    return std::make_unique<run_of_tables>(tables, told, has_queues);
  }});
}

bool begins_in_its_own_way(const program& tested, delivery model) {
  try {
    static_cast<void>(tested.start(model));
    return false;
  } catch (const untestable_program&) {
    return true;
  }
}

const std::uint64_t programs = litmus::so_many(80);
constexpr differential::limits largest{120, 3000};

class LiveRun : public testing::TestWithParam<delivery> {};

TEST_P(LiveRun, HasTheTracesOfTheNativeKitToEverySearch) {
  std::vector<std::string> all;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto native = differential::oracle_of(litmus::interpret(tables), {.model = GetParam()}, largest);
    if (!native || native->how_it_ended != differential::verdict::complete) continue;
    if (begins_in_its_own_way(rerun(tables), GetParam())) continue;
    ++compared;
    const auto again = differential::compare(rerun(tables), seed, {.model = GetParam()}, largest);
    all.insert(all.end(), again.differences.begin(), again.differences.end());
    const auto counts = [](const differential::observed& o) {
      return std::to_string(o.executions) + " executions, " + std::to_string(o.traces.size()) + " traces";
    };
    if (counts(again.oracle) != counts(*native))
      all.push_back("seed " + std::to_string(seed) + ": " + counts(again.oracle) + ", not " + counts(*native) + "\n" +
                    litmus::to_text(tables));
  }

  EXPECT_THAT(all, IsEmpty());
  EXPECT_GE(compared, programs / 5);
}

/// In how many ways actors can take messages; nothing: not all could be run.
std::optional<std::uint64_t> executions_of(const program& tested, const char* engine, delivery model) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::off;
  try {
    const auto seen = explore(tested, how);
    if (!seen.exhausted) return {};
    return seen.executions;
  } catch (const error&) {
    return {};  // of a kind that one of them refuses
  }
}

/// Under causal delivery, executions that no order of arrival gives are run and left out.
TEST(LiveRunWithQueues, HasTheExecutionsOfMailboxes) {
  std::vector<std::string> all;
  std::uint64_t compared = 0, narrower = 0;
  for (std::uint64_t seed = 1; seed <= 5 * programs; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto small = differential::oracle_of(litmus::interpret(tables), {.model = delivery::causal}, {120, 300});
    if (!small || small->how_it_ended != differential::verdict::complete) continue;
    if (begins_in_its_own_way(rerun(tables), delivery::causal)) continue;
    const auto mailboxes = executions_of(litmus::interpret(tables), "trust", delivery::mailbox_interleaved);
    const auto causal = executions_of(rerun(tables), "optimal", delivery::causal);
    if (!mailboxes || !causal) continue;
    ++compared;
    if (*causal != *mailboxes) ++narrower;
    const auto queues = executions_of(rerun(tables, true), "optimal", delivery::causal).value_or(0);
    if (queues != *mailboxes)
      all.push_back(fmt::format("seed {}: {}, not {} ({} causal)", seed, queues, *mailboxes, *causal));
  }

  EXPECT_THAT(all, IsEmpty());
  EXPECT_GE(compared, programs / 2);
  EXPECT_GE(narrower, 1U);
}

/// Sends two messages to one actor, which for each of them does what it has a mood for.
class moody_run final : public live_run {
public:
  /// What a delivery does.
  struct mood {
    int sends = 0;
    int creates = 0;
    bool fails = false;
  };
  moody_run(listener& told, std::vector<mood> of_deliveries) : told_(told), moods_(std::move(of_deliveries)) {}

  void begin() override {
    const auto one = told_.created("one");
    for (int i = 0; i < 2; ++i) send(one);
  }
  bool deliver(std::uint32_t) override {
    const auto now = moods_.at(delivered_++);
    for (int i = 0; i < now.creates; ++i) told_.created("child");
    for (int i = 0; i < now.sends; ++i) send(1);
    if (now.fails) told_.failed({.kind = finding_kind::exception, .message = "it failed"});
    return true;
  }

  [[nodiscard]] std::string describe(std::uint32_t) const override { return "message()"; }

private:
  void send(std::uint32_t to) { told_.sent({.receiver = to, .kind = "message", .may_be_refused = false}); }

  listener& told_;
  std::vector<mood> moods_;
  std::size_t delivered_ = 0;
};

struct mood_swing {
  moody_run::mood first, second;  ///< what the first delivery does in the first run and in the second
  std::string told;
};

class AMoodyRun : public testing::TestWithParam<mood_swing> {};

TEST_P(AMoodyRun, IsNamed) {
  // The second delivery sends and creates once, which must not be taken for what the first one did.
  const moody_run::mood second = {.sends = 1, .creates = 1};
  const std::vector<std::vector<moody_run::mood>> of_runs = {{GetParam().first, second},
                                                             {GetParam().second, second, {}}};
  std::size_t runs = 0;
  const auto tested =
      reexecute({.start = [&](listener& told) { return std::make_unique<moody_run>(told, of_runs.at(runs++)); }});
  const auto s = tested.start();
  s->go_on_after_abort(true);
  s->deliver(s->first_deliverable());
  s->deliver(s->first_deliverable());
  s->undo();
  try {
    s->deliver(s->first_deliverable());
    FAIL() << "it went unnoticed";
  } catch (const system::nondeterminism& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("one_0.message did not repeat itself: "), HasSubstr(GetParam().told)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Swings, AMoodyRun,
    testing::Values(mood_swing{{}, {.sends = 1}, "it sent message to one_0, which it did not before"},
                    mood_swing{{.sends = 1}, {}, "it did not send message"},
                    mood_swing{{}, {.creates = 1}, "it created an actor of class child, which it did not before"},
                    mood_swing{{.creates = 1}, {}, "it did not create child_1"},
                    mood_swing{{}, {.fails = true}, "it failed, which it did not before"}));

/// Of each delivery, whether it is known by then.
class attentive_run final : public live_run {
public:
  attentive_run(listener& told, std::vector<bool>& was_known) : told_(told), was_known_(was_known) {}
  void begin() override {
    const auto one = told_.created("one");
    for (int i = 0; i < 2; ++i) told_.sent({.receiver = one, .kind = "message", .may_be_refused = false});
  }
  bool deliver(std::uint32_t /*message*/) override { return was_known_.push_back(told_.is_known()), true; }
  [[nodiscard]] std::string describe(std::uint32_t) const override { return "message()"; }

private:
  listener& told_;
  std::vector<bool>& was_known_;
};

TEST(AStepThatIsMadeAgain, IsKnownInMostRunsButTheFirst) {
  std::vector<bool> was_known;
  const auto tested =
      reexecute({.start = [&](listener& told) { return std::make_unique<attentive_run>(told, was_known); }});
  const auto s = tested.start();
  constexpr std::size_t runs = 70;
  s->deliver(s->first_deliverable());
  s->deliver(s->first_deliverable());
  for (std::size_t run = 1; run < runs; ++run) {
    s->undo();
    s->deliver(s->first_deliverable());
  }

  ASSERT_EQ(was_known.size(), 2 * runs);
  std::vector<std::size_t> looked_at_again;
  for (std::size_t run = 0; run < runs; ++run) {
    if (!was_known[2 * run]) looked_at_again.push_back(run);
    EXPECT_FALSE(was_known[2 * run + 1]) << "the step of run " << run << " is new";
  }
  std::vector<std::size_t> expected(20);
  std::iota(expected.begin(), expected.end(), 0U);
  expected.push_back(61);
  EXPECT_EQ(looked_at_again, expected);
}

/// An actor takes a message, and may crash then.
class mortal_run final : public live_run {
public:
  explicit mortal_run(listener& told) : told_(told) {}
  void begin() override {
    told_.created("one");
    told_.sent({.receiver = 1, .kind = "message"});
  }
  bool deliver(std::uint32_t /*message*/) override { return true; }
  [[nodiscard]] std::string describe(std::uint32_t) const override { return "message()"; }
  [[nodiscard]] bool may_crash(std::uint32_t /*actor*/) const override { return true; }
  void crash(std::uint32_t actor) override { told_.ended(actor); }

private:
  listener& told_;
};

// Whether a message is taken is tried in the run. It was left before the message was delivered: estimates did that.
TEST(RunsOfWhichOneIsAliveAtATime, AreRunAgainWhereTheyWereLeftInTheMiddleOfAStep) {
  const auto tested = reexecute({.start = [](listener& told) { return std::make_unique<mortal_run>(told); },
                                 .can_be_befallen = true,
                                 .one_run_at_a_time = true});
  const auto one = tested.start();
  const auto other = tested.start();
  one->allow({.crash = 1});
  const auto m = one->first_deliverable();
  other->deliver(other->first_deliverable());
  for (const std::uint64_t code : {0, 1}) {
    one->deliver(m, code);
    ASSERT_EQ(one->choices_of(one->last_step()).size(), 1U);
    EXPECT_EQ(one->choices_of(one->last_step())[0].arity, 2U);
    EXPECT_EQ(one->has_crashed(1), code == 1);
    one->undo();
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LiveRun, testing::ValuesIn(delivery_models()), [](const auto& of) {
  auto name = std::string(to_string(of.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace harrier::reexecution
