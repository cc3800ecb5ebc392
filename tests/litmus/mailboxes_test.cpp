// delivery::mailbox_interleaved is told to the searches as actors and messages. Here it is run as it is defined, one
// enqueueing after the other, on programs that are tables; and the two must agree on who can take what in which order.
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <harrier/native/program.hpp>

#include "readable.hpp"
#include "so_many.hpp"

namespace harrier::litmus {
namespace {

constexpr int actors = 3;
constexpr int hops = 2;  // a message that is the last of a chain sends nothing

struct address {
  int to;
  int value;
};
/// What each actor sends when it takes a message, by the message's value; and what starts it all.
struct table {
  std::array<std::map<int, std::vector<address>>, actors> sends;
  std::vector<address> first;
};

/// What each actor took, in its order.
using taken = std::array<std::vector<int>, actors>;

/// The definition: an actor appends what it still has to send to the receivers' queues, one message at a time, and
/// takes the first message of its own queue once it has sent everything.
class enumeration {
public:
  explicit enumeration(const table& rules) : rules_(rules) {
    configuration start;
    start.out[actors] = rules.first;
    visit(start);
  }
  std::set<taken> ends;

private:
  struct configuration {
    std::array<std::vector<address>, actors + 1> out;  // the last one is the driver's
    std::array<std::vector<int>, actors> queue;
    taken done;
  };

  void visit(const configuration& c) {
    bool is_end = true;
    for (std::size_t a = 0; a <= actors; ++a) {
      if (!c.out[a].empty()) {
        auto next = c;
        const auto x = c.out[a].front();
        next.out[a].erase(next.out[a].begin());
        next.queue[static_cast<std::size_t>(x.to)].push_back(x.value);
        is_end = false;
        visit(next);
      } else if (a < actors && !c.queue[a].empty()) {
        auto next = c;
        const auto value = c.queue[a].front();
        next.queue[a].erase(next.queue[a].begin());
        next.done[a].push_back(value);
        if (const auto rule = rules_.sends[a].find(value); rule != rules_.sends[a].end()) next.out[a] = rule->second;
        is_end = false;
        visit(next);
      }
    }
    if (is_end) ends.insert(c.done);
  }

  const table& rules_;
};

struct follower {
  const table* rules = nullptr;
  int number = 0;
  std::vector<ref<follower>> all;

  void meet(const std::vector<ref<follower>>& others) { all = others; }
  void take(self& me, int value) {
    const auto& own = rules->sends[static_cast<std::size_t>(number)];
    const auto rule = own.find(value);
    if (rule == own.end()) return;
    for (const auto& x : rule->second) me.send<&follower::take>(all[static_cast<std::size_t>(x.to)], x.value);
  }

  template <class F>
  friend bool inspect(F& f, follower& x) {
    return f.object(x).fields(f.field("number", x.number), f.field("all", x.all));
  }
};

struct starter {
  const table* rules = nullptr;
  std::vector<ref<follower>> all;

  void set_up(self& me) {
    for (int i = 0; i < actors; ++i) all.push_back(me.create<follower>(rules, i));
    for (const auto f : all) me.send<&follower::meet>(f, all);
  }
  void test(self& me) {
    for (const auto& x : rules->first) me.send<&follower::take>(all[static_cast<std::size_t>(x.to)], x.value);
  }

  template <class F>
  friend bool inspect(F& f, starter& x) {
    return f.object(x).fields(f.field("all", x.all));
  }
};

std::set<taken> as_searched(const table& rules, const searched_by& search) {
  std::set<taken> ends;
  for (const auto& t : traces(make_program(starter{&rules, {}}), search, delivery::mailbox_interleaved)) {
    taken done;
    for (std::size_t a = 0; a < actors; ++a)
      if (const auto of = t.of.find("follower_" + std::to_string(a)); of != t.of.end())
        for (const auto& text : of->second) done[a].push_back(std::stoi(text.substr(text.find('(') + 1)));
    ends.insert(done);
  }
  return ends;
}

/// At most `hops` messages in a chain; each message has a value of its own.
table random_table(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  table rules;
  int next_value = 0;
  std::vector<address> reached;
  const auto some = [&](int most) {
    std::vector<address> sends;
    for (int n = below(most + 1); n > 0; --n) sends.push_back({below(actors), next_value++});
    return sends;
  };
  rules.first = some(3);
  reached = rules.first;
  for (int hop = 0; hop < hops && next_value < 7; ++hop) {
    std::vector<address> further;
    for (const auto& x : reached) {
      const auto sends = next_value < 7 ? some(2) : std::vector<address>{};
      rules.sends[static_cast<std::size_t>(x.to)][x.value] = sends;
      further.insert(further.end(), sends.begin(), sends.end());
    }
    reached = further;
  }
  return rules;
}

class Mailboxes : public testing::TestWithParam<searched_by> {};

std::vector<searched_by> reductions_with_sleep_sets() {
  auto all = all_searches();
  std::erase_if(all, [](const searched_by& s) {  // the others would take long
    return s.engine == "exhaustive" || s.engine == "dcute" || s.engine == "persistent" || s.engine == "transdpor";
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, Mailboxes, testing::ValuesIn(reductions_with_sleep_sets()), [](const auto& of) {
  auto name = of.param.engine;
  std::replace(name.begin(), name.end(), '+', '_');
  return name;
});

TEST_P(Mailboxes, InterleavedAreWhatTheyAreDefinedToBe) {
  std::size_t different = 0;
  for (std::uint64_t seed = 1; seed <= so_many(25); ++seed) {
    const auto rules = random_table(seed);
    const auto expected = enumeration(rules).ends;
    different += expected.size() > 1 ? 1 : 0;
    EXPECT_EQ(as_searched(rules, GetParam()), expected) << "seed " << seed;
  }
  EXPECT_GT(different, 8U);
}

}  // namespace
}  // namespace harrier::litmus
