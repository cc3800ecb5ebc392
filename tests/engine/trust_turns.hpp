#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/engine/trust.hpp>

#include "observed.hpp"

namespace harrier::differential {

/// What can go wrong with items on their way.
enum class mishap : std::uint8_t { none, lost, given_twice, order_of_insertion_lost, draws_not_varied };

/// Tells another of what it sees, and stops when it is told to.
class stoppable final : public observer {
public:
  explicit stoppable(observer& other) : other_(other) {}

  void step_flagged(system& s) override { other_.step_flagged(s); }
  void poll(system& s) override {
    follow([&] { other_.poll(s); });
  }
  void execution_ended(system& s) override {
    follow([&] { other_.execution_ended(s); });
  }
  void execution_blocked(system& s) override {
    follow([&] { other_.execution_blocked(s); });
  }
  void stop() { stopping_ = true; }
  void go_on() { stopping_ = other_.stopping(); }

private:
  template <class Tell>
  void follow(Tell tell) {
    tell();
    if (other_.stopping()) stopping_ = true;
  }

  observer& other_;
};

/// Explores by up to five searches, each in a system of its own, which take turns of one graph to some hundred, give
/// away what they have, and go home in the middle, after which a new one takes up what they left. Who does what when
/// is drawn, by a seed that the program decides.
template <mishap Wrong = mishap::none>
bool trust_in_turns(const program& tested, system& first, observer& watcher, std::string_view) {
  struct hand {
    system_handle own;
    system* tested;
    std::vector<trust_item> todo;
  };
  std::minstd_rand drawn(static_cast<std::minstd_rand::result_type>(first.configuration().low));
  const auto up_to = [&drawn](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(drawn); };
  std::vector<hand> hands(1);
  hands[0].tested = &first;
  std::vector<trust_item> pile(1);  // what was given away
  const auto take_up = [&](trust_item item) {
    if constexpr (Wrong == mishap::lost)
      if (up_to(6) == 0) return;
    if constexpr (Wrong == mishap::given_twice)
      if (up_to(6) == 0) pile.push_back(item);
    if constexpr (Wrong == mishap::order_of_insertion_lost)
      std::stable_sort(item.inserted.begin(), item.inserted.end(),
                       [](const auto& a, const auto& b) { return a.step < b.step; });
    if constexpr (Wrong == mishap::draws_not_varied) item.receive_is_new = false;
    pile.push_back(std::move(item));
  };

  stoppable own(watcher);
  const auto is_done = [&] {
    return pile.empty() && std::all_of(hands.begin(), hands.end(), [](const hand& h) { return h.todo.empty(); });
  };
  while (!is_done()) {
    if (watcher.stopping()) return false;
    if (hands.size() < 5 && up_to(3) == 0) {
      auto fresh = tested.start(first.model());
      fresh->limit_depth(deepest);
      fresh->watch().observe(&watcher);
      auto* const s = fresh.get();
      hands.push_back({std::move(fresh), s, {}});
    }
    const auto chosen = up_to(hands.size() - 1);
    auto& h = hands[chosen];
    while (!pile.empty() && (h.todo.empty() || up_to(2) == 0)) {
      const auto i = static_cast<std::ptrdiff_t>(up_to(pile.size() - 1));
      h.todo.push_back(std::move(pile[static_cast<std::size_t>(i)]));
      pile.erase(pile.begin() + i);
    }
    auto graphs = std::size_t{1} << up_to(7);
    own.go_on();
    search_context context{*h.tested, own};
    explore_trust(context, h.todo,
                  {.between =
                       [&](std::size_t waiting) {
                         if (--graphs == 0) own.stop();
                         return up_to(9) == 0 ? up_to(waiting) : 0;
                       },
                   .give = take_up});
    if (chosen > 0 && up_to(19) == 0) {
      for (auto& item : h.todo) take_up(std::move(item));
      hands.erase(hands.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }
  return true;
}

}  // namespace harrier::differential
