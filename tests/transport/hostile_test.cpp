// What comes from a connection that does not keep to the protocol, or is no connection of ours at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <harrier/transport/session.hpp>

#include "asked.hpp"
#include "echo.hpp"
#include "frames.hpp"
#include "telling.hpp"

namespace harrier::runtime {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using protocols::echo;
using ::testing::AllOf;
using ::testing::HasSubstr;
using done = asio::awaitable<void>;

constexpr std::uint32_t a = 0;
constexpr std::uint32_t b = 1;
constexpr std::uint32_t type_t = 0;
constexpr std::uint32_t type_u = 1;

std::string greeting_with(const greeting& says) {
  std::string result(wire::magic);
  wire::append(result, wire::frame::hello, [&](wire::writer& out) {
    out(says.title, says.tables, says.layouts, says.name, says.capacity, says.silence, says.taken);
  });
  return result;
}
// As the part of a session that has taken `a` would greet.
std::string good_greeting(std::size_t capacity = 0) {
  session_part<echo> other("", capacity, 1000);
  other.take(a);
  return greeting_with(other.says());
}
std::string accepted() { return frame(wire::frame::accepted); }
std::string told(const std::string& text) { return letter(a, b, type_t, 0, text); }

struct ending {
  std::string call;      // what b's call has thrown
  std::string received;  // all that came back, as bytes
  std::string refusal;   // what was said of the connection if it was refused
};

// Whether that was all that the other side will say.
bool has_ended(std::string_view received) {
  auto rest = received.substr(std::min(received.size(), wire::magic.size()));
  while (rest.size() >= wire::header) {
    const auto length = wire::reader(rest).number_of<std::uint32_t>();
    if (rest.size() < sizeof length + length) return false;
    const auto what = static_cast<wire::frame>(rest[sizeof length]);
    if (what == wire::frame::bye || what == wire::frame::refused) return true;
    rest.remove_prefix(sizeof length + length);
  }
  return false;
}

// b waits for messages and answers them, while somebody who plays `a` sends these bytes, and then hangs up or stays.
enum class then { hangs_up, resets, says_no_more, stays };
ending answer_to(const std::string& bytes, then afterwards = then::stays, session_options options = {}) {
  ending result;
  asio::io_context loop;
  options.largest_message = 1000;
  asio::ip::tcp::socket raw(loop);
  {
    session<echo>* refusing = nullptr;
    options.on_refusal = [&](const std::string& why) {
      result.refusal = why;
      refusing->cancel("nobody else will come");
    };
    session<echo> one(loop.get_executor(), options);
    refusing = &one;
    const auto address = one.listen({asio::ip::address_v4::loopback(), 0});
    const auto play = [&](auto self) -> done {
      try {
        for (;;) {
          const auto text = co_await self.template recv<std::string>(echo::role::a);
          co_await self.send(echo::role::a, static_cast<long>(text.size()));
        }
      } catch (const protocol_error& e) {
        result.call = e.what();
      }
    };
    asio::co_spawn(loop, play(one.take(echo::role::b)), asio::detached);
    raw.connect(address);
    asio::write(raw, asio::buffer(bytes));
    const auto read_all = [&]() -> done {
      std::array<char, 4096> some{};
      for (;;) {
        const auto [error, size] =
            co_await raw.async_read_some(asio::buffer(some), asio::as_tuple(asio::use_awaitable));
        result.received.append(some.data(), size);
        if (error || has_ended(result.received)) break;
      }
      raw.close();
    };
    if (afterwards == then::says_no_more) raw.shutdown(asio::socket_base::shutdown_send);
    if (afterwards == then::stays || afterwards == then::says_no_more) {
      asio::co_spawn(loop, read_all(), asio::detached);
    } else {
      if (afterwards == then::resets) raw.set_option(asio::socket_base::linger(true, 0));
      for (int i = 0; i < 20; ++i) loop.poll();  // some of it is read before
      raw.close();
    }
    loop.run();
  }
  return result;
}

// Something that a compliant `a` does not send. What is said of it, to b and, with the same words, to who has sent it.
struct offence {
  const char* name;
  std::string bytes;
  const char* words;
  std::size_t capacity = 0;

  friend void PrintTo(const offence& one, std::ostream* to) { *to << one.name; }
};

class Offence : public ::testing::TestWithParam<offence> {};

TEST_P(Offence, BreaksTheSessionOnBothSides) {
  const auto& it = GetParam();
  session_options options;
  options.capacity = it.capacity;
  const auto end = answer_to(good_greeting(it.capacity) + accepted() + told("well") + it.bytes, then::stays, options);
  EXPECT_THAT(end.call, AllOf(HasSubstr("the session is broken: "), HasSubstr(it.words)));
  EXPECT_THAT(end.received, HasSubstr(it.words)) << "who did it is told";
}

std::string length_only(std::uint32_t length) {
  std::string result;
  wire::writer(result).put(length);
  return result + std::string(16, 'x');
}

INSTANTIATE_TEST_SUITE_P(
    All, Offence,
    ::testing::Values(
        offence{"AMessageOutOfTurn", letter(a, b, type_u, 0, 4L), "a SEND U TO b: came from 127.0.0.1:"},
        offence{"AMessageWithAnUnknownMark", letter(a, b, type_t, 77, std::string("x")),
                "is not allowed here, whatever the others do; allowed here: b "},
        offence{"AMessageOfARoleThatIsElsewhere", letter(b, a, type_u, 0, 4L), "where b is not"},
        offence{"AMessageToItself", letter(a, a, type_t, 0, std::string("x")), "and a is not here"},
        offence{"NoSuchRole", letter(7, b, type_t, 0, std::string("x")), "no such role or type of message"},
        offence{"NoSuchType", letter(a, b, 9, 0, std::string("x")), "no such role or type of message"},
        offence{"AMessageThatIsCutOff", letter(a, b, type_t, 0, std::uint64_t{5}), "cannot be read: "},
        offence{"AMessageThatGoesOn", letter(a, b, type_t, 0, std::pair<std::string, int>("x", 1)),
                "it goes on where it should end"},
        offence{"ALetterWithoutAnything", frame(wire::frame::letter), "it is too short"},
        offence{"AFrameOfNoLength", length_only(0), "a frame has length zero, and not even a kind"},
        offence{"AFrameThatIsTooLong", length_only(0xffffffff), "it is longer than a message may be"},
        offence{"AMessageThatIsTooLong", told(std::string(2000, 'x')), "it is longer than a message may be"},
        offence{"AFrameOfNoKind", frame(static_cast<wire::frame>(99)), "a frame of kind 99"},
        offence{"ASecondGreeting", frame(wire::frame::hello), "a frame of kind 0"},
        offence{"AReceiptForNothing", frame(wire::frame::consumed, a, b), "a message that was not sent"},
        offence{"ALeaveOfSomebodyElse", frame(wire::frame::left, b, 0U, true), "a role that is not there"},
        offence{"ALeaveInAStateOfSomebodyElse", frame(wire::frame::left, a, 1000U, true), "a state that it has not"},
        offence{"TakingWhatIsTaken", frame(wire::frame::taken, b), "b is taken on both sides"},
        offence{"TakingWhatIsNone", frame(wire::frame::taken, std::uint32_t{5}), "there is no such role"},
        offence{"MoreThanThereIsRoomFor", told("1") + told("2") + told("3") + told("4"),
                "as many were under way as there is room for", 2}),
    [](const auto& one) { return one.param.name; });

TEST(Bytes, ThatAreNoValueAreRefused) {
  using codec = wire::codec<runtime::message<bool, std::vector<bool>>>;
  EXPECT_TRUE(codec::read(0, "\1").get<bool>());
  EXPECT_THROW(codec::read(0, "\2"), wire::malformed);
  EXPECT_THROW(codec::read(0, ""), wire::malformed);
  EXPECT_THROW(codec::read(1, std::string(8, '\x7f')), wire::malformed);
}

// b has had an answer from a, who is elsewhere, before it has asked for anything.
class AnswerBeforeTheQuestion : public ::testing::Test {
protected:
  using asked = protocols::asked;
  static constexpr auto who_asks = static_cast<std::uint32_t>(asked::role::b);
  static constexpr auto who_answers = static_cast<std::uint32_t>(asked::role::a);

  void SetUp() override {
    session_part<asked> other("", 0, 1000);
    other.take(who_answers);
    here.take(who_asks);
    way.peer = "over there";
    ASSERT_EQ(here.welcome(way, here.says(), other.says()), "");
    here.join(way, here.says(), other.says());
    const auto early = letter(who_answers, who_asks, type_t, 0, std::string("as you will say"));
    EXPECT_TRUE(here.receive(way, wire::frame::letter, std::string_view(early).substr(wire::header)))
        << "b might ask for it yet";
  }
  void TearDown() override { here.lost(way, "the test is over"); }
  bool says(asked::message content) {
    request call{kind::send, who_asks, who_answers, content.type()};
    return here.perform_now(call, content);
  }
  void receives() {
    request call{kind::receive, who_answers, who_asks, anything};
    asked::message answer;
    here.perform_now(call, answer);
  }

  class nowhere final : public connection {
  public:
    void ring() noexcept override {}
  };
  nowhere way;
  session_part<asked> here{"", 0, 1000};
};

TEST_F(AnswerBeforeTheQuestion, IsFoundOutWhenSomethingElseIsAsked) {
  ASSERT_TRUE(says(1L));
  try {
    receives();
    ADD_FAILURE() << "b would wait for ever";
  } catch (const protocol_broken& e) {
    EXPECT_THAT(e.what(), HasSubstr("a SEND T TO b: came from over there and is not allowed here, whatever the others "
                                    "do; allowed here: b RECV U FROM a (asked.dcj:"));
  }
}

TEST_F(AnswerBeforeTheQuestion, IsFoundOutWhenNothingIsAsked) {
  ASSERT_TRUE(says(false));
  EXPECT_TRUE(here.has_finished(who_asks));
  EXPECT_THAT(way.outgoing, HasSubstr("is not allowed here")) << "b need not call once more";
  EXPECT_THROW(receives(), protocol_broken) << "what came is not just left lying";
}

class unwritten final : public connection {
public:
  void ring() noexcept override {}
};

// b is elsewhere, and does not read.
TEST(Backlog, MakesSendsWaitUntilSomethingIsWritten) {
  using protocols::telling;
  struct held_up final : waiting_call<telling::message> {
    using waiting_call::waiting_call;
    void wake() noexcept override { woken = true; }
    bool woken = false;
  };
  unwritten way;
  session_part<telling> here("", 0, 1000);
  session_part<telling> there("", 0, 1000);
  here.limit_backlog(500);
  here.take(a);
  there.take(b);
  ASSERT_EQ(here.welcome(way, here.says(), there.says()), "");
  here.join(way, here.says(), there.says());
  request call{kind::send, a, b, 0};
  int sent = 0;
  for (telling::message text(std::string(80, 'x')); here.perform_now(call, text); ++sent) {
    ASSERT_LT(sent, 100);
    text = telling::message(std::string(80, 'x'));
  }
  EXPECT_LT(way.outgoing.size(), 700U);
  held_up next(call, telling::message(std::string("next")), true);
  EXPECT_FALSE(here.perform_or_wait(next));
  way.outgoing.clear();
  here.drained(way);

  EXPECT_TRUE(next.woken && next.done);
  EXPECT_THAT(way.outgoing, HasSubstr("next"));
  here.lost(way, "the test is over");
}

TEST(Door, ClosesWhatComesWhileTooManyHaveNotSaidWhatTheyAre) {
  asio::io_context loop;
  std::string refusal;
  session_options options;
  options.most_greeting = 1;
  options.on_refusal = [&](const std::string& why) { refusal += why + "\n"; };
  asio::ip::tcp::socket silent(loop);
  asio::ip::tcp::socket another(loop);
  {
    session<echo> one(loop.get_executor(), options);
    const auto address = one.listen({asio::ip::address_v4::loopback(), 0});
    silent.connect(address);
    another.connect(address);
    while (refusal.empty()) loop.run_one();
    char nothing = 0;
    boost::system::error_code error;
    another.read_some(asio::buffer(&nothing, 1), error);
    EXPECT_EQ(error, asio::error::eof);
    silent.close();
  }
  loop.run();
  EXPECT_THAT(refusal, HasSubstr("too many others, 1, have not yet said what they are"));
}

TEST(Peer, ThatBreaksOffSaysWhy) {
  const auto end = answer_to(good_greeting() + accepted() + frame(wire::frame::broken, std::string_view("you lie")));
  EXPECT_THAT(end.call, AllOf(HasSubstr("the session is broken: 127.0.0.1:"), HasSubstr("has given up: you lie")));
}

TEST(Peer, ThatIsGoneIsOutOfReachAfterWhatItHasSent) {
  for (const auto how : {then::hangs_up, then::resets}) {
    const auto end = answer_to(good_greeting() + accepted() + told("last words"), how);
    EXPECT_THAT(end.call, HasSubstr("b RECV T FROM a: peer gone: a is out of reach: "));
  }
}

TEST(Peer, ThatSaysNothingIsOutOfReachIfItIsAskedToSpeak) {
  session_options options;
  options.silence = 30ms;
  EXPECT_THAT(answer_to(good_greeting() + accepted(), then::stays, options).call,
              HasSubstr("peer gone: a is out of reach: nothing has come from there for 30 ms"));
}

TEST(Peer, HearsNowAndThenIfItAsksForThat) {
  session_part<echo> other("", 0, 1000);
  other.take(a);
  other.limit_silence(30);
  asio::io_context loop;
  asio::ip::tcp::socket raw(loop);
  session<echo> one(loop.get_executor());
  const auto self = one.take(echo::role::b);
  raw.connect(one.listen({asio::ip::address_v4::loopback(), 0}));
  asio::write(raw, asio::buffer(greeting_with(other.says()) + accepted()));
  std::string received;
  const auto alive = frame(wire::frame::alive);
  const auto listen = [&]() -> done {
    std::array<char, 4096> some{};
    while (received.find(alive + alive) == std::string::npos) {
      const auto size = co_await raw.async_read_some(asio::buffer(some), asio::use_awaitable);
      received.append(some.data(), size);
    }
    raw.close();
    one.leave(echo::role::b);
  };
  asio::co_spawn(loop, listen(), asio::detached);
  loop.run();

  EXPECT_THAT(received, HasSubstr(alive + alive));
}

TEST(Peer, ThatSaysGoodbyeHasLeft) {
  const auto bye = frame(wire::frame::bye);
  EXPECT_THAT(answer_to(good_greeting() + accepted() + frame(wire::frame::left, a, 0U, false) + bye).call,
              HasSubstr("peer gone: a has left"));
  EXPECT_THAT(answer_to(good_greeting() + accepted() + bye).call,
              HasSubstr("peer gone: a is out of reach: the connection was closed"));
}

TEST(Stranger, IsRefusedAndTheDoorStaysOpen) {
  struct stranger {
    std::string bytes;
    const char* words;
  };
  auto newer = good_greeting();
  newer[wire::magic.size() - 2] = '9';
  auto trailing = std::string(wire::magic) + frame(wire::frame::hello, std::string_view("echo"));
  const std::vector<stranger> strangers = {
      {"GET / HTTP/1.1\r\nHost: here\r\n\r\n", "speaks another protocol, or another version of this one"},
      {newer, "speaks another protocol, or another version of this one"},
      {std::string(wire::magic) + frame(wire::frame::bye), "it does not begin with a greeting"},
      {std::string(wire::magic) + length_only(0x7fffffff), "its greeting is too long"},
      {trailing, "its greeting cannot be read: "},
      {std::string(wire::magic) + frame(wire::frame::refused, std::string_view("no")), "was refused there: no"},
      {good_greeting() + frame(wire::frame::bye), "it does not answer the greeting"},
      {"harrier", "it has not said who it is in time"},
      {"", "it has not said who it is in time"}};
  for (const auto& one : strangers) {
    session_options options;
    if (one.bytes.size() < wire::magic.size()) options.patience = 10ms;
    const auto end = answer_to(one.bytes, then::stays, options);
    EXPECT_THAT(end.refusal, AllOf(HasSubstr("the connection to 127.0.0.1:"), HasSubstr(one.words)));
    EXPECT_THAT(end.call, HasSubstr("b RECV T FROM a: cancelled: nobody else")) << "the session is as it was";
  }
  EXPECT_THAT(answer_to("har", then::says_no_more).refusal, HasSubstr("the other side closed it"));
}

// Changes some bytes of what a compliant side sends, cuts it off, or repeats some.
std::string damaged(std::string bytes, std::mt19937& random) {
  const auto place = [&] { return std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random); };
  for (auto times = 1 + random() % 3; times != 0; --times) {
    const auto at = place();
    switch (random() % 4) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8)); break;
      case 2: bytes.resize(at + 1); break;
      default: bytes.insert(at, bytes.substr(at, 1 + random() % 20));
    }
  }
  return bytes;
}

TEST(Stranger, MaySendWhateverAndNothingGoesWrongHere) {
  std::mt19937 random(7);
  std::string good = accepted();
  for (int i = 0; i < 5; ++i) good += told(std::string(static_cast<std::size_t>(i), 'x'));
  good += frame(wire::frame::left, a, 0U, false) + frame(wire::frame::bye);
  int broken = 0;
  constexpr int times = 400;
  for (int i = 0; i < times; ++i) {
    const bool from_the_start = i % 4 == 0;
    const auto bytes =
        from_the_start ? damaged(good_greeting() + good, random) : good_greeting() + damaged(good, random);
    const auto end = answer_to(bytes, i % 2 == 0 ? then::hangs_up : then::says_no_more);
    ASSERT_FALSE(end.call.empty()) << "b waits for ever";
    broken += end.call.find("the session is broken") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(broken, times / 10);
}

}  // namespace
}  // namespace harrier::runtime
