// What judges are shown of an execution under each delivery model: the actions of the program's own actors, whatever
// carries the messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/property/actor_action.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "../litmus/random_program.hpp"
#include "../litmus/so_many.hpp"
#include "../property/oracle.hpp"

namespace harrier {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Each allows a part of what the one before it allows (docs/delivery.md).
constexpr std::array models = {delivery::unordered, delivery::fifo, delivery::causal, delivery::mailbox_interleaved,
                               delivery::mailbox};

using word = std::vector<std::string>;

/// Keeps the words of all complete executions.
class listening final : public monitor {
public:
  std::optional<record> stepped(const system&) override { return {}; }
  std::vector<record> ended(const system& s) override {
    if (s.aborted()) return {};
    std::vector<actor_action> actions;
    for (std::size_t i = 0; i < s.step_count(); ++i) append_actions(s, i, actions);
    word heard;
    for (const auto& a : actions) heard.push_back(to_text(s, a));
    words.insert(heard);
    return {};
  }
  std::set<word> words;
};

options all_orders(delivery model, monitor& judge) {
  options how;
  how.search.engine = "exhaustive";
  how.search.delivery = model;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.limits.max_executions = 2'000;
  how.judging.by = &judge;
  return how;
}

struct store {
  int value = 0;
  void set(int v) { value = v; }
  int get() const { return value; }
};
struct client {
  ref<store> from;
  task start(self& me) {
    me.send<&store::set>(from, 5);
    co_await me.call<&store::get>(from);
  }
};
void one_client(self& me) { me.send<&client::start>(me.create<client>(me.create<store>())); }

class UnderModel : public testing::TestWithParam<delivery> {};

TEST_P(UnderModel, ALetterNamesWhoSentTheMessage) {
  ltl_monitor never(R"(G !"store_0 RECV set FROM client_1")");
  ltl_monitor always(R"(F "store_0 RECV set FROM client_1")");
  monitors all({&never, &always});
  const auto result = explore(make_program(one_client), all_orders(GetParam(), all));

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].actor, "store_0");
  EXPECT_THAT(result.findings[0].message, HasSubstr("G !"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("F \"store_0 RECV set FROM client_1\" holds in every execution")));
}

TEST_P(UnderModel, AMonitorsOwnLookAtAStateIsAtTheProgramsActors) {
  class looking final : public monitor {
  public:
    std::optional<record> stepped(const system& s) override {
      for (const store& x : states(s).all<store>()) seen.insert(x.value);
      return {};
    }
    std::vector<record> ended(const system&) override { return {}; }
    std::set<int> seen;
  };
  looking judge;
  static_cast<void>(explore(make_program(one_client), all_orders(GetParam(), judge)));

  EXPECT_EQ(judge.seen, (std::set{0, 5}));
}

INSTANTIATE_TEST_SUITE_P(Judges, UnderModel, testing::ValuesIn(models), [](const auto& of) {
  auto name = std::string(to_string(of.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// How often a formula fails in `words`, by the definitions; atoms are beginnings of actions.
std::size_t violations(const std::set<word>& words, const formula& f) {
  return static_cast<std::size_t>(std::count_if(words.begin(), words.end(), [&](const word& actions) {
    test::letters letters;
    for (const auto& action : actions) {
      auto& letter = letters.emplace_back();
      for (const auto& atom : f.atoms())
        if (action.starts_with(atom + " ")) letter.insert(atom);
    }
    return !test::satisfies({letters, {}}, f);
  }));
}

bool can_start(const program& tested, delivery model) {
  try {
    static_cast<void>(tested.start(model));
    return true;
  } catch (const untestable_program&) {
    return false;
  }
}

std::string first_not_in(const std::set<word>& before, const std::set<word>& words) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const word& w) { return !before.contains(w); });
  std::string text;
  if (found != words.end())
    for (const auto& action : *found) text += "\n  " + action;
  return text;
}

// What a model adds to carry the messages would be in no word of the model before it.
TEST(JudgesOfRandomPrograms, HearUnderEachModelAPartOfWhatTheyHearUnderTheOneBefore) {
  const auto formula = parse_formula(R"(F "node_1 RECV take" | G !"node_0 SEND take_guarded")").value;
  std::size_t compared = 0;
  std::size_t fewer = 0;
  std::size_t violated = 0;
  for (std::uint64_t seed = 1; seed <= litmus::so_many(20); ++seed) {
    const auto tables = litmus::make_random(seed);
    const auto tested = litmus::interpret(tables);
    std::set<word> before;
    for (const auto model : models) {
      if (!can_start(tested, model)) break;
      listening all;
      if (!explore(tested, all_orders(model, all)).exhausted) break;
      if (model != delivery::unordered) {
        ++compared;
        fewer += all.words.size() < before.size() ? 1 : 0;
        EXPECT_TRUE(std::includes(before.begin(), before.end(), all.words.begin(), all.words.end()))
            << "seed " << seed << " under " << to_string(model) << first_not_in(before, all.words);
      }
      ltl_monitor judge(to_string(*formula));
      const auto result = explore(tested, all_orders(model, judge));
      const auto is_violated = std::any_of(result.findings.begin(), result.findings.end(),
                                           [](const finding& f) { return f.kind == finding_kind::ltl; });
      const auto is_aborting = std::any_of(result.findings.begin(), result.findings.end(), [](const finding& f) {
        return f.kind == finding_kind::exception || f.kind == finding_kind::assertion;
      });
      if (violations(all.words, *formula) > 0) {
        EXPECT_TRUE(is_violated) << "seed " << seed << " under " << to_string(model);
        ++violated;
      } else if (!is_aborting) {
        EXPECT_FALSE(is_violated) << "seed " << seed << " under " << to_string(model);
      }
      before = std::move(all.words);
    }
  }
  EXPECT_GT(compared, 20U);
  EXPECT_GT(fewer, 2U);
  EXPECT_GT(violated, 2U);
}

}  // namespace
}  // namespace harrier
