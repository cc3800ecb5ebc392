// Roles that may be in other processes, by the installed package.
#include <boost/asio/io_context.hpp>
#include <harrier/transport/session.hpp>

#include "ping_pong.hpp"

bool has_come_across() {
  using role = protocols::ping_pong::role;
  boost::asio::io_context loop;
  harrier::runtime::session<protocols::ping_pong> game(loop.get_executor());
  auto ping = game.take(role::ping);
  auto pong = game.take(role::pong);
  protocols::ping_pong::message ball;
  return ping.try_send(role::pong, 1) && pong.try_recv(role::ping, ball) && ball.get<int>() == 1;
}
