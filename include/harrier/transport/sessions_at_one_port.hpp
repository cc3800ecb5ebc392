#pragma once

// Many sessions, of one protocol or several, behind one port.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <harrier/transport/session.hpp>

namespace harrier::runtime {

/// Accepts connections at one port and hands each to the session that it asks for: the other side says which protocol
/// it follows and what its session is called (`session_options::name`).
///
///     sessions_at_one_port port(loop.get_executor());
///     port.on_unknown([&](const std::string& protocol, const std::string& name) {
///       session_options options;
///       options.name = name;
///       auto& game = games.emplace_back(loop.get_executor(), options);
///       port.add(game);
///       asio::co_spawn(loop, black(game.take(role::black)), asio::detached);
///     });
///     port.listen({asio::ip::address_v4::any(), 4711});
///
/// Sessions that it knows live and end without it: it does not keep them. All functions may be called from any thread.
class sessions_at_one_port {
public:
  /// Called when a connection asks for a session that is not here, or has ended here: it may `add` one, which the
  /// connection gets then. From the executor's threads, several at a time if there are several.
  using unknown = std::function<void(const std::string& protocol, const std::string& name)>;

  /// @param options  of connections until they are handed over: `patience`, `on_refusal` and `most_greeting`; and of
  /// whether and how they are resumed, `resumption` and `largest_backlog`, whatever their sessions say
  explicit sessions_at_one_port(boost::asio::any_io_executor executor, session_options options = {})
      : executor_(std::move(executor)), options_(std::move(options)), known_(std::make_shared<register_of_parts>()) {}
  sessions_at_one_port(const sessions_at_one_port&) = delete;
  sessions_at_one_port& operator=(const sessions_at_one_port&) = delete;
  /// No connection is accepted any more; those that were handed over stay.
  ~sessions_at_one_port() { close(); }

  /// @pre it does not listen yet
  void on_unknown(unknown ask) { known_->ask = std::move(ask); }

  /// Connections that ask for its protocol and name are handed to it from now on.
  /// @throws not_yours  another one of that protocol and name is here, and has not ended
  template <class Module>
  void add(session<Module>& one) {
    const std::shared_ptr<part> owner = one.part_;
    const auto says = owner->says();
    const guard hold(known_->lock);
    auto& place = known_->parts[{says.title, says.name}];
    const auto before = place.lock();
    if (before != nullptr && before != owner && !before->is_abandoned()) {
      words text;
      throw not_yours(text << "a session of " << says.title.c_str() << " that is called \"" << says.name.c_str()
                           << "\" is at this port already");
    }
    place = owner;
  }

  /// Accepts connections until it is closed. Returns where: `port` 0 takes a free one. Several times: at several ports.
  /// @throws boost::system::system_error  it cannot listen there
  boost::asio::ip::tcp::endpoint listen(const boost::asio::ip::tcp::endpoint& where) {
    const auto here = connecting::open_door(executor_, where);
    const auto result = here.door->local_endpoint();
    const connecting::tcp_link::finder find = [known = known_](const greeting& there) { return known->find(there); };
    boost::asio::co_spawn(here.door->get_executor(), connecting::accept_all(executor_, here, find, options_),
                          boost::asio::detached);
    const guard hold(known_->lock);
    known_->rooms.push_back(here.room);
    return result;
  }

  void close() noexcept {
    const guard hold(known_->lock);
    for (const auto& room : std::exchange(known_->rooms, {})) room->close();
  }

private:
  struct register_of_parts {
    std::shared_ptr<part> find(const greeting& there) {
      if (auto found = look_up(there)) return found;
      if (ask) ask(there.title, there.name);
      return look_up(there);
    }
    std::shared_ptr<part> look_up(const greeting& there) {
      const guard hold(lock);
      const auto place = parts.find({there.title, there.name});
      if (place == parts.end()) return nullptr;
      auto found = place->second.lock();
      if (found != nullptr && !found->is_abandoned()) return found;
      parts.erase(place);
      return nullptr;
    }

    mutex lock;
    std::map<std::pair<std::string, std::string>, std::weak_ptr<part>> parts;  // by protocol and name
    std::vector<std::shared_ptr<resuming::cloakroom>> rooms;                   // by which it listens
    unknown ask;
  };

  boost::asio::any_io_executor executor_;
  session_options options_;
  std::shared_ptr<register_of_parts> known_;
};

}  // namespace harrier::runtime
