// Random programs that use requests, delegation, priorities, skipped messages, monitors and ends: what harrier finds
// that their actors can hear is what a model of CAF says, neither more nor less, and the same with a reduction as
// without. scripts/check-caf-natively compares the model with CAF itself.
#include <gmock/gmock.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>
#include <harrier/explore/explore.hpp>

#include "../../src/adapter/caf/interposed.hpp"
#include "../../src/adapter/caf/run.hpp"
#include "tables/actors.hpp"

namespace harrier {
namespace {

using testing::IsEmpty;

/// A run that tells at its end what its actors have heard.
class run_that_hears final : public reexecution::live_run {
public:
  run_that_hears(const caf_tables::tables& of, std::uint64_t number, seen_of_program& seen, reexecution::listener& told)
      : body_([this, &of] {
          caf::actor_system_config config;
          caf::actor_system system(config);
          const auto actors = caf_tables::start(system, of, heard_);
          system.await_all_actors_done();
        }),
        run_(body_, number, {}, seen, told) {}

  void begin() override { run_.begin(); }
  bool deliver(std::uint32_t message) override { return run_.deliver(message); }
  [[nodiscard]] std::string describe(std::uint32_t message) const override { return run_.describe(message); }
  [[nodiscard]] std::vector<record> at_end() const override {
    return {{.kind = finding_kind::assertion, .message = caf_tables::to_text(heard_)}};
  }

private:
  caf_tables::heard heard_;
  const caf_adapter::program_body body_;
  caf_adapter::run run_;  // goes first
};

program with_caf(const caf_tables::tables& of) {
  static const auto interposed = (caf_adapter::interpose(), true);
  static_cast<void>(interposed);
  static std::uint64_t programs = 1000;
  const auto seen = std::make_shared<seen_of_program>();
  return reexecution::reexecute(
      {.start = [&of, seen, number = ++programs](
                    reexecution::listener& told) { return std::make_unique<run_that_hears>(of, number, *seen, told); },
       .tells_end_before_it_answers = caf_adapter::tells_end_before_it_answers,
       .fetches_when_nothing_is_left = caf_adapter::fetches_when_nothing_is_left,
       .usual_delivery = delivery::causal,
       .seen = seen});
}

struct explored {
  std::set<std::string> heard;
  std::set<std::string> else_found;
  bool is_all = false;
};

explored explore_by(const char* engine, const caf_tables::tables& of, std::uint64_t most) {
  options how;
  how.search.engine = engine;
  how.search.delivery = delivery::causal;
  how.judging.keep_going = true;
  how.judging.undelivered = undelivered::ignore;
  how.limits.max_executions = most;
  how.judging.check_determinism = repetition::off;
  explored all;
  const auto result = explore(with_caf(of), how);
  for (const auto& f : result.findings)
    (f.kind == finding_kind::assertion ? all.heard : all.else_found).insert(f.message);
  all.is_all = result.exhausted;
  if (!result.stopped_by.empty()) all.else_found.insert(result.stopped_by);
  return all;
}

std::string difference(const std::set<std::string>& expected, const std::set<std::string>& got) {
  std::string text;
  for (const auto& e : expected)
    if (!got.contains(e)) text += "\n  MISSED  " + e;
  for (const auto& g : got)
    if (!expected.contains(g)) text += "\n  CANNOT BE  " + g;
  return text;
}

std::uint64_t tables_to_try() {
  const auto* const said = std::getenv("HARRIER_CAF_SEEDS");
  return said != nullptr ? std::strtoull(said, nullptr, 10) : 24;
}

/// To go on where another run has ended.
std::uint64_t first_table() {
  const auto* const said = std::getenv("HARRIER_CAF_FIRST_SEED");
  return said != nullptr ? std::strtoull(said, nullptr, 10) : 1;
}

TEST(RandomCafTables, LetActorsHearWhatAModelOfCafSays) {
  std::vector<std::string> all;
  std::uint64_t compared = 0, reduced = 0;
  for (std::uint64_t seed = first_table(); seed < first_table() + tables_to_try(); ++seed) {
    const auto tables = caf_tables::make_random(seed, caf_tables::of_caf);
    const auto expected = caf_tables::outcomes_by_model(tables, caf_tables::of_caf, 60'000);
    if (!expected || expected->size() > 500) continue;
    const auto optimal = explore_by("optimal", tables, 20'000);
    if (!optimal.is_all && optimal.else_found.contains("the limit of 20,000 executions")) continue;
    ++compared;
    const auto note = [&](const char* engine, const explored& by) {
      auto wrong = difference(*expected, by.heard);
      for (const auto& f : by.else_found) wrong += "\n  FOUND  " + f;
      if (!wrong.empty())
        all.push_back("seed " + std::to_string(seed) + ", " + engine + ":" + wrong + "\n" +
                      caf_tables::to_text(tables));
    };
    note("optimal", optimal);
    const auto exhaustive = explore_by("exhaustive", tables, 2'000);
    if (exhaustive.is_all) note("exhaustive", exhaustive), ++reduced;
    if (all.size() > 3) break;
  }

  EXPECT_THAT(all, IsEmpty());
  EXPECT_GE(compared, tables_to_try() / 3);
  EXPECT_GE(reduced, tables_to_try() / 6);
}

}  // namespace
}  // namespace harrier
