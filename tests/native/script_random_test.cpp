// Scripts of random programs: what a search keeps is what keeps to the script among all orders of deliveries.
#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/core/script.hpp>
#include <harrier/native/until.hpp>
#include <harrier/property/until.hpp>

#include "../litmus/so_many.hpp"
#include "explore_all.hpp"

namespace harrier {
namespace {

constexpr int players = 3;
constexpr int kinds = 2;

/// To whom, and what of these two.
using told = std::vector<std::pair<int, int>>;
struct random_play {
  std::array<std::array<std::array<told, 2>, kinds>, players>
      by;  ///< by who takes what, and whether it took an even number
  told first;
};

/// Of the program that is explored: actors hold no pointers.
random_play play;

template <class Player>
void tell(self& me, const std::vector<ref<Player>>& all, int to, int kind, int fuel) {
  const auto who = all[static_cast<std::size_t>(to)];
  if (kind == 0)
    me.send<&Player::a>(who, all, fuel);
  else
    me.send<&Player::b>(who, all, fuel);
}

template <class Player>
program play_by() {
  return make_program([](self& me) {
    std::vector<ref<Player>> all;
    for (int i = 0; i < players; ++i) all.push_back(me.create<Player>(i));
    for (const auto& [to, kind] : play.first) tell(me, all, to, kind, 1);
  });
}

struct player {
  using all_of_them = std::vector<ref<player>>;

  int number = 0;
  int taken = 0;
  void a(self& me, const all_of_them& all, int fuel) { take(me, 0, all, fuel); }
  void b(self& me, const all_of_them& all, int fuel) { take(me, 1, all, fuel); }
  void take(self& me, int kind, const all_of_them& all, int fuel) {
    const auto& next = play.by[static_cast<std::size_t>(number)][static_cast<std::size_t>(kind)]
                              [static_cast<std::size_t>(taken++ % 2)];
    for (const auto& [to, what] : next)
      if (fuel > 0) tell(me, all, to, what, fuel - 1);
    me.check(taken != 3 || kind != 1, "player " + std::to_string(number) + " takes no b as its third");
  }
};

program play_of(std::uint64_t seed) {
  std::minstd_rand draw(static_cast<std::minstd_rand::result_type>(seed * 7919 + 1));
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(draw); };
  play = {};
  for (auto& of_player : play.by)
    for (auto& of_kind : of_player)
      for (auto& next : of_kind)
        for (int i = below(3); i > 0; --i) next.emplace_back(below(players), below(kinds));
  for (int i = 0; i < 4; ++i) play.first.emplace_back(below(players), below(kinds));
  return play_by<player>();
}

/// The Nth delivery of that kind to that player.
struct event {
  int player;
  char kind;
  int number;
  [[nodiscard]] std::string text() const {
    return "player_" + std::to_string(player) + "." + kind + "#" + std::to_string(number);
  }
};
struct pinned {
  event then;
  event first;
  [[nodiscard]] std::string text() const { return then.text() + " after " + first.text(); }
};
using pins = std::vector<pinned>;

pins pins_of(std::uint64_t seed) {
  std::minstd_rand draw(static_cast<std::minstd_rand::result_type>(seed * 104729 + 3));
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(draw); };
  const auto any = [&] { return event{below(players), below(2) == 0 ? 'a' : 'b', 1 + below(2)}; };
  pins all;
  for (int i = 1 + below(2); i > 0; --i) all.push_back({any(), any()});
  return all;
}

std::vector<specification> script_of(const pins& all) {
  std::vector<specification> script;
  for (const auto& p : all)
    if (std::none_of(script.begin(), script.end(), [&](const auto& s) { return s.name == p.text(); }))
      script.push_back(pin(p.text()));
  return script;
}

/// The deliveries of an execution, each as its receiver and what it takes.
std::vector<std::pair<int, char>> deliveries_of(const system& s) {
  std::vector<std::pair<int, char>> all;
  for (auto i = static_cast<step_index>(s.setup_steps()); i < s.step_count(); ++i)
    all.emplace_back(static_cast<int>(s.step_at(i).receiver) - 1, s.message_text(s.step_at(i).message)[0]);
  return all;
}

/// Where in `all` that event is; its end: nowhere.
std::size_t place_of(const event& e, const std::vector<std::pair<int, char>>& all) {
  int seen = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == std::pair(e.player, e.kind) && ++seen == e.number) return i;
  return all.size();
}

/// The definition: what happens has what it is to come after before it.
bool keeps_to(const pins& script, const std::vector<std::pair<int, char>>& all) {
  return std::all_of(script.begin(), script.end(), [&](const pinned& p) {
    const auto then = place_of(p.then, all);
    return then == all.size() || place_of(p.first, all) < then;
  });
}

/// Classes of executions: what each player takes, in its order, each message by where it comes from.
using classes = std::multiset<std::string>;

std::string class_of(const system& s) {
  std::map<actor_slot, std::string> by;
  for (auto i = static_cast<step_index>(s.setup_steps()); i < s.step_count(); ++i)
    by[s.step_at(i).receiver] += s.names().path_of(s.step_at(i).label) + " ";
  std::string all;
  for (const auto& [who, taken] : by) all += std::to_string(who) + ": " + taken + "; ";
  return all;
}

class keeps_classes final : public monitor {
public:
  keeps_classes(classes& all, const pins* script) : all_(&all), script_(script) {}
  std::optional<record> stepped(const system& /*now*/) override { return std::nullopt; }
  std::vector<record> ended(const system& end) override {
    if (script_ == nullptr || keeps_to(*script_, deliveries_of(end))) all_->insert(class_of(end));
    return {};
  }

private:
  classes* all_;
  const pins* script_;
};

constexpr std::uint64_t most = 4'000;

struct outcome {
  classes kept;
  std::set<std::string> found;
  bool is_all = false;
  std::string stopped_by = {};
};

/// @param filter  what is kept is decided by this test; null: by the search
outcome explored_by(const program& tested, const std::string& engine, delivery model, const pins* filter = nullptr) {
  outcome seen;
  keeps_classes judge(seen.kept, filter);
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.by = &judge;
  how.judging.minimise = 0;
  how.limits.max_executions = most;
  const auto result = explore(tested, how);
  // Where nothing keeps to the script, that is no pass.
  seen.is_all = result.exhausted || result.stopped_by == "assumptions that hold in no execution";
  seen.stopped_by = result.stopped_by;
  for (const auto& f : result.findings) seen.found.insert(f.message);
  return seen;
}

std::set<std::string> once(const classes& all) { return {all.begin(), all.end()}; }

class ScriptsOfRandomPrograms : public testing::TestWithParam<delivery> {};

TEST_P(ScriptsOfRandomPrograms, KeepTheClassesThatKeepToThem) {
  int compared = 0, dropping = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(7); ++seed) {
    const auto tested = play_of(seed);
    const auto script = pins_of(seed);
    const auto wanted = explored_by(tested, "exhaustive", GetParam(), &script);
    if (!wanted.is_all) continue;
    ++compared;
    const pins none;
    if (once(explored_by(tested, "optimal", GetParam(), &none).kept) != once(wanted.kept)) ++dropping;
    std::optional<std::set<std::string>> found;
    for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "transdpor", "dcute"}) {
      const auto seen = explored_by(specified(tested, script_of(script)), engine, GetParam());
      ASSERT_TRUE(seen.is_all) << engine << " " << seed << ": " << seen.stopped_by;
      EXPECT_EQ(once(seen.kept), once(wanted.kept)) << engine << " " << seed << " " << script.front().text();
      if (!found) found = seen.found;
      EXPECT_EQ(seen.found, *found) << engine << " " << seed;
    }
  }
  EXPECT_GT(compared, 3);
  EXPECT_GT(dropping, 0);
}

// Where executions are followed until an event, its player takes nothing more. A search of all orders ends there at
// once, and a reduction goes on with what others do regardless of it: they find the same.
TEST_P(ScriptsOfRandomPrograms, FindTheSameUntilAnEventByEachEngine) {
  int compared = 0, shorter = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(5); ++seed) {
    const auto tested = play_of(seed);
    const auto end = pins_of(seed).front().then;
    const auto followed = specified(tested, {follow_until(end.text())});
    const auto in_any_order = explored_by(followed, "exhaustive", GetParam());
    if (!in_any_order.is_all) continue;
    ++compared;
    std::optional<classes> kept;
    for (const auto* engine : {"optimal", "source", "persistent", "trust"}) {
      if (std::string(engine) == "trust" && GetParam() == delivery::mailbox) continue;
      const auto seen = explored_by(followed, engine, GetParam());
      EXPECT_EQ(seen.found, in_any_order.found) << engine << " " << seed << " " << end.text();
      if (!kept) kept = seen.kept;
      EXPECT_EQ(once(seen.kept), once(*kept)) << engine << " " << seed << " " << end.text();
    }
    if (once(explored_by(tested, "optimal", GetParam()).kept) != once(*kept)) ++shorter;
  }
  EXPECT_GT(compared, 2);
  EXPECT_GT(shorter, 0);
}

/// Whether a player that took these, in this order, ends there: what is explored is followed no further.
using ends_with = bool (*)(int number, const std::string& taken);
ends_with ends_here = nullptr;

/// The definition: the same players, but whoever is where executions end takes no more, and what it did last reaches
/// nobody.
namespace stopping {

struct player {
  using all_of_them = std::vector<ref<player>>;

  int number = 0;
  std::string taken;
  bool is_over = false;
  void a(self& me, const all_of_them& all, int fuel) { take(me, 0, all, fuel); }
  void b(self& me, const all_of_them& all, int fuel) { take(me, 1, all, fuel); }
  bool accepts(handler<&player::a>) const { return !is_over; }
  bool accepts(handler<&player::b>) const { return !is_over; }
  void take(self& me, int kind, const all_of_them& all, int fuel) {
    const auto& next = play.by[static_cast<std::size_t>(number)][static_cast<std::size_t>(kind)][taken.size() % 2];
    taken += kind == 0 ? 'a' : 'b';
    is_over = ends_here(number, taken);
    for (const auto& [to, what] : next)
      if (fuel > 0 && !is_over) tell(me, all, to, what, fuel - 1);
    me.check(taken.size() != 3 || kind != 1, "player " + std::to_string(number) + " takes no b as its third");
  }
};

}  // namespace stopping

struct end_of_executions {
  std::string what;
  specification (*script)();
  ends_with here;
};

bool comes_before(const std::string& taken, char first, char then) {
  const auto at = taken.find(first);
  return at != std::string::npos && taken.find(then, at) != std::string::npos;
}

const std::vector<end_of_executions>& ends_to_try() {
  static const std::vector<end_of_executions> all{
      {"a formula: a, and later b",
       [] { return follow_until_formula(R"(F("player_1 RECV a" & F "player_1 RECV b"))"); },
       [](int number, const std::string& taken) { return number == 1 && comes_before(taken, 'a', 'b'); }},
      {"a formula: both, in any order",
       [] { return follow_until_formula(R"((F "player_0 RECV a") & F "player_0 RECV b")"); },
       [](int number, const std::string& taken) {
         return number == 0 && (comes_before(taken, 'a', 'b') || comes_before(taken, 'b', 'a'));
       }},
      {"a formula: b, and no a before it",
       [] { return follow_until_formula(R"(!"player_2 RECV a" U "player_2 RECV b")"); },
       [](int number, const std::string& taken) { return number == 2 && taken.front() == 'b'; }},
      {"a predicate: player 1 has taken two",
       [] { return follow_until("two", [](view<player> p) { return p->number == 1 && p->taken >= 2; }); },
       [](int number, const std::string& taken) { return number == 1 && taken.size() >= 2; }},
      {"a predicate: any but player 0 has taken one",
       [] { return follow_until("one", [](view<player> p) { return p->number != 0 && p->taken >= 1; }); },
       [](int number, const std::string& taken) { return number != 0 && !taken.empty(); }},
  };
  return all;
}

TEST_P(ScriptsOfRandomPrograms, FollowExecutionsAsOfActorsThatStopThere) {
  std::map<std::string, int> shorter;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(4); ++seed) {
    const auto tested = play_of(seed);
    const auto whole = explored_by(tested, "optimal", GetParam());
    if (!whole.is_all) continue;
    for (const auto& end : ends_to_try()) {
      ends_here = end.here;
      const auto wanted = explored_by(play_by<stopping::player>(), "optimal", GetParam());
      ASSERT_TRUE(wanted.is_all) << end.what << " " << seed;
      if (once(wanted.kept) != once(whole.kept)) ++shorter[end.what];
      const auto followed = specified(tested, {end.script()});
      for (const auto* engine : {"optimal", "source", "persistent", "transdpor", "trust"}) {
        if (std::string(engine) == "trust" && GetParam() == delivery::mailbox) continue;
        const auto seen = explored_by(followed, engine, GetParam());
        EXPECT_TRUE(seen.is_all) << engine << " " << seed << " " << end.what;
        EXPECT_EQ(once(seen.kept), once(wanted.kept)) << engine << " " << seed << " " << end.what;
        EXPECT_EQ(seen.found, wanted.found) << engine << " " << seed << " " << end.what;
      }
      EXPECT_EQ(explored_by(followed, "exhaustive", GetParam()).found, wanted.found) << seed << " " << end.what;
    }
  }
  EXPECT_EQ(shorter.size(), ends_to_try().size()) << "each ends something";
}

// Only executions that come through an event are judged: their classes, and what is found in them.
TEST_P(ScriptsOfRandomPrograms, KeepTheClassesThatComeThroughAnEvent) {
  int compared = 0, dropping = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(5); ++seed) {
    const auto tested = play_of(seed);
    const auto passage = pins_of(seed).front().then;
    const auto all = explored_by(tested, "exhaustive", GetParam());
    if (!all.is_all) continue;
    ++compared;
    std::optional<outcome> first;
    for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "trust"}) {
      if (std::string(engine) == "trust" && GetParam() == delivery::mailbox) continue;
      const auto seen = explored_by(specified(tested, {keep_through(passage.text())}), engine, GetParam());
      if (!first) first = seen;
      EXPECT_EQ(once(seen.kept), once(first->kept)) << engine << " " << seed << " " << passage.text();
      EXPECT_EQ(seen.found, first->found) << engine << " " << seed;
    }
    const auto some = once(first->kept), every = once(all.kept);
    EXPECT_TRUE(std::includes(every.begin(), every.end(), some.begin(), some.end()));
    if (some.size() < every.size()) ++dropping;
  }
  EXPECT_GT(compared, 2);
  EXPECT_GT(dropping, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, ScriptsOfRandomPrograms,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox),
                         [](const auto& of) { return std::string(to_string(of.param)); });

// A script of which searches do not know that it makes deliveries to several actors dependent.
TEST(WrongScripts, AreCaught) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto tested = play_of(seed);
    const auto script = pins_of(seed);
    const auto wanted = explored_by(tested, "exhaustive", delivery::unordered, &script);
    auto forgotten = script_of(script);
    for (auto& line : forgotten) line.is_of_one_actor = true;
    const auto seen = explored_by(specified(tested, forgotten), "persistent", delivery::unordered);
    if (wanted.is_all && once(seen.kept) != once(wanted.kept)) ++wrong;
  }
  EXPECT_GT(wrong, 0);
}

}  // namespace
}  // namespace harrier
