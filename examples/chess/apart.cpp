// The same game in two processes, over the loopback interface: first
//
//     chess_apart black PORT         (0: a free one, which is printed)
//
// then, for as many moves as somebody types, one a line,
//
//     chess_apart white PORT
//
// White is a thread, with the very code that plays white among threads; black is a coroutine. Each process has the
// protocol's machine for its role, and looks at what comes from the other one. Kill one: the other is told.
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include "between_processes.hpp"
#include "players.hpp"

namespace {

namespace asio = boost::asio;
using chess_example::game;
using chess_example::on_this_machine;
using chess_example::role;
using namespace std::chrono_literals;

void be_black(std::uint16_t port) {
  asio::io_context loop;
  game part(loop.get_executor());
  asio::co_spawn(loop, chess_example::play_black(part.take(role::black)), chess_example::rethrow);
  std::cout << "black is at port " << part.listen(on_this_machine(port)).port() << std::endl;
  loop.run();
}

void be_white(std::uint16_t port) {
  asio::thread_pool loop(1);
  {
    game part(loop.get_executor());
    auto self = part.take_for_thread(role::white);
    part.connect(on_this_machine(port), 3s, asio::use_future).get();
    chess_example::play_white(std::move(self), chess_example::typed_line);
  }
  loop.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view who = argc == 3 ? argv[1] : "";
  if (who != "white" && who != "black") {
    std::cerr << "usage: chess_apart black|white PORT\n";
    return 2;
  }
  try {
    const auto port = static_cast<std::uint16_t>(std::stoul(argv[2]));
    who == "white" ? be_white(port) : be_black(port);
  } catch (const std::exception& e) {
    std::cerr << who << ": " << e.what() << '\n';
    return 1;
  }
}
