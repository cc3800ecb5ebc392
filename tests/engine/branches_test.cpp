// The algorithms with a backtrack set at each point by several workers: they run what one of them runs alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <harrier/engine/dcute.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>

#include <src/engine/dpor/dcute.hpp>
#include <src/engine/dpor/persistent.hpp>
#include <src/engine/dpor/semantic_parts.hpp>
#include <src/engine/dpor/shared_depth_first.hpp>
#include <src/engine/dpor/source.hpp>
#include <src/engine/dpor/transdpor.hpp>

#include "branch_turns.hpp"
#include "compare.hpp"
#include "wrong_parts.hpp"

namespace harrier::differential {
namespace {

using testing::Gt;
using shared = std::unique_ptr<shared_search>;
using by = std::string_view;

/// An engine, and its workers in turns.
struct branching_engine {
  std::string name;
  shared (*share)(by ordering);
  void (*in_turns)(const program& tested, system& first, observer&, by ordering, std::size_t most, counted&);
  bool is_semantic = false;  // some of its deliveries are trials, of which a worker remembers its own

  friend std::ostream& operator<<(std::ostream& out, const branching_engine& e) { return out << e.name; }
};

template <class Worker, auto... How>
void in_turns(const program& tested, system& first, observer& watcher, by ordering, std::size_t most, counted& all) {
  search_branches_in_turns<Worker>(tested, first, watcher, ordering, most, all, How...);
}
template <template <class> class Algorithm>
using worker_of = branch_worker<parts, Algorithm<parts>>;

const std::vector<branching_engine>& engines() {
  static const std::vector<branching_engine> all = {
      {"dcute", [](by o) { return share_dcute({.ordering = o}); }, in_turns<worker_of<dcute>>},
      {"persistent", [](by o) { return share_persistent({.ordering = o}); },
       in_turns<worker_of<persistent_search>, false>},
      {"persistent_with_sleep_sets", [](by o) { return share_persistent({.ordering = o, .sleep_sets = true}); },
       in_turns<worker_of<persistent_search>, true>},
      {"source", [](by o) { return share_source({.ordering = o}); }, in_turns<worker_of<source>>},
      {"transdpor", [](by o) { return share_transdpor({.ordering = o}); }, in_turns<worker_of<transdpor>, false>},
      {"transdpor_with_sleep_sets", [](by o) { return share_transdpor({.ordering = o, .sleep_sets = true}); },
       in_turns<worker_of<transdpor>, true>},
      {"source_with_commuting_messages",
       [](by o) { return share_source({.ordering = o, .independence = independence::semantic}); },
       in_turns<branch_worker<semantic_parts, source<semantic_parts>>>, true},
  };
  return all;
}

constexpr limits largest_compared{300, 10'000};

/// A program, and what one worker alone runs of it.
struct run_alone {
  litmus::random_program tables;
  program tested = {};
  std::string ordering = {};
  observed seen = {};
  counted counts = {};
};

/// Null if it is too large.
std::unique_ptr<run_alone> run_by_one(shared (*share)(by), std::uint64_t seed, delivery model) {
  auto alone =
      std::make_unique<run_alone>(run_alone{.tables = litmus::make_random(seed), .ordering = ordering_for(seed)});
  alone->tested = litmus::interpret(alone->tables);
  try {
    alone->seen = observe(alone->tested,
                          [&](system& s, observer& watcher) {
                            search_context context{s, watcher};
                            explore_alone(context, share(alone->ordering));
                            alone->counts.deliveries = s.watch().deliveries();
                          },
                          largest_compared, {.model = model});
  } catch (const untestable_program&) {
    return nullptr;
  }
  return alone->seen.how_it_ended == verdict::complete ? std::move(alone) : nullptr;
}

/// In what others differ from that; nothing if they are the same.
std::string difference(const run_alone& alone, const observed& seen) {
  if (seen.how_it_ended != alone.seen.how_it_ended) return "it ended otherwise " + seen.why;
  if (seen.executions != alone.seen.executions) return "executions";
  if (seen.blocked != alone.seen.blocked) return "executions given up";
  if (seen.findings != alone.seen.findings) return "findings";
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second.executions == b.second.executions && a.second.end == b.second.end;
  };
  return std::equal(seen.traces.begin(), seen.traces.end(), alone.seen.traces.begin(), alone.seen.traces.end(), same)
             ? ""
             : "traces";
}

/// The same of workers in turns. Adds to `all` what they were asked.
std::string difference_in_turns(const run_alone& alone, const branching_engine& e, std::size_t most, delivery model,
                                counted& all) {
  counted counts;
  const auto seen =
      observe(alone.tested,
              [&](system& s, observer& watcher) { e.in_turns(alone.tested, s, watcher, alone.ordering, most, counts); },
              much_larger, {.model = model});
  all.stops += counts.stops;
  if (const auto how = difference(alone, seen); !how.empty()) return how;
  return e.is_semantic || counts.deliveries == alone.counts.deliveries ? "" : "deliveries";
}

using engine_under_model = std::pair<branching_engine, delivery>;

std::vector<engine_under_model> engines_under_models() {
  std::vector<engine_under_model> all;
  for (const auto& e : engines())
    for (const auto model : delivery_models())
      if (!e.is_semantic || (model != delivery::mailbox && model != delivery::mailbox_interleaved))
        all.emplace_back(e, model);
  return all;
}

std::string name_of(const testing::TestParamInfo<engine_under_model>& of) {
  auto name = of.param.first.name;
  name += '_';
  name += to_string(of.param.second);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Branches : public testing::TestWithParam<engine_under_model> {};

TEST_P(Branches, OfWorkersInTurnsAreThoseOfOne) {
  const auto& [tested, model] = GetParam();
  std::uint64_t programs = 0;
  counted all;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto alone = run_by_one(tested.share, seed, model);
    if (alone == nullptr) continue;
    ++programs;
    EXPECT_EQ(difference_in_turns(*alone, tested, 1 + seed % 4, model, all), "") << "seed " << seed;
  }
  EXPECT_THAT(programs, Gt(30U));
  EXPECT_THAT(all.stops, Gt(programs));
}

TEST_P(Branches, OfThreadsAreThoseOfOne) {
  const auto& [tested, model] = GetParam();
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto alone = run_by_one(tested.share, seed, model);
    if (alone == nullptr) continue;
    const auto together =
        observe(alone->tested,
                [&](system& s, observer& watcher) {
                  search_by_threads([&] { return tested.share(alone->ordering); }, alone->tested, s, watcher);
                },
                much_larger, {.model = model});
    EXPECT_EQ(difference(*alone, together), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Branches, testing::ValuesIn(engines_under_models()), name_of);

// ==== Wrong ones

using mutants::guarded_parts;

/// Plans what a branch found out as soon as that is explored, though what comes before it may not be.
template <class Algorithm, class Parts = guarded_parts>
class planned_on_arrival : public branch_worker<Parts, Algorithm> {
public:
  using branch_worker<Parts, Algorithm>::branch_worker;
  bool advance() {
    for (const auto& at : this->given_)
      for (const auto n : at.branches)
        if (auto& b = this->all_.all.at(n); b.is_explored) this->plan(std::exchange(b.outside, {}));
    return branch_worker<Parts, Algorithm>::advance();
  }
};

/// What a branch found out about points outside is forgotten.
template <class Algorithm, class Parts = guarded_parts>
class nothing_told : public branch_worker<Parts, Algorithm> {
public:
  using branch_worker<Parts, Algorithm>::branch_worker;
  bool advance() {
    for (const auto& at : this->given_)
      for (const auto n : at.branches) this->all_.all.at(n).outside = {};
    return branch_worker<Parts, Algorithm>::advance();
  }
};

/// Goes on with the branch that its own is from before it has taken the first step of its own: then what was given away
/// next at that point is taken for it, and its own is begun after others.
template <class Algorithm, class Parts = guarded_parts>
class followed_at_its_root : public branch_worker<Parts, Algorithm> {
public:
  using branch_worker<Parts, Algorithm>::branch_worker;
  [[nodiscard]] bool is_followed() const { return this->branch_->is_followed; }
};

/// What is tried before a branch does not sleep there.
template <class Algorithm>
class awake_after : public Algorithm {
public:
  using Algorithm::Algorithm;
  [[nodiscard]] auto branch(std::size_t depth, std::size_t n) const {
    auto root = Algorithm::branch(depth, n);
    root.sleep = this->points()[depth].sleep;
    root.sleep.stay_awake();
    return root;
  }
};

/// What is certain to be tried is given away before it is known what of it will sleep.
template <class Algorithm>
class given_unknown : public Algorithm {
public:
  using Algorithm::Algorithm;
  [[nodiscard]] message_slot certain(std::size_t depth, std::size_t n) const {
    const auto& p = this->points()[depth];
    return p.position + n < p.backtrack.size() ? p.backtrack[p.position + n] : no_message;
  }
};

struct wrong_branches {
  branching_engine tested;
  std::string change;
  delivery model = delivery::unordered;
  std::uint64_t first_seed = 1;  ///< of the programs on which it is tried

  friend std::ostream& operator<<(std::ostream& out, const wrong_branches& w) { return out << w.tested; }
};

const std::vector<wrong_branches>& wrong_engines() {
  using right = guarded_parts;
  const auto of = [](std::size_t i) { return engines()[i].share; };
  static constexpr auto arrives = "what branches found out is planned in the order in which they are explored";
  static constexpr auto forgets = "what branches found out about points outside is not planned";
  static constexpr auto hurries = "the branch that one is from is gone on with before its own first step";
  static constexpr auto wakes = "what is tried before a branch does not sleep in it";
  static const std::vector<wrong_branches> all = {
      {{"dcute_on_arrival", of(0), in_turns<planned_on_arrival<dcute<right>>>}, arrives},
      {{"persistent_on_arrival", of(2), in_turns<planned_on_arrival<persistent_search<right>>, true>},
       arrives,
       delivery::unordered,
       4700},
      {{"source_on_arrival", of(3), in_turns<planned_on_arrival<source<right>>>}, arrives},
      {{"transdpor_on_arrival", of(4), in_turns<planned_on_arrival<transdpor<right>>, false>}, arrives},
      {{"dcute_nothing_told", of(0), in_turns<nothing_told<dcute<right>>>}, forgets},
      {{"persistent_nothing_told", of(2), in_turns<nothing_told<persistent_search<right>>, true>}, forgets},
      {{"source_nothing_told", of(3), in_turns<nothing_told<source<right>>>}, forgets},
      {{"transdpor_nothing_told", of(5), in_turns<nothing_told<transdpor<right>>, true>}, forgets},
      {{"dcute_followed_at_its_root", of(0), in_turns<followed_at_its_root<dcute<right>>>}, hurries},
      {{"persistent_followed_at_its_root", of(2), in_turns<followed_at_its_root<persistent_search<right>>, true>},
       hurries},
      {{"source_followed_at_its_root", of(3), in_turns<followed_at_its_root<source<right>>>}, hurries},
      {{"persistent_awake_after", of(2), in_turns<branch_worker<right, awake_after<persistent_search<right>>>, true>},
       wakes},
      {{"source_awake_after", of(3), in_turns<branch_worker<right, awake_after<source<right>>>>}, wakes},
      {{"transdpor_awake_after", of(5), in_turns<branch_worker<right, awake_after<transdpor<right>>>, true>}, wakes},
      {{"source_given_unknown", of(3), in_turns<branch_worker<right, given_unknown<source<right>>>>},
       "what sleeps in a branch is written before all draws of it ran",
       delivery::mailbox},
  };
  return all;
}

class WrongBranches : public testing::TestWithParam<wrong_branches> {};

TEST_P(WrongBranches, AreCaught) {
  counted all;
  bool is_caught = false;
  const auto first = GetParam().first_seed;
  for (auto seed = first; !is_caught && seed < first + 500; ++seed) {
    const auto alone = run_by_one(GetParam().tested.share, seed, GetParam().model);
    is_caught = alone && !difference_in_turns(*alone, GetParam().tested, 4, GetParam().model, all).empty();
  }
  EXPECT_TRUE(is_caught) << GetParam().change;
}

INSTANTIATE_TEST_SUITE_P(Each, WrongBranches, testing::ValuesIn(wrong_engines()),
                         [](const auto& of) { return of.param.tested.name; });

}  // namespace
}  // namespace harrier::differential
