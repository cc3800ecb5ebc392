// Runs with a real broker and real workers: whatever happens to them, the counts are those of a search by one.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
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
const std::string fewer_messages = messages;
constexpr int executions_of_short_search = executions_of_long_search;
#else
const std::string messages = "messages=9";
constexpr int executions_of_long_search = 362'880;
const std::string fewer_messages = "messages=8";
constexpr int executions_of_short_search = 40'320;
#endif
const std::vector<std::string> long_search = {"long-search", messages, "--keep-going", "--worker-timeout", "1"};
/// Where what is to happen does so at its beginning.
const std::vector<std::string> short_search = {"long-search", fewer_messages, "--keep-going", "--worker-timeout", "1"};
/// Does not end: 30! executions.
const std::vector<std::string> endless_search = {"long-search", "messages=30", "--keep-going"};

class Cluster : public testing::Test {
protected:
  void SetUp() override {
    if (!broker::is_installed()) GTEST_SKIP() << "there is no nats-server; scripts/setup distributed installs one";
    at_ = std::make_unique<broker>();
  }
  /// What all of them said, where it is not seen otherwise.
  void TearDown() override {
    if (!HasFailure() || at_ == nullptr) return;
    for (const auto& entry : std::filesystem::directory_iterator(at_->folder()))
      if (entry.is_regular_file() && entry.path().extension() != ".json")
        std::cerr << "--- " << entry.path().filename().string() << '\n' << std::ifstream(entry.path()).rdbuf() << '\n';
  }
  process work(const std::vector<std::string>& more = {}) {
    auto words = more;
    words.insert(words.end(), {"--slice", "0.2"});
    return at_->work(words, others);
  }
  /// What one search with these words says in JSON, and what two hands at the broker do.
  std::pair<nlohmann::json, nlohmann::json> alone_and_together(std::vector<std::string> words) {
    words.emplace_back("--keep-going");
    auto alone_words = words;
    alone_words.insert(alone_words.begin(), {harrier, "explore"});
    alone_words.insert(alone_words.end(), {"--engine", "trust", "--json", (at_->folder() / "alone.json").string()});
    process alone(alone_words, at_->folder() / "alone");
    const auto status = alone.wait();
    EXPECT_NE(status, 2) << alone.output();
    auto expected = nlohmann::json::parse(std::ifstream(at_->folder() / "alone.json"));

    auto one = at_->work({"--slice", "0.05", "--jobs", "2"}, harrier);
    auto run = at_->explore(words, harrier);
    EXPECT_EQ(run.wait(), status) << run.output();
    EXPECT_EQ(one.wait(), 0) << one.output();
    return {std::move(expected), at_->result()};
  }
  void expect_all_of(process& run, int executions = executions_of_long_search) {
    EXPECT_EQ(run.wait(), 0) << run.output();
    const auto result = at_->result();
    EXPECT_EQ(result.value("executions", 0), executions) << run.output();
    EXPECT_TRUE(result.value("exhausted", false));
  }

  std::unique_ptr<broker> at_;
};

TEST_F(Cluster, CountsWhatOneSearchCounts) {
  const std::vector<std::vector<std::string>> programs = {{"server"},
                                                          {"philosophers", "n=3"},
                                                          {"leader", "n=4"},
                                                          {"two-phase-commit"},
                                                          {"senders", "n=7"},
                                                          {"overtaken"},
                                                          {"leader", "n=3", "--lose", "1"},
                                                          {"server", "--duplicate", "1"}};
  for (const auto& words : programs) {
    const auto [expected, result] = alone_and_together(words);
    for (const auto* number : {"executions", "blocked", "truncated", "max_depth", "actors", "outcomes", "exhausted"})
      EXPECT_EQ(result[number], expected[number]) << words[0] << ": " << number;
    EXPECT_EQ(result["findings"].size(), expected["findings"].size()) << words[0];
    EXPECT_EQ(result["warnings"].size(), expected["warnings"].size()) << words[0];
  }
}

/// What was found, and what there is to be known of it: lines, sorted.
std::vector<std::string> judged(const nlohmann::json& result) {
  std::vector<std::string> lines;
  for (const auto& f : result["findings"])
    lines.push_back(f["kind"].get<std::string>() + ": " + f["message"].get<std::string>() + ", " +
                    std::to_string(f["occurrences"].get<int>()));
  for (const auto& note : result["notes"])
    if (const auto text = note.get<std::string>(); !text.starts_with("engine trust, since")) lines.push_back(text);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_F(Cluster, JudgesByPropertiesAsOneSearchDoes) {
  for (const std::string property : {R"(F "server_0 RECV set")", R"(G !"server_0 RECV set")",
                                     R"(G("server_0 RECV shutdown" -> F "server_0 RECV set"))",
                                     R"(G !"server_0 RECV nothing")", R"(F "client_1 RECV start")"}) {
    const auto [alone, together] = alone_and_together({"server", "--property", property});
    EXPECT_EQ(judged(together), judged(alone)) << property;
  }
}

TEST_F(Cluster, RefusesAPropertyThatNeedsEveryOrder) {
  auto worker = at_->work({}, harrier);
  auto run = at_->explore({"server", "--property", R"(F ("server_0 RECV get" & F "client_1 RECV start"))"}, harrier);
  EXPECT_EQ(run.wait(), 2) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("engine trust runs one order of independent deliveries only"));
}

TEST_F(Cluster, RefusesASpecificationOfSeveralActors) {
  auto worker = at_->work({}, harrier);
  auto run = at_->explore({"single-copy-register", "clients=2", "servers=1"}, harrier);
  EXPECT_EQ(run.wait(), 2) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("of which something is to hold that looks at several actors"));
}

TEST_F(Cluster, EstimatesByItself) {
  auto run = at_->explore({"senders", "n=4", "--estimate"}, harrier);
  EXPECT_EQ(run.wait(), 0) << run.output();
  EXPECT_EQ(at_->result()["estimate"]["executions"], 24) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("estimated here, by one process: the broker was not asked"));
}

TEST_F(Cluster, EndsWhenAProcessHasMoreMemoryThanItMay) {
  auto worker = at_->work({}, others);
  auto run = at_->explore({"harm", "how=hoard", "--max-memory", "600"}, others);
  EXPECT_EQ(run.wait(), 3) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("the memory limit of 600 MiB: victim_0.second() was running then"));
  EXPECT_EQ(worker.wait(), 0) << worker.output();
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

TEST_F(Cluster, TriesAnItemAgainWhoseSearchWasKilled) {
  auto words = long_search;
  words.back() = "1000";  // so that it does not come back by itself
  auto run = at_->explore(words, others);
  auto worker = work();
  ASSERT_TRUE(worker.says("works at run")) << worker.output();
  ASSERT_TRUE(worker.kill_search());
  EXPECT_TRUE(worker.says("an item has no result: SIGKILL")) << worker.output();
  expect_all_of(run);
  EXPECT_THAT(run.output(), HasSubstr("it is tried again: 2 of 5 times"));
}

TEST_F(Cluster, SaysThatNoWorkerIsThere) {
  auto run = at_->explore(short_search, others);
  EXPECT_TRUE(run.says("no worker has been heard of")) << run.output();
  auto worker = work();
  expect_all_of(run, executions_of_short_search);
  EXPECT_THAT(run.output(), HasSubstr("there are workers now"));
}

TEST_F(Cluster, EndsWhenTheSearchOfAnItemWasKilledFiveTimes) {
  auto run = at_->explore(endless_search, others);
  auto worker = at_->work({"--slice", "1000"}, others);
  ASSERT_TRUE(worker.says("works at run")) << worker.output();
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(worker.kill_search());
    ASSERT_TRUE(worker.says("an item has no result", i)) << worker.output();
  }
  EXPECT_EQ(run.wait(), 3) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("5 times of 5 that an item was tried"));
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

/// With a run whose command sleeps, and of which there are results that it has not read.
class Log : public Cluster {
protected:
  void SetUp() override {
    Cluster::SetUp();
    if (!at_) return;
    auto words = short_search;
    words.insert(words.end(), {"--run", "mine"});
    run_.emplace(at_->explore(words, others));
    worker_.emplace(work());
    ASSERT_TRUE(worker_->says("works at run")) << worker_->output();
    run_->send(SIGSTOP);
    ASSERT_TRUE(at_->comes_to("harrier_mine_items", "messages", 0));
  }
  void goes_on_after(const std::string& saying) {
    run_->send(SIGCONT);
    expect_all_of(*run_, executions_of_short_search);
    EXPECT_THAT(run_->output(), HasSubstr(saying));
    EXPECT_EQ(worker_->wait(), 0) << worker_->output();
  }

  std::optional<process> run_, worker_;
};

TEST_F(Log, OfWhichAMessageWasDeletedIsMended) {
  client user(at_->port());
  const auto last = at_->number("harrier_mine_results", "last_seq");
  const auto answer = user.ask("STREAM.MSG.DELETE.harrier_mine_results", {{"seq", last}});
  ASSERT_TRUE(answer.value("success", false)) << answer.dump();
  goes_on_after("the log of results has a hole: 1 of its messages");
}

TEST_F(Log, ThatWasPurgedIsMended) {
  ASSERT_TRUE(client(at_->port()).ask("STREAM.PURGE.harrier_mine_results").value("success", false));
  goes_on_after("the log of results has a hole");
}

TEST_F(Log, WithWrongBytesInItsFileIsMended) {
  at_->kill();
  const auto folder = at_->folder() / "store/jetstream/$G/streams/harrier_mine_results/msgs";
  unsigned flipped = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".blk") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(-40, std::ios::end);
    const auto byte = static_cast<char>(file.get());
    file.seekp(-40, std::ios::end);
    file.put(static_cast<char>(byte ^ 0x55));
    ++flipped;
  }
  ASSERT_GT(flipped, 0U);
  at_->start();
  goes_on_after("the log of results has");
}

/// What somebody might publish, by mistake or to harm.
std::vector<std::string> malformed_messages() {
  std::vector<std::string> all = {"",
                                  "garbage",
                                  R"({"id":5})",
                                  R"({"id":{"a":[1]},"of":7})",
                                  R"({"of":"0123456789abcdef0123456789abcdef"})",
                                  R"({"protocol":3,"run":5})",
                                  R"({"protocol":99999999999,"run":"mine","version":"99"})",
                                  R"({"protocol":2,"run":"../*.>","version":1})",
                                  R"([1,2,3])",
                                  "null",
                                  "-1e999",
                                  "0 0 0 99999999999\nx",
                                  "0 0 -1 1\nx",
                                  "harrier/2 x y z 0 1 c\n",
                                  "harrier/2 " + std::string(32, 'a') + " " + std::string(32, 'b') +
                                      " 0 0 99999999999 " + std::string(32, 'c') + "\nx",
                                  "harrier/2 " + std::string(32, 'a') + " run 0 0 1 " + std::string(32, 'c') + "\n{}",
                                  std::string(3, '\0'),
                                  "\xff\xfe\xc3\x28",
                                  "\x1b[2J\x1b]0;title\a",
                                  std::string(100'000, '['),
                                  std::string(1'000'000, '\x81'),
                                  std::string(1'000'000, 'x')};
  for (auto size : {1, 10, 100}) all.push_back(std::string(static_cast<std::size_t>(size), ' ') + "\n\n\n");
  return all;
}

TEST_F(Cluster, IgnoresAndCountsWhatIsNoneOfItsMessages) {
  auto worker = work({"--jobs", "2"});
  client somebody(at_->port());
  EXPECT_TRUE(worker.says("ignored a message at the broker on harrier.runs.mine", 1, [&] {
    somebody.publish("harrier.runs.mine", R"({"id":5})");
  })) << worker.output();
  auto words = short_search;
  words.insert(words.end(), {"--run", "mine"});
  auto run = at_->explore(words, others);
  ASSERT_TRUE(worker.says("works at run mine")) << worker.output();
  for (const auto& bytes : malformed_messages())
    for (const auto* subject : {"runs", "workers", "refusals", "hunger", "over", "results", "items"})
      somebody.publish("harrier." + std::string(subject) + ".mine", bytes);
  expect_all_of(run, executions_of_short_search);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
  for (const auto* subject : {"workers", "refusals", "results"})
    EXPECT_THAT(run.output(),
                HasSubstr("ignored a message at the broker on harrier." + std::string(subject) + ".mine"));
  EXPECT_THAT(run.output(), HasSubstr("messages at the broker were ignored here, and "));
  EXPECT_THAT(worker.output(), HasSubstr("ignored a message at the broker on harrier.items.mine"));
  EXPECT_THAT(worker.output(), HasSubstr("messages at the broker were ignored"));
  EXPECT_THAT(run.output() + worker.output(), Not(HasSubstr("\x1b")));
}

TEST_F(Cluster, LooksForItsRunAmongThoseOfOthers) {
  auto foreign = at_->explore({"senders", "n=9", "--keep-going"}, harrier);
  auto worker = work({"--jobs", "2"});
  EXPECT_TRUE(worker.says("another build of the program")) << worker.output();
  EXPECT_TRUE(foreign.says("a worker was refused")) << foreign.output();
  foreign.send(SIGKILL);
  auto run = at_->explore(short_search, others);
  expect_all_of(run, executions_of_short_search);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, WorksAtTheRunThatIsNamed) {
  auto other = endless_search;
  other.insert(other.end(), {"--run", "other"});
  auto words = short_search;
  words.insert(words.end(), {"--run", "mine"});
  auto one = at_->explore(other, others);
  ASSERT_TRUE(at_->comes_to("harrier_other_items", "messages", 1));
  auto worker = work({"--run", "mine"});
  auto run = at_->explore(words, others);
  expect_all_of(run, executions_of_short_search);
  EXPECT_EQ(worker.wait(), 0) << worker.output();
  EXPECT_THAT(worker.output(), Not(HasSubstr("works at run other")));
}

TEST_F(Cluster, EndsWhenTheBrokerKeepsNothingAnyMoreAndGoesOnLater) {
  auto words = short_search;
  words.insert(words.end(), {"--run", "mine", "--broker-patience", "1"});
  auto worker = work({"--broker-patience", "1"});
  {
    auto run = at_->explore(words, others);
    ASSERT_TRUE(worker.says("works at run")) << worker.output();
    ASSERT_TRUE(at_->comes_to("harrier_mine_results", "last_seq", 3)) << run.output();  // two results
    at_->kill();
    at_->start_without_jetstream();
    EXPECT_EQ(run.wait(), 3) << run.output();
    EXPECT_THAT(run.output(), HasSubstr("its JetStream does not answer"));
    EXPECT_THAT(run.output(), HasSubstr("the same command with --run mine resumes this run"));
    EXPECT_NE(worker.wait(), 1000) << worker.output();
  }
  at_->kill();
  at_->start();
  auto again = at_->explore(words, others);
  auto second = work();
  expect_all_of(again, executions_of_short_search);
  EXPECT_THAT(again.output(), HasSubstr("resuming run mine"));
}

TEST_F(Cluster, EndsWhenTheBrokerIsGoneForTooLong) {
  auto words = endless_search;
  words.insert(words.end(), {"--broker-patience", "1"});
  auto run = at_->explore(words, others);
  auto worker = work({"--broker-patience", "1"});
  ASSERT_TRUE(worker.says("works at run")) << worker.output();
  at_->kill();
  EXPECT_EQ(run.wait(), 3) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("cannot be reached"));
  EXPECT_EQ(worker.wait(), 2) << worker.output();
  EXPECT_THAT(worker.output(), HasSubstr("cannot be reached"));
}

TEST_F(Cluster, EndsWithWhatMakesAProgramUntestable) {
  auto run = at_->explore({"driver-throws"}, others);
  auto worker = work();
  EXPECT_EQ(run.wait(), 4) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("fails before its first message"));
  EXPECT_EQ(worker.wait(), 0) << worker.output();
}

TEST_F(Cluster, RefusesAStreamThatForgets) {
  ASSERT_TRUE(client(at_->port())
                  .ask("STREAM.CREATE.harrier_mine_results", {{"name", "harrier_mine_results"},
                                                              {"subjects", {"harrier.results.mine"}},
                                                              {"retention", "limits"},
                                                              {"storage", "memory"},
                                                              {"max_msgs", 1},
                                                              {"num_replicas", 1}})
                  .contains("config"));
  auto words = long_search;
  words.insert(words.end(), {"--run", "mine"});
  auto run = at_->explore(words, others);
  EXPECT_EQ(run.wait(), 2) << run.output();
  EXPECT_THAT(run.output(), HasSubstr("was not made by harrier"));
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

TEST_F(Cluster, TriesAnItemAgainWhoseSearchNeverBegan) {
  const auto once = (at_->folder() / "once").string();
  std::ofstream(once) << "is removed by the process that is stuck";
  setenv("HARRIER_E2E_STUCK_ONCE", once.c_str(), 1);
  auto worker = work();
  unsetenv("HARRIER_E2E_STUCK_ONCE");
  auto run = at_->explore({"stuck-once", "--handler-limit", "2"}, others);
  EXPECT_EQ(run.wait(), 0) << run.output() << worker.output();
  EXPECT_EQ(worker.wait(), 0);
  EXPECT_THAT(worker.output(), HasSubstr("an item has no result: the searching process did nothing for 2 s"));
  EXPECT_FALSE(std::filesystem::exists(once));
  EXPECT_EQ(at_->result()["executions"], 24);
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
  auto words = long_search;
  words.insert(words.end(), {"--run", "mine"});
  auto run = at_->explore(words, others);
  auto wrong = at_->work({"--run", "mine"}, harrier);
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
  // The limit is by the clock: what does end is given longer, however busy the machine.
  for (const auto& [way, limit, kind] :
       {std::tuple("segv", "60", "crash"), std::tuple("loop", "3", "nontermination")}) {
    auto worker = work();
    auto run = at_->explore({"harm", std::string("how=") + way, "--handler-limit", limit}, others);
    EXPECT_EQ(run.wait(), 1) << run.output();
    const auto result = at_->result();
    ASSERT_EQ(result["findings"].size(), 1U) << run.output();
    EXPECT_EQ(result["findings"][0]["kind"], kind) << run.output();
    EXPECT_EQ(result["findings"][0]["trace"].size(), 2U) << run.output();
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
