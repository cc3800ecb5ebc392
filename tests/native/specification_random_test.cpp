// Specifications of random programs: what they look at in a reduced search is all that is there in any order.
#include <array>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/native/test_body.hpp>

#include "../litmus/so_many.hpp"
#include "explore_all.hpp"

namespace harrier {
namespace {

constexpr int classes = 3;
constexpr int kinds = 3;
constexpr int values = 3;

struct act {
  enum class what { assign, send, create, destroy } kind = what::assign;
  int number = 0;  ///< the value, the root to which, the class of which
  int message = 0;
};
/// What an actor does, by its class, what comes, and its value.
using rules = std::array<std::array<std::array<std::vector<act>, values>, kinds>, classes>;
struct random_actors {
  rules by;
  std::vector<std::pair<int, int>> first;  ///< to which root, which message
};

/// That of the program that is explored: actors hold no pointers.
random_actors tables;

template <int Class>
struct part;
struct addresses {
  ref<part<0>> zero;
  ref<part<1>> one;
  ref<part<2>> two;
};
template <int Class>
struct part {
  addresses roots = {};
  int number = 0;
  int value = 0;
  int born = 0;  ///< by it; less: it is the driver
  void take(self& me, int kind, int fuel) {
    for (const auto& a : tables.by[Class][static_cast<std::size_t>(kind)][static_cast<std::size_t>(value)]) {
      if (a.kind == act::what::assign) value = a.number;
      if (a.kind == act::what::destroy) me.destroy();
      if (fuel > 0 && a.kind == act::what::send) tell(me, a.number, a.message, fuel - 1);
      if (fuel > 0 && a.kind == act::what::create) create(me, a.number, a.message, fuel - 1);
    }
  }
  void tell(self& me, int whom, int kind, int fuel) {
    if (whom == Class && born >= 0) return me.send<&part::take>(me.me<part>(), kind, fuel);
    if (whom == 0 && roots.zero) me.send<&part<0>::take>(roots.zero, kind, fuel);
    if (whom == 1 && roots.one) me.send<&part<1>::take>(roots.one, kind, fuel);
    if (whom == 2 && roots.two) me.send<&part<2>::take>(roots.two, kind, fuel);
  }
  void create(self& me, int of, int kind, int fuel) {
    const int child = number * 10 + ++born;
    if (of == 0) me.send<&part<0>::take>(me.create<part<0>>(roots, child), kind, fuel);
    if (of == 1) me.send<&part<1>::take>(me.create<part<1>>(roots, child), kind, fuel);
    if (of == 2) me.send<&part<2>::take>(me.create<part<2>>(roots, child), kind, fuel);
  }
};

random_actors make_actors(std::uint64_t seed) {
  std::minstd_rand draw(static_cast<std::minstd_rand::result_type>(seed * 7919 + 1));
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(draw); };
  random_actors made;
  for (auto& of_class : made.by)
    for (auto& of_kind : of_class)
      for (auto& list : of_kind)
        for (int i = below(3); i >= 0; --i) {
          const auto d = below(20);
          list.push_back({.kind = d < 9    ? act::what::assign
                                  : d < 16 ? act::what::send
                                  : d < 19 ? act::what::create
                                           : act::what::destroy,
                          .number = below(3),
                          .message = below(kinds)});
        }
  for (int i = 0; i < 4; ++i) {
    // One after the other: compilers evaluate arguments in orders of their own.
    const auto message = below(kinds);
    made.first.emplace_back(below(3), message);
  }
  return made;
}

addresses create_roots(self& me) {
  addresses roots;
  roots.two = me.create<part<2>>(roots, 3);
  roots.one = me.create<part<1>>(roots, 2);
  roots.zero = me.create<part<0>>(roots, 1);
  return roots;
}
/// Some of what is sent first.
void begin(self& me, const addresses& roots, std::size_t from, std::size_t to) {
  for (auto i = from; i < to; ++i)
    part<0>{.roots = roots, .born = -1}.tell(me, tables.first[i].first, tables.first[i].second, 2);
}

/// Until the next one is made.
program program_of(std::uint64_t seed) {
  tables = make_actors(seed);
  return make_program([](self& me) { begin(me, create_roots(me), 0, tables.first.size()); });
}

/// The same in stages, by the body of a test of which all that is to hold.
program test_of(std::uint64_t seed, const std::vector<specification>& all) {
  tables = make_actors(seed);
  return make_test_program({.run = [seed, all](self& me, test_run& run) {
    const auto roots = create_roots(me);
    for (const auto& what : all) run.specify(what);
    begin(me, roots, 0, 2);
    if (seed % 3 == 0) run.handle_all();
    if (seed % 3 == 1) run.handle_one();
    if (seed % 3 == 2) run.handle_until([&] { return run.state(roots.zero).value != 0; });
    begin(me, roots, 2, 3);
    if (seed % 2 == 0) run.handle_all();
    if (seed % 2 == 0) me.create<part<0>>(roots, 9);
    begin(me, roots, 3, 4);
  }});
}

/// The actors of the first two classes: whether they live, and their values.
using seen = std::set<std::string>;

template <int Class, class All>
void add(std::set<std::string>& texts, const All& all) {
  for (const auto& a : all)
    texts.insert(std::to_string(Class) + ":" + std::to_string(a->number) + "=" + std::to_string(a->value));
}
std::string joined(const std::set<std::string>& texts) {
  std::string all;
  for (const auto& t : texts) all += t + " ";
  return all;
}

/// Before the first delivery.
constexpr auto at_first = "0:1=0 1:2=0 ";

/// By a search of all orders, after each delivery, without a specification.
class looks final : public monitor {
public:
  explicit looks(seen& all) : all_(&all) {}
  std::optional<record> stepped(const system& now) override {
    const states s(now);
    std::set<std::string> texts;
    for (const part<0>& a : s.alive<part<0>>())
      texts.insert("0:" + std::to_string(a.number) + "=" + std::to_string(a.value));
    for (const part<1>& a : s.alive<part<1>>())
      texts.insert("1:" + std::to_string(a.number) + "=" + std::to_string(a.value));
    all_->insert(joined(texts));
    return std::nullopt;
  }

private:
  seen* all_;
};

specification noting(seen& all) {
  return always("noted", [&all](const views<part<0>>& zeros, const views<part<1>>& ones) {
    std::set<std::string> texts;
    add<0>(texts, zeros);
    add<1>(texts, ones);
    all.insert(joined(texts));
    return true;
  });
}

constexpr std::uint64_t most = 3'000;

options by(const std::string& engine, delivery model) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.judging.check_determinism = repetition::off;
  how.limits.max_executions = most;
  return how;
}

/// What is there in any order; none if there are too many.
std::optional<seen> in_any_order(const program& tested, delivery model) {
  seen all{at_first};
  looks judge(all);
  auto how = by("exhaustive", model);
  how.judging.by = &judge;
  if (!explore(tested, how).exhausted) return std::nullopt;
  return all;
}

seen looked_at(const program& tested, const std::string& engine, delivery model,
               specification (*change)(specification)) {
  seen all;
  const auto result = explore(specified(tested, {change(noting(all))}), by(engine, model));
  EXPECT_TRUE(result.exhausted) << result.stopped_by;
  return all;
}

specification as_it_is(specification s) { return s; }

class SpecificationsOfRandomPrograms : public testing::TestWithParam<delivery> {};

TEST_P(SpecificationsOfRandomPrograms, LookAtAllThatIsThereInAnyOrder) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(16); ++seed) {
    const auto tested = program_of(seed);
    const auto all = in_any_order(tested, GetParam());
    if (!all) continue;
    ++compared;
    for (const auto* engine : {"exhaustive", "optimal", "source", "persistent", "transdpor", "dcute", "stateful"}) {
      EXPECT_EQ(looked_at(tested, engine, GetParam(), as_it_is), *all) << engine << " " << seed;
    }
  }
  EXPECT_GT(compared, 5);
}

TEST_P(SpecificationsOfRandomPrograms, LookAtAllThatIsThereInAnyOrderOfATestInStages) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(4); ++seed) {
    const auto all = in_any_order(test_of(seed, {}), GetParam());
    if (!all) continue;
    ++compared;
    for (const auto* engine : {"optimal", "source", "persistent", "stateful"}) {
      seen some;
      EXPECT_TRUE(explore(test_of(seed, {noting(some)}), by(engine, GetParam())).exhausted) << engine << " " << seed;
      EXPECT_EQ(some, *all) << engine << " " << seed;
    }
  }
  EXPECT_GT(compared, 1);
}

INSTANTIATE_TEST_SUITE_P(Each, SpecificationsOfRandomPrograms,
                         testing::Values(delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox),
                         [](const auto& of) { return std::string(to_string(of.param)); });

/// In how many programs a wrong variant misses something.
int missed_with(specification (*change)(specification)) {
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto tested = program_of(seed);
    const auto all = in_any_order(tested, delivery::unordered);
    if (!all) continue;
    const auto some = looked_at(tested, "optimal", delivery::unordered, change);
    missed += std::includes(some.begin(), some.end(), all->begin(), all->end()) ? 0 : 1;
  }
  return missed;
}

TEST(WrongSpecifications, AreCaught) {
  EXPECT_EQ(missed_with(as_it_is), 0);
  EXPECT_GT(missed_with([](specification s) {  // an actor's class is forgotten in the dependence
              s.looks_at.pop_back();
              return s;
            }),
            0);
  EXPECT_GT(missed_with([](specification s) {  // nothing is widened
              s.is_of_one_actor = true;
              return s;
            }),
            0);
}

const std::vector<specification>& of_two_actors() {
  static const std::vector<specification> all = {
      always("differ", [](view<part<0>> a, view<part<1>> b) { return a->value != 2 || b->value != 1; }),
      leads_to(
          "is zero", [](view<part<0>> a, view<part<2>>) { return a->value == 1; },
          [](view<part<0>>, view<part<2>> b) { return b->value == 0; })};
  return all;
}

/// What is found in any order, which all engines find. None if there are too many orders.
std::optional<std::set<std::string>> found_by_each_engine(const program& tested, std::uint64_t seed) {
  std::optional<std::set<std::string>> first;
  for (const auto* engine : {"exhaustive", "optimal", "source", "persistent"}) {
    const auto result = explore(tested, by(engine, delivery::unordered));
    if (!result.exhausted) break;
    std::set<std::string> messages;
    for (const auto& f : result.findings)
      messages.insert(f.message.substr(0, f.message.find(" since ")));  // which of several steps is told varies
    if (!first) first = messages;
    EXPECT_EQ(*first, messages) << engine << " " << seed;
  }
  return first;
}

// The findings of predicates over two actors are those of every order.
TEST(SpecificationsOfTwoActors, AreBrokenWhereTheyAreInAnyOrder) {
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(16); ++seed) {
    const auto found = found_by_each_engine(specified(program_of(seed), of_two_actors()), seed);
    if (found && !found->empty()) ++broken;
  }
  EXPECT_GT(broken, 1);
}

TEST(SpecificationsOfTwoActors, AreBrokenInTestsWhereTheyAreInAnyOrder) {
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(4); ++seed) {
    const auto found = found_by_each_engine(test_of(seed, of_two_actors()), seed);
    if (found && !found->empty()) ++broken;
  }
  EXPECT_GT(broken, 0);
}

}  // namespace
}  // namespace harrier
