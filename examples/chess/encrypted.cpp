// The same game over TLS: white makes sure that it plays with whom it wants to play with, and nobody in between reads
// moves or changes them. First
//
//     chess_encrypted black PORT CERTIFICATE KEY     (0: a free port, which is printed; files in PEM)
//
// then, for as many moves as somebody types, one a line,
//
//     chess_encrypted white PORT AUTHORITY           (whom white trusts; of a self-signed certificate, itself)
//
// A session takes any stream that is connected: the handshake is made before `attach`.
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "between_processes.hpp"
#include "players.hpp"

namespace {

namespace asio = boost::asio;
namespace tls = asio::ssl;
using chess_example::game;
using chess_example::on_this_machine;
using chess_example::role;
using encrypted_stream = tls::stream<asio::ip::tcp::socket>;

// Whoever comes first plays, if the handshake succeeds; if not, the next one. (A service for many would make each
// handshake in a coroutine of its own, with a limit, so that nobody who says nothing keeps others waiting.)
asio::awaitable<void> wait_for_white(game& part, asio::ip::tcp::acceptor& door, tls::context& secrets) {
  for (;;) {
    encrypted_stream stream(co_await door.async_accept(asio::use_awaitable), secrets);
    try {
      co_await stream.async_handshake(tls::stream_base::server, asio::use_awaitable);
      co_await part.attach(std::move(stream), "white's side");
      co_return;
    } catch (const std::exception& e) {
      std::cerr << "black: somebody has not got in: " << e.what() << std::endl;
    }
  }
}

void be_black(std::uint16_t port, const std::string& certificate, const std::string& key) {
  tls::context secrets(tls::context::tls_server);
  secrets.use_certificate_chain_file(certificate);
  secrets.use_private_key_file(key, tls::context::pem);
  asio::io_context loop;
  game part(loop.get_executor());
  asio::ip::tcp::acceptor door(loop, on_this_machine(port));
  asio::co_spawn(loop, chess_example::play_black(part.take(role::black)), chess_example::rethrow);
  asio::co_spawn(loop, wait_for_white(part, door, secrets), chess_example::rethrow);
  std::cout << "black is at port " << door.local_endpoint().port() << std::endl;
  loop.run();
}

void be_white(std::uint16_t port, const std::string& authority) {
  tls::context trust(tls::context::tls_client);
  trust.load_verify_file(authority);
  asio::thread_pool loop(1);
  {
    game part(loop.get_executor());
    auto self = part.take_for_thread(role::white);
    encrypted_stream stream(loop, trust);
    stream.set_verify_mode(tls::verify_peer);
    stream.set_verify_callback(tls::host_name_verification("localhost"));
    stream.lowest_layer().connect(on_this_machine(port));
    stream.handshake(tls::stream_base::client);
    part.attach(std::move(stream), "black's side", asio::use_future).get();
    chess_example::play_white(std::move(self), chess_example::typed_line);
  }
  loop.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view who = argc > 1 ? argv[1] : "";
  if (!(who == "black" && argc == 5) && !(who == "white" && argc == 4)) {
    std::cerr << "usage: chess_encrypted black PORT CERTIFICATE KEY | white PORT AUTHORITY\n";
    return 2;
  }
  try {
    const auto port = static_cast<std::uint16_t>(std::stoul(argv[2]));
    who == "white" ? be_white(port, argv[3]) : be_black(port, argv[3], argv[4]);
  } catch (const std::exception& e) {
    std::cerr << who << ": " << e.what() << '\n';
    return 1;
  }
}
