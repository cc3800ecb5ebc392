// CAF code that is compiled as C++17, explored by a library that is not.
#include <gmock/gmock.h>

#include <caf/all.hpp>
#include <chrono>
#include <stdexcept>

#include <harrier/adapter/caf_cxx17/explore.hpp>

namespace {

static_assert(__cplusplus < 202002L);

using harrier::cxx17::caf_finding;
using harrier::cxx17::caf_search;
using harrier::cxx17::explore_caf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

#ifdef CAF_VERSION_MAJOR  // CAF 1
const bool types_are_known = (caf::core::init_global_meta_objects(), true);
constexpr auto get = caf::get_atom_v;
constexpr auto put = caf::put_atom_v;
template <class Actor>
auto& state_of(Actor* self) {
  return self->state();
}
#else
constexpr auto get = caf::get_atom::value;
constexpr auto put = caf::put_atom::value;
template <class Actor>
auto& state_of(Actor* self) {
  return self->state;
}
#endif

struct account_state {
  static constexpr const char* name = "account";
  int balance = 100;
};

caf::behavior account(caf::stateful_actor<account_state>* self) {
  return {[=](caf::get_atom) { return state_of(self).balance; },
          [=](caf::put_atom, int balance) { state_of(self).balance = balance; }};
}

void teller(caf::event_based_actor* self, const caf::actor& of, int amount) {
  self->request(of, caf::infinite, get).then([=](int balance) { self->send(of, put, balance + amount); });
}

/// With two tellers one may overwrite what the other has put.
void bank(caf::actor_system& system, int tellers) {
  const auto of = system.spawn(account);
  for (int i = 0; i < tellers; ++i) system.spawn(teller, of, 10);
}

void checked_bank(caf::actor_system& system) {
  const auto of = system.spawn(account);
  for (int i = 0; i < 2; ++i) system.spawn(teller, of, 10);
  caf::scoped_actor self{system};
  self->request(of, caf::infinite, get)
      .receive(
          [](int balance) {
            if (balance == 110) throw std::runtime_error("ten are missing");
          },
          [](caf::error&) {});
}

TEST(CafAsCxx17, IsExplored) {
  const auto found = explore_caf([](caf::actor_system& system) { bank(system, 2); });
  EXPECT_TRUE(found.exhausted) << found.stopped_by;
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_GT(found.executions, 1U);
}

TEST(CafAsCxx17, HasItsBugFoundWithWhatLeadsToIt) {
  const auto found = explore_caf(checked_bank);
  ASSERT_THAT(found.findings, ElementsAre(Field(&caf_finding::message, "main threw: ten are missing")));
  EXPECT_EQ(found.findings.front().kind, "exception");
  EXPECT_THAT(found.findings.front().deliveries, Contains("account_0.put(110)"));
}

TEST(CafAsCxx17, MayMakeItsSystemsItselfAndIsSearchedAsAsked) {
  caf_search how;
  how.engine = "exhaustive";
  how.max_executions = 1;
  const auto found = explore_caf(
      [] {
        caf::actor_system_config config;
        caf::actor_system system(config);
        bank(system, 3);
      },
      how);
  EXPECT_FALSE(found.exhausted);
  EXPECT_EQ(found.stopped_by, "the limit of 1 execution");
}

TEST(CafAsCxx17, SaysWhatIsNotCovered) {
  const auto found = explore_caf([](caf::actor_system& system) {
    system.spawn([](caf::event_based_actor* self) -> caf::behavior {
      self->delayed_send(self, std::chrono::seconds(1), 1);
      return {[=](int) { self->quit(); }};
    });
  });
  EXPECT_FALSE(found.exhausted);
  EXPECT_EQ(found.stopped_by, "not covered: timers that come before nothing else can happen (--timers any)");
}

TEST(CafAsCxx17, IsRefusedByAnException) {
  caf_search how;
  how.engine = "no such engine";
  EXPECT_THROW(explore_caf([](caf::actor_system&) {}, how), std::runtime_error);
}

}  // namespace
