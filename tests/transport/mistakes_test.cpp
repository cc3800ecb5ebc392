// One mistake has one diagnosis, whatever plays the roles and wherever they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/detached.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include "../protocol/mistakes.hpp"
#include "order.hpp"
#include "stage.hpp"

namespace harrier::runtime {
namespace {

using protocols::order;
using words_of_all = std::array<std::string, 3>;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

done do_one(session<order>::participant& self, mistakes::step one) {
  const auto peer = order::role(one.peer);
  switch (one.what) {
    case mistakes::deed::send_text: co_return co_await self.send(peer, std::string("text"));
    case mistakes::deed::send_number: co_return co_await self.send(peer, 7L);
    case mistakes::deed::receive: static_cast<void>(co_await self.recv(peer)); co_return;
    case mistakes::deed::receive_number: static_cast<void>(co_await self.recv<long>(peer)); co_return;
    case mistakes::deed::receive_any: static_cast<void>(co_await self.recv_any()); co_return;
    case mistakes::deed::close: co_return co_await self.close(peer);
    case mistakes::deed::finish: self.finish(); co_return;
    case mistakes::deed::fail: throw std::runtime_error("b has fallen");
  }
}

done play(session<order>::participant parameter, mistakes::script what, std::string& said) {
  try {
    auto self = std::move(parameter);  // so that the exception finds it
    for (const auto& one : what) co_await do_one(self, one);
  } catch (const std::exception& e) {
    said = e.what();
  }
}

// In one process and one thread.
words_of_all said_by_coroutines(const mistakes::mistake& one) {
  words_of_all said;
  stage<order> all(where::together);
  for (unsigned r = 0; r < 3; ++r) all.play(play(all.take(order::role(r)), mistakes::played_by(r, one), said[r]));
  all.run();
  return said;
}

// Each with its own part of the session, and a thread, as a process would have it; sockets lead to the others.
words_of_all said_apart(const mistakes::mistake& one) {
  words_of_all said;
  asio::thread_pool loop(2);
  {
    std::array<std::optional<session<order>>, 3> parts;
    std::vector<session<order>::participant> selves;
    for (unsigned r = 0; r < 3; ++r) selves.push_back(parts[r].emplace(loop.get_executor()).take(order::role(r)));
    const auto at_a = parts[0]->listen(any_port);
    const auto at_b = parts[1]->listen(any_port);
    parts[1]->connect(at_a, 1min, asio::use_future).get();
    parts[2]->connect(at_a, 1min, asio::use_future).get();
    parts[2]->connect(at_b, 1min, asio::use_future).get();
    for (unsigned r = 0; r < 3; ++r) {
      asio::co_spawn(loop, play(std::move(selves[r]), mistakes::played_by(r, one), said[r]), asio::detached);
    }
    selves.clear();
    loop.join();
  }
  return said;
}

class Mistake : public ::testing::TestWithParam<mistakes::mistake> {};

void has_one_diagnosis(const mistakes::mistake& one, words_of_all (*said_of)(const mistakes::mistake&)) {
  for (int i = 0; i < mistakes::repetitions(); ++i) {
    const auto said = said_of(one);
    bool heard = *one.owed == '\0';
    for (unsigned r = 0; r < 3; ++r) {
      if (r == one.role) {
        ASSERT_EQ(said[r], one.words) << "run " << i;
      } else {
        ASSERT_THAT(said[r], *one.owed == '\0' ? testing::Matcher<std::string>(IsEmpty()) : HasSubstr(": peer gone: "))
            << "run " << i;
        heard = heard || said[r].find(one.owed) != std::string::npos;
      }
    }
    ASSERT_TRUE(heard) << one.owed << ", run " << i;
  }
}

TEST_P(Mistake, HasOneDiagnosisAmongCoroutines) { has_one_diagnosis(GetParam(), said_by_coroutines); }
TEST_P(Mistake, HasOneDiagnosisApart) { has_one_diagnosis(GetParam(), said_apart); }

INSTANTIATE_TEST_SUITE_P(All, Mistake, ::testing::ValuesIn(mistakes::all),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Finishing, TellsWhoAsksOfAParticipantThatIsDestroyedTooEarly) {
  std::string heard;
  session_options options;
  options.on_early_leave = [&](const std::string& what) { heard += what; };
  stage<order> all(where::together, options);
  { const auto self = all.take(order::role::a); }
  all.run();

  EXPECT_EQ(heard, "a has left, and owed: a SEND T TO b (shutdown.dcj:61)");
}

}  // namespace
}  // namespace harrier::runtime
