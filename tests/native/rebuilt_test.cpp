#include <chrono>
#include <memory>
#include <string>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// As somebody else's library has it: an address, and functions that take it.
struct library_counter {
  int value = 0;
  static int alive;
};
int library_counter::alive = 0;
library_counter* open_counter(int from) {
  ++library_counter::alive;
  return new library_counter{from};
}
void close_counter(library_counter* c) {
  --library_counter::alive;
  delete c;
}

struct wrapped {
  static constexpr bool rebuilt = true;
  library_counter* handle;

  explicit wrapped(int from) : handle(open_counter(from)) {}
  wrapped(const wrapped&) = delete;
  wrapped& operator=(const wrapped&) = delete;
  ~wrapped() { close_counter(handle); }

  void add(int by) { handle->value = handle->value * 2 + by; }
  int get() const { return handle->value; }
};

struct reader {
  ref<wrapped> of;
  void start(self& me) { me.call<&wrapped::get>(of).then<&reader::got>(); }
  void got(self& me, int value) { me.note(std::to_string(value)); }
};

void add_and_read(self& me) {
  const auto w = me.create<wrapped>(1);
  me.send<&wrapped::add>(w, 1);
  me.send<&wrapped::add>(w, 0);
  me.send<&reader::start>(me.create<reader>(w));
}

TEST(RebuiltActor, HasItsStateAgainWhenItIsGoneBackOver) {
  const auto seen = explore_all(add_and_read);

  EXPECT_TRUE(seen.exhausted);
  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_THAT(seen.outcomes, ElementsAre(std::pair("1", 6), std::pair("2", 4), std::pair("3", 4), std::pair("5", 3),
                                         std::pair("6", 3)));
}

TEST(RebuiltActor, IsClosedAsOftenAsItIsOpened) {
  static_cast<void>(explore_all(add_and_read, "optimal"));

  EXPECT_THAT(library_counter::alive, Eq(0));
}

int global = 0;
struct peeking {
  static constexpr bool rebuilt = true;
  std::unique_ptr<int> nothing = nullptr;
  ref<peeking> other = {};

  void poke(self& me) { me.send<&peeking::take>(other, ++global); }
  void take(int) {}
};

void two_that_count_together(self& me) {
  const auto last = me.create<peeking>();
  const auto a = me.create<peeking>(nullptr, last);
  me.send<&peeking::poke>(a);
  me.send<&peeking::poke>(a);
}

TEST(RebuiltActor, ThatDoesNotRepeatItselfIsAFindingThatNamesItAndTheMessage) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.check_determinism = repetition::off;
  how.judging.minimise = 0;
  const auto seen = explore(two_that_count_together, how);

  ASSERT_THAT(seen.findings, SizeIs(1));
  EXPECT_THAT(seen.findings[0].kind, Eq(finding_kind::nondeterminism));
  EXPECT_THAT(seen.findings[0].message, HasSubstr("peeking_1.poke() behaves differently when the actor is made anew"));
  EXPECT_THAT(seen.findings[0].message, HasSubstr("it sends take("));
}

struct hides_much {
  static constexpr bool rebuilt = true;
  std::unique_ptr<int> hidden = std::make_unique<int>(0);
  void add() { *hidden = ++global; }
  int fingerprint() const { return *hidden; }
};

TEST(RebuiltActor, WhoseStateDiffersIsAFindingToo) {
  options how;
  how.search.engine = "exhaustive";
  how.judging.check_determinism = repetition::off;
  how.judging.minimise = 0;
  const auto seen = explore(
      [](self& me) {
        const auto h = me.create<hides_much>();
        me.send<&hides_much::add>(h);
        me.send<&hides_much::add>(h);
        me.send<&hides_much::add>(h);
      },
      how);

  ASSERT_THAT(seen.findings, SizeIs(1));
  EXPECT_THAT(seen.findings[0].message, HasSubstr("it is left in another state, by its fingerprint"));
}

TEST(RebuiltActor, WithoutAFingerprintIsRefusedWhereStatesAreCompared) {
  options how;
  how.search.engine = "stateful";

  EXPECT_THAT([&] { static_cast<void>(explore(add_and_read, how)); },
              testing::ThrowsMessage<untestable_program>(
                  HasSubstr("engine stateful compares states, and nothing stands for those of wrapped, which is made "
                            "anew (rebuilt): give it `auto fingerprint() const`")));
}

TEST(RebuiltActor, IsLookedAtBySpecifications) {
  const auto program = specified(make_program(add_and_read),
                                 {always("it is less than six", [](view<wrapped> w) { return w->handle->value < 6; })});
  options how;
  how.judging.minimise = 0;

  EXPECT_THAT(messages_of(explore(program, how)), ElementsAre(HasSubstr("it is less than six")));
}

struct shows {
  static constexpr bool rebuilt = true;
  std::unique_ptr<int> hidden = std::make_unique<int>(3);
  int fingerprint() const { return *hidden; }
  void fail(self& me) {
    ++*hidden;
    me.check(false, "no");
  }
};

TEST(RebuiltActor, IsShownByItsFingerprint) {
  const auto seen = explore([](self& me) { me.send<&shows::fail>(me.create<shows>()); });

  ASSERT_THAT(seen.findings, SizeIs(1));
  EXPECT_THAT(seen.findings[0].trace.back().state, Eq("{4}"));
}

struct alarm_clock {
  static constexpr bool rebuilt = true;
  std::unique_ptr<int> rung = std::make_unique<int>(0);
  void set(self& me) { me.after<&alarm_clock::ring>(std::chrono::milliseconds(10)); }
  void ring(self& me) {
    me.note("at " + std::to_string(me.now() / std::chrono::milliseconds(1)));
    if (++*rung < 3) set(me);
  }
};

TEST(RebuiltActor, ReadsTheClockAsItWas) {
  options how;
  how.search.faults.earliest_first = 1;
  how.judging.check_determinism = repetition::all;
  const auto seen = explore([](self& me) { me.send<&alarm_clock::set>(me.create<alarm_clock>()); }, how);

  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_THAT(seen.outcomes, ElementsAre(std::pair("at 10", 1), std::pair("at 20", 1), std::pair("at 30", 1)));
}

}  // namespace
}  // namespace harrier
