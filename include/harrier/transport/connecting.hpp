#pragma once

// How parts of sessions, of whatever protocol, find each other by TCP.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
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
#include <harrier/transport/resumption.hpp>

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
  /// For how long a connection by TCP may be gone before it is lost: the side that had connected does so again, and
  /// both go on where they were; nothing is lost or comes twice. The shorter time of the two sides holds, and if that
  /// is 0, it is lost at once. A side keeps what it does not know to have arrived: at most `largest_backlog` bytes, and
  /// at least 128 KiB. Not of streams that were attached.
  std::chrono::milliseconds resumption = std::chrono::milliseconds(0);
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

using tcp_socket = resuming::tcp_socket;
using tcp_link = link<resuming::stream>;

inline resuming::terms terms_of(const session_options& options) {
  const auto longest = std::max(options.resumption, std::chrono::milliseconds(0));
  return {longest, options.largest_backlog, options.patience};
}
inline std::shared_ptr<resuming::conversation> conversation_by(tcp_socket socket, const session_options& options) {
  boost::system::error_code ignored;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  return std::make_shared<resuming::conversation>(std::move(socket), terms_of(options));
}
// `owner`: a part, or how it is found.
template <class Owner>
std::shared_ptr<tcp_link> link_of(std::shared_ptr<resuming::conversation> by, Owner owner,
                                  std::chrono::milliseconds patience, const boost::asio::ip::tcp::endpoint& where) {
  auto one = std::make_shared<tcp_link>(std::move(owner), resuming::stream(std::move(by)), patience);
  one->peer = in_words(where);
  return one;
}

// Where connections come in, and those that were here may come back.
struct entrance {
  explicit entrance(const boost::asio::any_io_executor& executor)
      : door(std::make_shared<acceptor>(boost::asio::make_strand(executor))),
        room(std::make_shared<resuming::cloakroom>(
            [at = door] { boost::asio::post(at->get_executor(), [at] { at->close(); }); })) {}

  std::shared_ptr<acceptor> door;
  std::shared_ptr<resuming::cloakroom> room;  // closes the door when it is closed, and empty
};

/// @throws boost::system::system_error  it cannot listen there
inline entrance open_door(const boost::asio::any_io_executor& executor, const boost::asio::ip::tcp::endpoint& where) {
  entrance here(executor);
  here.door->open(where.protocol());
  here.door->set_option(boost::asio::ip::tcp::acceptor::reuse_address(true));
  here.door->bind(where);
  here.door->listen();
  return here;
}

// What comes first decides whether somebody is new here, or comes back.
// @return whether it came back, and all is done. @throws connection_refused  it did neither in time
inline boost::asio::awaitable<bool> let_back_in(tcp_socket& socket, strand on, boost::asio::ip::tcp::endpoint where,
                                                session_options options, std::shared_ptr<resuming::cloakroom> room,
                                                std::string& first) {
  namespace asio = boost::asio;
  const limited stopping(on, options.patience, [&socket] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });
  first.resize(wire::magic.size());
  const auto [error, size] = co_await asio::async_read(socket, asio::buffer(first), quiet);
  first.resize(size);
  if (error) {
    const bool is_ours = wire::magic.substr(0, size) == first || resuming::magic.substr(0, size) == first;
    const std::string why = !socket.is_open() ? not_in_time
                            : is_ours         ? runtime::in_words(error)
                                              : wire::another_protocol;
    words text;
    throw connection_refused(text << "the connection to " << in_words(where).c_str()
                                  << " was refused: " << why.c_str());
  }
  if (first != resuming::magic) co_return false;
  std::string more(sizeof(resuming::identity) + sizeof(std::uint64_t), '\0');
  const auto [why_not, read] = co_await asio::async_read(socket, asio::buffer(more), quiet);
  if (why_not) co_return true;
  wire::reader in(more);
  resuming::identity of{};
  for (auto& half : of) in.take(half);
  const auto received_there = in.number_of<std::uint64_t>();
  if (const auto known = room->find(of)) {
    static_cast<void>(
        co_await asio::co_spawn(known->on(), known->take_back(std::move(socket), received_there), asio::use_awaitable));
  } else {
    co_await resuming::conversation::refuse(std::make_shared<tcp_socket>(std::move(socket)));
  }
  co_return true;
}

template <class Owner>
boost::asio::awaitable<void> let_in(tcp_socket socket, strand on, boost::asio::ip::tcp::endpoint where, Owner owner,
                                    session_options options, std::shared_ptr<resuming::cloakroom> room) {
  std::string first;
  std::optional<resuming::cloakroom::visit> until_greeted;
  if (options.resumption.count() > 0) {
    until_greeted.emplace(room);
    if (co_await let_back_in(socket, on, where, options, room, first) || room->is_closing()) co_return;
  }
  const auto by = conversation_by(std::move(socket), options);
  by->begins_with(std::move(first));
  if (options.resumption.count() > 0) by->waits_in(room);
  const auto one = link_of(by, std::move(owner), options.patience, where);
  co_await boost::asio::co_spawn(one->strand(), start(one), boost::asio::use_awaitable);
}

template <class Owner>
boost::asio::awaitable<void> accept_all(boost::asio::any_io_executor executor, entrance here, Owner owner,
                                        session_options options) {
  namespace asio = boost::asio;
  const auto door = here.door;
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
    const auto on = asio::make_strand(executor);
    asio::co_spawn(on, let_in(std::move(socket), on, where, owner, options, here.room),
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

// Of a connection that was lost: where it may be made anew.
inline resuming::conversation::finder to_come_back(const strand& on, const destination& to,
                                                   std::chrono::milliseconds patience) {
  return [on, to, patience]() -> boost::asio::awaitable<std::vector<boost::asio::ip::tcp::endpoint>> {
    boost::system::error_code ignored;
    co_return co_await addresses_of(on, to, patience, ignored);
  };
}

inline boost::asio::awaitable<void> connect_to(boost::asio::any_io_executor executor, strand on,
                                               std::shared_ptr<part> owner, session_options options,
                                               resuming::identity name, destination to, wait_limit limit) {
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
      const auto by = conversation_by(std::move(socket), options);
      if (options.resumption.count() > 0) by->comes_back_to(to_come_back(by->on(), to, options.patience), name);
      const auto one = link_of(by, owner, options.patience, where);
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
