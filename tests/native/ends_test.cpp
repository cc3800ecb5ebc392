// What is said of executions as a whole: checks of the final states, outcomes, assumptions, states by their types.
#include <stdexcept>
#include <string>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

struct account {
  int balance = 100;
  void take(self& me, int amount, ref<account> to) {
    if (balance < amount) return me.note("refused");
    balance -= amount;
    me.send<&account::give>(to, amount);
    me.note("moved");
  }
  void give(int amount) { balance += amount; }
  void lose(int amount) { balance -= amount; }
  void close(self& me) { me.destroy(); }
};

struct bank {
  int loss = 0;
  void test(self& me) {
    const auto a = me.create<account>();
    const auto b = me.create<account>();
    me.send<&account::take>(a, 80, b);
    me.send<&account::take>(a, 70, b);
    if (loss != 0) me.send<&account::lose>(b, loss);
  }
  void finally(final_states& end) const {
    int sum = 0;
    for (const account& a : end.all<account>()) sum += a.balance;
    end.check(sum == 200, "all accounts together hold 200");
  }
};

const std::vector<std::string> engines = {"exhaustive", "dcute", "persistent", "transdpor", "source",
                                          "optimal",    "trust", "stateful",   "random"};

TEST(FinalStates, AreCheckedAtTheEndOfEachExecution) {
  EXPECT_THAT(explore_all(bank{}).findings, IsEmpty());
  for (const auto& engine : engines) {
    const auto result = explore_all(bank{.loss = 1}, engine);
    ASSERT_THAT(messages_of(result), ElementsAre("all accounts together hold 200")) << engine;
    const auto& f = result.findings[0];
    EXPECT_EQ(f.kind, finding_kind::assertion);
    EXPECT_EQ(f.actor, "");
    EXPECT_THAT(f.file, HasSubstr("ends_test.cpp"));
    EXPECT_EQ(f.trace.size(), 4U) << "the whole execution";
  }
}

TEST(FinalStates, AreCheckedAsTheOptionsSayToo) {
  options how;
  how.judging.keep_going = true;
  how.judging.finally = [](final_states& end) {
    for (const account& a : end.all<account>()) end.check(a.balance < 150, "nobody gets all");
  };
  EXPECT_THAT(messages_of(explore(bank{.loss = 1}, how)),
              testing::UnorderedElementsAre("all accounts together hold 200", "nobody gets all"));
}

TEST(FinalStates, WhoseCheckThrowsAreAFinding) {
  options how;
  how.judging.finally = [](final_states& end) { static_cast<void>(end.only<account>()); };
  EXPECT_THAT(messages_of(explore(bank{}, how)),
              ElementsAre("the check of the final states threw: there are 2 actors of that class, not one"));
}

TEST(FinalStates, OfActorsThatAreGoneAreTheLastOnes) {
  options how;
  how.judging.finally = [](final_states& end) {
    end.check(end.alive<account>().empty(), "nobody is left");
    end.check(end.only<account>().balance == 93, "the last state is still there");
  };
  const auto result = explore(
      [](self& me) {
        const auto a = me.create<account>();
        me.send<&account::lose>(a, 7);
        me.send<&account::close>(a);
      },
      how);
  EXPECT_THAT(messages_of(result), ElementsAre("the last state is still there")) << "if it is closed first";
}

TEST(FinalStates, OfExecutionsThatFailedAreNotChecked) {
  options how;
  how.judging.keep_going = true;
  how.judging.finally = [](final_states& end) { end.check(false, "an end was judged"); };
  const auto result = explore([](self& me) { me.send<&counter::fail>(me.create<counter>()); }, how);
  EXPECT_THAT(messages_of(result), ElementsAre("out of numbers"));
}

TEST(Outcomes, AreTalliedOverAllExecutions) {
  for (const auto& engine : engines) {
    if (engine == "random") continue;
    const auto result = explore_all(bank{}, engine);
    EXPECT_EQ(result.outcomes.at("moved"), result.executions) << engine;
    EXPECT_EQ(result.outcomes.at("refused"), result.executions) << engine << ": once for each, however often left";
  }
  EXPECT_THAT(explore_all(bank{}).outcomes, ElementsAre(Pair("moved", 4), Pair("refused", 4)));
  EXPECT_THAT(explore_all(bank{}, "optimal").outcomes, ElementsAre(Pair("moved", 2), Pair("refused", 2)));
}

struct chooser {
  void choose(self& me) {
    const auto drawn = me.choose(3);
    me.assume(drawn != 1);
    me.note(drawn == 0 ? "none" : "two");
  }
};

TEST(Assumptions, DiscardTheExecutionsInWhichTheyDoNotHold) {
  for (const auto* engine : {"exhaustive", "dcute", "source", "optimal", "trust"}) {
    const auto result = explore_all([](self& me) { me.send<&chooser::choose>(me.create<chooser>()); }, engine);
    EXPECT_TRUE(result.exhausted) << engine;
    EXPECT_EQ(result.executions, 2U) << engine;
    EXPECT_EQ(result.assumed_away, 1U) << engine;
    EXPECT_THAT(result.outcomes, ElementsAre(Pair("none", 1), Pair("two", 1))) << engine;
    EXPECT_THAT(result.findings, IsEmpty()) << engine;
  }
}

struct doubtful {
  void go(self& me) { me.assume(false); }
  bool at_rest() const { return false; }
};

TEST(Assumptions, LeaveTheEndOfTheExecutionUnjudged) {
  for (const auto* engine : {"exhaustive", "optimal", "stateful"}) {
    options how;
    how.search.engine = engine;
    how.judging.keep_going = true;
    how.judging.finally = [](final_states& end) { end.check(false, "an end was judged"); };
    const auto result = explore(
        [](self& me) {
          me.send<&doubtful::go>(me.create<doubtful>());
          me.send<&counter::fail>(me.create<counter>());
        },
        how);
    EXPECT_THAT(messages_of(result), ElementsAre("out of numbers")) << engine << ": before, or beside it";
  }
}

struct teller {
  void tell(self& me, std::string word) { me.note(word); }
  void tell_and_fail(self& me) {
    me.note("failed");
    me.require(false, "it fails");
  }
  void tell_and_doubt(self& me) {
    me.note("doubted");
    me.assume(false);
  }
};

TEST(Assumptions, KeepTheWordsOfExecutionsThatFailBefore) {
  for (const auto* engine : {"exhaustive", "dcute", "source", "optimal", "trust"}) {
    const auto result = explore_all(
        [](self& me) {
          me.send<&teller::tell_and_fail>(me.create<teller>());
          me.send<&teller::tell_and_doubt>(me.create<teller>());
          me.send<&teller::tell>(me.create<teller>(), std::string("told"));
        },
        engine);
    std::vector<std::string> words;
    for (const auto& [word, count] : result.outcomes) words.push_back(word);
    EXPECT_THAT(words, ElementsAre("failed", "told")) << engine;
  }
}

TEST(Assumptions, LeaveNoWordWhereNothingFails) {
  const auto result = explore_all([](self& me) {
    me.send<&teller::tell_and_doubt>(me.create<teller>());
    me.send<&teller::tell>(me.create<teller>(), std::string("told"));
  });
  EXPECT_THAT(result.outcomes, IsEmpty());
}

/// Sums what it sees by type, and objects when all is gone.
struct sees_states : monitor {
  std::optional<record> stepped(const system& s) override {
    int sum = 0;
    for (const account& a : states(s).all<account>()) sum += a.balance;
    if (sum >= 200 || s.depth() == 0) return std::nullopt;
    return record{.message = "money is on its way"};
  }
};

TEST(Monitors, SeeStatesByTheirTypes) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.keep_going = true;
  sees_states judge;
  how.judging.by = &judge;
  EXPECT_THAT(messages_of(explore(bank{}, how)), ElementsAre("money is on its way"));
}

}  // namespace
}  // namespace harrier
