// A role with a machine for each of those that it deals with, between one for what is before and one for what is after.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "crew.hpp"
#include "shutdown.hpp"

namespace harrier::runtime {
namespace {

using protocols::crew;
using ::testing::ElementsAreArray;

constexpr unsigned workers = 6;
constexpr auto chief = crew::role::chief;
constexpr auto clerk = crew::role::clerk;
crew::role worker(unsigned i) { return crew::role(static_cast<unsigned>(crew::role::worker_0_) + i); }

void work(crew& all, unsigned i) {
  for (;;) {
    auto order = all.recv(worker(i), chief);
    if (!order.is<std::string>()) return;
    all.send(worker(i), chief, static_cast<long>(order.get<std::string>().size()));
  }
}

static_assert(sizeof(crew::spec::start) / sizeof(crew::spec::start[0]) > 2 + workers, "the chief has several machines");

TEST(Crew, DoesWhatItsDefinitionSaysAmongThreads) {
  crew all;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < workers; ++i) threads.emplace_back([&, i] { work(all, i); });
  threads.emplace_back([&] {
    EXPECT_EQ(all.recv<std::string>(clerk, chief), "open");
    static_cast<void>(all.recv<crew::V>(clerk, chief));
  });

  all.send(chief, clerk, std::string("open"));
  long sum = 0;
  for (unsigned round = 0; round < 200; ++round) {
    for (unsigned i = 0; i < workers; ++i) all.send(chief, worker(i), std::string(i + round, 'x'));
    for (unsigned i = 0; i < workers; ++i) sum += all.recv_any(chief).get<long>();
  }
  for (unsigned i = 0; i < workers; ++i) all.send(chief, worker(i), crew::V());
  all.send(chief, clerk, crew::V());
  for (auto& t : threads) t.join();

  EXPECT_EQ(sum, static_cast<long>(workers) * 200 * 199 / 2 + 200L * 15);
  EXPECT_TRUE(all.may_end());
}

TEST(Crew, IsAskedOneByOneWhichIsReady) {
  crew all;
  crew::message into;

  EXPECT_FALSE(all.try_send(chief, worker(2), std::string("early"))) << "the book is not open";
  EXPECT_TRUE(all.try_send(chief, clerk, std::string("open")));
  EXPECT_FALSE(all.try_send(chief, clerk, crew::V())) << "nobody was sent home";
  EXPECT_TRUE(all.try_send(chief, worker(2), std::string("do")));
  EXPECT_FALSE(all.try_send(chief, worker(2), std::string("do"))) << "it has not answered";
  EXPECT_TRUE(all.try_send(chief, worker(4), crew::V()));
  EXPECT_FALSE(all.try_send(chief, worker(4), std::string("do"))) << "it was sent home";
  EXPECT_FALSE(all.try_recv(chief, worker(2), into)) << "nothing is under way";
  EXPECT_EQ(words_of<wrong_type>([&] { static_cast<void>(all.recv<std::string>(chief, worker(2))); }).substr(0, 77),
            "chief RECV T FROM worker_2_: the next message has another type, U; allowed he");
}

TEST(Crew, SaysWhatIsAllowedInAllThatIsBesideEachOther) {
  crew all;
  all.send(chief, clerk, std::string("open"));
  for (unsigned i = 1; i < workers; ++i) all.send(chief, worker(i), crew::V());
  all.send(chief, worker(0), std::string("do"));

  EXPECT_EQ(words_of<not_allowed>([&] { all.send(chief, worker(3), std::string("do")); }),
            "chief SEND T TO worker_3_: not allowed here, whatever the others do; allowed here: chief RECV U FROM "
            "worker_0_ (crew.dcj:10)");
}

TEST(Crew, OwesWhatIsLeftAndWhatComesBehind) {
  crew all;
  std::string early;
  std::thread waiting([&] { early = words_of<peer_gone>([&] { static_cast<void>(all.recv(worker(5), chief)); }); });
  all.send(chief, clerk, std::string("open"));
  for (unsigned i = 0; i + 1 < workers; ++i) all.send(chief, worker(i), crew::V());
  all.leave(chief);
  waiting.join();

  EXPECT_EQ(early,
            "worker_5_ RECV * FROM chief: peer gone: chief has left, and owed: chief SEND T TO worker_5_ (crew.dcj:10) "
            "or chief SEND V TO worker_5_ (crew.dcj:11)");
}

TEST(Crew, OwesTheEndAndNothingAfterIt) {
  for (const bool last : {false, true}) {
    crew all;
    all.send(chief, clerk, std::string("open"));
    for (unsigned i = 0; i < workers; ++i) all.send(chief, worker(i), crew::V());
    if (last) all.send(chief, clerk, crew::V());
    words owed;

    EXPECT_EQ(all.depart(static_cast<unsigned>(chief), false, &owed), !last);
    EXPECT_STREQ(owed.c_str(), last ? "" : "chief has left, and owed: chief SEND V TO clerk (crew.dcj:12)");
  }
}

TEST(Crew, IsSavedAndLoadedWhereverItIs) {
  crew one;
  crew other;
  one.send(chief, clerk, std::string("open"));
  one.send(chief, worker(1), std::string("do"));
  one.send(chief, worker(3), crew::V());
  std::vector<std::uint32_t> saved;
  one.save([&](std::uint32_t number) { saved.push_back(number); });
  other.load(saved.data());
  std::vector<std::uint32_t> again;
  other.save([&](std::uint32_t number) { again.push_back(number); });

  EXPECT_THAT(again, ElementsAreArray(saved));
  EXPECT_FALSE(other.try_send(chief, worker(3), std::string("do")));
  EXPECT_TRUE(other.try_send(chief, worker(2), std::string("do")));
}

}  // namespace
}  // namespace harrier::runtime
