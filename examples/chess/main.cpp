// Chess by the rules of turn-taking: `chess strict|liberal-checked MOVE...`. White plays the moves given, a person's;
// black answers from a little book and resigns when it has nothing left to say. Who may send when is the protocol's
// business: neither side has a lock, a queue or a turn of its own.
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "chess_liberal_checked.hpp"
#include "chess_strict.hpp"
#include "players.hpp"

namespace {

template <class Chess>
void play(const std::vector<std::string>& script) {
  using role = typename Chess::role;
  Chess game;
  std::thread black([&] { chess_example::play_black(game.at(role::black)); });
  chess_example::play_white(game.at(role::white), [next = script.begin(), &script]() mutable {
    return next == script.end() ? std::optional<std::string>() : *next++;
  });
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
