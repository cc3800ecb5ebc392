// Searches in a process of their own, which survive what the program does to its process.
#include <gmock/gmock.h>

#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "both_versions.hpp"
#include "explored.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Tells `judge` what it is told first.
caf::behavior tells_first(caf::event_based_actor* self, const caf::actor& judge, const std::string& name) {
  return {[=, was_told = false](const std::string& from) mutable {
    if (!std::exchange(was_told, true)) self->send(judge, name + from);
  }};
}

/// `a` sends to x and then to y, `b` to y and then to x. The process ends in the execution in which x is told by
/// `x_by` first, and y by `y_by`.
exploration explored_that_crashes_if(const std::string& x_by, const std::string& y_by) {
  const auto body = [=](caf::actor_system& system) {
    const auto judge = system.spawn([=](caf::event_based_actor*) -> caf::behavior {
      return {[=, heard = 0](const std::string& what) mutable {
        if (what == "x" + x_by || what == "y" + y_by) ++heard;
        if (heard == 2) std::abort();
      }};
    });
    const auto x = system.spawn(tells_first, judge, std::string("x"));
    const auto y = system.spawn(tells_first, judge, std::string("y"));
    system.spawn([=](caf::event_based_actor* self) {
      self->send(x, std::string("a"));
      self->send(y, std::string("a"));
    });
    system.spawn([=](caf::event_based_actor* self) {
      self->send(y, std::string("b"));
      self->send(x, std::string("b"));
    });
  };
  options how;
  how.search.engine = "optimal";
  return explore_isolated(caf_program(body), how);
}

TEST(CrashOfACafProgram, IsAFindingInAnExecutionThatCanBe) {
  const auto found = explored_that_crashes_if("a", "b");

  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_EQ(found.findings.front().kind, finding_kind::crash);
}

TEST(CrashOfACafProgram, IsNoFindingInAnExecutionThatNoOrderOfArrivalGives) {
  const auto found = explored_that_crashes_if("b", "a");

  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_FALSE(found.exhausted);
  EXPECT_THAT(found.stopped_by, HasSubstr("a crash in an execution that the library never gives"));
}

/// It neither waits for ever for such a thread, nor blames anybody. (The thread never ends.)
TEST(ThreadOfACafProgram, ThatWaitsForAnActorIsRefused) {
  const auto body = [](caf::actor_system& system) {
    const auto by_actor = std::make_shared<std::promise<int>>();
    const auto by_thread = std::make_shared<std::promise<int>>();
    std::thread hands_on([=] { by_thread->set_value(by_actor->get_future().get()); });
    caf::anon_send(system.spawn([=]() -> caf::behavior { return {[=](int x) { by_actor->set_value(x); }}; }), 1);
    by_thread->get_future().wait();
    hands_on.join();
  };
  std::string why;
  try {
    static_cast<void>(explore_isolated(caf_program(body), {}));
  } catch (const untestable_program& e) {
    why = e.what();
  }
  EXPECT_THAT(why, HasSubstr("threads of its own that wait for what actors do"));
}

}  // namespace
}  // namespace harrier
