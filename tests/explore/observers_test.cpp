// Observers as users have them: on by default, off where they cannot be told apart, and the result says which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/property/ltl_monitor.hpp>

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct variable {
  int value = 0;
  void read() const {}
  void write() { ++value; }
};
struct reader {
  ref<variable> of;
  void start(self& me) const { me.send<&variable::read>(of); }
};

constexpr unsigned readers = 6;

/// A class is a set of readers that come before the writer: 2^6. Plain classes are orders: 7!.
void six_readers(self& me) {
  const auto v = me.create<variable>();
  for (unsigned i = 0; i < readers; ++i) me.send<&reader::start>(me.create<reader>(v));
  me.send<&variable::write>(v);
}

class Observers : public testing::Test {
protected:
  Observers() {
    how.search.engine = "optimal";
    how.judging.check_determinism = repetition::off;
  }
  const program tested = make_program(six_readers);
  options how;
};

TEST_F(Observers, AreToldApartByDefault) {
  const auto result = explore(tested, how);

  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 64U);
  EXPECT_EQ(result.blocked, 0U);
  EXPECT_TRUE(result.exhausted);
}

TEST_F(Observers, AreToldApartByEngineAuto) {
  how.search.engine = "auto";
  const auto result = explore(tested, how);

  EXPECT_EQ(result.engine, "optimal");
  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 64U);
}

TEST_F(Observers, AreInOrderForWhoAsksForThat) {
  how.search.observers = false;
  const auto result = explore(tested, how);

  EXPECT_FALSE(result.observers);
  EXPECT_EQ(result.executions, 5040U);
}

TEST_F(Observers, AreToldApartBySeveralJobs) {
  for (const unsigned jobs : {2U, 5U}) {
    how.search.jobs = jobs;
    const auto result = explore(tested, how);

    EXPECT_TRUE(result.observers);
    EXPECT_EQ(result.executions, 64U);
    EXPECT_EQ(result.blocked, 0U);
  }
}

TEST_F(Observers, AreToldApartByASearchThatIsWrittenDown) {
  how.kept.checkpoint = testing::TempDir() + "observers_told_apart";
  how.limits.max_executions = 10;
  const auto first = explore(tested, how);
  EXPECT_EQ(first.executions, 10U);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  how.search.jobs = 2;
  const auto both = explore(tested, how);

  EXPECT_TRUE(both.observers);
  EXPECT_EQ(both.executions, 64U);
}

TEST_F(Observers, StayAsTheyAreInTheCheckpoint) {
  how.kept.checkpoint = testing::TempDir() + "observers_in_order";
  how.limits.max_executions = 10;
  how.search.observers = false;
  EXPECT_EQ(explore(tested, how).executions, 10U);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  how.search.observers.reset();
  EXPECT_EQ(explore(tested, how).executions, 5040U);

  how.search.observers = true;
  EXPECT_THROW(static_cast<void>(explore(tested, how)), error);
}

struct nothing_to_say final : monitor {
  std::optional<record> stepped(const system& /*s*/) override { return {}; }
  [[nodiscard]] std::unique_ptr<monitor> another() const override { return std::make_unique<nothing_to_say>(); }
};

TEST_F(Observers, AreInOrderWhereExecutionsAreJudged) {
  nothing_to_say judge;
  how.judging.by = &judge;
  const auto result = explore(tested, how);
  EXPECT_FALSE(result.observers);
  EXPECT_EQ(result.executions, 5040U);

  how.search.observers = true;
  EXPECT_THROW(static_cast<void>(explore(tested, how)), error);
}

/// Looks at nothing that observers do.
struct interested_in_writers final : monitor {
  std::optional<record> stepped(const system& /*s*/) override { return {}; }
  [[nodiscard]] bool tells_observers_apart() const override { return false; }
};

TEST_F(Observers, AreToldApartWhereTheyDoNotMatterToWhoJudges) {
  interested_in_writers judge;
  how.judging.by = &judge;
  const auto result = explore(tested, how);
  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 64U);

  nothing_to_say other;
  monitors both({&judge, &other});
  how.judging.by = &both;
  EXPECT_FALSE(explore(tested, how).observers);
}

TEST_F(Observers, AreToldApartByAPropertyThatNamesWhatIsReceived) {
  const auto judged_by = [&](const std::string& property) {
    ltl_monitor judge(property);
    how.judging.by = &judge;
    const auto result = explore(tested, how);
    EXPECT_TRUE(result.exhausted);
    EXPECT_THAT(result.findings, IsEmpty());
    return std::pair(result.observers, result.executions);
  };
  EXPECT_EQ(judged_by("G !\"variable_0 SEND read\""), std::pair(true, std::uint64_t{64}));
  EXPECT_EQ(judged_by("F \"driver SEND write\""), std::pair(true, std::uint64_t{64}));
  EXPECT_EQ(judged_by("F \"variable_0 RECV write\""), std::pair(false, std::uint64_t{5040}));
}

TEST_F(Observers, AreInOrderWhereTheOrderOfSendsDecides) {
  // Under mailbox what is written lies in the mailbox from the start, before all readers.
  for (const auto& [model, classes] : {std::pair{delivery::mailbox, 720U}, {delivery::mailbox_interleaved, 5040U}}) {
    how.search.delivery = model;
    how.search.observers.reset();
    const auto result = explore(tested, how);
    EXPECT_FALSE(result.observers);
    EXPECT_EQ(result.executions, classes);

    how.search.observers = true;
    EXPECT_THROW(static_cast<void>(explore(tested, how)), error);
  }
}

TEST_F(Observers, AreToldApartInATestWhoseBodyLooksAtStatesAtRest) {
  const auto of_body = make_test_program({.run = [](self& me, test_run& run) {
    const auto v = me.create<variable>();
    for (unsigned i = 0; i < 3; ++i) me.send<&variable::read>(v);
    me.send<&variable::write>(v);
    run.handle_all();
    me.check(run.state(v).value == 1, "was written");
    for (unsigned i = 0; i < 2; ++i) me.send<&variable::read>(v);
    me.send<&variable::write>(v);
  }});
  const auto result = explore(of_body, how);

  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 8U * 4U);  // in each stage, which readers come before the writer
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Observers, AreInOrderWhereABodyMayGoOnAfterAnyDelivery) {
  const auto of_body = make_test_program({.run = [](self& me, test_run& run) {
    const auto v = me.create<variable>();
    for (unsigned i = 0; i < 3; ++i) me.send<&variable::read>(v);
    me.send<&variable::write>(v);
    run.handle_until([&] { return run.state(v).value == 1; });
  }});
  // Before the body goes on, in all orders: so many readers, in that order, come before the writer.
  constexpr auto before = 1U + 3U + 3U * 2U + 3U * 2U * 1U;
  EXPECT_EQ(explore(of_body, how).executions, before);

  how.search.observers = false;  // and those that are left come in all orders
  EXPECT_EQ(explore(of_body, how).executions, 24U);
}

TEST_F(Observers, OfWhichOnlyTheOrderIsFreeMakeOneExecution) {
  const auto only_readers = make_program([](self& me) {
    const auto v = me.create<variable>();
    for (unsigned i = 0; i < readers; ++i) me.send<&reader::start>(me.create<reader>(v));
  });
  const auto result = explore(only_readers, how);

  EXPECT_EQ(result.executions, 1U);
  EXPECT_THAT(result.notes, Contains(HasSubstr("that makes a difference to anybody")));
}

/// Each delivery changes something.
struct list {
  std::vector<unsigned> values;
  void add(unsigned value) { values.push_back(value); }
  [[nodiscard]] bool holds(unsigned value) const { return std::count(values.begin(), values.end(), value) > 0; }
  void add_once(unsigned value) {
    if (!holds(value)) values.push_back(value);
  }
};

class ObserversThatNobodySaw : public Observers {
protected:
  static program writers(unsigned many) {
    return make_program([many](self& me) {
      const auto all = me.create<list>();
      for (unsigned i = 0; i < many; ++i) me.send<&list::add>(all, i);
    });
  }
};

TEST_F(ObserversThatNobodySaw, AreNotToldApart) {
  for (const auto* engine : {"optimal", "auto"}) {
    how.search.engine = engine;
    const auto result = explore(writers(6), how);

    EXPECT_FALSE(result.observers);
    EXPECT_EQ(result.executions, 720U);
    EXPECT_TRUE(result.exhausted);
    EXPECT_THAT(result.statistics,
                Contains(AllOf(Field(&statistic::name, "neighbours that observe"), Field(&statistic::value, 0))));
  }
}

TEST_F(ObserversThatNobodySaw, AreToldApartForWhoAsksForThat) {
  how.search.observers = true;
  const auto result = explore(writers(6), how);

  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 720U);
}

TEST_F(ObserversThatNobodySaw, AreNotToldApartByThoseWhoSearchTogetherOrLater) {
  how.search.jobs = 2;
  how.kept.checkpoint = testing::TempDir() + "observers_nobody_saw";
  how.limits.max_executions = 100;
  EXPECT_FALSE(explore(writers(6), how).observers);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  const auto both = explore(writers(6), how);

  EXPECT_FALSE(both.observers);
  EXPECT_EQ(both.executions, 720U);
}

TEST_F(ObserversThatNobodySaw, AreSpokenOfWhereTheSearchIsLong) {
  constexpr auto sentence = "observers were not told apart, which is faster";
  EXPECT_THAT(explore(writers(4), how).notes, Not(Contains(HasSubstr(sentence))));
  EXPECT_THAT(explore(writers(7), how).notes, Contains(HasSubstr(sentence)));
}

TEST_F(Observers, AreSeenThoughFewDeliveriesObserve) {
  const auto seldom = make_program([](self& me) {
    const auto all = me.create<list>();
    for (unsigned i = 0; i < 4; ++i) me.send<&list::add>(all, i);
    for (unsigned i = 0; i < 2; ++i) me.send<&list::add_once>(all, 3U);  // both observe after the last of them alone
  });
  const auto result = explore(seldom, how);

  EXPECT_TRUE(result.observers);
  EXPECT_LT(result.executions, 720U);
}

TEST_F(Observers, OfOneQueueAreNoReasonToTellThemApart) {
  how.search.delivery = delivery::fifo;
  const auto one_sender = make_program([](self& me) {
    const auto v = me.create<variable>();
    for (unsigned i = 0; i < 4; ++i) me.send<&variable::read>(v);
    me.send<&reader::start>(me.create<reader>(v));
  });
  EXPECT_TRUE(explore(one_sender, how).observers);  // the reader's may come between

  const auto in_order = make_program([](self& me) {
    const auto v = me.create<variable>();
    for (unsigned i = 0; i < 4; ++i) me.send<&variable::read>(v);
  });
  const auto result = explore(in_order, how);
  EXPECT_FALSE(result.observers);
  EXPECT_EQ(result.executions, 1U);
}

/// Looks at itself as often as it is to, then is written to once, or before.
struct long_reader {
  int left;
  int seen = 0;
  void again(self& me) {
    if (--left > 0) me.send<&long_reader::again>(me.me<long_reader>());
  }
  void look() const {}
  void write() { ++seen; }
};

class LongWithObservers : public Observers {
protected:
  /// Two looks beside a write among `steps` others: long executions of few classes.
  static program of_steps(int steps) {
    return make_program([steps](self& me) {
      const auto a = me.create<long_reader>(steps);
      const auto b = me.create<long_reader>(1);
      me.send<&long_reader::again>(a);
      me.send<&long_reader::look>(b);
      me.send<&long_reader::look>(b);
      me.send<&long_reader::write>(b);
    });
  }
};

TEST_F(LongWithObservers, AreToldApartUpTo8192Deliveries) {
  const auto result = explore(of_steps(8'189), how);

  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 4U);
}

TEST_F(LongWithObservers, AreInOrderWhereAnExecutionIsLonger) {
  const auto longer = of_steps(8'190);
  for (const unsigned jobs : {1U, 2U}) {
    how.search.jobs = jobs;
    const auto result = explore(longer, how);

    EXPECT_FALSE(result.observers);
    EXPECT_EQ(result.executions, 6U);
    EXPECT_THAT(result.notes, Contains(HasSubstr("an execution has more than 8192 deliveries")));
  }
}

TEST_F(LongWithObservers, AreToldApartForWhoAsksForThat) {
  how.search.observers = true;
  const auto result = explore(of_steps(8'190), how);

  EXPECT_TRUE(result.observers);
  EXPECT_EQ(result.executions, 4U);
}

TEST_F(LongWithObservers, AreInOrderInTheCheckpointToo) {
  const auto longer = of_steps(8'190);
  how.kept.checkpoint = testing::TempDir() + "observers_too_long";
  how.limits.max_executions = 2;
  const auto first = explore(longer, how);
  EXPECT_FALSE(first.observers);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;

  EXPECT_EQ(explore(longer, how).executions, 6U);
}

TEST_F(LongWithObservers, AreInOrderWithinABudget) {
  how.search.engine = "auto";
  how.limits.budget = 60;
  const auto result = explore(of_steps(8'190), how);

  EXPECT_FALSE(result.observers);
  EXPECT_TRUE(result.exhausted);
  EXPECT_THAT(result.findings, IsEmpty());
}

}  // namespace
}  // namespace harrier
