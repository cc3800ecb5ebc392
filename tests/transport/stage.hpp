#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <harrier/transport/session.hpp>

namespace harrier::runtime {

namespace asio = boost::asio;

/// To listen at.
inline const asio::ip::tcp::endpoint any_port(asio::ip::address_v4::loopback(), 0);

/// Where the roles of a test are: all in one part of the session, or those with odd numbers in another one, which a
/// socket leads to.
enum class where { together, apart };

/// What an exception says that nobody caught.
inline void note(const std::exception_ptr& error, std::vector<std::string>& said) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& e) {
    said.emplace_back(e.what());
  }
}

template <class Module>
class stage {
public:
  using role = typename Module::role;
  using self = participant<Module>;

  explicit stage(where roles, const session_options& options = {}) : here_(loop.get_executor(), options) {
    if (roles == where::together) return;
    there_.emplace(loop.get_executor(), options);
    connect();
  }

  session<Module>& of(role one) { return there_ && static_cast<unsigned>(one) % 2 == 1 ? *there_ : here_; }
  self take(role one) { return of(one).take(one); }
  void play(asio::awaitable<void> one) {
    asio::co_spawn(loop, std::move(one), [this](const std::exception_ptr& error) { note(error, said); });
  }
  /// Until nothing is left: no role plays, and no connection is open.
  void run() { loop.run(); }
  /// Messages that came somewhere and were not received.
  [[nodiscard]] std::size_t unreceived() const { return here_.unreceived() + (there_ ? there_->unreceived() : 0); }
  void destroy_there() { there_.reset(); }

  asio::io_context loop;
  std::vector<std::string> said;  ///< by exceptions that nobody caught

private:
  void connect() { play(there_->connect(here_.listen(any_port))); }

  session<Module> here_;
  std::optional<session<Module>> there_;
};

using done = asio::awaitable<void>;

}  // namespace harrier::runtime
