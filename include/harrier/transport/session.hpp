#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <harrier/transport/connecting.hpp>
#include <harrier/transport/participant.hpp>

namespace harrier::runtime {

/// The part of a session that is in this process, for roles that are coroutines, threads, or in other processes.
///
/// `Module` is a generated class in mode liberal-checked: its tables are used, no object of it is made. Roles are taken
/// here by `take` (a coroutine plays it) or `take_for_thread`; connections lead to those that are taken elsewhere. Who
/// is where need not be known: parts tell each other. Between any two processes with roles that speak with each other
/// there must be one connection, whoever asked for it.
///
///     asio::io_context loop;
///     session<protocols::chess> game(loop.get_executor());
///     asio::co_spawn(loop, white(game.take(role::white)), asio::detached);
///     asio::co_spawn(loop, game.connect({asio::ip::address_v4::loopback(), 4711}), asio::detached);
///     loop.run();
///
/// Each role's machine is enforced where the role is, and each message once more where it arrives: what the receiver's
/// machine cannot take breaks the session on all sides (`protocol_broken`), so a role needs not trust the others.
/// Messages of one role to another one arrive in order, and each once, or the receiver gets `peer_gone`: a send returns
/// when the message is on its way, so of what was sent last some may be lost with a connection. A connection that is
/// cut comes back if both sides set `session_options::resumption`.
///
/// When all roles that were taken here have left, what was sent is delivered and the connections are closed; then
/// nothing is left of it on the executor. So take them all before the first one leaves, and let the executor run until
/// it returns: `loop.run()`, `pool.join()`.
///
/// All functions may be called from any thread. Where one throws, the session is as it was.
template <class Module>
class session {
public:
  using role = typename Module::role;
  using message = typename Module::message;
  using participant = runtime::participant<Module>;
  using thread_participant = runtime::thread_participant<Module>;

  /// @param executor  runs the connections: one of an `io_context` or a `thread_pool`.
  explicit session(boost::asio::any_io_executor executor, session_options options = {})
      : executor_(std::move(executor)),
        options_(std::move(options)),
        name_(options_.resumption.count() > 0 ? resuming::new_identity() : resuming::identity{}),
        part_(std::make_shared<session_part<Module>>(options_.name, options_.capacity, options_.largest_message)) {
    part_->when_left_early(options_.on_early_leave);
    part_->limit_backlog(options_.largest_backlog);
    part_->limit_silence(static_cast<std::uint64_t>(std::max<std::int64_t>(0, options_.silence.count())));
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  /// Roles that are here and have not left do so. Calls that wait get `cancelled`; participants may be destroyed later.
  ~session() { part_->end("the session was destroyed"); }

  /// The role becomes the caller's, for good. @throws not_yours  it was taken before, here or elsewhere
  [[nodiscard]] participant take(role self) {
    part_->take(static_cast<std::uint32_t>(self));
    return participant(part_, self);
  }
  [[nodiscard]] thread_participant take_for_thread(role self) {
    part_->take(static_cast<std::uint32_t>(self));
    return thread_participant(part_, self);
  }

  /// Accepts connections until all roles have left. Returns where: `port` 0 takes a free one.
  /// @throws boost::system::system_error  it cannot listen there
  boost::asio::ip::tcp::endpoint listen(const boost::asio::ip::tcp::endpoint& where) {
    const auto here = connecting::open_door(executor_, where);
    const auto result = here.door->local_endpoint();
    boost::asio::co_spawn(here.door->get_executor(),
                          connecting::accept_all(executor_, here, std::shared_ptr<part>(part_), options_),
                          boost::asio::detached);
    part_->at_end([room = here.room] { room->close(); });
    return result;
  }

  /// Connects to where another part listens, as often as it takes, and completes when the two sides have agreed.
  /// With a completion token of Asio's: `co_await` it, or `connect(where, boost::asio::use_future).get()`.
  /// @throws connection_refused  by this side or the other; says what differs.
  /// @throws timed_out, stopped  nobody has answered within the limit
  template <class Token = boost::asio::use_awaitable_t<>>
    requires(!std::is_convertible_v<Token, wait_limit>)
  auto connect(const boost::asio::ip::tcp::endpoint& where, Token&& token = {}) {
    return connect(where, wait_limit(std::stop_token()), std::forward<Token>(token));
  }
  template <class Token = boost::asio::use_awaitable_t<>>
  auto connect(const boost::asio::ip::tcp::endpoint& where, wait_limit limit, Token&& token = {}) {
    const auto on = boost::asio::make_strand(executor_);
    return boost::asio::co_spawn(
        on, connecting::connect_to(executor_, on, part_, options_, name_, {where, {}, {}}, std::move(limit)),
        std::forward<Token>(token));
  }
  /// The same for a host and a service (a port, or its name) that are looked up, each time anew; of several addresses
  /// the first that answers.
  template <class Token = boost::asio::use_awaitable_t<>>
  auto connect(std::string host, std::string service, wait_limit limit, Token&& token = {}) {
    const auto on = boost::asio::make_strand(executor_);
    return boost::asio::co_spawn(on,
                                 connecting::connect_to(executor_, on, part_, options_, name_,
                                                        {{}, std::move(host), std::move(service)}, std::move(limit)),
                                 std::forward<Token>(token));
  }

  /// The same over a stream that is connected: a `tcp::socket`, a `local::stream_protocol::socket`, a TLS stream after
  /// its handshake. @param name  of the other side, for messages
  template <class Stream, class Token = boost::asio::use_awaitable_t<>>
  auto attach(Stream stream, std::string name, Token&& token = {}) {
    auto one = std::make_shared<link<Stream>>(part_, std::move(stream), options_.patience);
    one->peer = std::move(name);
    return boost::asio::co_spawn(one->strand(), connecting::start(one), std::forward<Token>(token));
  }

  /// Completes when every role that a role here speaks with is here or connected. Sends need not wait for that: what is
  /// sent before goes where the role will be.
  /// @throws timed_out, stopped  says who is missing. @throws cancelled, protocol_broken
  template <class Token = boost::asio::use_awaitable_t<>>
    requires(!std::is_convertible_v<Token, wait_limit>)
  auto everybody(Token&& token = {}) { return everybody(wait_limit(std::stop_token()), std::forward<Token>(token)); }
  template <class Token = boost::asio::use_awaitable_t<>>
  auto everybody(wait_limit limit, Token&& token = {}) {
    const auto on = boost::asio::make_strand(executor_);
    return boost::asio::co_spawn(on, connecting::gather(on, part_, std::move(limit)), std::forward<Token>(token));
  }

  /// No call is possible any more, here or on other sides: who waits, and who calls from now on, gets `cancelled` with
  /// this reason (of 255 characters at most; the first one holds).
  void cancel(const char* reason) noexcept { part_->cancel(reason); }
  /// `self`, which is here, does nothing more. Who needs it gets `peer_gone`.
  void leave(role self) noexcept { static_cast<void>(part_->depart(static_cast<std::uint32_t>(self), false)); }
  /// How many messages that came here, or wait for where their receiver will be, were not received.
  [[nodiscard]] std::size_t unreceived() const { return part_->unreceived(); }

private:
  friend class sessions_at_one_port;

  boost::asio::any_io_executor executor_;
  session_options options_;
  resuming::identity name_;  // by which its connections come back
  std::shared_ptr<session_part<Module>> part_;
};

}  // namespace harrier::runtime
