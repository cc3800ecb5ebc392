// What a protocol costs among coroutines and over the loopback interface, beside Boost.Asio alone: a ping and a pong by
// turns. Processor time, since two threads share the machine with others. See bench/README.md.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <limits>

#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <harrier/transport/session.hpp>

#include "turns.hpp"

namespace {

namespace asio = boost::asio;
using protocols::chess;
using game = harrier::runtime::session<chess>;
using role = chess::role;
using done = asio::awaitable<void>;

done white(game::participant self, int turns) {
  for (long i = 0; i < turns; ++i) {
    co_await self.send(role::black, i);
    co_await self.recv<long>(role::black);
  }
}
done black(game::participant self, int turns) {
  for (int i = 0; i < turns; ++i) {
    const auto move = co_await self.recv<long>(role::white);
    co_await self.send(role::white, move);
  }
}

void coroutines(int turns) {
  asio::io_context loop;
  game all(loop.get_executor());
  asio::co_spawn(loop, black(all.take(role::black), turns), asio::detached);
  asio::co_spawn(loop, white(all.take(role::white), turns), asio::detached);
  loop.run();
}

void channels(int turns) {
  using channel = asio::experimental::channel<void(boost::system::error_code, long)>;
  asio::io_context loop;
  channel there(loop, 16);
  channel back(loop, 16);
  const auto ping = [&]() -> done {
    for (long i = 0; i < turns; ++i) {
      co_await there.async_send({}, i, asio::use_awaitable);
      co_await back.async_receive(asio::use_awaitable);
    }
  };
  const auto pong = [&]() -> done {
    for (int i = 0; i < turns; ++i) {
      const auto move = co_await there.async_receive(asio::use_awaitable);
      co_await back.async_send({}, move, asio::use_awaitable);
    }
  };
  asio::co_spawn(loop, pong(), asio::detached);
  asio::co_spawn(loop, ping(), asio::detached);
  loop.run();
}

void sessions_with(int turns, const harrier::runtime::session_options& options) {
  asio::io_context loop;
  game here(loop.get_executor(), options);
  game there(loop.get_executor(), options);
  const auto address = here.listen({asio::ip::address_v4::loopback(), 0});
  asio::co_spawn(loop, there.connect(address), asio::detached);
  asio::co_spawn(loop, black(there.take(role::black), turns), asio::detached);
  asio::co_spawn(loop, white(here.take(role::white), turns), asio::detached);
  loop.run();
}

void sessions(int turns) { sessions_with(turns, {}); }
void resumed(int turns) {
  harrier::runtime::session_options options;
  options.resumption = std::chrono::minutes(1);
  sessions_with(turns, options);
}

// As many bytes as a message of the session has.
void sockets(int turns) {
  using tcp = asio::ip::tcp;
  asio::io_context loop;
  tcp::acceptor door(loop, {asio::ip::address_v4::loopback(), 0});
  tcp::socket here(loop);
  tcp::socket there(loop);
  there.connect(door.local_endpoint());
  door.accept(here);
  for (auto* one : {&here, &there}) one->set_option(tcp::no_delay(true));
  const auto play = [&](tcp::socket& mine, bool begins) -> done {
    std::array<char, 29> bytes{};
    for (int i = 0; i < turns; ++i) {
      if (begins) co_await asio::async_write(mine, asio::buffer(bytes), asio::use_awaitable);
      co_await asio::async_read(mine, asio::buffer(bytes), asio::use_awaitable);
      if (!begins) co_await asio::async_write(mine, asio::buffer(bytes), asio::use_awaitable);
    }
  };
  asio::co_spawn(loop, play(there, false), asio::detached);
  asio::co_spawn(loop, play(here, true), asio::detached);
  loop.run();
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double nanoseconds_a_message(const std::function<void(int)>& play, int turns) {
  const auto start = processor_seconds();
  play(turns);
  return 1e9 * (processor_seconds() - start) / (2.0 * turns);
}

// By turns, and the fastest round of each counts.
void compare(const char* name, const std::function<void(int)>& bare, const std::function<void(int)>& with, int turns,
             int rounds) {
  auto least_bare = std::numeric_limits<double>::infinity();
  auto least_with = least_bare;
  for (int i = 0; i < rounds; ++i) {
    least_bare = std::min(least_bare, nanoseconds_a_message(bare, turns));
    least_with = std::min(least_with, nanoseconds_a_message(with, turns));
  }
  std::cout << "| " << name << " | " << static_cast<int>(least_bare) << " | " << static_cast<int>(least_with) << " | "
            << static_cast<int>(100 * least_with / least_bare + 0.5) / 100.0 << " |\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 20000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  std::cout << "| | Asio alone, ns a message | with the protocol | x |\n|---|---|---|---|\n";
  compare("coroutines of one thread", channels, coroutines, turns, rounds);
  compare("over the loopback interface", sockets, sessions, turns, rounds);
  compare("the same, resumed if it is cut", sockets, resumed, turns, rounds);
}
