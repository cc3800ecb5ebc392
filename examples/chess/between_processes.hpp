// What is the same wherever black and white are in two processes: on which connection they play is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <harrier/transport/session.hpp>

#include "chess_liberal_checked.hpp"
#include "players.hpp"

namespace chess_example {

using game = harrier::runtime::session<liberal_checked::chess>;
using role = liberal_checked::chess::role;

inline boost::asio::ip::tcp::endpoint on_this_machine(std::uint16_t port) {
  return {boost::asio::ip::address_v4::loopback(), port};
}

inline boost::asio::awaitable<void> play_black(game::participant self) {
  const auto answers = book();
  for (std::size_t turn = 0;; ++turn) {
    const auto threat = co_await self.recv<move>(role::white);
    const bool ends = threat.last || turn == answers.size();
    const auto answer = ends ? move{"", true} : move{answers[turn], false};
    co_await self.send(role::white, answer);
    if (ends) co_return;
  }
}

// Out of `run`, for a coroutine that has failed.
inline void rethrow(const std::exception_ptr& error) {
  if (error) std::rethrow_exception(error);
}

// Nothing: nobody types any more.
inline std::optional<std::string> typed_line() {
  std::string line;
  return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
}

}  // namespace chess_example
