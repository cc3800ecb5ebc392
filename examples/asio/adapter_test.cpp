#include "adapter.hpp"

#include <gmock/gmock.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/explore/explore.hpp>

namespace harrier {
namespace {

using namespace std::chrono_literals;
using boost::asio::any_io_executor;
using boost::asio::post;
using boost::system::error_code;
using testing::ElementsAre;
using testing::HasSubstr;
using timer = boost::asio::basic_waitable_timer<asio_clock>;

/// What happened, in words, strand by strand.
using story = std::map<std::string, std::string>;

struct told {
  std::set<std::string> stories;
  exploration all;
};

/// All that can happen in a program that notes it.
told explore_stories(const std::function<void(asio_run&, story&)>& body,
                     asio_timers timers = asio_timers::earliest_first, delivery model = delivery::causal,
                     const std::string& engine = "optimal", std::uint64_t at_most = 0) {
  std::set<std::string> stories;
  const auto tested = [&](asio_run& run) {
    const auto noted = std::make_shared<story>();
    run.keep(noted);
    body(run, *noted);
    run.finally([&stories, noted] {
      std::string all;
      for (const auto& [strand, words] : *noted) all += (all.empty() ? "" : "| ") + words;
      stories.insert(all);
    });
  };
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.limits.max_executions = at_most;
  auto all = explore(asio_program(tested, timers), how);
  return {std::move(stories), std::move(all)};
}

/// A handler that notes `word`.
auto notes(story& into, std::string word) {
  return [&into, word = std::move(word)] { into[""] += word + " "; };
}

/// A timer's, that notes how its wait ended.
auto notes_end(story& into, std::string word) {
  return [&into, word = std::move(word)](error_code e) { into[""] += word + (e ? " cancelled " : " expired "); };
}

TEST(AsioStrand, RunsWhatOneStrandPostsInOrder) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto from = run.make_strand("from");
    const auto to = run.make_strand("to");
    post(from, [&noted, to] {
      post(to, notes(noted, "one"));
      post(to, notes(noted, "two"));
    });
  });

  EXPECT_THAT(all.stories, ElementsAre("one two "));
}

TEST(AsioStrand, RunsWhatTwoStrandsPostInAnyOrder) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto to = run.make_strand("to");
    for (const auto* const word : {"one", "two"})
      post(run.make_strand("from"), [&noted, to, word] { post(to, notes(noted, word)); });
  });

  EXPECT_THAT(all.stories, ElementsAre("one two ", "two one "));
  EXPECT_EQ(all.all.executions, 2U);
}

/// `first` posts a word to `to`, and then to `second`, which posts another.
void relay(asio_run& run, story& noted) {
  const auto to = run.make_strand("to");
  const auto second = run.make_strand("second");
  post(run.make_strand("first"), [&noted, to, second] {
    post(to, notes(noted, "one"));
    post(second, [&noted, to] { post(to, notes(noted, "two")); });
  });
}

TEST(AsioStrand, RunsFirstWhatWasPostedBefore) {
  EXPECT_THAT(explore_stories(relay).stories, ElementsAre("one two "));
  EXPECT_THAT(explore_stories(relay, asio_timers::earliest_first, delivery::fifo).stories,
              ElementsAre("one two ", "two one "));
}

TEST(AsioStrand, RunsAtOnceWhatItDispatchesToItself) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto own = run.make_strand("own");
    const auto other = run.make_strand("other");
    post(own, [&noted, own, other] {
      post(own, notes(noted, "posted"));
      boost::asio::dispatch(own, notes(noted, "dispatched"));
      boost::asio::dispatch(other, [&noted, own] { post(own, notes(noted, "back")); });
      notes(noted, "end")();
    });
  });

  EXPECT_THAT(all.stories, ElementsAre("dispatched end posted back "));
}

TEST(AsioStrand, IsOneExecutorWhateverItsHandlersAreCalled) {
  explore_stories([](asio_run& run, story&) {
    const auto one = run.make_strand("one");
    EXPECT_EQ(one, any_io_executor(one));
    EXPECT_NE(one, run.make_strand("two"));
    EXPECT_EQ(asio_executor::in(labelled(one, "word")).strand, asio_executor::in(one).strand);
    const any_io_executor none;
    EXPECT_EQ(labelled(none, "word"), none);
  });
}

TEST(AsioRun, SaysHowHandlersAreCalled) {
  const auto all = explore_stories([](asio_run& run, story&) {
    post(labelled(run.make_strand("clerk"), "greet"), [&run] { run.check(false, "it is polite"); });
  });

  ASSERT_EQ(all.all.findings.size(), 1U);
  const auto& found = all.all.findings.front();
  EXPECT_EQ(found.message, "it is polite");
  EXPECT_EQ(found.kind, finding_kind::assertion);
  EXPECT_EQ(found.trace.back().receiver + "." + found.trace.back().message, "clerk_0.greet()");
}

TEST(AsioRun, FindsExceptions) {
  const auto all = explore_stories(
      [](asio_run& run, story&) { post(run.make_strand("clerk"), [] { throw std::runtime_error("no"); }); });

  ASSERT_EQ(all.all.findings.size(), 1U);
  EXPECT_EQ(all.all.findings.front().kind, finding_kind::exception);
  EXPECT_EQ(all.all.findings.front().message, "a handler threw: no");
}

TEST(AsioRun, ChecksWhatIsLeftInTheEnd) {
  const auto all = explore_stories([](asio_run& run, story&) {
    run.finally([&run] { run.check(false, "nothing is left"); });
    post(run.make_strand("clerk"), [] {});
  });

  ASSERT_EQ(all.all.findings.size(), 1U);
  EXPECT_EQ(all.all.findings.front().message, "nothing is left");
}

TEST(AsioRun, ExploresEachValueOfAChoice) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    post(run.make_strand("clerk"), [&] { notes(noted, std::to_string(run.choose(3)))(); });
  });

  EXPECT_THAT(all.stories, ElementsAre("0 ", "1 ", "2 "));
}

std::string why_it_cannot_be_explored(const std::function<void(any_io_executor)>& does) {
  const auto body = [&](asio_run& run) {
    const auto strand = run.make_strand("strand");
    post(strand, [&, strand] { does(strand); });
  };
  try {
    static_cast<void>(explore(asio_program(body), {}));
  } catch (const untestable_program& e) {
    return e.what();
  }
  return "it can";
}

TEST(AsioRun, RefusesAStrandOfAsio) {
  EXPECT_THAT(why_it_cannot_be_explored([](any_io_executor e) { post(boost::asio::make_strand(e), [] {}); }),
              HasSubstr("boost::asio::strand puts its handlers in order itself"));
}

TEST(AsioRun, RefusesARealClock) {
  EXPECT_THAT(why_it_cannot_be_explored([](any_io_executor e) { const boost::asio::steady_timer real(e, 1s); }),
              HasSubstr("timers of a clock other than asio_clock"));
}

TEST(AsioRun, RefusesToPutTimersIntoMailboxes) {
  const auto tested = asio_program([](asio_run&) {});

  EXPECT_THROW(tested.start(delivery::mailbox), untestable_program);
  EXPECT_THROW(tested.start(delivery::mailbox_interleaved), untestable_program);
}

TEST(AsioTimer, ExpiresWhenNothingElseCanHappenTheEarliestFirst) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto strand = run.make_strand("strand");
    for (const auto time : {2s, 1s}) {
      const auto waits = std::make_shared<timer>(run.make_strand("sleeper"), time);
      waits->async_wait([&noted, waits, strand, time](error_code) {
        post(strand, [&noted, time] {
          EXPECT_EQ(asio_clock::now().time_since_epoch(), time);
          notes(noted, std::to_string(time.count()))();
        });
      });
    }
    post(strand, notes(noted, "0"));
  });

  EXPECT_THAT(all.stories, ElementsAre("0 1 2 "));
}

TEST(AsioTimer, ExpiresInAnyOrderWithAnotherOfItsTime) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto strand = run.make_strand("strand");
    for (const auto* const word : {"one", "two"}) {
      const auto waits = std::make_shared<timer>(strand, 1s);
      waits->async_wait([&noted, waits, word](error_code e) { notes_end(noted, word)(e); });
    }
  });

  EXPECT_THAT(all.stories, ElementsAre("one expired two expired ", "two expired one expired "));
}

/// Waits with a time limit, and cancels that in the next handler.
void cancel_soon(asio_run& run, story& noted) {
  const auto strand = run.make_strand("strand");
  post(strand, [&noted, strand] {
    const auto limit = std::make_shared<timer>(strand, 1s);
    limit->async_wait(notes_end(noted, "it"));
    post(strand, [&noted, limit] { notes(noted, "cancels " + std::to_string(limit->cancel()))(); });
  });
}

TEST(AsioTimer, IsCancelledInTimeIfTimePassesLast) {
  EXPECT_THAT(explore_stories(cancel_soon).stories, ElementsAre("cancels 1 it cancelled "));
}

TEST(AsioTimer, MayExpireBeforeItIsCancelledAndItsHandlerRunAfterwards) {
  EXPECT_THAT(explore_stories(cancel_soon, asio_timers::any_time).stories,
              ElementsAre("cancels 0 it expired ", "cancels 1 it cancelled ", "it expired cancels 0 "));
}

TEST(AsioTimer, ThatExpiredTooSoonToBeCancelledHasPassedItsTime) {
  explore_stories(
      [](asio_run& run, story&) {
        const auto strand = run.make_strand("strand");
        post(strand, [strand] {
          const auto limit = std::make_shared<timer>(strand, 1s);
          limit->async_wait([limit](error_code e) { EXPECT_TRUE(e || limit->expiry() - 1s <= asio_clock::now()); });
          post(strand, [limit] {
            const auto then = limit->expiry();
            const bool is_late = limit->expires_after(1s) == 0;
            EXPECT_EQ(is_late, asio_clock::now() >= then);
            EXPECT_EQ(limit->expiry(), is_late ? then + 1s : then);
          });
        });
      },
      asio_timers::any_time);
}

TEST(AsioTimer, ThatIsNeverIsOnlyEverCancelled) {
  const auto never = [](asio_run& run, story& noted, bool wakes) {
    const auto strand = run.make_strand("strand");
    const auto event = std::make_shared<timer>(strand, asio_clock::time_point::max());
    run.keep(event);
    event->async_wait(notes_end(noted, "it"));
    if (wakes) post(strand, [event] { EXPECT_EQ(event->cancel(), 1U); });
  };

  for (const auto timers : {asio_timers::earliest_first, asio_timers::any_time}) {
    const auto all = [&](bool wakes) {
      return explore_stories([&](asio_run& run, story& noted) { never(run, noted, wakes); }, timers).stories;
    };
    EXPECT_THAT(all(false), ElementsAre(""));
    EXPECT_THAT(all(true), ElementsAre("it cancelled "));
  }
}

TEST(AsioTimer, IsCancelledWhenItGoes) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto strand = run.make_strand("strand");
    post(strand, [&noted, strand] { timer(strand, 1s).async_wait(notes_end(noted, "it")); });
  });

  EXPECT_THAT(all.stories, ElementsAre("it cancelled "));
}

TEST(AsioTimer, RunsItsHandlerWhereThatIsBound) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto strand = run.make_strand("strand");
    const auto other = run.make_strand("other");
    const auto waits = std::make_shared<timer>(strand, 1s);
    waits->async_wait(boost::asio::bind_executor(other, [&noted, waits, strand, other](error_code e) {
      boost::asio::dispatch(strand, notes(noted, "late"));
      boost::asio::dispatch(other, notes(noted, "soon"));
      notes_end(noted, "it")(e);
    }));
  });

  EXPECT_THAT(all.stories, ElementsAre("soon it expired late "));
}

TEST(AsioTimer, IsNotToBeCancelledByAnotherStrand) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto limit = std::make_shared<timer>(run.make_strand("strand"), 1s);
    run.keep(limit);
    limit->async_wait(notes_end(noted, "it"));
    post(run.make_strand("other"), [limit] { limit->cancel(); });
  });

  ASSERT_EQ(all.all.findings.size(), 1U);
  EXPECT_EQ(all.all.findings.front().message, "a timer is cancelled by the strand that waits");
}

TEST(AsioCoroutine, IsExploredAsHandlersAre) {
  const auto all = explore_stories([](asio_run& run, story& noted) {
    const auto strand = run.make_strand("strand");
    const auto sleeps = [](story& into, std::string word) -> boost::asio::awaitable<void> {
      timer waits(co_await boost::asio::this_coro::executor, 1s);
      co_await waits.async_wait(boost::asio::use_awaitable);
      notes(into, word)();
    };
    for (const auto* const word : {"one", "two"}) co_spawn(strand, sleeps(noted, word), boost::asio::detached);
  });

  EXPECT_THAT(all.stories, ElementsAre("one two ", "two one "));
}

TEST(AsioCoroutine, IsCancelledByATimeLimit) {
  const auto limited = [](asio_run& run, story& noted) {
    const auto waits = [](story& into) -> boost::asio::awaitable<void> {
      using namespace boost::asio::experimental::awaitable_operators;
      timer work(co_await boost::asio::this_coro::executor, 2s);
      timer limit(co_await boost::asio::this_coro::executor, 1s);
      const auto first =
          co_await (work.async_wait(boost::asio::use_awaitable) || limit.async_wait(boost::asio::use_awaitable));
      notes(into, first.index() == 0 ? "worked" : "gave up")();
    };
    co_spawn(run.make_strand("strand"), waits(noted), boost::asio::detached);
  };

  EXPECT_THAT(explore_stories(limited).stories, ElementsAre("gave up "));
  EXPECT_THAT(explore_stories(limited, asio_timers::any_time).stories, ElementsAre("gave up ", "worked "));
}

/// A program of two strands that post to each other, set timers and cancel them, as `seed` says.
void run_random(asio_run& run, story& noted, std::uint64_t seed) {
  struct clerk {
    std::string name;
    any_io_executor strand;
    std::unique_ptr<timer> limit;
    std::string& words;
  };
  struct office {
    std::mt19937_64 random;
    std::vector<clerk> clerks;
    int tables[2][2][2];  // what a clerk does with its n-th handler

    void work(std::size_t me, const std::string& word) {
      auto& self = clerks[me];
      self.words += word + " ";
      const auto n = static_cast<std::size_t>(std::count(self.words.begin(), self.words.end(), ' ')) - 1;
      if (n >= 2) return;
      for (int i = 0; i < 2; ++i) {
        const auto what = tables[me][n][i];
        const auto from = self.name + std::to_string(n) + std::to_string(i);
        if (what < 2) {
          const auto to = static_cast<std::size_t>(what);
          post(clerks[to].strand, [this, to, from] { work(to, from); });
        } else if (what < 4) {
          self.words += std::to_string(self.limit->expires_after(std::chrono::seconds(what - 1)));
          self.limit->async_wait([this, me, from](error_code e) { work(me, from + (e ? "-" : "+")); });
        } else if (what < 6) {
          self.words += std::to_string(self.limit->cancel());
        }
      }
    }
  };
  const auto all = std::make_shared<office>();
  run.keep(all);
  all->random.seed(seed);
  for (auto& of_clerk : all->tables)
    for (auto& of_handler : of_clerk)
      for (auto& what : of_handler) what = static_cast<int>(all->random() % 7);
  for (const auto* const name : {"a", "b"}) {
    const auto strand = run.make_strand(name);
    all->clerks.push_back({name, strand, std::make_unique<timer>(strand), noted[name]});
  }
  for (std::size_t i = 0; i < 2; ++i) post(all->clerks[i].strand, [o = all.get(), i] { o->work(i, "begins"); });
}

class AsioSearch : public testing::TestWithParam<asio_timers> {};

TEST_P(AsioSearch, ByOptimalRunsEachStoryOfExhaustiveOnce) {
  constexpr std::uint64_t wanted = 60;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && compared < wanted; ++seed) {
    const auto body = [seed](asio_run& run, story& noted) { run_random(run, noted, seed); };
    const auto all = explore_stories(body, GetParam(), delivery::causal, "exhaustive", 500);
    if (!all.all.exhausted || all.stories.size() < 2) continue;
    ++compared;
    const auto reduced = explore_stories(body, GetParam());
    EXPECT_EQ(reduced.stories, all.stories) << "seed " << seed;
    EXPECT_EQ(reduced.all.executions, all.stories.size()) << "seed " << seed;
    if (HasFailure()) return;
  }

  EXPECT_EQ(compared, wanted);
}

INSTANTIATE_TEST_SUITE_P(Timers, AsioSearch, testing::Values(asio_timers::earliest_first, asio_timers::any_time),
                         [](const auto& of) {
                           return of.param == asio_timers::any_time ? "any_time" : "earliest_first";
                         });

}  // namespace
}  // namespace harrier
