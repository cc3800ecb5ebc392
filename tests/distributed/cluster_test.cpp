// Runs with a real broker and real workers: whatever happens to them, the counts are those of a search by one.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster.hpp"

namespace cluster {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string harrier = HARRIER;
const std::string others = OTHER_PROGRAMS;

/// Takes seconds, so that something can happen while it runs: 9! executions, or 10!.
#ifdef NDEBUG
const std::string messages = "messages=10";
constexpr int executions_of_long_search = 3'628'800;
#else
const std::string messages = "messages=9";
constexpr int executions_of_long_search = 362'880;
#endif
const std::vector<std::string> long_search = {"long-search", messages, "--keep-going", "--worker-timeout", "1"};

class Cluster : public testing::Test {
protected:
  void SetUp() override {
    if (!broker::is_installed()) GTEST_SKIP() << "there is no nats-server; scripts/setup distributed installs one";
    at_ = std::make_unique<broker>();
  }
  process work(const std::vector<std::string>& more = {}) {
    auto words = more;
    words.insert(words.end(), {"--slice", "0.2"});
    return at_->work(words, others);
  }
  void expect_all_of(process& run) {
    EXPECT_EQ(run.wait(), 0) << run.output();
    const auto result = at_->result();
    EXPECT_EQ(result.value("executions", 0), executions_of_long_search) << run.output();
    EXPECT_TRUE(result.value("exhausted", false));
  }

  std::unique_ptr<broker> at_;
};

TEST_F(Cluster, CountsWhatOneSearchCounts) {
  const std::vector<std::vector<std::string>> programs = {
      {"server"}, {"philosophers", "n=3"}, {"leader", "n=4"}, {"two-phase-commit"}, {"senders", "n=7"}, {"overtaken"}};
  for (auto words : programs) {
    words.emplace_back("--keep-going");
    auto alone_words = words;
    alone_words.insert(alone_words.begin(), {harrier, "explore"});
    alone_words.insert(alone_words.end(), {"--engine", "trust", "--json", (at_->folder() / "alone.json").string()});
    process alone(alone_words, at_->folder() / "alone");
    const auto status = alone.wait();
    ASSERT_NE(status, 2) << alone.output();
    const auto expected = nlohmann::json::parse(std::ifstream(at_->folder() / "alone.json"));

    auto one = at_->work({"--slice", "0.05", "--jobs", "2"}, harrier);
    auto run = at_->explore(words, harrier);
    EXPECT_EQ(run.wait(), status) << run.output();
    EXPECT_EQ(one.wait(), 0) << one.output();
    const auto result = at_->result();
    for (const auto* number : {"executions", "blocked", "truncated", "max_depth", "actors", "outcomes", "exhausted"})
      EXPECT_EQ(result[number], expected[number]) << words[0] << ": " << number;
    EXPECT_EQ(result["findings"].size(), expected["findings"].size()) << words[0];
    EXPECT_EQ(result["warnings"].size(), expected["warnings"].size()) << words[0];
  }
}

TEST_F(Cluster, LosesNothingWithAWorkerThatIsKilled) {
  auto run = at_->explore(long_search, others);
  auto first = work();
  ASSERT_TRUE(first.says("works at run")) << first.output();
  auto second = work({"--jobs", "2"});
  first.send(SIGKILL);
  EXPECT_EQ(first.wait(), 128 + SIGKILL);
  expect_all_of(run);
  EXPECT_EQ(second.wait(), 0);
}

TEST_F(Cluster, LosesNoFindingOfAWorkerThatDiesOfIt) {
  const auto once = (at_->folder() / "once").string();
  setenv("HARRIER_E2E_DIES_ONCE", once.c_str(), 1);
  auto run = at_->explore({"dies-of-its-finding", "--keep-going", "--worker-timeout", "1"}, others);
  auto first = work();
  EXPECT_EQ(first.wait(), 2);
  EXPECT_THAT(first.output(), HasSubstr("a process that searched was ended by signal 9 (Killed)"));
  EXPECT_TRUE(std::filesystem::exists(once));
  auto second = work();
  EXPECT_EQ(run.wait(), 1) << run.output();
  EXPECT_EQ(second.wait(), 0) << second.output();
  unsetenv("HARRIER_E2E_DIES_ONCE");
  const auto result = at_->result();
  EXPECT_EQ(result["executions"], 5040);
  ASSERT_EQ(result["findings"].size(), 1U);
  EXPECT_THAT(result["findings"][0]["message"], "these are the last words");
}

TEST_F(Cluster, TakesBackWhatAWorkerHasInHandThatIsStopped) {
  auto words = long_search;
  words.back() = "1000";  // so that it does not come back by itself
  auto run = at_->explore(words, others);
  auto first = work({"--jobs", "2"});
  ASSERT_TRUE(first.says("works at run")) << first.output();
  auto second = work({"--jobs", "2"});
  first.send(SIGTERM);
  EXPECT_EQ(first.wait(), 0) << first.output();
  expect_all_of(run);
  EXPECT_EQ(second.wait(), 0);
}

TEST_F(Cluster, GoesOnWithoutAWorkerThatHangsAndDropsWhatItSaysLater) {
  auto run = at_->explore(long_search, others);
  auto first = work();
  ASSERT_TRUE(first.says("works at run")) << first.output();
  auto second = work({"--jobs", "2"});
  ASSERT_TRUE(second.says("works at run")) << second.output();
  first.send(SIGSTOP);
  expect_all_of(run);
  first.send(SIGCONT);
  EXPECT_EQ(second.wait(), 0);
}

TEST_F(Cluster, GoesOnWhenTheBrokerIsKilledAndComesBack) {
  auto run = at_->explore(long_search, others);
  auto worker = work({"--jobs", "2"});
  ASSERT_TRUE(worker.says("works at run")) << worker.output();
  at_->kill();
  at_->start();
  expect_all_of(run);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, GoesOnWhenTheBrokerHasLostItsFiles) {
  auto run = at_->explore(long_search, others);
  auto worker = work({"--jobs", "2"});
  ASSERT_TRUE(worker.says("works at run")) << worker.output();
  at_->kill();
  at_->lose_files();
  at_->start();
  expect_all_of(run);
  EXPECT_THAT(run.output(), HasSubstr("the broker has lost this run's files"));
}

TEST_F(Cluster, GoesOnWhenThereIsRoomAgainAtTheBroker) {
  at_->kill();
  at_->start("max_file_store: 5KB");
  auto run = at_->explore(long_search, others);
  auto worker = work({"--jobs", "2"});
  EXPECT_TRUE(worker.says("the broker cannot keep a result: ")) << worker.output();
  EXPECT_THAT(worker.output(), HasSubstr("insufficient resources"));
  at_->kill();
  at_->start();
  expect_all_of(run);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, AdmitsWhomTheBrokerAdmitsAndTellsNobodyThePassword) {
  const auto file = [&](const char* name) { return (at_->folder() / name).string(); };
  const auto make =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext "
      "subjectAltName=IP:127.0.0.1 -keyout " +
      file("key.pem") + " -out " + file("cert.pem") + " 2>/dev/null";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "there is no openssl that makes a certificate";
  at_->kill();
  // The permissions are those that docs/distributed.md tells users to give.
  const std::string subjects = R"(["harrier.>", "$JS.API.>", "$JS.ACK.>", "_INBOX.>"])";
  at_->start("", "tls { cert_file: \"" + file("cert.pem") + "\", key_file: \"" + file("key.pem") + "\", ca_file: \"" +
                     file("cert.pem") + "\", verify: true }\n" +
                     "authorization { users: [ { user: me, password: opensesame, permissions: { publish: " + subjects +
                     ", subscribe: " + subjects + " } } ] }\n");
  const std::vector<std::string> proofs = {"--broker-ca",    file("cert.pem"), "--broker-cert",
                                           file("cert.pem"), "--broker-key",   file("key.pem")};
  const auto with_proofs = [&](std::vector<std::string> words) {
    words.insert(words.end(), proofs.begin(), proofs.end());
    return words;
  };

  at_->is_called("tls://me:opensesame@");
  auto unknown = work();
  EXPECT_EQ(unknown.wait(), 2);
  EXPECT_THAT(unknown.output(), HasSubstr("cannot be talked to: SSL Error"));
  EXPECT_THAT(unknown.output(), Not(HasSubstr("sesame")));
  at_->is_called("tls://me:wrong@");
  auto wrong = work(with_proofs({}));
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.output(), HasSubstr("Authorization Violation"));
  EXPECT_THAT(wrong.output(), Not(HasSubstr("wrong")));

  at_->is_called("tls://me:opensesame@");
  auto run = at_->explore(with_proofs(long_search), others);
  auto worker = work(with_proofs({"--jobs", "2"}));
  expect_all_of(run);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, GoesOnWithARunWhoseCommandWasKilled) {
  auto words = long_search;
  words.insert(words.end(), {"--run", "mine"});
  auto worker = work({"--jobs", "2"});
  {
    auto run = at_->explore(words, others);
    ASSERT_TRUE(worker.says("works at run")) << worker.output();
    run.send(SIGKILL);
    EXPECT_EQ(run.wait(), 128 + SIGKILL);
  }
  auto different = words;
  different[1] = "messages=8";
  auto wrong = at_->explore(different, others);
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.output(), HasSubstr("run mine at the broker is one of another program"));

  auto again = at_->explore(words, others);
  expect_all_of(again);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, RefusesAWorkerOfAnotherBuild) {
  auto run = at_->explore(long_search, others);
  auto wrong = at_->work({}, harrier);
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.output(), HasSubstr("another build of the program"));
  EXPECT_TRUE(run.says("a worker was refused"));
}

TEST_F(Cluster, EndsAtTheWorkersWhenItIsInterrupted) {
  auto run = at_->explore(long_search, others);
  auto worker = work({"--jobs", "2"});
  ASSERT_TRUE(worker.says("works at run"));
  run.send(SIGINT);
  EXPECT_EQ(run.wait(), 3) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("an interrupt"));
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, FindsWhatCrashesAndWhatDoesNotEnd) {
  for (const auto* way : {"segv", "loop"}) {
    auto worker = work();
    auto run = at_->explore({"harm", std::string("how=") + way, "--handler-limit", "1"}, others);
    EXPECT_EQ(run.wait(), 1) << run.output();
    const auto result = at_->result();
    ASSERT_EQ(result["findings"].size(), 1U);
    EXPECT_EQ(result["findings"][0]["kind"], way == std::string("segv") ? "crash" : "nontermination");
    EXPECT_EQ(result["findings"][0]["trace"].size(), 2U);
    EXPECT_EQ(worker.wait(), 0) << worker.output();
  }
}

TEST_F(Cluster, EndsAtTheFirstFindingWithItsShortestSchedule) {
  auto worker = work();
  auto run = at_->explore({"failing-check"}, others);
  EXPECT_EQ(run.wait(), 1) << run.output();
  const auto result = at_->result();
  ASSERT_EQ(result["findings"].size(), 1U);
  EXPECT_EQ(result["findings"][0]["kind"], "assertion");
  EXPECT_EQ(result["findings"][0]["trace"].size(), 3U);
  EXPECT_TRUE(result["findings"][0]["shortest"]);
}

TEST_F(Cluster, RefusesWhatCannotBeShared) {
  for (const auto& [words, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"choices", "--engine", "stateful"}, "engine stateful cannot be shared"},
           {{"choices", "--delivery", "mailbox"}, "mailbox-interleaved can be"},
           {{"choices", "--budget", "3"}, "with --broker give --time-limit"},
           {{"choices", "--in-process"}, "--in-process searches here"}}) {
    auto run = at_->explore(words, others);
    EXPECT_EQ(run.wait(), 2);
    EXPECT_THAT(run.output(), HasSubstr(why));
  }
}

TEST_F(Cluster, SaysThatThereIsNoBroker) {
  at_->kill();
  auto worker = work();
  EXPECT_EQ(worker.wait(), 2);
  EXPECT_THAT(worker.output(), HasSubstr("cannot connect to the broker at nats://127.0.0.1"));
}

}  // namespace
}  // namespace cluster
