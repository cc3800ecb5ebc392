// Calls by co_await and by continuation handlers.
#include <stdexcept>
#include <string>
#include <utility>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct caller {
  ref<counter> numbers;
  int sum = 0;
  task add_three(self& me) {
    for (int i = 0; i < 3; ++i) sum += co_await me.call<&counter::next>(numbers);
    me.check(sum == 6, "the three numbers are 1, 2, 3");
  }
};

TEST(Calls, BlockTheCallerUntilTheReply) {
  const auto result = explore_all([](self& me) {
    const auto c = me.create<caller>(me.create<counter>());
    me.send<&caller::add_three>(c);
  });
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.executions, 1U);
  EXPECT_EQ(result.transitions, 7U);  // the start, and a request and a reply for each call
}

TEST(Calls, OfTwoCallersInterleave) {
  const auto two_callers = [](self& me) {
    const auto numbers = me.create<counter>();
    for (int i = 0; i < 2; ++i) me.send<&caller::add_three>(me.create<caller>(numbers));
  };
  const auto all = explore_all(two_callers);
  EXPECT_THAT(messages_of(all), ElementsAre("the three numbers are 1, 2, 3"));
  EXPECT_EQ(explore_all(two_callers, "optimal").executions, 20U);  // orders of 3 + 3 requests at the counter
  EXPECT_EQ(explore_all(two_callers, "optimal").blocked, 0U);
}

struct chain {
  ref<counter> numbers;
  task_of<int> two(self& me) {
    const int a = co_await me.call<&counter::next>(numbers);
    const int b = co_await me.call<&counter::next>(numbers);
    co_return a + b;
  }
  task_of<int> four(self& me) {  // a helper's task, awaited
    const int first = co_await two(me);
    const int second = co_await two(me);
    co_return first + second;
  }
};
struct chain_caller {
  ref<chain> through;
  task go(self& me) {
    const int sum = co_await me.call<&chain::four>(through);
    me.check(sum == 10, "1 + 2 + 3 + 4");
  }
};

TEST(Calls, MayBeServedByHandlersThatCallThemselves) {
  const auto result = explore_all([](self& me) {
    const auto c = me.create<chain>(me.create<counter>());
    me.send<&chain_caller::go>(me.create<chain_caller>(c));
  });
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.executions, 1U);
  EXPECT_EQ(result.transitions, 11U);
}

TEST(Calls, OfALambdaDriverWithCapturesAreExplored) {
  const int expected = 2;
  const auto result = explore_all([expected](self& me) -> task {
    const auto numbers = me.create<counter>();
    const int one = co_await me.call<&counter::next>(numbers);
    const int two = co_await me.call<&counter::next>(numbers);
    me.check(one == 1 && two == expected, "counted");
  });
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.transitions, 4U);
}

struct cautious {
  ref<counter> numbers;
  std::string heard;
  task go(self& me) {
    try {
      co_await me.call<&counter::fail>(numbers);
    } catch (const call_failed& e) {
      heard = e.what();
    }
    me.check(heard.find("counter.fail threw: out of numbers") != std::string::npos, "the error says which call");
  }
  task rash(self& me) { co_await me.call<&counter::fail>(numbers); }
};

TEST(Calls, CarryAnExceptionOfTheCalleeToTheCaller) {
  const auto result =
      explore_all([](self& me) { me.send<&cautious::go>(me.create<cautious>(me.create<counter>(), std::string())); });
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST(Calls, WhoseFailureNobodyCatchesAreAFindingOfTheCaller) {
  const auto result =
      explore_all([](self& me) { me.send<&cautious::rash>(me.create<cautious>(me.create<counter>(), std::string())); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::exception);
  EXPECT_EQ(result.findings[0].actor, "cautious_1");
}

TEST(Calls, ToADestroyedActorNeverReturn) {
  const auto result = explore_all([](self& me) {
    const auto numbers = me.create<counter>();
    me.send<&counter::stop>(numbers);
    me.send<&caller::add_three>(me.create<caller>(numbers));
  });
  EXPECT_THAT(result.findings, testing::Each(testing::Field(&finding::kind, finding_kind::deadlock)));
  ASSERT_FALSE(result.findings.empty());
  EXPECT_THAT(result.findings[0].details,
              ElementsAre(HasSubstr("caller_1 waits for the reply to counter_0.next(): counter_0 is gone")));
}

struct asker {
  ref<counter> numbers;
  int first = 0;
  std::string error;
  void start(self& me) { me.call<&counter::next>(numbers).then<&asker::on_first>(); }
  void on_first(self& me, int value) {
    first = value;
    me.call<&counter::reset>(numbers).then<&asker::on_reset>();
  }
  void on_reset(self& me) { me.check(first == 1, "the first number is 1"); }
  void risk(self& me) { me.call<&counter::fail>(numbers).then<&asker::on_first, &asker::on_error>(); }
  void on_error(self& me, const std::string& what) {
    error = what;
    me.check(error.find("out of numbers") != std::string::npos, "the error is told");
  }
  void dare(self& me) { me.call<&counter::fail>(numbers).then<&asker::on_first>(); }
};

void ask(self& me) { me.send<&asker::start>(me.create<asker>(me.create<counter>(), 0, std::string())); }

TEST(Continuations, AreCallsWithoutCoroutines) {
  const auto result = explore_all(ask);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.transitions, 5U);
}

TEST(Continuations, TakeTheCalleesExceptionIfTheyAskForIt) {
  const auto result =
      explore_all([](self& me) { me.send<&asker::risk>(me.create<asker>(me.create<counter>(), 0, std::string())); });
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST(Continuations, LeaveTheCalleesExceptionAsAFindingOtherwise) {
  const auto result =
      explore_all([](self& me) { me.send<&asker::dare>(me.create<asker>(me.create<counter>(), 0, std::string())); });
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].actor, "asker_1");
}

/// Calls that were asked for and never made.
struct forgetful {
  ref<counter> numbers;
  int sum = 0;

  void drops_the_call(self& me) { (void)me.call<&counter::next>(numbers); }
  task drops_it_while_it_waits(self& me) {
    {
      auto forgotten = me.call<&counter::next>(numbers);
      sum = co_await me.call<&counter::next>(numbers);
    }
    sum += 1;
  }
  task helper(self& me) { sum = co_await me.call<&counter::next>(numbers); }
  void drops_the_helper(self& me) { (void)helper(me); }
  task forgets_to_await_the_helper(self& me) {
    (void)helper(me);
    sum = co_await me.call<&counter::next>(numbers);
  }
  void is_left_by_an_exception(self& me) {
    auto not_reached = me.call<&counter::next>(numbers);
    throw std::runtime_error("the call cannot be made");
  }
  task keeps_it_for_later(self& me) {
    auto later = me.call<&counter::next>(numbers);
    sum = co_await me.call<&counter::next>(numbers);
    sum += co_await std::move(later);
    me.check(sum == 3, "both were made");
  }
  task awaits_it_twice(self& me) {
    auto help = helper(me);
    co_await std::move(help);
    co_await std::move(help);
  }
};

template <auto Handler>
std::vector<std::string> found_in() {
  const auto result = explore_all([](self& me) { me.send<Handler>(me.create<forgetful>(me.create<counter>())); });
  return messages_of(result);
}

TEST(DroppedCalls, AreFound) {
  const auto never_made = ElementsAre(HasSubstr("the call of counter.next() was never made"));
  EXPECT_THAT(found_in<&forgetful::drops_the_call>(), never_made);
  EXPECT_THAT(found_in<&forgetful::drops_it_while_it_waits>(), never_made);
}

TEST(DroppedCalls, OfHelpersAreFound) {
  const auto never_ran = ElementsAre(HasSubstr("a coroutine was called and never ran"));
  EXPECT_THAT(found_in<&forgetful::drops_the_helper>(), never_ran);
  EXPECT_THAT(found_in<&forgetful::forgets_to_await_the_helper>(), never_ran);
}

TEST(DroppedCalls, AreNoneWhenTheHandlerIsLeftByAnException) {
  EXPECT_THAT(found_in<&forgetful::is_left_by_an_exception>(), ElementsAre("the call cannot be made"));
}

TEST(DroppedCalls, AreNoneWhenTheyAreMadeLater) { EXPECT_THAT(found_in<&forgetful::keeps_it_for_later>(), IsEmpty()); }

TEST(Tasks, CanBeAwaitedOnce) {
  EXPECT_THAT(found_in<&forgetful::awaits_it_twice>(), ElementsAre("a harrier::task is awaited twice"));
}

/// Sends to nobody, calls nobody and makes what cannot be made, and each time
/// goes on; then it waits, and is resumed in several executions.
struct picky {
  explicit picky(bool bad) {
    if (bad) throw std::runtime_error("cannot be made");
  }
  void take(const std::string&) {}
  template <class F>
  friend bool inspect(F& f, picky& x) {
    return f.object(x).fields();
  }
};
struct careless {
  ref<counter> numbers;
  std::string text = "a text that is too long to be kept without memory of its own";
  int caught = 0;
  task go(self& me) {
    try {
      me.send<&counter::reset>(ref<counter>());
    } catch (const error&) {
      ++caught;
    }
    try {
      co_await me.call<&counter::next>(ref<counter>());
    } catch (const error&) {
      ++caught;
    }
    try {
      me.create<picky>(true);
    } catch (const std::runtime_error&) {
      ++caught;
    }
    me.send<&picky::take>(me.create<picky>(false), std::move(text));
    co_await me.call<&counter::next>(numbers);
    me.check(caught == 3 && text.empty(), "everything happened once");
  }
};

TEST(Calls, OfAHandlerThatCaughtAnErrorBeforeAreMadeAnew) {
  const auto result = explore_all([](self& me) {
    const auto numbers = me.create<counter>();
    for (int i = 0; i < 2; ++i) me.send<&careless::go>(me.create<careless>(numbers));
  });
  EXPECT_THAT(messages_of(result), IsEmpty());
  EXPECT_TRUE(result.exhausted);
}

}  // namespace
}  // namespace harrier
