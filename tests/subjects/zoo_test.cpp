// The zoo: each program has the published bug by its default options, and none once it is repaired.
#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "named.hpp"

namespace harrier::subjects {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct bug_of_zoo {
  std::string name;
  finding_kind kind;
  std::string says;
  std::size_t deliveries;    ///< of the schedule that is shown
  std::uint64_t executions;  ///< of the repaired program, a class each
};

void PrintTo(const bug_of_zoo& bug, std::ostream* out) { *out << bug.name; }

class Zoo : public testing::TestWithParam<bug_of_zoo> {};

TEST_P(Zoo, HasTheBug) {
  const auto& bug = GetParam();
  const auto result = explore(named(bug.name));

  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings[0].kind, bug.kind);
  EXPECT_THAT(result.findings[0].message, HasSubstr(bug.says));
  EXPECT_EQ(result.findings[0].schedule.size(), bug.deliveries);
}

TEST_P(Zoo, HoldsOnceRepaired) {
  const auto& bug = GetParam();
  options how;
  how.judging.keep_going = true;
  const auto result = explore(named(bug.name, {{"variant", "fixed"}}), how);

  EXPECT_TRUE(result.exhausted) << result.stopped_by;
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.executions, bug.executions);
  EXPECT_EQ(result.blocked, 0);
}

constexpr auto assertion = finding_kind::assertion;
constexpr auto deadlock = finding_kind::deadlock;

const std::vector<bug_of_zoo>& bugs() {
  static const std::vector<bug_of_zoo> all = {
      {"akka-elected", assertion, "what the leader has in its log is replicated", 3, 2},
      {"akka-singleton", assertion, "one member runs the singleton", 2, 6},
      {"aleth-reaper", assertion, "the timer goes off twice", 5, 5},
      {"asio-cancel", assertion, "no time-out after the answer", 5, 3},
      {"caf-request", deadlock, "client_1 waits", 2, 3},
      {"ccf-probe", assertion, "what is committed is in the log of a majority", 4, 6},
      {"ccf-stale-refusal", assertion, "what was acknowledged counts as sent", 6, 16},
      {"dask-resumed", assertion, "a task that is to be computed is in memory", 5, 3},
      {"etcd-advance", assertion, "what is in the log is stored", 4, 4},
      {"grpc-cancel", finding_kind::exception, "bad optional access", 2, 2},
      {"kafka-fenced", assertion, "the change of the partition is made", 4, 4},
      {"kafka-former-life", assertion, "a broker obeys only what this life of it was told", 4, 64},
      {"nats-catchup", assertion, "a leader has what was acknowledged", 5, 3},
      {"nebula-vote", assertion, "the only candidate is elected", 5, 11},
      {"openraft-lease", assertion, "a read sees the write that was complete before it", 7, 2},
      {"orleans-circle", deadlock, "customer_0, basket_1 wait", 2, 1},
      {"orleans-forward", assertion, "a call is not given up while the grain lives on", 7, 3},
      {"otp-restart", assertion, "a server that was stopped can be started", 5, 1},
      {"rabbitmq-cleanup", assertion, "a queue that was declared is there", 8, 3},
      {"ray-token", assertion, "each request to restart counts once", 5, 49},
      {"rclcpp-result", assertion, "the result of an accepted goal is known", 6, 2},
      {"redis-cancel", assertion, "a request is cancelled only if its own connection is lost", 5, 4},
      {"redpanda-recovery", assertion, "it does not come about that the follower has everything", 6, 3},
      {"riak-pool", deadlock, "manager_1 waits", 9, 5},
      {"stempy-sizes", assertion, "as much data comes as was announced", 5, 2},
      {"zeek-peer", assertion, "data comes from a peer that was added", 3, 1},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(Bugs, Zoo, testing::ValuesIn(bugs()), [](const auto& bug) {
  auto name = bug.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ZooOfTheCatalogue, IsWhatIsTestedHere) {
  std::vector<std::string> tested, there;
  for (const auto& bug : bugs()) tested.push_back(bug.name);
  for (const auto& entry : bugs_of_the_zoo()) there.push_back(entry.name);

  EXPECT_EQ(there, tested);
}

}  // namespace
}  // namespace harrier::subjects
