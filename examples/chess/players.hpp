#pragma once

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "move.hpp"

namespace chess_example {

/// What black has learned by heart.
inline std::vector<std::string> book() { return {"e7e5", "b8c6", "g8f6"}; }

/// White, for whatever gives it a role: a module among threads, or a part of a session whose black is far away.
/// @param next_move  gives the next move, or nothing: white resigns
template <class Self, class NextMove>
void play_white(Self self, NextMove next_move) {
  using role = decltype(self.self());
  for (std::size_t turn = 1;; ++turn) {
    const std::optional<std::string> squares = next_move();
    self.send(role::black, move{squares.value_or(""), !squares});
    const auto answer = self.template recv<move>(role::black);
    const auto mine = squares.value_or("white resigns");
    std::cout << turn << ". " << mine << ' ' << (answer.last && squares ? "black resigns" : answer.squares)
              << std::endl;
    if (answer.last) return;
  }
}

/// Black answers from its book, and resigns when it has nothing left to say.
template <class Self>
void play_black(Self self) {
  using role = decltype(self.self());
  const auto answers = book();
  for (std::size_t turn = 0;; ++turn) {
    const auto threat = self.template recv<move>(role::white);
    const bool ends = threat.last || turn == answers.size();
    self.send(role::white, ends ? move{"", true} : move{answers[turn], false});
    if (ends) return;
  }
}

}  // namespace chess_example
