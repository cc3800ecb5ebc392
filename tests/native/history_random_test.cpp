// Histories of random programs: a reduced search comes through all that any order of deliveries comes through.
#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/native/history.hpp>

#include "../litmus/so_many.hpp"
#include "explore_all.hpp"

namespace harrier {
namespace {

using cell = register_of<int>;

struct client;
/// Keeps a value, and tells the other one of it, sometimes late or not at all.
struct replica {
  ref<replica> other;
  int how = 0;
  int value = 0;
  int asked = 0;
  void write(self& me, int v, ref<client> from);
  void read(self& me, ref<client> from);
  void copy(self&, int v) { value = v; }
};

struct wish {
  int write = 0;  ///< 0: read
  int where = 0;
};
struct client {
  std::array<ref<replica>, 2> stores = {};
  std::vector<wish> wishes = {};
  register_history<int> did = {};
  int done = 0;
  void next(self& me) {
    if (done == static_cast<int>(wishes.size())) return;
    const auto& wanted = wishes[static_cast<std::size_t>(done++)];
    const auto to = stores[static_cast<std::size_t>(wanted.where)];
    if (wanted.write != 0) {
      did.invoke<&cell::write>(wanted.write);
      me.send<&replica::write>(to, wanted.write, me.me<client>());
    } else {
      did.invoke<&cell::read>();
      me.send<&replica::read>(to, me.me<client>());
    }
  }
  void wrote(self& me) {
    did.returned();
    next(me);
  }
  void got(self& me, int value) {
    did.returned(value);
    next(me);
  }
};
void replica::write(self& me, int v, ref<client> from) {
  ++asked;
  if (how != 2 || asked < 2) value = v;  // 2: what is written later is forgotten
  if (how != 1 && other) me.send<&replica::copy>(other, v);
  me.send<&client::wrote>(from);
}
void replica::read(self& me, ref<client> from) {
  ++asked;
  me.send<&client::got>(from, how == 3 && asked > 2 ? 0 : value);
}

struct planned {
  int clients = 2;
  int stores = 1;
  int how = 0;
  std::array<std::vector<wish>, 3> wishes;
};
planned plan_of(std::uint64_t seed) {
  std::minstd_rand draw(static_cast<std::minstd_rand::result_type>(seed * 7919 + 1));
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(draw); };
  planned made{.clients = 2 + below(2), .stores = 1 + below(2), .how = below(4), .wishes = {}};
  int left = 3;
  for (int c = 0; c < made.clients; ++c)
    for (int i = 1 + below(2); i > 0 && left > 0; --i, --left)
      made.wishes[static_cast<std::size_t>(c)].push_back({below(3), below(made.stores)});
  return made;
}
program program_of(const planned& plan) {
  return make_program([plan](self& me) {
    std::array<ref<replica>, 2> stores;
    stores[1] = plan.stores == 2 ? me.create<replica>(ref<replica>(), plan.how) : ref<replica>();
    stores[0] = me.create<replica>(stores[1], plan.how);
    for (int c = 0; c < plan.clients; ++c)
      me.send<&client::next>(me.create<client>(stores, plan.wishes[static_cast<std::size_t>(c)]));
  });
}

/// What each client did, and how many operations of the others had returned before it invoked each of its own.
std::string text_of(const states& now, const std::vector<recording>& recorded, bool in_time) {
  std::string text;
  for (const auto who : now.slots<client>()) {
    text += now.system().actor_name(who) + ":";
    detail::value_printer print;
    recorded_events known;
    for (const auto& r : recorded) {
      if (r.by == who && in_time && r.in_all.invoked > known.invoked) {
        text += " (";
        for (const auto other : now.slots<client>()) {
          std::size_t returned = 0;
          for (const auto& earlier : recorded)
            if (earlier.by == other && earlier.after < r.after) returned = earlier.in_all.returned;
          text += std::to_string(returned);
        }
        text += ")";
      }
      if (r.by == who) known = r.in_all;
    }
    text += " " + std::to_string(known.invoked) + "/" + std::to_string(known.returned);
    print.add(now.at<client>(who)->did);
    text += print.take() + "; ";
  }
  return text;
}

struct seen {
  std::set<std::string> histories;
  std::set<std::string> broken;
};

/// Notes what it is asked of.
specification noting(specification what, seen& all, bool in_time) {
  what.judge = [judge = what.judge, &all, in_time](const states& now, const std::vector<recording>& recorded) {
    auto said = judge(now, recorded);
    const auto text = text_of(now, recorded, in_time);
    all.histories.insert(text);
    if (said.broken) all.broken.insert(text);
    said.broken.reset();  // so that what follows is looked at as well
    return said;
  };
  return what;
}

options by(const std::string& engine, delivery model) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::off;
  how.limits.max_executions = 4'000;
  return how;
}

specification as_it_is(specification s) { return s; }

/// Nothing if there are too many executions.
std::optional<seen> looked_at(const program& tested, const std::string& engine, delivery model, bool in_time,
                              specification (*change)(specification) = as_it_is) {
  seen all;
  auto what = in_time ? linearizable("it", cell{}, &client::did) : sequentially_consistent("it", cell{}, &client::did);
  const auto result = explore(specified(tested, {change(noting(std::move(what), all, in_time))}), by(engine, model));
  return result.exhausted ? std::optional(std::move(all)) : std::nullopt;
}

class HistoriesOfRandomPrograms : public testing::TestWithParam<delivery> {};

TEST_P(HistoriesOfRandomPrograms, AreThoseOfAnyOrder) {
  int compared = 0;
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(10); ++seed) {
    const auto tested = program_of(plan_of(seed));
    const auto all = looked_at(tested, "exhaustive", GetParam(), true);
    if (!all) continue;
    ++compared;
    broken += all->broken.empty() ? 0 : 1;
    for (const auto* engine : {"optimal", "source", "persistent", "transdpor", "dcute", "stateful"}) {
      const auto some = looked_at(tested, engine, GetParam(), true);
      ASSERT_TRUE(some) << engine << " " << seed;
      EXPECT_EQ(some->histories, all->histories) << engine << " " << seed;
      EXPECT_EQ(some->broken, all->broken) << engine << " " << seed;
    }
  }
  EXPECT_GT(compared, 4);
  EXPECT_GT(broken, 0);
}

TEST_P(HistoriesOfRandomPrograms, AreAtTheirEndsThoseOfAnyOrder) {
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(10); ++seed) {
    const auto tested = program_of(plan_of(seed));
    const auto all = looked_at(tested, "exhaustive", GetParam(), false);
    if (!all) continue;
    broken += all->broken.empty() ? 0 : 1;
    for (const auto* engine : {"optimal", "source", "persistent", "trust", "stateful"}) {
      if (engine == std::string("trust") && GetParam() == delivery::mailbox) continue;
      const auto some = looked_at(tested, engine, GetParam(), false);
      ASSERT_TRUE(some) << engine << " " << seed;
      EXPECT_EQ(some->histories, all->histories) << engine << " " << seed;
      EXPECT_EQ(some->broken, all->broken) << engine << " " << seed;
    }
  }
  EXPECT_GT(broken, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, HistoriesOfRandomPrograms, testing::Values(delivery::unordered, delivery::fifo),
                         [](const auto& of) { return std::string(to_string(of.param)); });

TEST(WrongHistories, AreCaught) {
  const auto has_all = [](const std::set<std::string>& some, const std::set<std::string>& all) {
    return std::includes(some.begin(), some.end(), all.begin(), all.end());
  };
  const auto not_dependent = [](specification s) {  // steps that record are not dependent on one another
    s.is_of_one_actor = true;
    return s;
  };
  int missed = 0;
  int missed_broken = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto tested = program_of(plan_of(seed));
    const auto all = looked_at(tested, "optimal", delivery::unordered, true);
    const auto some = looked_at(tested, "optimal", delivery::unordered, true, not_dependent);
    if (!all || !some) continue;
    missed += has_all(some->histories, all->histories) ? 0 : 1;
    missed_broken += has_all(some->broken, all->broken) ? 0 : 1;
  }
  EXPECT_GT(missed, 10);
  EXPECT_GT(missed_broken, 0);
}

}  // namespace
}  // namespace harrier
