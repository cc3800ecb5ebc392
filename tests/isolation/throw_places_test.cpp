// Where an exception was thrown that left a handler, in the sources of who wrote the handler.
#include <gmock/gmock.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>
#include <src/isolation/throw_places.hpp>

namespace where_exceptions_are_thrown {
namespace {

using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr double long_enough = 60;  // seconds

struct shelf {
  std::vector<int> items{1, 2, 3};

  static constexpr unsigned line_in_take = __LINE__ + 8;
  void take(int which) {
    try {
      if (which > 4) throw std::out_of_range("caught here");
    } catch (const std::out_of_range&) {
      items[0] = which;
    }
    // Thrown inside the standard library:
    items.at(static_cast<std::size_t>(which)) = 0;
  }
  static constexpr unsigned line_in_insist = __LINE__ + 2;
  void insist(int n) {
    if (n == 2) throw n;
  }
  static constexpr unsigned line_in_price = __LINE__ + 2;
  int price(const std::string& of) {
    if (of == "gold") throw std::runtime_error("not for sale");
    return items[0];
  }
};

struct buyer {
  harrier::ref<shelf> from;

  harrier::task buy(harrier::self& self) { co_await self.call<&shelf::price>(from, std::string("gold")); }
  static constexpr unsigned line_in_late = __LINE__ + 3;
  harrier::task late(harrier::self& self) {
    co_await self.call<&shelf::price>(from, std::string("silver"));
    throw std::logic_error("too late");
  }
  void check(harrier::self& self) { self.check(false, "this throws nothing"); }
};

template <auto Handler, class Actor, class... Args>
harrier::finding found(const Args&... args) {
  const auto tested = harrier::make_program([=](harrier::self& self) {
    const auto one = self.create<shelf>();
    if constexpr (std::is_same_v<Actor, shelf>)
      self.send<Handler>(one, args...);
    else
      self.send<Handler>(self.create<buyer>(one), args...);
  });
  auto all = harrier::explore_isolated(tested);
  EXPECT_THAT(all.findings, SizeIs(1));
  harrier::find_throws(all.findings, tested, {}, 10, long_enough);
  return all.findings.at(0);
}

class ThrowPlaces : public testing::Test {
protected:
  void SetUp() override {
    if (std::system("addr2line --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "addr2line is not installed";
  }
};

TEST_F(ThrowPlaces, OfWhatTheStandardLibraryThrowsIsTheLineThatCallsIt) {
  const auto f = found<&shelf::take, shelf>(7);

  EXPECT_THAT(f.file, EndsWith("throw_places_test.cpp"));
  EXPECT_EQ(f.line, shelf::line_in_take);
}

TEST_F(ThrowPlaces, OfAnythingThatIsThrownIsThatLine) {
  EXPECT_EQ((found<&shelf::insist, shelf>(2).line), shelf::line_in_insist);
}

TEST_F(ThrowPlaces, OfAHandlerThatWasSuspendedIsTheLineAfterIt) {
  EXPECT_EQ((found<&buyer::late, buyer>().line), buyer::line_in_late);
}

TEST_F(ThrowPlaces, OfAFailedCallIsTheLineThatThrewFirst) {
  const auto f = found<&buyer::buy, buyer>();

  EXPECT_EQ(f.message, "shelf.price threw: not for sale");
  EXPECT_EQ(f.line, shelf::line_in_price);
}

TEST_F(ThrowPlaces, AreNotLookedForWhereNothingWasThrown) {
  const auto tested = harrier::make_program(
      [](harrier::self& self) { self.send<&buyer::check>(self.create<buyer>(self.create<shelf>())); });
  auto all = harrier::explore_isolated(tested);
  ASSERT_THAT(all.findings, SizeIs(1));
  const auto line = all.findings[0].line;

  harrier::find_throws(all.findings, tested, {}, 10, long_enough);

  EXPECT_EQ(all.findings[0].line, line);
}

TEST_F(ThrowPlaces, AreSaidToBeUnknownWhereNobodyCanTellTheLines) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const auto f = found<&shelf::insist, shelf>(2);
  setenv("PATH", path.c_str(), 1);

  EXPECT_THAT(f.file, IsEmpty());
  EXPECT_THAT(f.details, Contains(HasSubstr("compiled with -g, and with addr2line at hand")));
  EXPECT_THAT((found<&shelf::insist, shelf>(2).details), Each(Not(HasSubstr("addr2line"))));
}

TEST_F(ThrowPlaces, AreNotKnownWhereNothingCanBeRepeated) {
  const auto tested =
      harrier::make_program([](harrier::self& self) { self.send<&shelf::insist>(self.create<shelf>(), 2); });
  auto all = harrier::explore_isolated(tested);
  ASSERT_THAT(all.findings, SizeIs(1));
  const auto other =
      harrier::make_program([](harrier::self& self) { self.send<&shelf::insist>(self.create<shelf>(), 1); });

  harrier::find_throws(all.findings, other, {}, 10, long_enough);

  EXPECT_THAT(all.findings[0].file, IsEmpty());
}

}  // namespace
}  // namespace where_exceptions_are_thrown
