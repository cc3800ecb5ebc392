// A search that has learnt something of its program begins anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include <harrier/harrier.hpp>

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

seen_of_program* seen_in_handlers = nullptr;

struct tally {
  int count = 0;
  void add(int n) {
    if (n == 3 && count == 0) {
      seen_in_handlers->see(0);
      throw std::runtime_error("3 came first");
    }
    count += n;
  }
};

/// What a handler could do only as long as nothing was seen of the program: a later search goes another way.
struct absent_minded {
  void forget(int) {
    if (seen_in_handlers->facts() != 0) return;
    seen_in_handlers->see(0);
    throw std::runtime_error("nothing was seen");
  }
};

/// What is found if the search that begins anew is stopped at once.
template <class Driver>
exploration explored_and_stopped(Driver driver) {
  auto tested = make_program(driver);
  tested.seen = std::make_shared<seen_of_program>();
  seen_in_handlers = tested.seen.get();
  options how;
  how.search.engine = "exhaustive";
  how.judging.check_determinism = repetition::off;
  int asked = 0;
  how.limits.should_stop = [&] { return tested.seen->facts() != 0 && asked++ > 0; };
  return explore(tested, how);
}

TEST(ASearchThatBeginsAnew, KeepsWhatItHasFoundIfItIsStopped) {
  const auto found = explored_and_stopped([](self& me) {
    const auto t = me.create<tally>();
    for (int i = 1; i <= 3; ++i) me.send<&tally::add>(t, i);
  });
  EXPECT_FALSE(found.exhausted);
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_THAT(found.findings.front().message, HasSubstr("3 came first"));
}

TEST(ASearchThatBeginsAnew, SaysWhatItHasFoundThatDoesNotOccurAgain) {
  const auto found = explored_and_stopped([](self& me) {
    const auto t = me.create<absent_minded>();
    for (int i = 1; i <= 2; ++i) me.send<&absent_minded::forget>(t, i);
  });
  EXPECT_FALSE(found.exhausted);
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("a search that knew less of the program found")));
}

}  // namespace
}  // namespace harrier
