// Handlers that see of one another what is in no state and no message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>

// What is in harrier's own namespace is harrier's own.
namespace shared {

bool is_ready = false;
int count = 0;
std::vector<int> journal;

struct writer {
  void raise() { is_ready = true; }
  void add() { ++count; }
  void note() { journal.push_back(1); }
};
struct reader {
  int seen = -1;
  void look() { seen = is_ready ? 1 : 0; }
  void count_up() { seen = count; }
  void read() { seen = static_cast<int>(journal.size()); }
};

struct forgetful {
  int value = 0;
  void ask() { value = ++count; }
};

int calls = 0;
const std::vector<int>& table() {
  static std::vector<int> made;
  static bool is_made = false;
  if (!is_made) made = {1, 2, 3};
  is_made = true;
  return made;
}
int cached = -1;

/// What it writes makes no difference to anybody.
struct harmless {
  int sum = 0;
  void work(int by) {
    ++calls;
    if (cached < 0) cached = 5;
    for (const auto x : table()) sum += x * by + cached;
  }
};

}  // namespace shared

namespace harrier {
namespace {

using shared::harmless;
using shared::reader;
using shared::writer;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

template <auto Write, auto Read, bool WriterIsFirst>
void both(self& me) {
  const auto a = me.create<writer>();
  const auto b = me.create<reader>();
  if (WriterIsFirst) me.send<Write>(a);
  me.send<Read>(b);
  if (!WriterIsFirst) me.send<Write>(a);
}

exploration explored(void (*driver)(self&), const char* engine) {
  shared::is_ready = false;
  options how;
  how.search.engine = engine;
  return explore(driver, how);
}

class UnseenInfluence : public testing::TestWithParam<const char*> {};

TEST_P(UnseenInfluence, IsFoundWhateverTheOrderInWhichItIsSearched) {
  for (auto* const driver : {both<&writer::raise, &reader::look, true>, both<&writer::raise, &reader::look, false>,
                             both<&writer::add, &reader::count_up, true>, both<&writer::note, &reader::read, false>}) {
    const auto result = explored(driver, GetParam());

    ASSERT_EQ(result.findings.size(), 1U);
    const auto& found = result.findings[0];
    EXPECT_EQ(found.kind, finding_kind::nondeterminism);
    EXPECT_EQ(found.actor, "reader_1");
    EXPECT_THAT(found.message, AllOf(HasSubstr("reader_1."), HasSubstr("in one order it leaves reader_1{seen="),
                                     HasSubstr(", in another it leaves reader_1{seen=")));
    EXPECT_FALSE(result.exhausted);
  }
}

TEST_P(UnseenInfluence, OfAHandlerOnItselfNamesTheVariable) {
  const auto result =
      explored([](self& me) { me.send<&shared::forgetful::ask>(me.create<shared::forgetful>()); }, GetParam());

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].message, HasSubstr("behaves differently when repeated"));
  EXPECT_THAT(result.findings[0].details,
              testing::Contains(AllOf(HasSubstr("written to since the search began: "), HasSubstr("shared::count"))));
}

struct dreamer {
  std::size_t seen = 0;
  void look() { seen = std::random_device()(); }
};

TEST_P(UnseenInfluence, OfWhatIsNoVariableIsHintedAt) {
  const auto result = explored([](self& me) { me.send<&dreamer::look>(me.create<dreamer>()); }, GetParam());

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].details, testing::Contains(HasSubstr("a clock, a random number, ")));
}

INSTANTIATE_TEST_SUITE_P(Engines, UnseenInfluence,
                         testing::Values("auto", "optimal", "trust", "stateful", "persistent"));

TEST(UnseenInfluence, OfOneWhoWritesOnceNamesBothAndTheVariable) {
  const auto result = explored(both<&writer::raise, &reader::look, true>, "auto");

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].message,
              HasSubstr("reader_1.look() depends on deliveries that have nothing to do with it: in one order it leaves "
                        "reader_1{seen=1}, in another it leaves reader_1{seen=0}"));
  EXPECT_THAT(result.findings[0].details, testing::Contains(HasSubstr("shared::is_ready")));
}

TEST(UnseenInfluence, IsNotSeenInWhatNobodyReads) {
  const auto result = explored(
      [](self& me) {
        for (const auto by : {1, 2, 3}) me.send<&harmless::work>(me.create<harmless>(), by);
      },
      "optimal");

  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_TRUE(result.exhausted);
}

struct collector {
  std::vector<int> got;
  void take(int x) { got.push_back(x); }
};

TEST(UnseenInfluence, IsNotWhatTheBodyOfATestSeesOfTheOrder) {
  const auto result = explore(make_test_program({[](self& me, test_run& run) {
    const auto a = me.create<collector>();
    const auto b = me.create<collector>();
    for (const auto x : {1, 2}) me.send<&collector::take>(a, x);
    run.handle_all();
    me.send<&collector::take>(b, run.state(a).got.front());
    run.handle_all();
  }}));

  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.executions, 2U);
}

}  // namespace
}  // namespace harrier
