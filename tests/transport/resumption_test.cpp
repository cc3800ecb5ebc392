// Connections that are cut, and come back: nothing is lost, and nothing comes twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <harrier/transport/sessions_at_one_port.hpp>

#include "duplex.hpp"
#include "echo.hpp"
#include "frames.hpp"
#include "stage.hpp"
#include "telling.hpp"

namespace harrier::runtime {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using protocols::duplex;
using protocols::echo;
using protocols::telling;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto quietly = asio::as_tuple(asio::use_awaitable);

session_options options_of(std::chrono::milliseconds resumption) {
  session_options options;
  options.resumption = resumption;
  return options;
}

enum class harm { closes, resets, is_mute };

/// What befalls one connection on the road.
struct fate {
  std::size_t there = SIZE_MAX;  ///< bytes that come through until it happens, from who connected
  std::size_t back = SIZE_MAX;   ///< and to who did
  harm how = harm::closes;
};

/// Connections to somewhere lead along it, in a thread of its own.
class road {
public:
  /// @param next  the fate of each connection, when it is made
  road(const tcp::endpoint& to, std::function<fate()> next)
      : next_(std::move(next)), to_(to), door_(loop_, any_port), where_(door_.local_endpoint()) {
    asio::co_spawn(loop_, accept(), asio::detached);
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~road() {
    loop_.stop();
    thread_.join();
  }
  [[nodiscard]] const tcp::endpoint& where() const { return where_; }
  /// From now on: to where those that come lead.
  void leads_to(const tcp::endpoint& to) {
    const std::scoped_lock hold(lock_);
    to_ = to;
  }
  [[nodiscard]] std::size_t there() const { return there_; }
  [[nodiscard]] std::size_t back() const { return back_; }
  [[nodiscard]] unsigned connections() const { return connections_; }

private:
  struct journey {
    explicit journey(asio::io_context& loop) : left(loop), right(loop) {}
    tcp::socket left, right;
    fate what;
    bool mute = false;

    void happen() {
      if (what.how == harm::is_mute) {
        mute = true;
        return;
      }
      for (auto* end : {&left, &right}) {
        boost::system::error_code ignored;
        if (what.how == harm::resets) end->set_option(asio::socket_base::linger(true, 0), ignored);
        end->close(ignored);
      }
    }
  };

  asio::awaitable<void> accept() {
    for (;;) {
      auto one = std::make_shared<journey>(loop_);
      co_await door_.async_accept(one->left, asio::use_awaitable);
      one->what = next_();
      ++connections_;
      const auto [error] = co_await one->right.async_connect(target(), quietly);
      if (error) continue;
      for (auto* end : {&one->left, &one->right}) end->set_option(tcp::no_delay(true));
      if (one->what.there == 0 || one->what.back == 0) {
        one->happen();
        if (!one->mute) continue;
      }
      asio::co_spawn(loop_, forward(one, one->left, one->right, one->what.there, there_), asio::detached);
      asio::co_spawn(loop_, forward(one, one->right, one->left, one->what.back, back_), asio::detached);
    }
  }
  tcp::endpoint target() {
    const std::scoped_lock hold(lock_);
    return to_;
  }
  static asio::awaitable<void> forward(std::shared_ptr<journey> one, tcp::socket& from, tcp::socket& to,
                                       std::size_t until, std::atomic<std::size_t>& total) {
    std::array<char, 4096> some{};
    for (;;) {
      const auto [error, size] = co_await from.async_read_some(asio::buffer(some), quietly);
      if (error) break;
      if (one->mute) continue;
      const auto count = std::min(size, until);
      const auto [why_not, written] = co_await asio::async_write(to, asio::buffer(some, count), quietly);
      if (why_not) break;
      total += written;
      until -= count;
      if (until == 0) one->happen();
      if (until == 0 && !one->mute) co_return;
    }
    boost::system::error_code ignored;
    to.shutdown(tcp::socket::shutdown_send, ignored);
  }

  asio::io_context loop_{1};
  std::function<fate()> next_;
  std::mutex lock_;
  tcp::endpoint to_;
  std::atomic<std::size_t> there_ = 0;
  std::atomic<std::size_t> back_ = 0;
  std::atomic<unsigned> connections_ = 0;
  tcp::acceptor door_;
  tcp::endpoint where_;
  std::thread thread_;
};

/// The first connection has this fate, and others have none.
std::function<fate()> first(fate it) {
  return [it, is_first = true]() mutable { return std::exchange(is_first, false) ? it : fate{}; };
}

/// Two parts of a session in one loop, with a road between them.
template <class Module>
struct two_sides {
  two_sides(const session_options& left_options, const session_options& right_options, std::function<fate()> next)
      : left(loop.get_executor(), left_options),
        right(loop.get_executor(), right_options),
        between(right.listen(any_port), std::move(next)) {}
  two_sides(const session_options& options, std::function<fate()> next)
      : two_sides(options, options, std::move(next)) {}

  /// As somebody does who wants to be connected: what is cut before both have agreed is tried again.
  void connect() { play(keep_connecting()); }
  void play(done one) {
    asio::co_spawn(loop, std::move(one), [this](const std::exception_ptr& error) {
      const std::scoped_lock hold(lock);
      note(error, said);
    });
  }
  /// Until nothing is left, by two threads.
  void run() {
    const std::jthread other([this] { loop.run(); });
    loop.run();
  }

  asio::io_context loop;
  session<Module> left, right;
  road between;
  std::mutex lock;
  std::vector<std::string> said;

private:
  done keep_connecting() {
    for (int i = 0; i < 1000; ++i) {
      try {
        co_return co_await left.connect(between.where());
      } catch (const connection_refused&) {  // then once more
      }
      asio::steady_timer soon(loop, 1ms);
      co_await soon.async_wait(asio::use_awaitable);
    }
  }
};

done asks(session<echo>::participant self, int times, long length = 1) {
  for (int i = 0; i < times; ++i) {
    co_await self.send(echo::role::b, std::string(static_cast<std::size_t>(i * length), 'x'));
    EXPECT_EQ(co_await self.recv<long>(echo::role::b), i * length);
  }
}
done answers(session<echo>::participant self, int times) {
  for (int i = 0; i < times; ++i) {
    const auto text = co_await self.recv<std::string>(echo::role::a);
    co_await self.send(echo::role::a, static_cast<long>(text.size()));
  }
}

/// @return the bytes that went there and back
std::pair<std::size_t, std::size_t> echo_along(const fate& it, const session_options& options) {
  constexpr int times = 4;
  two_sides<echo> all(options, first(it));
  all.play(asks(all.left.take(echo::role::a), times));
  all.play(answers(all.right.take(echo::role::b), times));
  all.connect();
  all.loop.run();
  EXPECT_THAT(all.said, IsEmpty());
  return {all.between.there(), all.between.back()};
}

TEST(Resumption, GoesOnWhereverItIsCut) {
  const auto options = options_of(10min);
  auto at_the_end = options;
  at_the_end.patience = 500ms;  // where the very last that is said is cut off, somebody waits so long, and is not told
  const auto [there, back] = echo_along({}, options);
  ASSERT_GT(there, 300U);
  ASSERT_GT(back, 300U);
  for (std::size_t i = 0; i < std::max(there, back) && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto how = i % 2 == 0 ? harm::closes : harm::resets;
    const auto among = [&](std::size_t all) { return i + resuming::piece_header >= all ? at_the_end : options; };
    if (i < there) echo_along({.there = i, .how = how}, among(there));
    if (i < back) echo_along({.back = i, .how = how}, among(back));
  }
}

/// Says `count` numbers and then that it has ended, and hears as much, whatever comes first.
done talks(session<duplex>::participant self, duplex::role peer, long count) {
  long said = 0;
  long heard = 0;
  for (bool ended = false; said <= count || !ended;) {
    if (said <= count) {
      if (said == count)
        co_await self.send(peer, duplex::End{});
      else
        co_await self.send(peer, said);
      ++said;
    }
    if (ended) continue;
    auto one = co_await self.recv_any();
    if (one.is<long>()) {
      EXPECT_EQ(one.get<long>(), heard++);
    } else {
      ended = true;
    }
  }
  EXPECT_EQ(heard, count);
}

TEST(Resumption, GoesOnAsOftenAsItIsCut) {
  for (unsigned seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::minstd_rand random(seed);
    const auto next = [&random]() -> fate {
      const auto how = random() % 3 == 0 ? harm::resets : harm::closes;
      return {.there = 300 + random() % 3000, .back = 300 + random() % 3000, .how = how};
    };
    auto options = options_of(10min);
    options.patience = 1s;  // as above
    two_sides<duplex> all(options, next);
    all.play(talks(all.left.take(duplex::role::a), duplex::role::b, 500));
    all.play(talks(all.right.take(duplex::role::b), duplex::role::a, 500));
    all.connect();
    all.run();
    EXPECT_THAT(all.said, IsEmpty());
    EXPECT_GT(all.between.connections(), 5U);
  }
}

TEST(Resumption, GoesOnInTheMiddleOfALongMessage) {
  std::minstd_rand random(1);
  const auto next = [&random]() -> fate { return {.there = 100'000 + random() % 400'000}; };
  two_sides<echo> all(options_of(10min), next);
  all.play(asks(all.left.take(echo::role::a), 20, 20'000));
  all.play(answers(all.right.take(echo::role::b), 20));
  all.connect();
  all.run();
  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_GT(all.between.connections(), 5U);
}

TEST(Resumption, GivesUpAConnectionThatSaysNothing) {
  auto options = options_of(10min);
  options.silence = 30ms;
  two_sides<echo> all(options, first({.there = 700, .how = harm::is_mute}));
  all.play(asks(all.left.take(echo::role::a), 40));
  all.play(answers(all.right.take(echo::role::b), 40));
  all.connect();
  all.loop.run();
  EXPECT_THAT(all.said, IsEmpty());
  EXPECT_GT(all.between.connections(), 1U);
}

TEST(Resumption, IsOfBothSidesOrOfNone) {
  for (const bool of_left : {false, true}) {
    two_sides<echo> all(options_of(of_left ? 10min : 0min), options_of(of_left ? 0min : 10min),
                        first({.there = 700, .how = harm::closes}));
    all.play(asks(all.left.take(echo::role::a), 100));
    all.play(answers(all.right.take(echo::role::b), 100));
    all.connect();
    all.loop.run();
    EXPECT_THAT(all.said, ::testing::UnorderedElementsAre(HasSubstr("peer gone: a is out of reach"),
                                                          HasSubstr("peer gone: b is out of reach")));
    EXPECT_EQ(all.between.connections(), 1U);
  }
}

TEST(Resumption, IsRefusedByOneWhoKnowsNothingOfIt) {
  two_sides<echo> all(options_of(10min), first({.there = 700}));
  session<echo> other(all.loop.get_executor(), options_of(10min));
  const auto elsewhere = other.listen(any_port);
  const auto answers_here = [&](auto self) -> done {
    for (;;) {
      const auto text = co_await self.template recv<std::string>(echo::role::a);
      all.between.leads_to(elsewhere);
      co_await self.send(echo::role::a, static_cast<long>(text.size()));
    }
  };
  all.play(asks(all.left.take(echo::role::a), 1000));
  all.play(answers_here(all.right.take(echo::role::b)));
  all.connect();
  while (all.said.empty()) all.loop.run_one();  // what it has lost waits for it in vain
  EXPECT_THAT(all.said, ::testing::ElementsAre(AllOf(HasSubstr("peer gone: b is out of reach"),
                                                     HasSubstr("and the other side does not know of it any more"))));
}

TEST(Resumption, EndsWhenItsTimeIsOver) {
  for (const bool is_left_killed : {false, true}) {
    asio::io_context loop;
    auto killed = std::make_unique<asio::io_context>();
    const auto options = options_of(20ms);
    std::vector<std::string> said;
    const auto noted = [&said](const std::exception_ptr& error) { note(error, said); };
    session<echo> left((is_left_killed ? *killed : loop).get_executor(), options);
    session<echo> right((is_left_killed ? loop : *killed).get_executor(), options);
    const auto where = right.listen(any_port);
    const auto for_ever = []() -> done {
      asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      co_await never.async_wait(asio::use_awaitable);
    };
    const auto asked = [&](auto self) -> done {
      co_await self.send(echo::role::b, std::string("x"));
      static_cast<void>(co_await self.template recv<long>(echo::role::b));
      if (is_left_killed) co_await for_ever();
      co_await self.send(echo::role::b, std::string("x"));
      static_cast<void>(co_await self.template recv<long>(echo::role::b));
    };
    bool is_there = false;
    const auto answered = [&](auto self) -> done {
      static_cast<void>(co_await self.template recv<std::string>(echo::role::a));
      co_await self.send(echo::role::a, 1L);
      is_there = true;
      if (!is_left_killed) co_await for_ever();
      static_cast<void>(co_await self.template recv<std::string>(echo::role::a));
    };
    asio::co_spawn(is_left_killed ? *killed : loop, asked(left.take(echo::role::a)), noted);
    asio::co_spawn(is_left_killed ? loop : *killed, answered(right.take(echo::role::b)), noted);
    asio::co_spawn(is_left_killed ? *killed : loop, left.connect(where), noted);
    while (!is_there || loop.poll() + killed->poll() > 0) {
      loop.poll();
      killed->poll();
    }
    killed.reset();
    loop.run();
    EXPECT_THAT(said, ::testing::ElementsAre(HasSubstr("and it has not come back in 20 ms")));
  }
}

TEST(Resumption, KeepsNoMoreThanItMay) {
  auto options = options_of(10min);
  options.largest_backlog = std::size_t{128} << 10;
  two_sides<telling> all(options, first({.there = 5000, .how = harm::is_mute}));
  const std::string kilobyte(1024, 'x');
  constexpr int in_all = 2000;
  int sent_at_most = 0;
  int heard = 0;
  auto a = all.left.take(telling::role::a);
  const auto tells = [&]() -> done {
    co_await all.left.everybody();  // what is said before waits elsewhere
    for (int i = 0; i < in_all; ++i) {
      co_await a.send(telling::role::b, kilobyte);
      sent_at_most = std::max(sent_at_most, i + 1 - heard);
    }
    a.leave();
  };
  const auto hears = [&](auto self) -> done {
    for (int i = 0; i < in_all; ++i) {
      EXPECT_EQ(co_await self.template recv<std::string>(telling::role::a), kilobyte);
      ++heard;
    }
  };
  all.play(tells());
  all.play(hears(all.right.take(telling::role::b)));
  all.connect();
  // Until nothing more goes on: whoever sends waits.
  while (heard == 0) all.loop.poll_one();
  for (int before = -1; before != sent_at_most;) {
    before = sent_at_most;
    all.loop.run_for(20ms);
  }
  EXPECT_LT(sent_at_most, 3 * 128 + 100);
  EXPECT_LT(heard, 10);
  all.left.cancel("that was what was to be seen");
  all.right.cancel("that was what was to be seen");
}

// The port is closed while the last of them is greeted: those that have been handed over may come back nevertheless.
void serve_at_one_port(unsigned clients) {
  constexpr int times = 20;
  asio::io_context loop;
  const auto options = options_of(10min);
  std::list<session<echo>> served;
  std::vector<std::string> said;
  const auto noted = [&said](const std::exception_ptr& error) { note(error, said); };
  sessions_at_one_port port(loop.get_executor(), options);
  port.on_unknown([&](const std::string&, const std::string& name) {
    auto with_name = options;
    with_name.name = name;
    auto& one = served.emplace_back(loop.get_executor(), with_name);
    port.add(one);
    asio::co_spawn(loop, answers(one.take(echo::role::b), times), noted);
    if (served.size() == clients) port.close();
  });
  const auto where = port.listen(any_port);
  std::vector<std::unique_ptr<road>> roads;
  std::list<session<echo>> asking;
  for (unsigned i = 0; i < clients; ++i) {
    roads.push_back(std::make_unique<road>(where, first({.back = 600 + std::size_t{100} * i})));
    auto with_name = options;
    with_name.name = "client " + std::to_string(i);
    auto& one = asking.emplace_back(loop.get_executor(), with_name);
    asio::co_spawn(loop, asks(one.take(echo::role::a), times), noted);
    asio::co_spawn(loop, one.connect(roads.back()->where()), noted);
  }
  loop.run();
  EXPECT_THAT(said, IsEmpty());
  for (const auto& one : roads) EXPECT_EQ(one->connections(), 2U);
}

TEST(Resumption, OfSessionsAtOnePort) {
  serve_at_one_port(1);
  serve_at_one_port(3);
}

TEST(Resumption, LeavesNothingWhereTheLoopIsDestroyed) {
  auto options = options_of(10min);
  two_sides<echo> all(options, first({.there = 700, .how = harm::closes}));
  all.play(asks(all.left.take(echo::role::a), 100));
  all.play(answers(all.right.take(echo::role::b), 100));
  all.connect();
  while (all.between.there() < 700) all.loop.run_one();
  all.loop.poll();
}

// --- who comes back, and should not

std::string piece(std::string_view bytes, std::uint64_t received, std::optional<std::uint32_t> size = {}) {
  std::string text;
  wire::writer out(text);
  out.put(size.value_or(static_cast<std::uint32_t>(bytes.size())));
  out.put(received);
  text.append(bytes);
  return text;
}

/// `b`, and somebody who connects to it, is `a`, and agrees to come back: in time, however busy the machine.
class Comeback : public ::testing::Test {
protected:
  explicit Comeback(std::chrono::milliseconds in_time = 10min)
      : b_(loop_.get_executor(), options_of(in_time)), where_(b_.listen(any_port)), raw_(loop_) {
    const auto play = [](auto self, std::promise<std::string>& call) -> done {
      try {
        for (;;) {
          const auto text = co_await self.template recv<std::string>(echo::role::a);
          co_await self.send(echo::role::a, static_cast<long>(text.size()));
        }
      } catch (const protocol_error& e) {
        call.set_value(e.what());
      }
    };
    asio::co_spawn(loop_, play(b_.take(echo::role::b), call_), asio::detached);
    thread_ = std::thread([this] { loop_.run(); });
    greet();
  }
  ~Comeback() override {
    loop_.stop();
    thread_.join();
  }
  /// What b's call has thrown, once it has.
  std::string call() { return call_.get_future().get(); }
  void say(tcp::socket& by, const std::string& text) { asio::write(by, asio::buffer(text)); }
  std::string hear(tcp::socket& by, std::size_t count) {
    std::string text(count, '\0');
    boost::system::error_code ignored;
    text.resize(asio::read(by, asio::buffer(text), ignored));
    return text;
  }
  tcp::socket back(const resuming::identity& of, std::uint64_t received) {
    tcp::socket one(own_);
    one.connect(where_);
    std::string text(resuming::magic);
    wire::writer out(text);
    for (const auto half : of) out.put(half);
    out.put(received);
    say(one, text);
    return one;
  }
  /// How the comeback is answered: 1 or 0.
  int answer(tcp::socket& by) {
    const auto text = hear(by, resuming::magic.size() + 9);
    return text.size() < resuming::magic.size() + 9 ? -1 : text[resuming::magic.size()];
  }
  const resuming::identity name = {47, 11};

private:
  void greet() {
    raw_ = tcp::socket(own_);
    raw_.connect(where_);
    session_part<echo> part("", 0, 1000);
    part.take(0);
    const auto says = part.says();
    std::string text(wire::magic);
    wire::append(text, wire::frame::hello, [&](wire::writer& out) {
      out(says.title, says.tables, says.layouts, says.name, says.capacity, says.silence, says.taken);
      out(std::uint64_t{1'000'000}, name);
    });
    say(raw_, text);
    hear(raw_, wire::magic.size());
    const auto length = wire::reader(hear(raw_, 4)).number_of<std::uint32_t>();
    hear(raw_, length);
    say(raw_, piece(frame(wire::frame::accepted), 0));
    hear(raw_, resuming::piece_header + 5);  // that it was accepted
  }

protected:
  asio::io_context loop_;
  asio::io_context own_;
  session<echo> b_;
  tcp::endpoint where_;
  tcp::socket raw_;
  std::promise<std::string> call_;
  std::thread thread_;
};

TEST_F(Comeback, MayComeBack) {
  raw_.close();
  auto again = back(name, 5);
  EXPECT_EQ(answer(again), 1);
  say(again, piece(frame(wire::frame::left, 0U, 0U, false) + frame(wire::frame::bye), 5));
  EXPECT_THAT(call(), HasSubstr("a has left"));
}

class ComebackTooLate : public Comeback {
protected:
  ComebackTooLate() : Comeback(50ms) {}
};

TEST_F(ComebackTooLate, WhoIsAnotherOneIsRefused) {
  auto wrong = back({1, 2}, 5);
  EXPECT_EQ(answer(wrong), 0);
  raw_.close();
  EXPECT_THAT(call(), HasSubstr("and it has not come back in 50 ms"));
}

// As where nobody could come back.
TEST(Resumption, SaysWhoWasRefusedAndWhy) {
  for (const auto& [said, patience, why] : {std::tuple("GET", 10s, "what is there speaks another protocol"),
                                            std::tuple("", 10s, "the other side closed it"),
                                            std::tuple("harrier/", 0s, "it has not said who it is in time")}) {
    asio::io_context loop;
    auto options = options_of(10min);
    options.patience = patience;
    std::string refusal;
    options.on_refusal = [&](const std::string& text) {
      refusal = text;
      loop.stop();
    };
    session<echo> b(loop.get_executor(), options);
    tcp::socket stranger(loop);
    stranger.connect(b.listen(any_port));
    asio::write(stranger, asio::buffer(std::string(said)));
    if (patience > 0s) stranger.shutdown(tcp::socket::shutdown_send);
    loop.run();
    EXPECT_THAT(refusal, AllOf(HasSubstr("the connection to 127.0.0.1:"), HasSubstr(" was refused: "), HasSubstr(why)));
  }
}

TEST_F(Comeback, WhoHasReceivedWhatWasNotSentIsRefused) {
  raw_.close();
  auto again = back(name, 5000);
  EXPECT_EQ(answer(again), 0);
  EXPECT_THAT(call(), HasSubstr("what came back says that it has received what was not sent"));
}

TEST_F(Comeback, WhoForgetsWhatItHasReceivedIsRefused) {
  std::string letter;
  wire::append(letter, wire::frame::letter, [](wire::writer& out) {
    for (const auto number : {0U, 1U, 0U, 0U}) out.put(number);
    out(std::string("x"));
  });
  say(raw_, piece(letter, 5));
  hear(raw_, resuming::piece_header + 21 + 8);  // the answer
  raw_.close();
  auto again = back(name, 4);
  EXPECT_EQ(answer(again), 0);
  EXPECT_THAT(call(), HasSubstr("what came back says that it has received what was not sent"));
}

TEST_F(Comeback, WhoSaysNonsenseIsNotComeBackTo) {
  say(raw_, piece("", 5, resuming::largest_piece + 1));
  EXPECT_THAT(call(), HasSubstr("a piece is longer than one may be"));
}

TEST_F(Comeback, WhoConfirmsWhatWasNotSentIsNotComeBackTo) {
  say(raw_, piece("", 500));
  EXPECT_THAT(call(), HasSubstr("it says that it has received what was not sent"));
}

TEST_F(Comeback, WhoSaysNoMoreIsNotWaitedFor) {
  say(raw_, piece("", 5, resuming::no_more));
  EXPECT_THAT(call(), HasSubstr("the other side closed it"));
}

TEST_F(Comeback, WhoComesBackWhileItIsThereIsTaken) {
  auto again = back(name, 5);
  EXPECT_EQ(answer(again), 1);
  say(again, piece(frame(wire::frame::left, 0U, 0U, false) + frame(wire::frame::bye), 5));
  EXPECT_THAT(call(), HasSubstr("a has left"));
}

}  // namespace
}  // namespace harrier::runtime
