#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include <harrier/harrier.hpp>
#include <harrier/isolation/isolated_search.hpp>
#include <harrier/report/json.hpp>
#include <src/explore/limits.hpp>

#include "without_files.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Ends the process if `second` is not the second.
struct victim {
  int seen = 0;
  void first() { ++seen; }
  void second(self& self) {
    if (seen++ == 0) std::abort();
    self.check(seen == 2, "two messages came");
  }
};

/// Says what it is told, if it is to.
struct talker {
  bool aloud = false;
  int told = 0;
  void tell(int what) {
    told = what;
    if (aloud) std::printf("told %d\n", what);
  }
};

program two_words(bool aloud) {
  return make_program([aloud](self& self) {
    const auto whom = self.create<talker>(aloud);
    self.send<&talker::tell>(whom, 1);
    self.send<&talker::tell>(whom, 2);
  });
}

program overtaken() {
  return make_program([](self& self) {
    const auto whom = self.create<victim>();
    self.send<&victim::first>(whom);
    self.send<&victim::second>(whom);
  });
}

/// Fails in one order, and ends the process in the next.
struct checked_victim {
  bool warned = false;
  void warn() { warned = true; }
  void look(self& self) { self.check(!warned, "nobody warned"); }
  void end() const {
    if (!warned) std::abort();
  }
};

program checked_then_overtaken() {
  return make_program([](self& self) {
    const auto whom = self.create<checked_victim>();
    self.send<&checked_victim::warn>(whom);
    self.send<&checked_victim::look>(whom);
    self.send<&checked_victim::end>(whom);
  });
}

struct endless {
  void go() const {
    for (;;) pause();
  }
};

program never_ending() {
  return make_program([](self& self) { self.send<&endless::go>(self.create<endless>()); });
}

struct interrupter {
  void go() const {
    kill(getppid(), SIGINT);
    for (;;) pause();
  }
};

program interrupting() {
  return make_program([](self& self) { self.send<&interrupter::go>(self.create<interrupter>()); });
}

options everything() {
  options how;
  how.search.engine = "exhaustive";
  how.judging.keep_going = true;
  return how;
}

/// What a search gave, apart from clocks.
json_value timeless(exploration result) {
  result.seconds = 0;
  result.peak_rss_mib = 0;
  return to_json(result);
}

auto delivers(const std::string& message) { return Field(&trace_step::message, message); }
auto is(finding_kind kind) { return Field(&finding::kind, kind); }

struct dies_by_the_second {
  int taken = 0;
  void take() {
    if (++taken == 2) std::abort();
  }
};
struct tells_once {
  ref<dies_by_the_second> whom;
  void start(self& me) { me.send<&dies_by_the_second::take>(whom); }
};

TEST(ACrashOfWhatArrivesTwice, SaysWhatCouldBefallMessages) {
  options how;
  how.search.faults.duplicate = 1;
  const auto result =
      explore_isolated(make_program([](self& me) {
                         me.send<&tells_once::start>(me.create<tells_once>(me.create<dies_by_the_second>()));
                       }),
                       how);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, finding_kind::crash);
  EXPECT_THAT(result.findings[0].trace.front().faults, ElementsAre("take() to dies_by_the_second_0 arrives twice"));
  EXPECT_EQ(result.faults, how.search.faults) << "else its trace cannot be replayed";
}

TEST(IsolatedSearch, GivesWhatASearchInThisProcessGives) {
  const auto ends_well = make_program([](self& self) {
    const auto whom = self.create<checked_victim>();
    self.send<&checked_victim::warn>(whom);
    self.send<&checked_victim::look>(whom);
  });

  EXPECT_EQ(timeless(explore_isolated(ends_well, everything())), timeless(explore(ends_well, everything())));
}

TEST(IsolatedSearch, FindsACrashWithTheDeliveriesThatLeadToIt) {
  const auto result = explore_isolated(overtaken(), everything());

  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::crash)));
  const auto& crash = result.findings[0];
  EXPECT_EQ(crash.message, "victim_0.second() ended the process: SIGABRT");
  EXPECT_EQ(crash.actor, "victim_0");
  EXPECT_THAT(crash.schedule, SizeIs(1));
  EXPECT_THAT(crash.trace, ElementsAre(delivers("second()")));
  EXPECT_EQ(result.stopped_by, "a crash");
  EXPECT_FALSE(result.exhausted);
}

TEST(IsolatedSearch, FindsACrashWhicheverOfSeveralJobsMeetsIt) {
  for (const auto* engine : {"optimal", "exhaustive", "random"}) {
    auto how = everything();
    how.search.engine = engine;
    how.search.jobs = 4;
    const auto result = explore_isolated(overtaken(), how);

    ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::crash))) << engine;
    EXPECT_THAT(result.findings[0].message, HasSubstr("SIGABRT")) << engine;
    EXPECT_THAT(result.findings[0].trace, ElementsAre(delivers("second()"))) << engine;
  }
}

/// Aborts if it takes the last of many first, the others do not matter to it.
struct one_of_many {
  int seen = 0;
  void take(int n) {
    if (seen++ == 0 && n == 5) std::abort();
  }
  void loop(int n) {
    if (seen++ == 0 && n == 5)
      for (;;) pause();
  }
};

template <class Actor, auto Handler>
program many_to_two() {
  return make_program([](self& self) {
    for (const auto& whom : {self.create<Actor>(), self.create<Actor>()})
      for (int n = 1; n <= 5; ++n) self.send<Handler>(whom, n);
  });
}

TEST(IsolatedSearch, FindsWhatOneJobRunsIntoWhileOthersGoOn) {
  auto how = everything();
  how.search.jobs = 3;
  const auto crash = explore_isolated(many_to_two<one_of_many, &one_of_many::take>(), how);
  ASSERT_THAT(crash.findings, ElementsAre(is(finding_kind::crash)));
  EXPECT_THAT(crash.findings[0].trace.back(), delivers("take(5)"));

  const auto endless = explore_isolated(many_to_two<one_of_many, &one_of_many::loop>(), how, {.handler_limit = 0.3});
  ASSERT_THAT(endless.findings, ElementsAre(is(finding_kind::nontermination)));
  EXPECT_THAT(endless.findings[0].trace.back(), delivers("loop(5)"));
}

struct victim_of_none {
  int seen = 0;
  void take(int n) { seen = seen * 10 + n; }
};

TEST(IsolatedSearch, GoesOnWithWhatWasInterrupted) {
  const auto tested = many_to_two<victim_of_none, &victim_of_none::take>();
  auto how = everything();
  how.search.engine = "optimal";
  const auto alone = explore_isolated(tested, how);
  ASSERT_TRUE(alone.exhausted);
  const auto file = std::filesystem::temp_directory_path() / ("harrier-isolated-" + std::to_string(getpid()));
  how.kept.checkpoint = file.string();
  how.kept.checkpoint_interval = 0.002;
  how.search.jobs = 2;
  exploration result;
  int interruptions = 0;
  do {
    const auto polls = std::make_shared<std::atomic<int>>(0);
    how.limits.should_stop = [polls, most = 4 << interruptions] { return ++*polls > most; };
    result = explore_isolated(tested, how);
    how.kept.resume = how.kept.checkpoint;
  } while (!result.exhausted && ++interruptions < 25);
  std::filesystem::remove(file);

  EXPECT_GT(interruptions, 0);
  EXPECT_EQ(result.executions, alone.executions);
  EXPECT_EQ(result.transitions, alone.transitions);
}

TEST(IsolatedSearch, KeepsWhatWasFoundBeforeACrash) {
  const auto result = explore_isolated(checked_then_overtaken(), everything());

  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::assertion), is(finding_kind::crash)));
  EXPECT_THAT(result.findings[0].trace, ElementsAre(delivers("warn()"), delivers("look()")));
  EXPECT_GE(result.executions, 1U);
}

seen_of_program* seen_by_forgetful = nullptr;

/// Something is learnt in the second execution, and the search that knows it is killed in its first.
struct forgetful {
  bool fails_always = false;
  int heard = 0;
  void hear(self& self, int n) {
    const bool is_known = seen_by_forgetful->facts() != 0;
    if (heard++ > 0) return;
    if (n == 1) self.check(is_known && !fails_always, "1 came first");
    if (n == 1 && is_known && !fails_always) std::abort();
    if (n == 2 && is_known) std::abort();
    if (n == 2) seen_by_forgetful->see(0);
  }
};

exploration what_is_kept_of(bool fails_always) {
  auto tested = make_program([=](self& self) {
    const auto whom = self.create<forgetful>(forgetful{.fails_always = fails_always});
    for (int n = 1; n <= 2; ++n) self.send<&forgetful::hear>(whom, n);
  });
  tested.seen = std::make_shared<seen_of_program>();
  seen_by_forgetful = tested.seen.get();
  auto how = everything();
  how.judging.check_determinism = repetition::off;
  return explore_isolated(tested, how, {});
}

TEST(IsolatedSearch, ThatBeganAnewSaysWhatTheOneBeforeFoundThatDoesNotOccurAgain) {
  const auto result = what_is_kept_of(false);

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings.front().kind, finding_kind::crash);
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("a search that knew less of the program found assertion")));
}

TEST(IsolatedSearch, ThatBeganAnewKeepsWhatOccursAgain) {
  const auto result = what_is_kept_of(true);

  ASSERT_THAT(result.findings, SizeIs(2));
  EXPECT_EQ(result.findings.front().message, "1 came first");
  EXPECT_EQ(result.findings.back().kind, finding_kind::crash);
}

TEST(IsolatedSearch, FindsAHandlerThatDoesNotEnd) {
  const auto result = explore_isolated(never_ending(), everything(), {.handler_limit = 0.2});

  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::nontermination)));
  EXPECT_THAT(result.findings[0].trace, ElementsAre(delivers("go()")));
  EXPECT_THAT(result.findings[0].message, HasSubstr("did not end within 0.2 s"));
}

TEST(IsolatedSearch, EndsInTheMiddleOfAHandlerWhenTheTimeIsOver) {
  auto how = everything();
  how.limits.time_limit = 0.1;
  const auto result = explore_isolated(never_ending(), how);

  EXPECT_EQ(result.stopped_by, "the time limit of 0.1 s");
  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("endless_0.go() was running then")));
}

struct glutton {
  void eat() const {
    constexpr int most_mib = 4096;
    for (int mib = 0; mib < most_mib; ++mib) {
      static char* volatile kept = nullptr;
      kept = new char[std::size_t{1} << 20];
      std::memset(kept, 1, std::size_t{1} << 20);
    }
    std::abort();
  }
};

TEST(IsolatedSearch, EndsInTheMiddleOfAHandlerThatTakesTooMuchMemory) {
  auto how = everything();
  how.limits.max_memory = static_cast<std::uint64_t>(resident_mib(getpid())) + 64;
  const auto result =
      explore_isolated(make_program([](self& self) { self.send<&glutton::eat>(self.create<glutton>()); }), how);

  EXPECT_EQ(result.stopped_by, "the memory limit of " + std::to_string(how.limits.max_memory) + " MiB");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("glutton_0.eat() was running then")));
}

options by(const char* engine, delivery model = delivery::unordered) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  return how;
}

TEST(IsolatedSearch, FindsTheSameWhileItTriesEngines) {
  const auto crash = explore_isolated(overtaken(), by("auto"));
  ASSERT_THAT(crash.findings, ElementsAre(is(finding_kind::crash)));
  EXPECT_THAT(crash.findings[0].trace, ElementsAre(delivers("second()")));

  const auto endless = explore_isolated(never_ending(), by("auto"), {.handler_limit = 0.2});
  ASSERT_THAT(endless.findings, ElementsAre(is(finding_kind::nontermination)));
  EXPECT_THAT(endless.findings[0].trace, ElementsAre(delivers("go()")));
}

/// Ends the process at the end of a chain of messages, by one of three draws.
struct walker {
  void walk(self& self, int steps) {
    if (steps > 0) return self.send<&walker::walk>(self.me<walker>(), steps - 1);
    if (self.choose(3) == 2) std::abort();
  }
};
/// Has nothing to do with it.
struct bystander {
  int seen = 0;
  void look(int what) { seen = seen * 3 + what; }
};

TEST(IsolatedSearch, LeavesOutWhatACrashDoesNotNeed) {
  auto how = by("random");
  how.judging.minimise = 4;
  const auto result = explore_isolated(make_program([](self& self) {
                                         for (int i = 0; i < 20; ++i) {
                                           const auto b = self.create<bystander>();
                                           for (int what = 1; what < 4; ++what) self.send<&bystander::look>(b, what);
                                         }
                                         self.send<&walker::walk>(self.create<walker>(), 6);
                                       }),
                                       how);

  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::crash)));
  EXPECT_THAT(result.findings[0].trace,
              ElementsAre(delivers("walk(6)"), delivers("walk(5)"), delivers("walk(4)"), delivers("walk(3)"),
                          delivers("walk(2)"), delivers("walk(1)"), delivers("walk(0)")));
  EXPECT_FALSE(result.findings[0].is_shortest);
}

/// Draws on its way, and ends the process if that came to two or more.
struct gambler {
  std::uint64_t sum = 0;
  void walk(self& self, int steps) {
    if (steps == 0 && sum >= 2) std::abort();
    if (steps == 0) return;
    sum += self.choose(5);
    self.send<&gambler::walk>(self.me<gambler>(), steps - 1);
  }
};

TEST(IsolatedSearch, LeavesOutFaultsAndDrawsThatACrashDoesNotNeed) {
  auto how = by("random");
  how.search.faults.duplicate = 2;
  how.judging.minimise = 4;
  const auto result =
      explore_isolated(make_program([](self& self) { self.send<&gambler::walk>(self.create<gambler>(), 5); }), how);

  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::crash)));
  const auto& trace = result.findings[0].trace;
  EXPECT_THAT(trace, SizeIs(6));
  std::uint64_t drawn = 0;
  for (const auto& step : trace) {
    EXPECT_THAT(step.faults, IsEmpty());
    for (const auto value : step.choices) drawn += value;
  }
  EXPECT_EQ(drawn, 2);
}

/// Ends the process if all came before.
struct closer {
  int seen = 0;
  void take(int /*which*/) { ++seen; }
  void close() const {
    if (seen == 3) std::abort();
  }
};

TEST(IsolatedSearch, DeliversInTheOrderOfSendingWhatLeadsToACrash) {
  auto how = by("random");
  how.judging.minimise = 4;
  const auto result = explore_isolated(make_program([](self& self) {
                                         const auto c = self.create<closer>();
                                         for (int i = 0; i < 3; ++i) self.send<&closer::take>(c, i);
                                         self.send<&closer::close>(c);
                                       }),
                                       how);

  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::crash)));
  EXPECT_THAT(result.findings[0].trace,
              ElementsAre(delivers("take(0)"), delivers("take(1)"), delivers("take(2)"), delivers("close()")));
}

// Two senders, so that under mailbox, too, the second message may come first.
struct carrier {
  ref<victim> whom;
  bool is_first = false;
  void go(self& me) const {
    if (is_first) return me.send<&victim::first>(whom);
    me.send<&victim::second>(whom);
  }
};

TEST(IsolatedSearch, FindsTheSameInASystemThatAnEngineHasBesideItsFirst) {
  const auto carried = make_program([](self& me) {
    const auto whom = me.create<victim>();
    for (const bool is_first : {true, false}) me.send<&carrier::go>(me.create<carrier>(whom, is_first));
  });

  for (const auto* engine : {"optimal", "trust"}) {
    const auto result = explore_isolated(carried, by(engine, delivery::mailbox));
    ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::crash))) << engine;
    EXPECT_EQ(result.stopped_by, "a crash") << engine;
  }
  const auto endless = explore_isolated(never_ending(), by("trust", delivery::mailbox), {.handler_limit = 0.2});
  EXPECT_THAT(endless.findings, ElementsAre(is(finding_kind::nontermination)));
}

TEST(IsolatedSearch, SaysThatItWasInterrupted) {
  const auto result = explore_isolated(interrupting(), everything());

  EXPECT_EQ(result.stopped_by, "an interrupt");
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("interrupter_0.go() was running then")));
}

/// Finds something, and is interrupted in the middle of the next execution.
struct interrupted_later {
  int seen = 0;
  void look(self& self) { self.check(seen++ == 0, "it was looked at before"); }
  void wait() const {
    if (seen == 0) return;
    kill(getppid(), SIGTERM);
    for (;;) pause();
  }
};

TEST(IsolatedSearch, KeepsWhatItFoundWhenItIsInterrupted) {
  const auto result = explore_isolated(make_program([](self& self) {
                                         const auto whom = self.create<interrupted_later>();
                                         for (int i = 0; i < 2; ++i) self.send<&interrupted_later::look>(whom);
                                         self.send<&interrupted_later::wait>(whom);
                                       }),
                                       everything());

  EXPECT_EQ(result.stopped_by, "an interrupt");
  ASSERT_THAT(result.findings, ElementsAre(is(finding_kind::assertion)));
}

TEST(IsolatedSearch, RefusesADriverThatEndsTheProcess) {
  const auto driven_to_death = make_program([](self&) { std::abort(); });

  EXPECT_THROW(static_cast<void>(explore_isolated(driven_to_death)), untestable_program);
}

TEST(IsolatedSearch, ThrowsWhatTheSearchThrows) {
  auto how = everything();
  how.search.bug_depth = 2;  // of which engine optimal has no use

  EXPECT_THROW(static_cast<void>(explore_isolated(overtaken(), how)), error);
}

TEST(IsolatedSearch, ReportsFindingsToThisProcess) {
  std::vector<finding_kind> heard;
  auto how = everything();
  how.told.on_finding = [&](const finding& f) { heard.push_back(f.kind); };

  static_cast<void>(explore_isolated(checked_then_overtaken(), how));

  EXPECT_THAT(heard, ElementsAre(finding_kind::assertion, finding_kind::crash));
}

TEST(IsolatedSearch, ReportsProgressToThisProcess) {
  std::vector<pid_t> heard_in;
  auto how = everything();
  how.told.progress_interval = 0;
  how.told.on_progress = [&](const progress&) { heard_in.push_back(getpid()); };

  static_cast<void>(explore_isolated(never_ending(), how, {.handler_limit = 0.2}));

  EXPECT_THAT(heard_in, AllOf(testing::Not(IsEmpty()), Each(getpid())));
}

TEST(IsolatedSearch, SaysInWordsOfTheLibraryThatThereIsNoChild) {
  try {
    without_files([] { static_cast<void>(explore_isolated(overtaken())); });
    FAIL() << "a child was made without files";
  } catch (const no_child_process& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("cannot start a child process"), testing::Not(HasSubstr("--"))));
  }
}

TEST(IsolatedSearch, SaysThatHandlersPrint) {
  testing::internal::CaptureStdout();
  const auto aloud = explore_isolated(two_words(true));
  const auto said = testing::internal::GetCapturedStdout();

  EXPECT_THAT(said, HasSubstr("told 2\n"));
  EXPECT_THAT(aloud.notes, testing::Contains(HasSubstr("the program prints")));
  EXPECT_THAT(explore_isolated(two_words(false)).notes, Each(testing::Not(HasSubstr("the program prints"))));
}

}  // namespace
}  // namespace harrier
