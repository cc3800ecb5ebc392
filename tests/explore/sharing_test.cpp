// Explorations by several jobs, and such as are stopped, written to a checkpoint and gone on with: they end as one that
// nobody shared and nobody stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/world.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "../litmus/random_program.hpp"

namespace somebody {
namespace {

int journal = 0;

struct writer {
  int n = 0;
  void write(int x) {
    n += x;
    ++journal;
  }
};

void two_writers(harrier::self& me) {
  const harrier::ref<writer> both[] = {me.create<writer>(), me.create<writer>()};
  for (const auto& a : both)
    for (int n = 1; n <= 3; ++n) me.send<&writer::write>(a, n);
}

}  // namespace
}  // namespace somebody

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

/// A name for a file that is gone at the end.
class file_name {
public:
  file_name() : text_(std::filesystem::temp_directory_path() / ("harrier-checkpoint-" + std::to_string(getpid()))) {}
  file_name(const file_name&) = delete;
  file_name& operator=(const file_name&) = delete;
  ~file_name() { std::filesystem::remove(text_); }
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  std::string text_;
};

options by(const std::string& engine) {
  options how;
  how.engine = engine;
  how.keep_going = true;
  how.check_determinism = repetition::off;
  how.max_depth = 1000;
  return how;
}

/// The words of a finding, but for those that name actors as one of its executions does: the others of its class, of
/// which each may be the one that is shown, have other numbers.
std::string words_of(const finding& f) {
  return f.kind == finding_kind::deadlock || f.kind == finding_kind::undelivered ? std::string() : f.message;
}

/// Executions, and which findings there are, how often: what must not depend on how many jobs there were, nor on
/// interruptions.
auto seen(const exploration& e) {
  std::vector<std::tuple<std::string, std::string, std::uint32_t, std::uint64_t>> findings;
  for (const auto* list : {&e.findings, &e.warnings})
    for (const auto& f : *list) findings.emplace_back(to_string(f.kind), words_of(f), f.line, f.occurrences);
  std::sort(findings.begin(), findings.end());
  return std::tuple(e.executions, e.truncated, e.assumed_away, e.blocked, e.max_depth, e.actors, e.exhausted,
                    e.outcomes, findings);
}

/// Explores with interruptions after a few executions each, by up to four jobs, and a new checkpoint each time.
exploration with_interruptions(const program& tested, options how, std::minstd_rand& drawn, std::uint64_t most) {
  const auto below = [&](std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(drawn); };
  const file_name file;
  how.checkpoint = file.text();
  for (;;) {
    how.jobs = 1 + below(4);
    const auto so_far = how.max_executions;
    how.max_executions = std::min(most == 0 ? so_far + 1000 : most, so_far + 1 + below(60));
    auto result = explore(tested, how);
    if (result.exhausted || (most != 0 && result.executions >= most)) return result;
    how.max_executions = std::max(how.max_executions, result.executions + result.truncated + result.assumed_away);
    how.resume = file.text();
  }
}

/// Calls `judge(tested, how, alone)` for random programs that a search `how` explores to the end: `alone` is what one
/// worker counts.
template <class Judge>
void for_programs_that_end(options how, Judge judge) {
  int programs = 0;
  for (std::uint64_t seed = 1; programs < 6; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    how.max_executions = 300;
    std::optional<exploration> alone;
    try {
      alone = explore(tested, how);
    } catch (const untestable_program&) {
      continue;
    }
    if (!alone->exhausted || alone->executions < 2) continue;
    ++programs;
    how.max_executions = 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    judge(tested, how, *alone);
  }
}

class EngineThatIsShared : public testing::TestWithParam<const char*> {};

TEST_P(EngineThatIsShared, EndsAsItDoesByItself) {
  std::minstd_rand drawn(1);
  for_programs_that_end(by(GetParam()), [&](const program& tested, options how, const exploration& alone) {
    for (const std::uint64_t jobs : {2, 3, 8}) {
      how.jobs = jobs;
      EXPECT_EQ(seen(explore(tested, how)), seen(alone)) << "jobs " << jobs;
    }
    EXPECT_EQ(seen(with_interruptions(tested, how, drawn, 0)), seen(alone));
  });
}

INSTANTIATE_TEST_SUITE_P(Each, EngineThatIsShared,
                         testing::Values("optimal", "exhaustive", "trust", "delay", "source", "persistent", "transdpor",
                                         "dcute"));

TEST(TrustUnderMailbox, IsSharedAndCountsWhatItDoesByItself) {
  auto by_trust = by("trust");
  by_trust.delivery = delivery::mailbox;
  for_programs_that_end(by_trust, [&](const program& tested, options how, const exploration& alone) {
    for (const std::uint64_t jobs : {2, 3}) {
      how.jobs = jobs;
      const auto together = explore(tested, how);
      EXPECT_EQ(seen(together), seen(alone)) << "jobs " << jobs;
      EXPECT_EQ(together.transitions, alone.transitions) << "jobs " << jobs;
    }
  });
}

class EngineThatSamples : public testing::TestWithParam<const char*> {};

TEST_P(EngineThatSamples, RunsTheSameExecutions) {
  std::minstd_rand drawn(1);
  for (std::uint64_t seed = 3; seed <= 12; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    auto how = by(GetParam());
    how.max_executions = 53;
    try {
      const auto alone = explore(tested, how);
      if (alone.executions < 53) continue;  // the only one there is
      how.jobs = 3;
      EXPECT_EQ(seen(explore(tested, how)), seen(alone)) << "seed " << seed;
      how.max_executions = 0;
      EXPECT_EQ(seen(with_interruptions(tested, how, drawn, 53)), seen(alone)) << "seed " << seed;
    } catch (const untestable_program&) {
      continue;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EngineThatSamples, testing::Values("random", "pos", "pct"));

/// All that a search counts, and all that it found. (Which execution is shown of a finding may be looked for for a
/// second.)
auto counted(const exploration& e) {
  std::vector<std::tuple<std::string, std::string, std::uint64_t>> findings;
  for (const auto* list : {&e.findings, &e.warnings})
    for (const auto& f : *list) findings.emplace_back(to_string(f.kind), words_of(f), f.occurrences);
  std::sort(findings.begin(), findings.end());
  const auto states = e.states.value_or(exploration::state_counts{});
  return std::tuple(std::tuple(e.executions, e.truncated, e.assumed_away, e.blocked, e.transitions, e.max_depth,
                               e.actors, e.exhausted, e.stopped_by),
                    std::tuple(states.states, states.final_states, states.revisits, states.depth), e.outcomes,
                    findings);
}

std::uint64_t ends(const exploration& e) { return e.executions + e.truncated + e.assumed_away; }

struct chain {
  const char* engine;
  std::vector<delivery> models = {delivery::unordered};
  std::optional<bool> observers = {};
  bool is_endless = false;
  std::uint64_t programs = 3;
  std::uint64_t least_executions = 5;
  std::uint64_t most_executions = 400;
};
void PrintTo(const chain& c, std::ostream* out) { *out << c.engine; }

class ChainOfInterruptions : public testing::TestWithParam<chain> {};

/// Calls `leg(tested, how, alone, file)` for random programs: `alone` is what a search that nobody interrupts counts.
template <class Leg>
void for_random_programs(const chain& which, Leg leg) {
  auto programs = which.programs;
  for (std::uint64_t seed = 1; programs > 0 && seed < 200; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    auto how = by(which.engine);
    how.observers = which.observers;
    how.delivery = which.models[seed % which.models.size()];
    how.max_executions = which.is_endless ? 40 : which.most_executions;
    std::optional<exploration> alone;
    try {
      alone = explore(tested, how);
    } catch (const untestable_program&) {
      continue;
    } catch (const error&) {  // of which observers cannot be told apart
      continue;
    }
    if (alone->executions < which.least_executions || (!which.is_endless && !alone->exhausted)) continue;
    --programs;
    SCOPED_TRACE("seed " + std::to_string(seed));
    leg(tested, how, *alone);
  }
  EXPECT_EQ(programs, 0U);
}

/// Explores in legs of `length()` executions, each going on from where the one before it was stopped, until the limit
/// of `how` is reached or nothing is left. @return the last leg
template <class Length, class Prepare>
exploration in_legs(const program& tested, options how, Length length, Prepare prepare) {
  const file_name file;
  const auto most = how.max_executions;
  how.checkpoint = file.text();
  how.max_executions = 0;
  for (;;) {
    how.max_executions = std::min(most, how.max_executions + length());
    prepare(how);
    auto leg = explore(tested, how);
    if (leg.exhausted || how.max_executions == most) return leg;
    EXPECT_EQ(ends(leg), how.max_executions);
    how.resume = file.text();
  }
}

TEST_P(ChainOfInterruptions, CountsWhatASearchCountsThatNobodyInterrupts) {
  std::minstd_rand drawn(1);
  for_random_programs(GetParam(), [&](const program& tested, const options& how, const exploration& alone) {
    const auto length = [&] { return 1 + drawn() % (1 + ends(alone) / 8); };
    EXPECT_EQ(counted(in_legs(tested, how, length, [](options&) {})), counted(alone));
  });
}

/// However short the legs are.
TEST_P(ChainOfInterruptions, OfAFewExecutionsEachCountsTheSame) {
  auto which = GetParam();
  which.most_executions = 30;
  for_random_programs(which, [&](const program& tested, const options& how, const exploration& alone) {
    for (const std::uint64_t length : {1, 2, 7})
      EXPECT_EQ(counted(in_legs(
                    tested, how, [&] { return length; }, [](options&) {})),
                counted(alone))
          << length;
  });
}

/// A finding stops a search wherever it is.
TEST_P(ChainOfInterruptions, InTheMiddleOfExecutionsCountsNothingTwice) {
  for_random_programs(GetParam(), [&](const program& tested, options how, const exploration& alone) {
    const file_name file;
    how.checkpoint = file.text();
    for (int stops = 0; stops < 10; ++stops) {
      how.keep_going = false;
      static_cast<void>(explore(tested, how));
      how.resume = file.text();
    }
    how.keep_going = true;
    EXPECT_EQ(counted(explore(tested, how)), counted(alone));
  });
}

TEST_P(ChainOfInterruptions, OfSeveralJobsEndsNoExecutionMoreThanAskedFor) {
  const auto sharing =
      std::string_view("optimal source persistent transdpor dcute exhaustive trust delay random pos pct");
  if (sharing.find(GetParam().engine) == std::string_view::npos) GTEST_SKIP() << "it works alone, or counts by state";
  std::minstd_rand drawn(1);
  for_random_programs(GetParam(), [&](const program& tested, const options& how, const exploration& alone) {
    const auto length = [&] { return 1 + drawn() % (1 + ends(alone) / 8); };
    EXPECT_EQ(seen(in_legs(tested, how, length, [&](options& leg) { leg.jobs = 1 + drawn() % 4; })), seen(alone));
  });
}

const std::vector<delivery> every_model = {delivery::unordered, delivery::fifo, delivery::causal,
                                           delivery::mailbox_interleaved};

INSTANTIATE_TEST_SUITE_P(
    Of, ChainOfInterruptions,
    testing::Values(chain{"optimal", every_model, false}, chain{"optimal", {delivery::unordered, delivery::fifo}, true},
                    chain{"exhaustive", every_model}, chain{"trust", every_model}, chain{"source", every_model},
                    chain{"dcute"}, chain{"persistent"}, chain{"transdpor"}, chain{"delay"},
                    chain{"stateful", {delivery::unordered}, {}, false, 1, 2}, chain{"random", every_model, {}, true},
                    chain{"pos", every_model, {}, true}, chain{"pct", every_model, {}, true}),
    [](const auto& test) {
      std::string name = test.param.engine;
      return name + (test.param.observers.value_or(false) ? "_with_observers" : "");
    });

TEST(EngineStateful, FindsTheSameStatesHoweverOftenItIsStopped) {
  std::minstd_rand drawn(1);
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 1; programs < 6; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    for (const bool sleeps : {true, false}) {
      auto how = by("stateful");
      how.sleep_sets = sleeps;
      how.max_executions = 1000;
      std::optional<exploration> alone;
      try {
        alone = explore(tested, how);
      } catch (const untestable_program&) {
        continue;
      }
      if (!alone->exhausted || alone->executions < 2) continue;
      ++programs;
      how.max_executions = 0;
      how.jobs = 3;
      const auto together = explore(tested, how);
      EXPECT_EQ(together.states->states, alone->states->states) << "seed " << seed;
      EXPECT_EQ(together.states->final_states, alone->states->final_states) << "seed " << seed;
      if (!sleeps) {
        EXPECT_EQ(together.transitions, alone->transitions) << "seed " << seed;
      }
      const auto stopped = with_interruptions(tested, how, drawn, 0);
      EXPECT_EQ(stopped.states->states, alone->states->states) << "seed " << seed;
      EXPECT_EQ(stopped.states->final_states, alone->states->final_states) << "seed " << seed;
      if (!sleeps) {
        EXPECT_EQ(stopped.executions, alone->executions) << "seed " << seed;
      }
    }
  }
}

TEST(EngineStateful, SaysWhatCannotBeShared) {
  auto how = by("stateful");
  how.jobs = 2;
  how.search = search_order::breadth_first;
  try {
    static_cast<void>(explore(make_program([](self&) {}), how));
    FAIL();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("breadth-first search"));
  }
}

/// Takes numbers; some orders are wrong.
struct adder {
  int sum = 0;
  void add(self& me, int n) {
    sum = sum * 2 + n;
    me.check(sum != 26, "the sum is not 26");
  }
};
void two_adders(self& me) {
  const ref<adder> both[] = {me.create<adder>(), me.create<adder>()};
  for (const auto& a : both)
    for (int n = 1; n <= 4; ++n) me.send<&adder::add>(a, n);
}

TEST(SeveralJobs, JudgeByAMonitorEach) {
  const auto tested = make_program(two_adders);
  const auto judged = [&](std::uint64_t jobs) {
    ltl_monitor judge(R"(F "adder_0 RECV add")");
    auto how = by("optimal");
    how.jobs = jobs;
    how.judge = &judge;
    return explore(tested, how);
  };
  const auto alone = judged(1);
  const auto together = judged(3);

  EXPECT_EQ(seen(together), seen(alone));
  EXPECT_EQ(together.notes, alone.notes);
  EXPECT_EQ(together.jobs, 3U);
}

TEST(SeveralJobs, AreAsManyAsThereAreCoresIfAskedForNone) {
  auto how = by("optimal");
  how.jobs = 0;

  EXPECT_GE(explore(make_program(two_adders), how).jobs, 1U);
}

TEST(SeveralJobs, ReportOneFirstFinding) {
  auto how = by("optimal");
  how.keep_going = false;
  how.jobs = 4;
  const auto result = explore(make_program(two_adders), how);

  EXPECT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings.front().occurrences, 1U);
  EXPECT_EQ(result.stopped_by, "the first finding");
}

std::string error_of(const program& tested, const options& how) {
  try {
    static_cast<void>(explore(tested, how));
    return {};
  } catch (const error& e) {
    return e.what();
  }
}

TEST(SeveralJobs, AreRefusedToEnginesThatWorkAlone) {
  auto how = by("round-robin");
  how.jobs = 2;

  EXPECT_THAT(error_of(make_program(two_adders), how), AllOf(HasSubstr("engine round-robin"), HasSubstr("optimal")));
}

TEST(SeveralJobs, AreRefusedToHandlersThatWriteToAGlobalVariable) {
  auto how = by("optimal");
  EXPECT_TRUE(explore(make_program(somebody::two_writers), how).exhausted);
  how.jobs = 2;

  EXPECT_THAT(error_of(make_program(somebody::two_writers), how),
              AllOf(HasSubstr("writer_"), HasSubstr(".write("), HasSubstr("journal"), HasSubstr("--jobs 1")));
}

class Checkpoint : public testing::Test {
protected:
  Checkpoint() {
    how_.checkpoint = file_.text();
    how_.searched = {{"the program", "adders"}};
    how_.max_executions = 20;
    static_cast<void>(explore(tested_, how_));
    how_.checkpoint.clear();
    how_.resume = file_.text();
    how_.max_executions = 0;
  }
  program tested_ = make_program(two_adders);
  options how_ = by("optimal");
  file_name file_;
};

TEST_F(Checkpoint, IsGoneOnWith) {
  const auto alone = explore(tested_, by("optimal"));

  EXPECT_EQ(seen(explore(tested_, how_)), seen(alone));
  EXPECT_EQ(explore(tested_, how_).transitions, alone.transitions);
}

TEST_F(Checkpoint, OfASearchThatEndedHasItsResult) {
  how_.checkpoint = file_.text();
  const auto ended = explore(tested_, how_);
  const auto again = explore(tested_, how_);

  EXPECT_TRUE(again.exhausted);
  EXPECT_EQ(seen(again), seen(ended));
}

TEST_F(Checkpoint, IsGoneOnWithByItsEngineIfNobodyNamesOne) {
  how_.engine = "auto";

  EXPECT_EQ(explore(tested_, how_).engine, "optimal");
}

TEST_F(Checkpoint, OfAnotherSearchIsRefusedAndWhatDiffersIsSaid) {
  how_.searched = {{"the program", "subtracters"}};
  how_.delivery = delivery::fifo;

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("the program is adders there and subtracters here"),
                                             HasSubstr("the delivery model is unordered there and fifo here")));
}

TEST_F(Checkpoint, ThatIsDamagedIsRefused) {
  const auto size = std::filesystem::file_size(file_.text());
  for (const auto at : {size / 2, size - 1}) {
    std::fstream file(file_.text(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const auto old = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(old + 1));
    file.close();
    EXPECT_THAT(error_of(tested_, how_), HasSubstr("damaged")) << at;
  }
  std::filesystem::resize_file(file_.text(), size / 3);
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("damaged"));
  std::filesystem::resize_file(file_.text(), 3);
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("damaged"));
}

TEST_F(Checkpoint, IsWrittenWhereALinkLeads) {
  const auto link = file_.text() + ".link";
  std::filesystem::create_symlink(file_.text(), link);
  how_.checkpoint = link;
  EXPECT_TRUE(explore(tested_, how_).exhausted);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::filesystem::remove(link);

  EXPECT_TRUE(explore(tested_, how_).exhausted);
}

TEST_F(Checkpoint, IsNotWrittenOverWhatIsNoFile) {
  how_.checkpoint = file_.text() + ".folder";
  std::filesystem::create_directory(how_.checkpoint);
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("give the name of a file"));
  std::filesystem::remove(how_.checkpoint);
}

TEST_F(Checkpoint, ThatIsNoFileIsRefusedAtOnce) {
  how_.resume = file_.text() + ".pipe";
  ASSERT_EQ(mkfifo(how_.resume.c_str(), 0600), 0);
  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("cannot resume "), HasSubstr(": it is a pipe")));
  std::filesystem::remove(how_.resume);
  how_.resume = "/dev/zero";
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("it is a device"));
  how_.resume = std::filesystem::temp_directory_path();
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("it is a folder"));
}

TEST_F(Checkpoint, ThatIsEmptyIsRefused) {
  std::filesystem::resize_file(file_.text(), 0);

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("cannot resume "), HasSubstr(": it is empty")));
}

TEST_F(Checkpoint, ThatCannotBeWrittenIsANoteAndNoLossOfWhatWasFound) {
  std::vector<std::string> told;
  auto how = by("optimal");
  how.checkpoint = "/nowhere/checkpoint";
  how.on_checkpoint = [&](const std::string& failed, std::uint64_t) { told.push_back(failed); };
  const auto result = explore(tested_, how);

  EXPECT_EQ(seen(result), seen(explore(tested_, by("optimal"))));
  EXPECT_THAT(told, testing::ElementsAre(HasSubstr("cannot write the checkpoint /nowhere/checkpoint: No such file")));
  EXPECT_THAT(result.notes, testing::Contains(told.front()));
}

TEST_F(Checkpoint, OfASearchThatHadReachedItsLimitIsNotGoneOnWith) {
  how_.checkpoint = file_.text();
  how_.max_executions = 20;
  for (const std::uint64_t jobs : {1, 3, 1}) {
    how_.jobs = jobs;
    const auto result = explore(tested_, how_);

    EXPECT_EQ(result.executions, 20U);
    EXPECT_EQ(result.stopped_by, "the limit of 20 executions");
  }
}

TEST_F(Checkpoint, ThatIsNotThereIsSaid) {
  how_.resume += ".not";

  EXPECT_THAT(error_of(tested_, how_), HasSubstr("No such file"));
}

struct judges_one_search : monitor {
  std::optional<record> stepped(const system& /*system*/) override { return {}; }
};

TEST_F(Checkpoint, IsRefusedToAMonitorThatDoesNotWriteDownWhatItSaw) {
  judges_one_search judge;
  how_.judge = &judge;

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("cannot be written to a checkpoint"), HasSubstr("criterion")));
}

TEST_F(Checkpoint, IsRefusedToASearchThatIsJudgedByAnotherFormula) {
  ltl_monitor before(R"(F "adder_0 RECV add")");
  ltl_monitor now(R"(F "adder_1 RECV add")");
  how_.judge = &now;
  EXPECT_THAT(error_of(tested_, how_),
              AllOf(HasSubstr("what executions are judged by is nothing there"), HasSubstr(now.text())));

  auto how = how_;
  how.resume.clear();
  how.checkpoint = file_.text();
  how.judge = &before;
  static_cast<void>(explore(tested_, how));

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr(before.text()), HasSubstr(now.text())));
  how_.judge = nullptr;
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("and nothing here"));
}

/// It sends itself `only_then` where `rare` comes first.
struct rarely_met {
  int seen = 0;
  void often(self& me) {
    ++seen;
    if (seen == 4) me.destroy();
  }
  void rare(self& me) {
    if (seen == 0) me.send<&rarely_met::only_then>(me.me<rarely_met>());
    ++seen;
    if (seen == 4) me.destroy();
  }
  void only_then() {}
};
void meets_rarely(self& me) {
  const auto a = me.create<rarely_met>();
  me.send<&rarely_met::rare>(a);
  for (int i = 0; i < 4; ++i) me.send<&rarely_met::often>(a);
}

class JudgedSearch : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(JudgedSearch, ConcludesTheSameAfterInterruptions) {
  const auto [engine, formula] = GetParam();
  const auto tested = make_program(meets_rarely);
  auto how = by(engine);
  how.undelivered = undelivered::ignore;
  how.max_depth = 4;  // cuts those that have one more to deliver
  ltl_monitor alone(formula);
  how.judge = &alone;
  const auto expected = explore(tested, how);
  ASSERT_GT(expected.executions, 20U);
  ASSERT_GT(expected.truncated, 5U);

  const file_name file;
  how.checkpoint = file.text();
  for (how.max_executions = 3; how.max_executions < 1000; how.max_executions += 3) {
    ltl_monitor next(formula);  // as in a process of its own
    how.judge = &next;
    how.jobs = 1 + how.max_executions % 2;
    const auto result = explore(tested, how);
    how.resume = file.text();
    if (result.stopped_by != expected.stopped_by) continue;
    EXPECT_EQ(seen(result), seen(expected));
    EXPECT_EQ(result.notes, expected.notes);
    return;
  }
  FAIL() << "it did not end";
}

INSTANTIATE_TEST_SUITE_P(
    Sharing, JudgedSearch,
    testing::Combine(testing::Values("exhaustive", "optimal"),
                     testing::Values(R"(F "rarely_met_0 RECV rare")", R"(G !"rarely_met_0 RECV only_then")",
                                     R"(F "rarely_met_0 RECV only_then")", R"(G !"rarely_met_0 RECV nothing")")));

}  // namespace
}  // namespace harrier
