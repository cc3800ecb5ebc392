// What is told of memory that actors share: every engine that is for it has the ends that exhaustive has, where order
// of its uses is all that matters; and urgent messages, which nothing normal overtakes that was sent later.
#include <gmock/gmock.h>

#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

namespace harrier::reexecution {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// What an actor does when it takes a message of a kind: it uses a cell, or tells another.
struct action {
  bool uses = false;
  std::uint32_t what = 0;  // which cell, or the receiver
  int kind = 0;            // of what it sends
};
struct tables {
  int actors = 3;
  std::vector<std::vector<action>> of_kind;                 // what is done
  std::vector<std::pair<std::uint32_t, int>> at_the_start;  // messages: receiver, kind
};

/// An actor notes the values of cells that it has seen, and adds to them.
class run_of_cells final : public live_run {
public:
  run_of_cells(const tables& how, seen_of_program& seen, std::set<std::string>* ends, listener& told)
      : how_(how), seen_(seen), ends_(ends), told_(told) {}
  ~run_of_cells() override {
    if (ends_ != nullptr && begun_ && pending_ == 0) ends_->insert(all_that_was_seen());
  }
  void begin() override {
    for (int i = 0; i < how_.actors; ++i) actors_.push_back({told_.created("user"), {}});
    begun_ = true;
    for (const auto& [to, kind] : how_.at_the_start) send(to, kind);
  }
  bool deliver(std::uint32_t message) override {
    --pending_;
    const auto [to, kind] = sent_[message];
    for (const auto& a : how_.of_kind[static_cast<std::size_t>(kind)]) {
      if (!a.uses) {
        send(a.what, a.kind);
        continue;
      }
      seen_.share_memory();
      told_.touches(actors_[a.what].number);  // the a-th actor stands for the a-th cell
      actors_[to].saw += std::to_string(a.what) + "=" + std::to_string(cells_[a.what]++) + " ";
    }
    actors_[to].saw += "k" + std::to_string(kind) + " ";
    return true;
  }
  [[nodiscard]] std::string describe(std::uint32_t message) const override {
    return "k" + std::to_string(sent_[message].second);
  }

private:
  struct user {
    std::uint32_t number;
    std::string saw;
  };
  void send(std::uint32_t to, int kind) {
    ++pending_;
    const auto m = told_.sent({.receiver = actors_[to].number, .kind = "k" + std::to_string(kind)});
    if (m >= sent_.size()) sent_.resize(m + 1);
    sent_[m] = {to, kind};
  }
  [[nodiscard]] std::string all_that_was_seen() const {
    std::string all;
    for (const auto& a : actors_) all += a.saw + "; ";
    return all;
  }

  const tables& how_;
  seen_of_program& seen_;
  std::set<std::string>* ends_;
  listener& told_;
  bool begun_ = false;
  int pending_ = 0;
  std::vector<user> actors_;
  std::vector<std::pair<std::uint32_t, int>> sent_;
  int cells_[8] = {};
};

struct explored {
  std::set<std::string> ends;
  std::uint64_t executions;
};

explored explored_by(const std::string& engine, const tables& how) {
  explored all;
  const auto seen = std::make_shared<seen_of_program>();
  seen->share_memory();
  auto program =
      reexecute({.start = [&](listener& told) { return std::make_unique<run_of_cells>(how, *seen, &all.ends, told); },
                 .seen = seen});
  options asked;
  asked.search.engine = engine;
  asked.judging.keep_going = true;
  asked.limits.max_executions = 300;
  const auto found = explore(program, asked);
  EXPECT_TRUE(found.findings.empty()) << engine << ": " << found.findings.front().message;
  all.executions = found.executions;
  return all;
}

tables two_users_of_one_cell() {
  return {.actors = 2, .of_kind = {{{.uses = true, .what = 0}}}, .at_the_start = {{0, 0}, {1, 0}}};
}

TEST(SharedMemory, OrdersStepsOfDifferentReceivers) {
  for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "dcute", "transdpor"}) {
    const auto all = explored_by(engine, two_users_of_one_cell());
    EXPECT_EQ(all.executions, 2U) << engine;
    EXPECT_EQ(all.ends.size(), 2U) << engine;
  }
}

TEST(SharedMemory, ThatIsNotTheSameOrdersNothing) {
  const tables two_cells{.actors = 2,
                         .of_kind = {{{.uses = true, .what = 0}}, {{.uses = true, .what = 1}}},
                         .at_the_start = {{0, 0}, {1, 1}}};
  EXPECT_EQ(explored_by("optimal", two_cells).executions, 1U);
}

TEST(SharedMemory, IsRefusedByEngineTrust) {
  EXPECT_THROW(static_cast<void>(explored_by("trust", two_users_of_one_cell())), error);
}

tables random_tables(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  tables how;
  how.actors = 2 + below(2);
  const int kinds = 3;
  for (int kind = 0; kind < kinds; ++kind) {
    how.of_kind.emplace_back();
    for (int i = below(3); i >= 0; --i) {
      const auto what = static_cast<std::uint32_t>(below(how.actors));
      if (below(2) == 0)
        how.of_kind.back().push_back({.uses = true, .what = what});
      else if (kind + 1 < kinds)  // what is sent is of a later kind: it ends
        how.of_kind.back().push_back({.what = what, .kind = kind + 1 + below(kinds - kind - 1)});
    }
  }
  for (int i = 0; i < 3; ++i) how.at_the_start.emplace_back(below(how.actors), below(kinds));
  return how;
}

TEST(SharedMemory, HasTheSameEndsToEveryEngine) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto how = random_tables(seed);
    const auto all = explored_by("exhaustive", how);
    if (all.executions >= 300) continue;
    for (const auto* engine : {"optimal", "source", "persistent", "dcute", "transdpor"}) {
      const auto found = explored_by(engine, how);
      EXPECT_EQ(found.ends, all.ends) << engine << ", seed " << seed;
      EXPECT_LE(found.executions, all.executions) << engine << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace harrier::reexecution
