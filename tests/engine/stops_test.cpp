// Searches by one worker that are stopped wherever they are, written down, and gone on with by others: they run what
// they run when nobody stops them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <harrier/engine/dcute.hpp>
#include <harrier/engine/delay.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/round_robin.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>
#include <harrier/explore/explore.hpp>

#include <src/engine/dpor/dcute.hpp>
#include <src/engine/dpor/persistent.hpp>
#include <src/engine/dpor/shared_depth_first.hpp>
#include <src/engine/dpor/source.hpp>
#include <src/engine/dpor/transdpor.hpp>
#include <src/engine/dpor/transdpor_as_measured.hpp>

#include "compare.hpp"
#include "stops.hpp"
#include "wrong_parts.hpp"

namespace harrier::differential {
namespace {

using shared = std::unique_ptr<shared_search>;

/// An engine that can be stopped and gone on with.
struct engine {
  std::string name;
  shared (*share)(std::string_view ordering);
  bool takes_mailbox = true;

  friend std::ostream& operator<<(std::ostream& out, const engine& e) { return out << e.name; }
};

delay_report unread;

const std::vector<engine>& engines() {
  using by = std::string_view;
  static const std::vector<engine> all = {
      {"dcute", [](by o) { return share_dcute({.ordering = o}); }},
      {"persistent", [](by o) { return share_persistent({.ordering = o}); }},
      {"persistent_with_sleep_sets", [](by o) { return share_persistent({.ordering = o, .sleep_sets = true}); }},
      {"source", [](by o) { return share_source({.ordering = o}); }},
      {"transdpor", [](by o) { return share_transdpor({.ordering = o}); }},
      {"transdpor_with_sleep_sets", [](by o) { return share_transdpor({.ordering = o, .sleep_sets = true}); }},
      {"transdpor_as_measured", [](by o) { return share_transdpor_as_measured({.ordering = o}); }, false},
      {"transdpor_as_measured_with_sleep_sets",
       [](by o) { return share_transdpor_as_measured({.ordering = o, .sleep_sets = true}); }, false},
      {"delay", [](by) { return share_delay({}, unread); }},
      {"delay_within_a_bound", [](by) { return share_delay({.most = 2}, unread); }},
      {"round_robin", [](by) { return share_round_robin(); }},
  };
  return all;
}

constexpr limits largest_compared{300, 10'000};

/// How a search that was stopped and gone on with differs from one that was not; nothing if they are the same.
std::string difference(const observed& whole, const observed& stopped, const counted& of_whole,
                       const counted& of_stopped) {
  if (stopped.how_it_ended != whole.how_it_ended) return "it ended otherwise " + stopped.why;
  if (stopped.executions != whole.executions) return "executions";
  if (stopped.blocked != whole.blocked) return "executions given up";
  if (stopped.findings != whole.findings) return "findings";
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.executions == b.second.executions && a.second.end == b.second.end;
  };
  if (!std::equal(stopped.traces.begin(), stopped.traces.end(), whole.traces.begin(), whole.traces.end(), same))
    return "traces";
  if (of_stopped.deliveries != of_whole.deliveries) return "deliveries";
  return {};
}

/// Both of one program; nothing if it is too large. Adds what was stopped to `all`.
std::optional<std::string> compare_stopped(const engine& e, std::uint64_t seed, delivery model, counted& all) {
  const auto tables = litmus::make_random(seed);
  const auto tested = litmus::interpret(tables);
  const auto ordering = ordering_for(seed);
  counted of_whole, of_stopped;
  observed whole;
  try {
    whole = observe(tested,
                    [&](system& s, observer& watcher) {
                      search_context context{s, watcher};
                      explore_alone(context, e.share(ordering));
                      of_whole.deliveries = s.watch().deliveries();
                    },
                    largest_compared, {.model = model});
  } catch (const untestable_program&) {
    return {};
  }
  if (whole.how_it_ended != verdict::complete) return {};
  const auto stopped = observe(tested,
                               [&](system& s, observer& watcher) {
                                 search_with_stops([&] { return e.share(ordering); }, tested, s, watcher, of_stopped);
                               },
                               much_larger, {.model = model});
  all.stops += of_stopped.stops;
  return difference(whole, stopped, of_whole, of_stopped);
}

using engine_under_model = std::pair<engine, delivery>;

std::vector<engine_under_model> engines_under_models() {
  std::vector<engine_under_model> all;
  for (const auto& e : engines())
    for (const auto model : delivery_models())
      if (model != delivery::mailbox || e.takes_mailbox) all.emplace_back(e, model);
  return all;
}

class EnginesOfOneWorker : public testing::TestWithParam<engine_under_model> {};

TEST_P(EnginesOfOneWorker, GoOnWhereTheyWereStopped) {
  const auto& [tested, model] = GetParam();
  std::uint64_t programs = 0;
  counted all;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto how = compare_stopped(tested, seed, model, all);
    if (!how) continue;
    ++programs;
    EXPECT_EQ(*how, "") << "seed " << seed;
  }
  EXPECT_GT(programs, 20U);
  EXPECT_GT(all.stops, programs / 4);
}

INSTANTIATE_TEST_SUITE_P(Each, EnginesOfOneWorker, testing::ValuesIn(engines_under_models()), [](const auto& of) {
  auto name = of.param.first.name;
  name += '_';
  name += to_string(of.param.second);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// ==== Wrong ones

using mutants::guarded_parts;

class sleepers_not_written : public sleep_set {
public:
  template <class Writer>
  void save(Writer& to) const {
    to.number(0);
  }
};
class siblings_not_written : public sleep_set {
public:
  template <class Reader>
  void load(Reader& from) {
    sleep_set all;
    all.load(from);
    clear();
    for (const auto& e : all) insert(e.message, {e.what});
  }
};
class touched_not_read : public dependence {
public:
  using dependence::dependence;
  static touched_set number(const std::vector<actor_id>& /*actors*/) { return touched_set::nothing; }
};

/// What is tried at the last point counts as tried already.
template <class Algorithm>
class one_too_far : public Algorithm {
public:
  using Algorithm::Algorithm;
  template <class Reader>
  void load(Reader& from) {
    Algorithm::load(from);
    if (const auto m = this->next(); m != no_message) this->tried(m);
  }
};

/// Wherever the search was stopped, it begins anew with what is at its last point.
template <class Algorithm>
class last_point_anew : public Algorithm {
public:
  using Algorithm::Algorithm;
  template <class Reader>
  void load(Reader& from) {
    Algorithm::load(from);
    this->leave();
    this->enter();
  }
};

template <template <class> class Algorithm, class Parts, class... How>
using wrong = shared_depth_first<Parts, Algorithm<Parts>, How...>;

struct wrong_engine {
  engine tested;
  std::string change;
  delivery model = delivery::unordered;

  friend std::ostream& operator<<(std::ostream& out, const wrong_engine& w) { return out << w.tested; }
};

/// What is written down wrongly does not matter to a search that is not stopped.
wrong_engine written_wrong(std::string name, std::string change, shared (*share)(std::string_view),
                           delivery model = delivery::unordered) {
  return {{std::move(name), share}, std::move(change), model};
}

const std::vector<wrong_engine>& wrong_engines() {
  using by = std::string_view;
  using mutants::with_dependence;
  using mutants::with_sleep_set;
  static const std::vector<wrong_engine> all = {
      written_wrong(
          "source_awake", "what sleeps is not written down",
          [](by o) -> shared { return std::make_unique<wrong<source, with_sleep_set<sleepers_not_written>>>(o); }),
      written_wrong("persistent_awake", "what sleeps is not written down",
                    [](by o) -> shared {
                      return std::make_unique<wrong<persistent_search, with_sleep_set<sleepers_not_written>, bool>>(
                          o, true);
                    }),
      written_wrong("transdpor_awake", "what sleeps is not written down",
                    [](by o) -> shared {
                      return std::make_unique<wrong<transdpor, with_sleep_set<sleepers_not_written>, bool>>(o, true);
                    }),
      written_wrong(
          "source_siblings", "of the draws that sleep together it is not written how many they are",
          [](by o) -> shared { return std::make_unique<wrong<source, with_sleep_set<siblings_not_written>>>(o); },
          delivery::mailbox),
      written_wrong(
          "source_untouched", "what a sleeping step touches is not read",
          [](by o) -> shared { return std::make_unique<wrong<source, with_dependence<touched_not_read>>>(o); },
          delivery::mailbox),
      written_wrong("dcute_one_too_far", "the position of the last point is one too far",
                    [](by o) -> shared {
                      return std::make_unique<shared_depth_first<guarded_parts, one_too_far<dcute<guarded_parts>>>>(o);
                    }),
      written_wrong("persistent_one_too_far", "the position of the last point is one too far",
                    [](by o) -> shared {
                      return std::make_unique<
                          shared_depth_first<guarded_parts, one_too_far<persistent_search<guarded_parts>>, bool>>(
                          o, false);
                    }),
      written_wrong(
          "source_last_point_anew", "the last point is begun anew",
          [](by o) -> shared {
            return std::make_unique<shared_depth_first<guarded_parts, last_point_anew<source<guarded_parts>>>>(o);
          }),
  };
  return all;
}

class WrongEnginesOfOneWorker : public testing::TestWithParam<wrong_engine> {};

TEST_P(WrongEnginesOfOneWorker, AreCaught) {
  counted all;
  bool is_caught = false;
  for (std::uint64_t seed = 1; seed <= 3000 && !is_caught; ++seed) {
    const auto how = compare_stopped(GetParam().tested, seed, GetParam().model, all);
    is_caught = how.has_value() && !how->empty();
  }
  EXPECT_TRUE(is_caught) << GetParam().change;
}

INSTANTIATE_TEST_SUITE_P(Each, WrongEnginesOfOneWorker, testing::ValuesIn(wrong_engines()),
                         [](const auto& of) { return of.param.tested.name; });

// ==== As users stop them

class explored_in_pieces {
public:
  explored_in_pieces(const program& tested, options how) : tested_(tested), how_(std::move(how)) {}
  ~explored_in_pieces() { std::filesystem::remove(file_); }
  explored_in_pieces(const explored_in_pieces&) = delete;
  explored_in_pieces& operator=(const explored_in_pieces&) = delete;

  /// Up to that many executions in all; 0: to the end.
  exploration up_to(std::uint64_t executions) {
    how_.limits.max_executions = executions;
    how_.kept.checkpoint = file_;
    auto result = explore(tested_, how_);
    how_.kept.resume = file_;
    return result;
  }

private:
  const program& tested_;
  options how_;
  const std::string file_ = testing::TempDir() + "harrier_stops." + std::to_string(getpid());
};

/// What is said of a search, in words that two searches have in common iff they explored the same.
std::vector<std::string> said_of(const exploration& x) {
  auto all = x.notes;
  all.push_back("stopped by " + x.stopped_by);
  all.emplace_back(x.exhausted ? "exhausted" : "not exhausted");
  for (const auto n : {x.executions, x.blocked, x.truncated, x.transitions, std::uint64_t{x.findings.size()}})
    all.push_back(std::to_string(n));
  return all;
}

struct asked {
  std::string engine;
  std::optional<bool> sleep_sets = {};
  std::optional<std::uint64_t> delays = {};

  friend std::ostream& operator<<(std::ostream& out, const asked& a) { return out << a.engine; }
};

class Checkpoints : public testing::TestWithParam<asked> {};

TEST_P(Checkpoints, AreGoneOnWithToTheSameResult) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    if (!oracle_of(tested)) continue;
    options how;
    how.search.engine = GetParam().engine;
    how.search.sleep_sets = GetParam().sleep_sets;
    how.search.delays = GetParam().delays;
    how.judging.keep_going = true;
    how.limits.max_executions = 2000;
    const auto whole = explore(tested, how);
    if (whole.executions > 1000) continue;

    explored_in_pieces pieces(tested, how);
    pieces.up_to(1);
    pieces.up_to(3);
    pieces.up_to(0);
    EXPECT_EQ(said_of(pieces.up_to(0)), said_of(whole)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEngines, Checkpoints,
                         testing::Values(asked{"dcute"}, asked{"persistent"}, asked{"persistent", true},
                                         asked{"source"}, asked{"transdpor"}, asked{"transdpor", true},
                                         asked{"transdpor-as-measured"}, asked{"delay"},
                                         asked{.engine = "delay", .delays = 2}, asked{"round-robin"}));

TEST(Checkpoints, OfDelaysAreGoneOnWithBeyondTheirBound) {
  const auto tables = litmus::make_random(1);
  const auto tested = litmus::interpret(tables);
  delay_report report;
  std::stringstream file;
  const auto run = [&](std::uint64_t most, bool resumes) {
    return observe(
        tested,
        [&](system& s, observer& watcher) {
          search_context context{s, watcher};
          const auto search = share_delay({.most = most}, report);
          archive_reader from(file);
          if (resumes) search->load(from);
          search->work(context);
          archive_writer to(file);
          search->save(to);
        },
        much_larger);
  };
  const auto within_one = run(1, false).executions;
  EXPECT_EQ(report.within, 2U);
  const auto beyond = run(3, true).executions;
  EXPECT_EQ(report.within, 4U);
  file.str({});
  EXPECT_EQ(run(3, false).executions, within_one + beyond);
  EXPECT_GT(beyond, 0U);
}

TEST(Jobs, AreRefusedByEnginesOfOneWorkerThatNameTheOthers) {
  options how;
  how.search.engine = "transdpor-as-measured";
  how.search.jobs = 2;
  try {
    validate(how);
    FAIL() << "accepted";
  } catch (const error& refusal) {
    EXPECT_STREQ(
        refusal.what(),
        "engine transdpor-as-measured cannot be shared by several jobs, since what it has planned next may be replaced "
        "until it is run; engines optimal, exhaustive, dcute, persistent, transdpor, source, trust, stateful, delay, "
        "pos, pct, random can");
  }
  how.search.jobs = 1;
  how.kept.checkpoint = "there";
  EXPECT_NO_THROW(validate(how));
}

TEST(Jobs, AreRefusedWhereAnOrderingLearnsInTheirOrder) {
  options how;
  how.search.engine = "source";
  how.search.jobs = 2;
  how.search.ordering = "hms";
  try {
    validate(how);
    FAIL() << "accepted";
  } catch (const error& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "engine source cannot be shared by several jobs with ordering hms, which learns from all that was "
                 "explored before; orderings fifo, eca, lca, lifo, ldm, hdm do not");
  }
  how.search.engine = "optimal";
  EXPECT_NO_THROW(validate(how));
}

}  // namespace
}  // namespace harrier::differential
