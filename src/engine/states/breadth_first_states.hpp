// Explicit-state search of actor programs, breadth first.
//
// A state is reached first by a shortest way, so the first finding has a
// shortest schedule.
//
// D1  States are not kept, but how each was reached: the state before it and
//     the message delivered there, 8 bytes. To come from one state to the next
//     the system goes back to where their ways part, and forth. The ways form a
//     tree, and states of one level are in its order from left to right, so a
//     level costs no more than a walk through the tree above it.
// D2  No sleep sets: every delivery possible in a state is made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../depth_first.hpp"
#include "state_search.hpp"

namespace harrier {

/// How states were reached: each from one that was reached before. By number, in the order found.
class ways_to_states {
public:
  struct way {
    std::uint32_t from;
    message_slot message;
  };
  /// A state that was not seen before.
  struct found {
    way how;
    std::uint64_t code;  ///< what was drawn in the delivery
  };
  static constexpr std::uint32_t start = 0;

  ways_to_states() { ways_.push_back({start, no_message}); }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ways_.size()); }
  [[nodiscard]] std::uint64_t bytes() const { return ways_.capacity() * sizeof(way); }
  [[nodiscard]] way operator[](std::uint32_t state) const { return ways_[state]; }
  [[nodiscard]] std::uint64_t code_of(std::uint32_t state) const {
    const auto code = codes_.find(state);
    return code == codes_.end() ? 0 : code->second;
  }
  void add(const found& next) {
    if (next.code != 0) codes_.emplace(size(), next.code);
    ways_.push_back(next.how);
  }

private:
  std::vector<way> ways_;
  std::unordered_map<std::uint32_t, std::uint64_t> codes_;  // most are 0
};

/// States that follow one another in a level, and are to be expanded.
struct stretch_of_states {
  std::uint32_t next;
  std::uint32_t end;
  std::uint64_t made = 0;  ///< of the deliveries that are possible in the first
  std::uint64_t code = 0;  ///< what the next one draws
};

/// `States` says what is known of states: state_search, say.
template <class States>
class breadth_first_states : protected States {
public:
  using States::States;

protected:
  using States::arrive_at_end;
  using States::deliver;
  using States::deliverable;
  using States::go_back;
  using States::list_deliverable;
  using States::report_;
  using States::stopping;
  using States::system_;
  using found = ways_to_states::found;

  /// The state the system is in is where the search begins. @return whether there is something to do in it
  bool begin() {
    if (system_.first_deliverable() == no_message) {
      arrive_at_end();
      return false;
    }
    arrive();
    return true;
  }

  /// Makes all deliveries that are possible in the states of `s`; those that lead to new states are in `found_`.
  /// @return false if it was stopped: then `s` is what is left.
  bool expand(const ways_to_states& ways, stretch_of_states& s) {
    for (; s.next < s.end; ++s.next, s.made = 0) {
      go_to(ways, s.next);
      list_deliverable();
      const auto all = deliverable();  // nothing else lists meanwhile
      while (s.made < all.size()) {
        if (stopping()) return false;
        const auto m = all[s.made].message;
        deliver(m, s.code);
        look({{s.next, m}, s.code});
        s.code = go_back();
        if (s.code == 0) ++s.made;
      }
    }
    return true;
  }

  void go_home() {
    while (system_.depth() > 0) go_back();
    path_.clear();
  }

  std::vector<found> found_;

private:
  bool arrive() {
    return States::arrive_with(false, [] { return std::uint32_t{0}; }).is_new;
  }

  void look(const found& here) {
    report_.depth = std::max<std::uint64_t>(report_.depth, system_.depth());
    if (system_.first_deliverable() == no_message) return arrive_at_end();
    if (arrive()) found_.push_back(here);
  }

  void go_to(const ways_to_states& ways, std::uint32_t state) {
    wanted_.clear();
    for (auto at = state; at != ways_to_states::start; at = ways[at].from) wanted_.push_back(at);
    std::reverse(wanted_.begin(), wanted_.end());
    const auto part = std::mismatch(path_.begin(), path_.end(), wanted_.begin(), wanted_.end()).first;
    const auto common = static_cast<std::size_t>(part - path_.begin());
    while (path_.size() > common) {
      go_back();
      path_.pop_back();
    }
    if (common == wanted_.size()) return;
    auto* const watching = system_.watch().observe(nullptr);  // who was told of these steps
    for (auto i = common; i < wanted_.size(); ++i) {
      deliver(ways[wanted_[i]].message, ways.code_of(wanted_[i]));
      path_.push_back(wanted_[i]);
    }
    system_.watch().observe(watching);
    system_.watch().made_before(wanted_.size() - common);
  }

  std::vector<std::uint32_t> path_, wanted_;  // states from the start to where the system is, or should be
};

}  // namespace harrier
