// Checkpoints of searches: which are resumed, and which are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "sharing.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Checkpoint : public testing::Test {
protected:
  Checkpoint() {
    how_.kept.checkpoint = file_.text();
    how_.kept.searched = {{"the program", "adders"}};
    how_.limits.max_executions = 20;
    static_cast<void>(explore(tested_, how_));
    how_.kept.checkpoint.clear();
    how_.kept.resume = file_.text();
    how_.limits.max_executions = 0;
  }
  program tested_ = make_program(two_adders);
  options how_ = by("optimal");
  file_name file_;
};

TEST_F(Checkpoint, IsGoneOnWith) {
  const auto alone = explore(tested_, by("optimal"));

  EXPECT_EQ(seen(explore(tested_, how_)), seen(alone));
  EXPECT_EQ(explore(tested_, how_).transitions, alone.transitions);
}

TEST_F(Checkpoint, OfASearchThatEndedHasItsResult) {
  how_.kept.checkpoint = file_.text();
  const auto ended = explore(tested_, how_);
  const auto again = explore(tested_, how_);

  EXPECT_TRUE(again.exhausted);
  EXPECT_EQ(seen(again), seen(ended));
}

TEST_F(Checkpoint, IsGoneOnWithByItsEngineIfNobodyNamesOne) {
  how_.search.engine = "auto";

  EXPECT_EQ(explore(tested_, how_).engine, "optimal");
}

TEST_F(Checkpoint, OfAnotherSearchIsRefusedAndWhatDiffersIsSaid) {
  how_.kept.searched = {{"the program", "subtracters"}};
  how_.search.delivery = delivery::fifo;

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("the program is adders there and subtracters here"),
                                             HasSubstr("the delivery model is unordered there and fifo here")));
}

TEST_F(Checkpoint, ThatIsDamagedIsRefused) {
  const auto size = std::filesystem::file_size(file_.text());
  for (const auto at : {size / 2, size - 1}) {
    std::fstream file(file_.text(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const auto old = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(old + 1));
    file.close();
    EXPECT_THAT(error_of(tested_, how_), HasSubstr("damaged")) << at;
  }
  std::filesystem::resize_file(file_.text(), size / 3);
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("damaged"));
  std::filesystem::resize_file(file_.text(), 3);
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("damaged"));
}

TEST_F(Checkpoint, IsWrittenWhereALinkLeads) {
  const auto link = file_.text() + ".link";
  std::filesystem::create_symlink(file_.text(), link);
  how_.kept.checkpoint = link;
  EXPECT_TRUE(explore(tested_, how_).exhausted);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::filesystem::remove(link);

  EXPECT_TRUE(explore(tested_, how_).exhausted);
}

TEST_F(Checkpoint, IsNotWrittenOverWhatIsNoFile) {
  how_.kept.checkpoint = file_.text() + ".folder";
  std::filesystem::create_directory(how_.kept.checkpoint);
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("give the name of a file"));
  std::filesystem::remove(how_.kept.checkpoint);
}

TEST_F(Checkpoint, ThatIsNoFileIsRefusedAtOnce) {
  how_.kept.resume = file_.text() + ".pipe";
  ASSERT_EQ(mkfifo(how_.kept.resume.c_str(), 0600), 0);
  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("cannot resume "), HasSubstr(": it is a pipe")));
  std::filesystem::remove(how_.kept.resume);
  how_.kept.resume = "/dev/zero";
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("it is a device"));
  how_.kept.resume = std::filesystem::temp_directory_path();
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("it is a folder"));
}

TEST_F(Checkpoint, ThatIsEmptyIsRefused) {
  std::filesystem::resize_file(file_.text(), 0);

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("cannot resume "), HasSubstr(": it is empty")));
}

TEST_F(Checkpoint, ThatCannotBeWrittenIsANoteAndNoLossOfWhatWasFound) {
  std::vector<std::string> told;
  auto how = by("optimal");
  how.kept.checkpoint = "/nowhere/checkpoint";
  how.told.on_checkpoint = [&](const std::string& failed, std::uint64_t) { told.push_back(failed); };
  const auto result = explore(tested_, how);

  EXPECT_EQ(seen(result), seen(explore(tested_, by("optimal"))));
  EXPECT_THAT(told, testing::ElementsAre(HasSubstr("cannot write the checkpoint /nowhere/checkpoint: No such file")));
  EXPECT_THAT(result.notes, testing::Contains(told.front()));
}

TEST_F(Checkpoint, OfASearchThatHadReachedItsLimitIsNotGoneOnWith) {
  how_.kept.checkpoint = file_.text();
  how_.limits.max_executions = 20;
  for (const std::uint64_t jobs : {1, 3, 1}) {
    how_.search.jobs = jobs;
    const auto result = explore(tested_, how_);

    EXPECT_EQ(result.executions, 20U);
    EXPECT_EQ(result.stopped_by, "the limit of 20 executions");
  }
}

TEST_F(Checkpoint, ThatIsNotThereIsSaid) {
  how_.kept.resume += ".not";

  EXPECT_THAT(error_of(tested_, how_), HasSubstr("No such file"));
}

struct judges_one_search : monitor {
  std::optional<record> stepped(const system& /*system*/) override { return {}; }
};

TEST_F(Checkpoint, IsRefusedToAMonitorThatDoesNotWriteDownWhatItSaw) {
  judges_one_search judge;
  how_.judging.by = &judge;

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr("cannot be written to a checkpoint"), HasSubstr("criterion")));
}

TEST_F(Checkpoint, IsRefusedToASearchThatIsJudgedByAnotherFormula) {
  ltl_monitor before(R"(F "adder_0 RECV add")");
  ltl_monitor now(R"(F "adder_1 RECV add")");
  how_.judging.by = &now;
  EXPECT_THAT(error_of(tested_, how_),
              AllOf(HasSubstr("what executions are judged by is nothing there"), HasSubstr(now.text())));

  auto how = how_;
  how.kept.resume.clear();
  how.kept.checkpoint = file_.text();
  how.judging.by = &before;
  static_cast<void>(explore(tested_, how));

  EXPECT_THAT(error_of(tested_, how_), AllOf(HasSubstr(before.text()), HasSubstr(now.text())));
  how_.judging.by = nullptr;
  EXPECT_THAT(error_of(tested_, how_), HasSubstr("and nothing here"));
}

/// It sends itself `only_then` where `rare` comes first.
struct rarely_met {
  int seen = 0;
  void often(self& me) {
    ++seen;
    if (seen == 4) me.destroy();
  }
  void rare(self& me) {
    if (seen == 0) me.send<&rarely_met::only_then>(me.me<rarely_met>());
    ++seen;
    if (seen == 4) me.destroy();
  }
  void only_then() {}
};
void meets_rarely(self& me) {
  const auto a = me.create<rarely_met>();
  me.send<&rarely_met::rare>(a);
  for (int i = 0; i < 4; ++i) me.send<&rarely_met::often>(a);
}

class JudgedSearch : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(JudgedSearch, ConcludesTheSameAfterInterruptions) {
  const auto [engine, formula] = GetParam();
  const auto tested = make_program(meets_rarely);
  auto how = by(engine);
  how.judging.undelivered = undelivered::ignore;
  how.limits.max_depth = 4;  // cuts those that have one more to deliver
  ltl_monitor alone(formula);
  how.judging.by = &alone;
  const auto expected = explore(tested, how);
  ASSERT_GT(expected.executions, 20U);
  ASSERT_GT(expected.truncated, 5U);

  const file_name file;
  how.kept.checkpoint = file.text();
  for (how.limits.max_executions = 3; how.limits.max_executions < 1000; how.limits.max_executions += 3) {
    ltl_monitor next(formula);  // as in a process of its own
    how.judging.by = &next;
    how.search.jobs = 1 + how.limits.max_executions % 2;
    const auto result = explore(tested, how);
    how.kept.resume = file.text();
    if (result.stopped_by != expected.stopped_by) continue;
    EXPECT_EQ(seen(result), seen(expected));
    EXPECT_EQ(result.notes, expected.notes);
    return;
  }
  FAIL() << "it did not end";
}

INSTANTIATE_TEST_SUITE_P(
    Sharing, JudgedSearch,
    testing::Combine(testing::Values("exhaustive", "optimal"),
                     testing::Values(R"(F "rarely_met_0 RECV rare")", R"(G !"rarely_met_0 RECV only_then")",
                                     R"(F "rarely_met_0 RECV only_then")", R"(G !"rarely_met_0 RECV nothing")")));

}  // namespace
}  // namespace harrier
