#pragma once

// How parts of sessions, of whatever protocol, find each other by TCP.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <harrier/protocol/wait_limit.hpp>
#include <harrier/transport/link.hpp>

namespace harrier::runtime {

struct session_options {
  /// Tells apart sessions of one protocol: the two sides of a connection must have the same.
  std::string name = {};
  /// A send waits while so many messages to that role were sent and not yet received (0: no limit but that of a channel
  /// of the definition). The same on all sides.
  std::size_t capacity = 0;
  /// Bytes a message may have. What is larger is not sent (`message_too_large`), and breaks the session if it comes.
  std::size_t largest_message = std::size_t{64} << 20;
  /// How long the other side may take to say what it is, and at the end to close the connection.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
  /// After how long without anything from the other side a connection is lost, though nobody has closed it: a machine
  /// has no power any more, say. The other side is asked to say something three times as often. 0: never.
  std::chrono::milliseconds silence = std::chrono::milliseconds(0);
  /// Is told of connections that were accepted and then refused. From the executor's threads.
  std::function<void(const std::string&)> on_refusal = {};
  /// A send waits while so many bytes or more wait to be written to the connection that it goes by, as where the other
  /// side does not read (0: no limit). So a connection has at most twice as many, and a message more, in memory.
  std::size_t largest_backlog = std::size_t{16} << 20;
  /// Of connections that were accepted and whose other side has not yet said what it is, there are at most so many at a
  /// time; others are closed at once (0: no limit).
  std::size_t most_greeting = 64;
  /// Is told of roles that leave here, without an exception, and have still something to do: what that is, and where it
  /// is defined. From the thread that makes the role leave, and not if the session is over.
  std::function<void(const std::string&)> on_early_leave = {};
};

namespace connecting {

using strand = boost::asio::strand<boost::asio::any_io_executor>;
using acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, strand>;
using timer = boost::asio::steady_timer;
using time_point = std::chrono::steady_clock::time_point;
inline constexpr auto quiet = boost::asio::as_tuple(boost::asio::use_awaitable);

inline std::string in_words(const boost::asio::ip::tcp::endpoint& where) {
  const auto address = where.address().to_string();
  return (where.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(where.port());
}

// Calls a function on a strand when a limit is reached, unless it is destroyed before, which is done on that strand.
class limited {
public:
  limited(const strand& on, const wait_limit& limit, std::function<void()> what)
      : state_(std::make_shared<state>(on, limit.deadline(), std::move(what))),
        stop_(limit.stop_token(), post{state_}) {
    state_->deadline.async_wait([s = state_](const boost::system::error_code& error) {
      if (!error) s->call();
    });
  }
  limited(const limited&) = delete;
  limited& operator=(const limited&) = delete;
  ~limited() {
    state_->what = nullptr;
    state_->deadline.cancel();
  }

private:
  struct state {
    state(const strand& where, time_point when, std::function<void()> function)
        : on(where), deadline(where, when), what(std::move(function)) {}
    void call() {
      if (what) what();
    }
    strand on;
    timer deadline;
    std::function<void()> what;
  };
  struct post {
    std::shared_ptr<state> to;
    void operator()() const {
      boost::asio::post(to->on, [s = to] { s->call(); });
    }
  };
  std::shared_ptr<state> state_;
  std::stop_callback<post> stop_;
};

inline boost::asio::awaitable<void> gather(strand on, std::shared_ptr<part> owner, wait_limit limit) {
  struct waiting {
    explicit waiting(const strand& where) : bell(where, time_point::max()) {}
    timer bell;
    bool ready = false;
    bool over = false;
  };
  const auto here = std::make_shared<waiting>(on);
  if (!owner->missing().empty()) {
    owner->when_complete([on, here] {
      boost::asio::post(on, [here] {
        here->ready = true;
        here->bell.cancel();
      });
    });
    const limited stopping(on, limit, [here] {
      here->over = true;
      here->bell.cancel();
    });
    while (!here->ready && !here->over) static_cast<void>(co_await here->bell.async_wait(quiet));
  }
  owner->refuse_if_over();
  const auto missing = owner->missing();
  if (missing.empty()) co_return;
  words text;
  text << "waiting for the others: nobody has taken " << missing.c_str();
  if (limit.stop_requested()) throw stopped(text << "; a stop was requested");
  throw timed_out(text);
}

template <class Link>
boost::asio::awaitable<void> start(std::shared_ptr<Link> one) {
  co_await one->greet();
  one->run();
}

using tcp_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp>;
using tcp_link = link<tcp_socket>;
// `owner`: a part, or how it is found.
template <class Owner>
std::shared_ptr<tcp_link> link_of(tcp_socket socket, Owner owner, std::chrono::milliseconds patience,
                                  const boost::asio::ip::tcp::endpoint& where) {
  boost::system::error_code ignored;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  auto one = std::make_shared<tcp_link>(std::move(owner), std::move(socket), patience);
  one->peer = in_words(where);
  return one;
}

/// @throws boost::system::system_error  it cannot listen there
inline std::shared_ptr<acceptor> open_door(const boost::asio::any_io_executor& executor,
                                           const boost::asio::ip::tcp::endpoint& where) {
  auto door = std::make_shared<acceptor>(boost::asio::make_strand(executor));
  door->open(where.protocol());
  door->set_option(boost::asio::ip::tcp::acceptor::reuse_address(true));
  door->bind(where);
  door->listen();
  return door;
}

template <class Owner>
boost::asio::awaitable<void> accept_all(boost::asio::any_io_executor executor, std::shared_ptr<acceptor> door,
                                        Owner owner, session_options options) {
  namespace asio = boost::asio;
  const auto greeting_now = std::make_shared<std::atomic<std::size_t>>(0);
  for (;;) {
    tcp_socket socket(executor);
    const auto [error] = co_await door->async_accept(socket, quiet);
    if (!door->is_open()) co_return;
    if (error) {  // no file descriptor is left, say
      timer pause(door->get_executor(), std::chrono::milliseconds(100));
      static_cast<void>(co_await pause.async_wait(quiet));
      continue;
    }
    boost::system::error_code gone;
    const auto where = socket.remote_endpoint(gone);
    if (gone) continue;
    if (options.most_greeting != 0 && *greeting_now >= options.most_greeting) {
      if (options.on_refusal) {
        options.on_refusal("the connection to " + in_words(where) + " was closed: too many others, " +
                           std::to_string(options.most_greeting) + ", have not yet said what they are");
      }
      continue;
    }
    ++*greeting_now;
    const auto one = link_of(std::move(socket), owner, options.patience, where);
    asio::co_spawn(one->strand(), start(one),
                   [tell = options.on_refusal, greeting_now](const std::exception_ptr& error_there) {
                     --*greeting_now;
                     try {
                       if (error_there) std::rethrow_exception(error_there);
                     } catch (const std::exception& e) {
                       if (tell) tell(e.what());
                     }
                   });
  }
}

// Where another part listens: an address, or the names of a host and a service, looked up each time anew.
struct destination {
  boost::asio::ip::tcp::endpoint address = {};
  std::string host = {};  // empty: the address is it
  std::string service = {};

  [[nodiscard]] std::string text() const { return host.empty() ? in_words(address) : host + ":" + service; }
};

inline boost::asio::awaitable<std::vector<boost::asio::ip::tcp::endpoint>> addresses_of(
    const strand& on, const destination& to, const wait_limit& limit, boost::system::error_code& error) {
  if (to.host.empty()) co_return std::vector{to.address};
  boost::asio::ip::basic_resolver<boost::asio::ip::tcp, strand> resolver(on);
  const limited stopping(on, limit, [&resolver] { resolver.cancel(); });
  const auto [why_not, found] = co_await resolver.async_resolve(to.host, to.service, quiet);
  if (why_not) error = why_not;
  std::vector<boost::asio::ip::tcp::endpoint> result;
  for (const auto& one : found) result.push_back(one.endpoint());
  co_return result;
}

inline boost::asio::awaitable<void> connect_to(boost::asio::any_io_executor executor, strand on,
                                               std::shared_ptr<part> owner, std::chrono::milliseconds patience,
                                               destination to, wait_limit limit) {
  namespace asio = boost::asio;
  auto pause = std::chrono::milliseconds(10);
  constexpr auto longest_pause = std::chrono::milliseconds(1000);
  for (;;) {
    boost::system::error_code error = asio::error::host_not_found;
    const auto addresses = co_await addresses_of(on, to, limit, error);
    for (const auto& where : addresses) {
      tcp_socket socket(executor);
      {
        const limited stopping(on, limit, [&socket] {
          boost::system::error_code ignored;
          socket.close(ignored);
        });
        std::tie(error) = co_await socket.async_connect(where, quiet);
      }
      if (error) continue;
      const auto one = link_of(std::move(socket), owner, patience, where);
      co_await asio::co_spawn(one->strand(), start(one), asio::use_awaitable);
      co_return;
    }
    if (owner->has_ended()) {
      words text;
      throw connection_refused(text << "no connection to " << to.text().c_str()
                                    << " is needed any more: all roles that were here have left");
    }
    if (!limit.is_over()) {
      timer nap(on, std::min(limit.deadline(), std::chrono::steady_clock::now() + pause));
      const limited stopping(on, limit, [&nap] { nap.cancel(); });
      static_cast<void>(co_await nap.async_wait(quiet));
      pause = std::min(2 * pause, longest_pause);
    }
    if (limit.is_over()) {
      words text;
      text << "no connection to " << to.text().c_str() << ": " << error.message().c_str();
      if (limit.stop_requested()) throw stopped(text << "; a stop was requested");
      throw timed_out(text);
    }
  }
}

}  // namespace connecting

}  // namespace harrier::runtime
