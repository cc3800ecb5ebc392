#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <harrier/native/storage.hpp>

#include "explore_all.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;
using testing::SizeIs;

using numbers = std::vector<int>;

/// Appends numbers; a crash may leave the first of them.
struct append {
  numbers what;
  void apply(numbers& content) const { content.insert(content.end(), what.begin(), what.end()); }
  std::vector<append> torn() const {
    std::vector<append> parts;
    for (std::size_t n = 1; n < what.size(); ++n)
      parts.push_back({{what.begin(), what.begin() + static_cast<std::ptrdiff_t>(n)}});
    return parts;
  }
};

std::string joined(const numbers& all) {
  std::string text;
  for (const int one : all) text += std::to_string(one);
  return text;
}

enum class form { copied, made_anew, cloned };

/// All that is left after a crash.
struct kept_by_writer {
  disk<numbers, append> on_disk;
  int told = 0;
};

/// Writes something, and leaves word of what is complete, and of what a crash left.
template <form Form>
struct writer {
  static constexpr bool rebuilt = Form != form::copied;
  persistent<kept_by_writer> kept;
  std::string told = {};

  void begin(self& me, const std::vector<numbers>& all) {
    for (const auto& one : all) kept.write().on_disk.template submit<&writer::wrote>(me, {one});
  }
  void wrote(self& me) {
    for (const auto& one : kept.write().on_disk.template complete<&writer::wrote>(me)) {
      told += joined(one.what.what) + (one.ok() ? "" : one.result == io_result::failed ? "!" : "-");
      ++kept.write().told;
    }
    if (kept->on_disk.under_way().empty()) me.note(told + " has " + joined(*kept->on_disk));
  }
  kept_by_writer survives() const requires rebuilt { return *kept; }
  void on_restart(self& me, const kept_by_writer& left) requires rebuilt {
    kept = left;
    recover(me);
  }
  void on_restart(self& me) requires(!rebuilt) { recover(me); }
  std::unique_ptr<writer> clone() const requires(Form == form::cloned) { return std::make_unique<writer>(*this); }

  void recover(self& me) {
    kept.write().on_disk.recover(me);
    me.note("restarts, told " + std::to_string(kept->told) + ", has " + joined(*kept->on_disk));
  }
};

/// A writer with such a disk.
struct writes {
  disk_rules rules;
  std::vector<numbers> all;
};

template <form Form>
exploration explored(const writes& what, const std::string& engine = "optimal", std::uint32_t crashes = 0,
                     delivery model = delivery::unordered) {
  options how;
  how.search.engine = engine;
  how.search.delivery = model;
  how.search.faults.crash = crashes;
  how.judging.minimise = 0;
  return explore(
      [what](self& me) {
        const auto w = me.create<writer<Form>>(persistent<kept_by_writer>({disk<numbers, append>(what.rules)}));
        me.send<&writer<Form>::begin>(w, what.all);
      },
      how);
}

std::map<std::string, std::uint64_t> outcomes(const writes& what, std::uint32_t crashes = 0) {
  return explored<form::copied>(what, "optimal", crashes).outcomes;
}

TEST(Disk, CompletesWritesInTheOrderOfTheirSubmission) {
  EXPECT_THAT(outcomes({{}, {{1}, {2}, {3}}}), ElementsAre(Pair("123 has 123", 1)));
}

TEST(Disk, CompletesWritesInEachOrder) {
  EXPECT_THAT(outcomes({{.order = completion::in_any_order}, {{1}, {2}, {3}}}),
              ElementsAre(Pair("123 has 123", 1), Pair("132 has 132", 1), Pair("213 has 213", 1),
                          Pair("231 has 231", 1), Pair("312 has 312", 1), Pair("321 has 321", 1)));
}

TEST(Disk, CompletesWritesInEachOrderWhereMessagesHaveOne) {
  const writes three{{.order = completion::in_any_order}, {{1}, {2}, {3}}};

  EXPECT_THAT(explored<form::copied>(three, "optimal", 0, delivery::fifo).executions, Eq(6));
  EXPECT_THAT(explored<form::copied>(three, "optimal", 0, delivery::mailbox).executions, Eq(6));
}

TEST(Disk, FailsAsOftenAsItMay) {
  EXPECT_THAT(outcomes({{.failures = 1}, {{1}, {2}}}),
              ElementsAre(Pair("1!2 has 2", 1), Pair("12 has 12", 1), Pair("12! has 1", 1)));
}

TEST(Disk, CancelsWhatWasSubmittedAfterAWriteThatFails) {
  EXPECT_THAT(
      outcomes({{.failures = 1, .failure_cancels = true}, {{1}, {2}, {3}}}),
      ElementsAre(Pair("1!2-3- has ", 1), Pair("12!3- has 1", 1), Pair("123 has 123", 1), Pair("123! has 12", 1)));
}

// It may crash when a write is complete, before the handler that was told of it has done anything.
TEST(Disk, LosesInACrashWhatIsNotComplete) {
  EXPECT_THAT(
      outcomes({{}, {{1}, {2}}}, 1),
      ElementsAre(Key("12 has 12"), Key("restarts, told 0, has "), Key("restarts, told 0, has 1"),
                  Key("restarts, told 1, has 1"), Key("restarts, told 1, has 12"), Key("restarts, told 2, has 12")));
}

TEST(Disk, KeepsInACrashTheFirstWritesThatWereNotComplete) {
  EXPECT_THAT(outcomes({{.after_crash = unfinished::some}, {{1}, {2}}}, 1),
              ElementsAre(Key("12 has 12"), Key("restarts, told 0, has "), Key("restarts, told 0, has 1"),
                          Key("restarts, told 0, has 12"), Key("restarts, told 1, has 1"),
                          Key("restarts, told 1, has 12"), Key("restarts, told 2, has 12")));
}

TEST(Disk, KeepsInACrashAnyWritesWhereTheyHaveNoOrder) {
  EXPECT_THAT(outcomes({{.order = completion::in_any_order, .after_crash = unfinished::some}, {{1}, {2}}}, 1),
              AllOf(Contains(Key("restarts, told 0, has 2")), Contains(Key("restarts, told 0, has 21"))));
}

TEST(Disk, TearsTheFirstWriteThatIsNotThere) {
  EXPECT_THAT(
      outcomes({{.after_crash = unfinished::torn}, {{1, 2}, {3, 4}}}, 1),
      ElementsAre(Key("1234 has 1234"), Key("restarts, told 0, has "), Key("restarts, told 0, has 1"),
                  Key("restarts, told 0, has 12"), Key("restarts, told 0, has 123"), Key("restarts, told 0, has 1234"),
                  Key("restarts, told 1, has 12"), Key("restarts, told 1, has 123"), Key("restarts, told 1, has 1234"),
                  Key("restarts, told 2, has 1234")));
}

class DiskByEngine : public testing::TestWithParam<std::string> {};

TEST_P(DiskByEngine, IsTheSameInActorsThatAreCopiedMadeAnewAndCloned) {
  const writes two{{.order = completion::in_any_order, .failures = 1, .after_crash = unfinished::torn}, {{1, 2}, {3}}};
  const auto by_copies = explored<form::copied>(two, GetParam(), 1);
  const auto anew = explored<form::made_anew>(two, GetParam(), 1);
  const auto cloned = explored<form::cloned>(two, GetParam(), 1);

  EXPECT_THAT(by_copies.findings, IsEmpty());
  EXPECT_TRUE(by_copies.exhausted);
  EXPECT_THAT(anew.outcomes, Eq(by_copies.outcomes));
  EXPECT_THAT(cloned.outcomes, Eq(by_copies.outcomes));
  EXPECT_THAT(anew.executions, Eq(by_copies.executions));
  EXPECT_THAT(cloned.executions, Eq(by_copies.executions));
}
INSTANTIATE_TEST_SUITE_P(Each, DiskByEngine, testing::Values("exhaustive", "optimal", "source", "persistent"),
                         [](const auto& engine) { return engine.param; });

TEST(Disk, MayBeInAStateThatIsCompared) {
  const writes two{{.order = completion::in_any_order, .failures = 1, .after_crash = unfinished::torn}, {{1, 2}, {3}}};
  const auto seen = explored<form::copied>(two, "stateful", 1);

  EXPECT_TRUE(seen.exhausted);
  EXPECT_THAT(seen.findings, IsEmpty());
}

/// Tells somebody of a vote that is on its disk; or that will be.
struct voter {
  ref<struct told_of_vote> other;
  bool in_time = true;
  persistent<disk<numbers, append>> voted = {};
  void vote(self& me);
  void write(self& me) {
    voted.write().now(me, [](numbers& all) { all.push_back(1); });
  }
  void on_restart() {}
};
struct told_of_vote {
  bool heard = false;
  void hear() { heard = true; }
};
void voter::vote(self& me) {
  if (in_time) write(me);
  me.send<&told_of_vote::hear>(other);
  if (!in_time) write(me);
}

exploration explored_voter(bool in_time) {
  options how;
  how.search.faults.crash = 1;
  how.judging.minimise = 0;
  return explore(
      specified(
          make_program([in_time](self& me) {
            const auto other = me.create<told_of_vote>();
            me.send<&voter::vote>(me.create<voter>(other, in_time));
          }),
          {always("a vote that is known is on the disk",
                  [](view<voter> v, view<told_of_vote> other) { return !other->heard || !(*v->voted)->empty(); })}),
      how);
}

TEST(Disk, HasWhatIsWrittenAtOnceBeforeWhatIsSentNext) {
  EXPECT_THAT(explored_voter(true).findings, IsEmpty());
  EXPECT_THAT(messages_of(explored_voter(false)), ElementsAre(HasSubstr("a vote that is known is on the disk")));
}

/// Reads that are no values: handles of a library.
struct loader {
  static constexpr bool rebuilt = true;
  io_queue<std::unique_ptr<int>> reads{{.order = completion::in_any_order, .failures = 1}};
  std::string seen = {};
  void begin(self& me) {
    for (int i = 1; i <= 2; ++i) reads.submit<&loader::has_read>(me, std::make_unique<int>(i));
  }
  void has_read(self& me) {
    for (const auto& one : reads.complete<&loader::has_read>(me))
      seen += std::to_string(*one.what) + (one.ok() ? "" : "!");
    if (reads.under_way().empty()) me.note(seen);
  }
};

TEST(IoQueue, TakesWhatCannotBeCopiedInAnActorThatIsMadeAnew) {
  const auto seen = explore_all([](self& me) { me.send<&loader::begin>(me.create<loader>()); });

  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_THAT(seen.outcomes, ElementsAre(Pair("1!2", 1), Pair("12", 1), Pair("12!", 1), Pair("2!1", 1), Pair("21", 1),
                                         Pair("21!", 1)));
}

struct forgetful {
  io_queue<int> reads = {};
  void begin(self& me) {
    reads.submit<&forgetful::has_read>(me, 1);
    reads.forget();
  }
  void has_read(self& me) { me.check(reads.complete<&forgetful::has_read>(me).empty(), "nothing is complete"); }
};

TEST(IoQueue, HasNothingToCompleteOfWhatItForgot) {
  const auto seen = explore_all([](self& me) { me.send<&forgetful::begin>(me.create<forgetful>()); });

  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_THAT(seen.transitions, Eq(2));
}

TEST(IoQueue, CompletesByTheSameMessageWhatIsSubmittedAfterItForgot) {
  struct changes_its_mind {
    io_queue<int> reads = {};
    void begin(self& me) {
      reads.submit<&changes_its_mind::has_read>(me, 1);
      reads.forget();
      reads.submit<&changes_its_mind::has_read>(me, 2);
    }
    void has_read(self& me) { me.note(std::to_string(reads.complete<&changes_its_mind::has_read>(me).front().what)); }
  };
  const auto seen = explore_all([](self& me) { me.send<&changes_its_mind::begin>(me.create<changes_its_mind>()); });

  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_THAT(seen.outcomes, ElementsAre(Pair("2", 1)));
  EXPECT_THAT(seen.transitions, Eq(2));
}

/// Has a disk and a reader, and uses them as it is told to.
struct misuser {
  std::string how;
  io_queue<int> reads = {};
  io_queue<int> others = {};
  void begin(self& me) {
    reads.submit<&misuser::has_read>(me, 1);
    if (how == "two queues of one handler") others.submit<&misuser::has_read>(me, 2);
    if (how == "two handlers of one queue") reads.submit<&misuser::has_read_more>(me, 2);
    if (how == "recovers without a crash") reads.recover();
    if (how == "completes at once") reads.complete<&misuser::has_read>(me);
  }
  void has_read(self& me) {
    reads.complete<&misuser::has_read>(me);
    if (how == "completes twice") reads.complete<&misuser::has_read>(me);
  }
  void has_read_more(self& me) { reads.complete<&misuser::has_read_more>(me); }
};

std::vector<std::string> said_of(const std::string& misuse) {
  return messages_of(explore_all([misuse](self& me) { me.send<&misuser::begin>(me.create<misuser>(misuse)); }));
}

TEST(IoQueue, SaysWhenItIsUsedWrongly) {
  EXPECT_THAT(said_of("nothing wrong"), IsEmpty());
  EXPECT_THAT(said_of("two queues of one handler"), ElementsAre(HasSubstr("of another io_queue")));
  EXPECT_THAT(said_of("two handlers of one queue"), ElementsAre(HasSubstr("an io_queue (or a disk) has one")));
  EXPECT_THAT(said_of("recovers without a crash"), ElementsAre(HasSubstr("no crash has been")));
  EXPECT_THAT(said_of("completes at once"), ElementsAre(HasSubstr("of another io_queue")));
  EXPECT_THAT(said_of("completes twice"), ElementsAre(HasSubstr("twice by one message")));
}

/// Writes, and does not care what a crash left.
template <form Form>
struct careless {
  static constexpr bool rebuilt = Form != form::copied;
  persistent<disk<numbers, append>> kept = {};
  void write(self& me) { kept.write().template submit<&careless::wrote>(me, {{1}}); }
  void look(self& me) { me.note(joined(**kept)); }
  void wrote(self& me) { kept.write().template complete<&careless::wrote>(me); }
  disk<numbers, append> survives() const requires rebuilt { return *kept; }
  void on_restart(self&, const disk<numbers, append>& left) requires rebuilt { kept = left; }
  void on_restart() requires(!rebuilt) {}
  std::unique_ptr<careless> clone() const requires(Form == form::cloned) { return std::make_unique<careless>(*this); }
};

/// Writes, crashes, and is sent `Next`.
template <form Form, auto Next>
std::vector<std::string> said_of_careless() {
  options how;
  how.search.faults.crash = 1;
  how.judging.minimise = 0;
  return messages_of(explore(
      [](self& me) {
        const auto w = me.create<careless<Form>>();
        me.send<&careless<Form>::write>(w);
        me.send<Next>(w);
      },
      how));
}

TEST(Disk, SaysThatItWasNotRecoveredAfterACrash) {
  const auto says_so = ElementsAre(HasSubstr("on_restart is to call recover() first"));

  EXPECT_THAT((said_of_careless<form::copied, &careless<form::copied>::write>()), says_so);
  EXPECT_THAT((said_of_careless<form::copied, &careless<form::copied>::look>()), says_so);
  EXPECT_THAT((said_of_careless<form::made_anew, &careless<form::made_anew>::write>()), says_so);
  EXPECT_THAT((said_of_careless<form::made_anew, &careless<form::made_anew>::look>()), says_so);
  EXPECT_THAT((said_of_careless<form::cloned, &careless<form::cloned>::look>()), says_so);
}

/// Has a disk, and forgets that it should be there after a crash.
template <form Form>
struct forgetful_writer {
  static constexpr bool rebuilt = Form != form::copied;
  disk<numbers, append> forgotten = {};
  void write(self& me) { forgotten.template submit<&forgetful_writer::wrote>(me, {{1}}); }
  void look(self& me) { me.note(joined(*forgotten)); }
  void wrote(self& me) { forgotten.template complete<&forgetful_writer::wrote>(me); }
  void on_restart() {}
  std::unique_ptr<forgetful_writer> clone() const requires(Form == form::cloned) {
    return std::make_unique<forgetful_writer>(*this);
  }
};

template <class Actor>
std::vector<std::string> said_of_crashing(std::uint32_t crashes, const std::string& engine) {
  options how;
  how.search.engine = engine;
  how.search.faults.crash = crashes;
  how.judging.minimise = 0;
  return messages_of(explore(
      [](self& me) {
        const auto w = me.create<Actor>();
        me.send<&Actor::write>(w);
        me.send<&Actor::look>(w);
      },
      how));
}

TEST(Disk, SaysThatItWasNotKeptInACrash) {
  const auto says_so = ElementsAre(HasSubstr("uses a disk that it did not keep"));

  EXPECT_THAT(said_of_crashing<forgetful_writer<form::copied>>(1, "optimal"), says_so);
  EXPECT_THAT(said_of_crashing<forgetful_writer<form::made_anew>>(1, "optimal"), says_so);
  EXPECT_THAT(said_of_crashing<forgetful_writer<form::made_anew>>(1, "random"), says_so);
  EXPECT_THAT(said_of_crashing<forgetful_writer<form::cloned>>(1, "exhaustive"), says_so);
  EXPECT_THAT(said_of_crashing<forgetful_writer<form::copied>>(0, "optimal"), IsEmpty());
  EXPECT_THAT(said_of_crashing<forgetful_writer<form::made_anew>>(0, "optimal"), IsEmpty());
}

/// Has a new disk after a crash, and says so.
struct replaces_disk {
  static constexpr bool rebuilt = true;
  disk<numbers, append> on_disk = {};
  void write(self& me) { on_disk.submit<&replaces_disk::wrote>(me, {{1}}); }
  void look(self& me) { me.note(joined(*on_disk)); }
  void wrote(self& me) { on_disk.complete<&replaces_disk::wrote>(me); }
  void on_restart(self&) { on_disk = {}; }
};

TEST(Disk, MayBeReplacedAfterACrash) { EXPECT_THAT(said_of_crashing<replaces_disk>(1, "optimal"), IsEmpty()); }

/// A write that cannot be torn.
struct whole {
  void apply(numbers& content) const { content.push_back(1); }
};

TEST(Disk, IsNotTornWhereNobodySaysWhatIsLeft) {
  EXPECT_THROW((disk<numbers, whole>({.after_crash = unfinished::torn})), error);
}

/// A struct of a C library, with memory of its own.
struct frame {
  int number;
  char* text;
};
int texts_alive = 0;
char* copied(const char* text) {
  ++texts_alive;
  return std::strcpy(new char[std::strlen(text) + 1], text);
}
struct ways_of_frame {
  static void copy(frame& to, const frame& from) {
    to = {from.number, from.text == nullptr ? nullptr : copied(from.text)};
  }
  static void free(frame& x) {
    if (x.text != nullptr) --texts_alive;
    delete[] x.text;
  }
  template <class F>
  static bool inspect(F& f, frame& x) {
    std::string text = x.text == nullptr ? "" : x.text;
    return f.object(x).fields(f.field("number", x.number), f.field("text", text));
  }
};
using message_of_library = foreign<frame, ways_of_frame>;

struct endpoint {
  std::vector<message_of_library> all = {};
  void take(self& me, const message_of_library& m) {
    all.push_back(m);
    auto own = m.copy();
    own.text[0] = 'b';
    me.check(m->text != std::string("ax"), "no x");
    ways_of_frame::free(own);
    if (all.size() == 2) me.note(all[0]->text + std::string(all[1]->text));
  }
};

void send_frames(self& me) {
  const auto e = me.create<endpoint>();
  for (const std::string text : {"aa", "ay"}) {
    frame own{1, copied(text.c_str())};
    me.send<&endpoint::take>(e, message_of_library(own));
    ways_of_frame::free(own);
  }
}

TEST(ForeignStruct, IsCopiedDeepAndFreed) {
  const auto seen = explore_all(send_frames);

  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_THAT(seen.outcomes, ElementsAre(Pair("aaay", 1), Pair("ayaa", 1)));
  EXPECT_THAT(texts_alive, Eq(0));
}

TEST(ForeignStruct, IsComparedByWhatItShows) {
  options how;
  how.search.engine = "stateful";

  EXPECT_THAT(explore(send_frames, how).outcomes, ElementsAre(Key("aaay"), Key("ayaa")));
}

TEST(ForeignStruct, IsShownAsItSays) {
  const auto seen = explore([](self& me) {
    char text[] = "ax";
    me.send<&endpoint::take>(me.create<endpoint>(), message_of_library(frame{3, text}));
  });

  ASSERT_THAT(seen.findings, SizeIs(1));
  EXPECT_THAT(seen.findings[0].trace.back().message, Eq("take({number=3, text=\"ax\"})"));
}

/// Structs of a library that consist of others, and have memory from it.
struct header {
  int kind;
  char* name;
};
struct segment {
  header first;
  header* more;
  unsigned more_count;
  const unsigned char* data;
  std::size_t size;
  const void* memory;  // where the data lies
  int* numbers;
  unsigned number_count;
  int uses;  // is not shown
};
int blocks_alive = 0;
struct ways_of_segment {
  static void* allocate(std::size_t bytes) {
    ++blocks_alive;
    return std::malloc(bytes);
  }
  static void release(void* at) {
    --blocks_alive;
    std::free(at);
  }
  template <class F>
  static void parts(F& f, header& x) {
    f.field("kind", x.kind).text("name", x.name);
  }
  template <class F>
  static void parts(F& f, segment& x) {
    f.part("first", x.first)
        .array("more", x.more, x.more_count)
        .bytes("data", x.data, x.size)
        .alias(x.memory, x.data)
        .array("numbers", x.numbers, x.number_count);
  }
};
using segment_message = foreign<segment, ways_of_segment>;

/// One with so many headers after the first; nothing of it is owned.
segment_message segment_of(const char* name, const std::string& data, std::vector<header> more = {}) {
  std::vector<int> one_and_two = {1, 2};
  return segment_message({{1, const_cast<char*>(name)},
                          more.data(),
                          static_cast<unsigned>(more.size()),
                          reinterpret_cast<const unsigned char*>(data.data()),
                          data.size(),
                          data.data(),
                          one_and_two.data(),
                          2,
                          0});
}

struct sink {
  std::vector<segment_message> all = {};
  void take(self& me, const segment_message& m) {
    all.push_back(m);
    me.check(m->first.name != std::string("x"), "no x");
    if (all.size() == 2) me.note(all[0]->first.name + std::string(all[1]->first.name));
  }
};

TEST(ForeignStruct, IsCopiedAndFreedByADescription) {
  char b[] = "b";
  {
    const auto original = segment_of("a", "data", {{2, b}, {3, nullptr}});
    const auto copy = original;

    EXPECT_THAT(copy->first.name, testing::StrEq("a"));
    EXPECT_THAT(copy->more[0].name, testing::StrEq("b"));
    EXPECT_THAT(copy->more[1].kind, Eq(3));
    EXPECT_THAT(copy->numbers[1], Eq(2));
    EXPECT_THAT(std::memcmp(copy->data, "data", 4), Eq(0));
    EXPECT_THAT(copy->memory, Eq(static_cast<const void*>(copy->data)));
    EXPECT_THAT(copy->data, testing::Ne(original->data));
    EXPECT_THAT(copy->more, testing::Ne(original->more));
    auto* const given_away = copy.allocated_copy();
    EXPECT_TRUE(segment_message::owner_of(*given_away) == copy);
    ways_of_segment::release(given_away);
  }
  EXPECT_THAT(blocks_alive, Eq(0));
}

TEST(ForeignStruct, IsComparedByADescription) {
  char b[] = "b", c[] = "c";

  EXPECT_TRUE(segment_of("a", "data", {{2, b}}) == segment_of("a", "data", {{2, b}}));
  EXPECT_FALSE(segment_of("a", "data", {{2, b}}) == segment_of("a", "data", {{2, c}}));
  EXPECT_FALSE(segment_of("a", "data") == segment_of("a", "date"));
  EXPECT_FALSE(segment_of("a", "data") == segment_of("b", "data"));
}

TEST(ForeignStruct, IsShownByADescription) {
  char b[] = "b";
  const auto x = segment_of("x", "da", {{2, b}});
  const auto seen = explore([x](self& me) { me.send<&sink::take>(me.create<sink>(), x); });

  ASSERT_THAT(seen.findings, SizeIs(1));
  EXPECT_THAT(seen.findings[0].trace.back().message,
              Eq("take({first={kind=1, name=\"x\"}, more=[{kind=2, name=\"b\"}], data=\"da\", numbers=[1, 2]})"));
}

TEST(ForeignStruct, OfADescriptionIsExploredAsAnyValue) {
  const auto two = [](self& me) {
    const auto s = me.create<sink>();
    for (const auto* const name : {"a", "b"}) me.send<&sink::take>(s, segment_of(name, "data"));
  };
  options how;
  how.search.engine = "stateful";

  EXPECT_THAT(explore_all(two).outcomes, ElementsAre(Pair("ab", 1), Pair("ba", 1)));
  EXPECT_THAT(explore(two, how).outcomes, ElementsAre(Key("ab"), Key("ba")));
  EXPECT_THAT(blocks_alive, Eq(0));
}

}  // namespace
}  // namespace harrier
