// One mistake has one diagnosis, wherever the others are by then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "either.hpp"
#include "mistakes.hpp"
#include "order_checked.hpp"
#include "order_strict.hpp"

namespace harrier::runtime {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class Self>
void do_one(Self& self, const mistakes::step& one) {
  using role = decltype(self.self());
  const auto peer = role(one.peer);
  switch (one.what) {
    case mistakes::deed::send_text: return self.send(peer, std::string("text"));
    case mistakes::deed::send_number: return self.send(peer, 7L);
    case mistakes::deed::receive: return static_cast<void>(self.recv(peer));
    case mistakes::deed::receive_number: return static_cast<void>(self.template recv<long>(peer));
    case mistakes::deed::receive_any: return static_cast<void>(self.recv_any());
    case mistakes::deed::close: return self.close(peer);
    case mistakes::deed::finish: return self.finish();
    case mistakes::deed::fail: throw std::runtime_error("b has fallen");
  }
}

// What each role got.
template <class Module>
std::array<std::string, 3> said_of(const mistakes::mistake& one) {
  using role = typename Module::role;
  Module module;
  std::array<std::string, 3> said;
  std::vector<std::thread> threads;
  for (unsigned r = 0; r < 3; ++r) {
    threads.emplace_back([&said, &one, r, me = module.take(role(r))]() mutable {
      try {
        auto self = std::move(me);
        for (const auto& next : mistakes::played_by(r, one)) do_one(self, next);
      } catch (const std::exception& e) {
        said[r] = e.what();
      }
    });
  }
  for (auto& t : threads) t.join();
  return said;
}

class Mistake : public ::testing::TestWithParam<mistakes::mistake> {};

template <class Module>
void has_one_diagnosis(const mistakes::mistake& one) {
  for (int i = 0; i < mistakes::repetitions(); ++i) {
    const auto said = said_of<Module>(one);
    for (unsigned r = 0; r < 3; ++r) {
      if (r == one.role) {
        ASSERT_EQ(said[r], one.words) << "run " << i;
      } else if (*one.owed == '\0') {
        ASSERT_THAT(said[r], IsEmpty()) << "run " << i;
      } else {
        ASSERT_THAT(said[r], HasSubstr(one.owed)) << "run " << i;
        ASSERT_THAT(said[r], HasSubstr(": peer gone: ")) << "run " << i;
      }
    }
  }
}

TEST_P(Mistake, HasOneDiagnosisInAStrictModule) { has_one_diagnosis<strict::order>(GetParam()); }
TEST_P(Mistake, HasOneDiagnosisInACheckedModule) { has_one_diagnosis<checked::order>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, Mistake, ::testing::ValuesIn(mistakes::all),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(NotAllowed, NamesEachLineWhereWhatIsExpectedInsteadMayBeSent) {
  using protocols::either;
  using role = either::role;
  either module;
  module.send(role::a, role::b, 7L);
  std::string said;
  try {
    module.send(role::b, role::a, 7L);
  } catch (const not_allowed& e) {
    said = e.what();
  }

  EXPECT_THAT(said, HasSubstr("; allowed here: b RECV * FROM a (shutdown.dcj:70 or 71)"));
}

template <class Module>
class Finishing : public ::testing::Test {};
using both_modes = ::testing::Types<strict::order, checked::order>;
TYPED_TEST_SUITE(Finishing, both_modes);

TYPED_TEST(Finishing, ReportsWhatADestroyedParticipantOwes) {
  using role = typename TypeParam::role;
  std::string heard;
  TypeParam module;
  module.on_early_leave([](void* into, const char* what) { *static_cast<std::string*>(into) += what; }, &heard);
  { const auto self = module.take(role::a); }
  module.leave(role::a);

  EXPECT_EQ(heard, "a has left, and owed: a SEND T TO b (shutdown.dcj:61)") << "once";
}

TYPED_TEST(Finishing, IsForOnceOnly) {
  using role = typename TypeParam::role;
  TypeParam module;

  EXPECT_THROW(module.finish(role::a), left_early);
  EXPECT_NO_THROW(module.finish(role::a));
  EXPECT_THROW(module.send(role::a, role::b, std::string("text")), not_yours);
}

}  // namespace
}  // namespace harrier::runtime
