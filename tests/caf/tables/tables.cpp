#include "tables.hpp"

#include <algorithm>
#include <random>

namespace caf_tables {
namespace {

class maker {
public:
  explicit maker(std::uint64_t seed) : random_(seed) {}

  tables make() {
    tables all;
    actors_ = 2 + below(2);
    for (int a = 0; a < actors_; ++a) all.actors.push_back(make_role(a));
    for (int i = 2 + below(2); i > 0; --i) all.kick_off.push_back({verb::tell, below(actors_), below(kinds), ++tags_});
    all.fuel = 1 + below(2);
    return all;
  }

private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool one_in(int n) { return below(n) == 0; }

  role make_role(int self) {
    role made;
    const bool may_skip = one_in(2);
    for (auto& row : made.rules)
      for (auto& r : row) {
        r.skips = may_skip && one_in(4);
        r.does = some_actions(self, 2);
        r.answer = ++tags_;
        if (one_in(5)) r.delegates_to = another_than(self);
      }
    made.on_answer = some_actions(self, 1);
    made.on_down = some_actions(self, 1);
    // Who watches again whose end it hears of does not come to an end.
    std::erase_if(made.on_down, [](const action& a) { return a.what == verb::watch; });
    return made;
  }

  int another_than(int self) { return (self + 1 + below(actors_ - 1)) % actors_; }

  std::vector<action> some_actions(int self, int most) {
    std::vector<action> all;
    for (int i = below(most + 1); i > 0; --i) all.push_back(some_action(self));
    if (one_in(12)) all.push_back({verb::quit});
    return all;
  }

  action some_action(int self) {
    switch (below(10)) {
      case 0: return {verb::become, below(states)};
      case 1: return {verb::watch, another_than(self)};
      case 2: return {verb::await, another_than(self), below(kinds), ++tags_};
      case 3:
      case 4: return {verb::ask, another_than(self), below(kinds), ++tags_};
      case 5:
      case 6: return {verb::tell_urgently, below(actors_), below(kinds), ++tags_};
      default: return {verb::tell, below(actors_), below(kinds), ++tags_};
    }
  }

  std::mt19937_64 random_;
  int actors_ = 0;
  int tags_ = 0;
};

template <class Visit>
void for_each_action(const role& of, Visit visit) {
  for (const auto& row : of.rules)
    for (const auto& r : row) std::for_each(r.does.begin(), r.does.end(), visit);
  std::for_each(of.on_answer.begin(), of.on_answer.end(), visit);
  std::for_each(of.on_down.begin(), of.on_down.end(), visit);
}

/// By a rule, or while it awaits an answer.
bool skips(const role& of) {
  bool any = false;
  for (const auto& row : of.rules)
    for (const auto& r : row) any = any || r.skips;
  for_each_action(of, [&](const action& a) { any = any || a.what == verb::await; });
  return any;
}

bool takes_urgent(const tables& of, std::size_t who) {
  bool any = false;
  for (const auto& r : of.actors)
    for_each_action(r, [&](const action& a) {
      any = any || (a.what == verb::tell_urgently && static_cast<std::size_t>(a.to) == who);
    });
  return any;
}

std::string to_text(const action& a) {
  const auto to = std::to_string(a.to);
  const auto what = message_as_heard(a.kind, a.tag);
  switch (a.what) {
    case verb::tell: return what + " to " + to;
    case verb::tell_urgently: return what + " urgently to " + to;
    case verb::ask: return "ask " + to + " " + what;
    case verb::await: return "await " + to + " " + what;
    case verb::become: return "become " + to;
    case verb::watch: return "watch " + to;
    case verb::quit: return "quit";
  }
  return {};
}

std::string to_text(const std::vector<action>& all) {
  std::string text;
  for (const auto& a : all) text += (text.empty() ? "" : ", ") + to_text(a);
  return text;
}

}  // namespace

tables make_random(std::uint64_t seed, version of_caf) {
  for (std::uint64_t part = 0;; ++part) {
    auto made = maker(seed * 1000 + part).make();
    if (of_caf == version::caf_1) return made;
    bool fits = true;
    // CAF 0.17 keeps what it skipped by priority, and looks at it again when it has taken another of the same: an actor
    // that skips, and gets what is urgent, may never take what it could (docs/caf.md).
    for (std::size_t a = 0; a < made.actors.size(); ++a)
      fits = fits && !(skips(made.actors[a]) && takes_urgent(made, a));
    if (fits) return made;
  }
}

std::string to_text(const tables& of) {
  std::string text = "main: " + to_text(of.kick_off) + " (fuel " + std::to_string(of.fuel) + ")\n";
  for (std::size_t a = 0; a < of.actors.size(); ++a) {
    const auto& r = of.actors[a];
    for (int k = 0; k < kinds; ++k)
      for (int s = 0; s < states; ++s) {
        const auto& x = r.rules[static_cast<std::size_t>(k)][static_cast<std::size_t>(s)];
        text += std::to_string(a) + " in " + std::to_string(s) + " gets " + std::string(1, static_cast<char>('a' + k)) +
                ": " + (x.skips ? "skip" : to_text(x.does)) +
                (x.delegates_to >= 0 ? "; delegate to " + std::to_string(x.delegates_to)
                                     : "; answer " + std::to_string(x.answer)) +
                "\n";
      }
    text += std::to_string(a) + " on answer: " + to_text(r.on_answer) + "; on down: " + to_text(r.on_down) + "\n";
  }
  return text;
}

std::string to_text(const std::vector<std::string>& heard) {
  std::string text;
  for (std::size_t a = 0; a < heard.size(); ++a) text += (a == 0 ? "" : "; ") + std::to_string(a) + ":" + heard[a];
  return text;
}

std::string message_as_heard(int kind, int tag) {
  return std::string(1, static_cast<char>('a' + kind)) + std::to_string(tag);
}
std::string answer_as_heard(int answer) { return "r" + std::to_string(answer); }
std::string failure_as_heard() { return "e"; }
std::string down_as_heard(int who) { return "d" + std::to_string(who); }

}  // namespace caf_tables
