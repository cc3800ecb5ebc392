#include <harrier/core/monitor.hpp>

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

#include "counting.hpp"
#include "scripted.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Notes what it sees; breaks at the letter 'w'.
class noting final : public monitor {
public:
  std::optional<record> stepped(const system& s) override {
    seen += name(s);
    if (name(s) != 'w') return {};
    return record{.message = "w was taken"};
  }
  void undone(const system& s) override { seen += {'-', name(s)}; }
  std::vector<record> ended(const system&) override { return {{.message = "the end"}}; }

  std::string seen;

private:
  static char name(const system& s) {
    const auto& all = dynamic_cast<const scripted&>(s);
    return all.name_of(s.step_at(s.step_count() - 1).message);
  }
};

script with_w() {
  return {.starts = "awb", .letters = {{.name = 'a', .to = '1', .draws = {2}}, {'w', '1'}, {'b', '2'}}};
}

TEST(Monitor, SeesEachStepAndEachUndoOnce) {
  scripted s(with_w());
  noting judge;
  s.watch().attach(&judge);
  s.take("ab");
  s.undo();
  s.take("w");
  s.undo_all();

  EXPECT_EQ(judge.seen, "ab-bw-w-a");
}

TEST(Monitor, DoesNotSeeRepetitions) {
  scripted s(with_w());
  s.watch().check_determinism(repetition::all);
  s.watch().check_undo(true);
  noting judge;
  s.watch().attach(&judge);
  s.take("aw");
  s.undo();

  EXPECT_EQ(judge.seen, "aw-w");
}

TEST(Monitor, FlagsTheStepThatBreaksIt) {
  scripted s(with_w());
  noting judge;
  counting watcher;
  s.watch().attach(&judge);
  s.watch().observe(&watcher);
  s.take("awb");

  const auto found = s.records_of_step(s.step_of('w'));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "w was taken");
  EXPECT_EQ(found[0].kind, finding_kind::invariant);
  EXPECT_EQ(found[0].at, s.step_of('w'));
  EXPECT_THAT(watcher.flagged, ElementsAre("w was taken"));
  s.undo_all();
  s.take("a");
  EXPECT_THAT(s.records_of_last_step(), IsEmpty());
}

TEST(Monitor, SeesNothingOnceTakenOff) {
  scripted s(with_w());
  noting judge;
  s.watch().attach(&judge);
  s.take("a");
  s.watch().attach(nullptr);
  s.take("b");
  s.undo_all();

  EXPECT_EQ(judge.seen, "a");
}

TEST(Monitors, SpeakOneAtOnceAndTheOthersAtTheEnd) {
  scripted s(with_w());
  noting one;
  noting other;
  monitors both({&one, &other});
  s.watch().attach(&both);
  s.take("aw");

  EXPECT_EQ(s.records_of_last_step().size(), 1U);
  const auto last = both.ended(s);
  ASSERT_EQ(last.size(), 3U);  // what the other said, and the ends of both
  EXPECT_EQ(last[0].message, "w was taken");
  EXPECT_EQ(last[0].at, s.step_of('w'));
  s.undo();
  EXPECT_EQ(both.ended(s).size(), 2U);
  EXPECT_EQ(other.seen, "aw-w");
}

}  // namespace
}  // namespace harrier
