// What goes with what: every combination of engine, delivery model and option, and every pair of options, either runs
// with the executions that it must have, or is refused by name before anything is delivered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>

#include "../litmus/so_many.hpp"
#include "combinations.hpp"

namespace harrier {
namespace {

using combinations::ask;
using combinations::asked_search;
using combinations::asks;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

program plain(const asked_search& asked) {
  const auto bare = make_program(combinations::three_messages);
  return asked.script.empty() ? bare : specified(bare, asked.script);
}
program with_a_body_that_waits(const asked_search& asked) {
  return make_test_program({.run = [script = asked.script](self& me, test_run& by) {
    combinations::three_messages(me);
    for (const auto& line : script) by.specify(line);
    by.handle_all();
  }});
}
using kind_of_tested = program (*)(const asked_search&);

struct result_of_cell {
  exploration seen;
  std::string refused;  // in what words
  bool has_run = false;
};

result_of_cell run(const program& tested, const asked_search& asked) {
  result_of_cell cell;
  const auto before = combinations::handled();
  try {
    cell.seen = explore(tested, asked.how);
  } catch (const error& e) {
    cell.refused = e.what();
  }
  cell.has_run = combinations::handled() != before;
  return cell;
}

std::set<std::string> words_of(const exploration& seen) {
  std::set<std::string> all;
  for (const auto& o : seen.outcomes) all.insert(o.first);
  return all;
}

std::vector<std::string> sentences(const resolution& found) {
  std::vector<std::string> all;
  for (const auto& o : found.objections) all.push_back(o.says);
  return all;
}

/// Of so many one; with HARRIER_MORE_SEEDS each.
class one_of_some {
public:
  explicit one_of_some(std::size_t how_many) : how_many_(litmus::so_many(1) > 1 ? 1 : how_many) {}
  bool has_come() { return next_++ % how_many_ == 0; }

private:
  std::size_t how_many_;
  std::size_t next_ = 0;
};

class Combinations : public testing::Test {
protected:
  ~Combinations() override { std::filesystem::remove_all(folder_); }
  Combinations() {
    auto name = testing::TempDir() + "harrier-combinations-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    folder_ = name;
  }

  /// One cell, and what it must be.
  void look_at(kind_of_tested made, const std::string& engine, delivery model, const std::vector<const ask*>& with) {
    asked_search asked;
    asked.folder = folder_;
    start(asked, engine, model);
    std::string name = engine + ", " + std::string(to_string(model));
    for (const auto* what : with) {
      what->add(asked);
      name += ", " + std::string(what->option);
    }
    SCOPED_TRACE(name);
    if (asked.who == searched_by::a_broker) return;  // tests/distributed
    const auto tested = made(asked);
    const auto all = objections(tested, asked);
    if (all.empty() && !with.empty() && !turn_.has_come()) return;
    const auto cell = run(tested, asked);
    std::filesystem::remove(folder_ + "/search.ck");
    ++cells_;
    if (!all.empty()) {
      ++refused_;
      for (const auto& says : all) EXPECT_THAT(cell.refused, HasSubstr(says));
      EXPECT_FALSE(cell.has_run) << "refused only after something was delivered: " << cell.refused;
      return;
    }
    EXPECT_THAT(cell.refused, IsEmpty());
    EXPECT_TRUE(cell.has_run);
    EXPECT_THAT(cell.seen.findings, IsEmpty()) << (cell.seen.findings.empty() ? "" : cell.seen.findings[0].message);
    // A script leaves executions out.
    if (!asked.how.search.only_estimate && asked.script.empty()) compare(made, asked, cell.seen, with);
  }

  static options named(options how, const named_engine& engine) {
    how.search.engine = engine.name;
    return how;
  }

  /// Those of a search, or why the program cannot be started for it.
  static std::vector<std::string> objections(const program& tested, const asked_search& asked) {
    const auto before = resolve({}, asked.how);
    if (!before.objections.empty()) return sentences(before);
    try {
      const auto found = resolve(facts_of(tested, asked.how), asked.how);
      if (found.plan.engine != nullptr) static_cast<void>(facts_of(tested, named(asked.how, *found.plan.engine)));
      return sentences(found);
    } catch (const untestable_program& e) {
      return {e.what()};
    }
  }

  void start(asked_search& asked, const std::string& engine, delivery model) {
    asked.how.search.engine = engine;
    asked.how.search.delivery = model;
    asked.how.judging.keep_going = true;
    if (engine == "pos" || engine == "pct" || engine == "random") asked.how.limits.max_executions = 20;
  }

  void compare(kind_of_tested made, const asked_search& asked, const exploration& seen,
               const std::vector<const ask*>& with) {
    EXPECT_THAT(seen.findings, IsEmpty());
    const auto tested = made(asked);
    asked_search bare;
    start(bare, std::string(asked.how.search.engine.name()), asked.how.search.delivery);
    bare.how.search.observers = seen.observers;
    if (!resolve(facts_of(tested, bare.how), bare.how).objections.empty()) bare.how.search.observers.reset();
    const auto& plain = explored(made, bare);
    const bool is_limited = asked.how.search.delays.has_value() || asked.how.limits.budget > 0;
    if (!is_limited) {
      EXPECT_EQ(seen.exhausted, plain.exhausted);
    }
    const bool keeps = std::all_of(with.begin(), with.end(), [](const ask* a) { return a->keeps_count; });
    if (keeps && seen.engine == plain.engine) {
      EXPECT_EQ(seen.executions, plain.executions);
    }
    if (seen.exhausted && seen.engine != "stateful") {
      EXPECT_EQ(words_of(seen), all_words(made, asked.how.search.delivery));
    }
  }

  const exploration& explored(kind_of_tested made, const asked_search& bare) {
    const std::tuple key{made, std::string(bare.how.search.engine.name()), bare.how.search.delivery.operator delivery(),
                         bare.how.search.observers.value_or(false)};
    const auto at = explored_.find(key);
    return at != explored_.end() ? at->second : explored_.emplace(key, explore(made(bare), bare.how)).first->second;
  }
  std::set<std::string> all_words(kind_of_tested made, delivery model) {
    asked_search bare;
    start(bare, "exhaustive", model);
    return words_of(explored(made, bare));
  }

  one_of_some turn_{1};  // of those that run, and not as they are
  std::string folder_;
  std::map<std::tuple<kind_of_tested, std::string, delivery, bool>, exploration> explored_;
  int cells_ = 0;
  int refused_ = 0;
};

TEST_F(Combinations, OfAnEngineAModelAndAnOptionRunOrAreRefusedBeforeAnythingIsDelivered) {
  turn_ = one_of_some(2);
  for (const kind_of_tested tested : {plain, with_a_body_that_waits})
    for (const auto& engine : engine_names())
      for (const auto model : delivery_models()) {
        const bool is_plain = tested == plain;
        if (!is_plain && model != delivery::unordered && model != delivery::mailbox) continue;
        look_at(tested, engine, model, {});
        for (const auto& what : asks())
          if (what.option != "--estimate" || (model == delivery::unordered && (engine == "auto" || engine == "trust")))
            look_at(tested, engine, model, {&what});  // an estimate takes a second or two
        explored_.clear();
      }
  RecordProperty("cells", cells_);
  RecordProperty("refused", refused_);
  EXPECT_GT(cells_, refused_);
}

TEST_F(Combinations, OfAnEngineAndTwoOptionsRunOrAreRefusedBeforeAnythingIsDelivered) {
  turn_ = one_of_some(3);
  for (const auto& engine : engine_names())
    for (std::size_t i = 0; i < asks().size(); ++i)
      for (std::size_t j = i + 1; j < asks().size(); ++j) {
        const auto& one = asks()[i];
        const auto& other = asks()[j];
        if (one.option == "--estimate" || other.option == "--estimate") continue;  // they take two seconds each
        look_at(plain, engine, delivery::unordered, {&one, &other});
      }
  RecordProperty("cells", cells_);
  RecordProperty("refused", refused_);
  EXPECT_GT(cells_, refused_);
}

TEST(Objections, AreAllSaidAtOnce) {
  options how;
  how.search.engine = "exhaustive";
  how.search.sleep_sets = true;
  how.search.ordering = "lifo";
  how.search.observers = true;
  try {
    validate(how);
    FAIL();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("no use for an ordering"));
    EXPECT_THAT(e.what(), HasSubstr("\n  also: engine exhaustive has no use for sleep sets"));
    EXPECT_THAT(e.what(), HasSubstr("\n  also: engine exhaustive does not tell observers apart"));
  }
}

TEST(Objections, ToWhatDependsOnTheProgramWaitForIt) {
  options how;
  how.search.engine = "optimal";
  how.search.jobs = 2;
  EXPECT_THAT(resolve({}, how).objections, IsEmpty());
  EXPECT_THAT(resolve({.are_known = true, .has_stages = true}, how).objections, IsEmpty());
  const auto found = resolve({.are_known = true, .has_stages = true, .shows_changes = false}, how).objections;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found.front().of_sharing);
}

TEST(CombinationsPage, IsWhatTheTableSays) {
  std::ifstream file(HARRIER_SOURCES "/docs/combinations.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == combinations::page()) << "docs/combinations.md is not what resolve() says; write it anew: "
                                                     "tests/explore/combinations_page > docs/combinations.md";
}

}  // namespace
}  // namespace harrier
