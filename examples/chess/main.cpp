// Chess by the rules of turn-taking: `chess strict|liberal-checked MOVE...`. White plays the moves given, a person's;
// black answers from a little book and resigns when it has nothing left to say. Who may send when is the protocol's
// business: neither side has a lock, a queue or a turn of its own.
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "chess_liberal_checked.hpp"
#include "chess_strict.hpp"
#include "move.hpp"

namespace {

using chess_example::move;

template <class Chess>
void play_white(Chess& game, const std::vector<std::string>& script) {
  using role = typename Chess::role;
  auto white = game.at(role::white);
  for (std::size_t turn = 0; turn < script.size(); ++turn) {
    const bool last = turn + 1 == script.size();
    white.send(role::black, move{script[turn], last});
    const auto answer = white.template recv<move>(role::black);
    std::cout << turn + 1 << ". " << script[turn] << ' ' << (answer.last ? "black resigns" : answer.squares) << '\n';
    if (answer.last) return;
  }
}

template <class Chess>
void play_black(Chess& game) {
  using role = typename Chess::role;
  const std::vector<std::string> book{"e7e5", "b8c6", "g8f6"};
  auto black = game.at(role::black);
  for (std::size_t turn = 0;; ++turn) {
    const auto threat = black.template recv<move>(role::white);
    const bool resigns = threat.last || turn == book.size();
    black.send(role::white, resigns ? move{"", true} : move{book[turn], false});
    if (resigns) return;
  }
}

template <class Chess>
void play(const std::vector<std::string>& script) {
  Chess game;
  std::thread black([&] { play_black(game); });
  play_white(game, script);
  black.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool strict = !words.empty() && words[0] == "strict";
  if (words.size() < 2 || (!strict && words[0] != "liberal-checked")) {
    std::cerr << "usage: chess strict|liberal-checked MOVE...\n";
    return 2;
  }
  const std::vector<std::string> script(words.begin() + 1, words.end());
  if (strict) {
    play<strict::chess>(script);
  } else {
    play<liberal_checked::chess>(script);
  }
}
